//! Notation of other languages.

use pcl_diagnostics::{Code, Fix, TextEdit, TextRange};

use super::draft::{Draft, quoted};
use super::site::Site;
use crate::foreign::{language, swallowed};
use crate::language::Language;

pub(super) fn draft(c: &Site<'_>) -> Option<Draft> {
    Some(match c.error.code() {
        Code::ForeignFile => foreign_file(c),
        Code::ForeignEncoding => Draft::new("this file is UTF-16, not UTF-8")
            .help("save the file with the encoding UTF-8"),
        Code::HeredocMarker => heredoc(c),
        Code::HeredocSwallowing => swallowing(c),
        Code::ForeignStatement => statement(c),
        Code::YamlNotation => yaml(c),
        Code::WordOperator => word_operator(c),
        Code::ForeignConditional => Draft::new("a conditional is written with `?` and `:` in PCL")
            .help("write `condition ? value : other`")
            .fix(rewrite(c, "write it with `?` and `:`")),
        Code::Comprehension => Draft::new("`for` comes first in PCL, inside the brackets")
            .related("this `for` comes after the value")
            .help("write `[for value in list : result]`, or `{for key, value in map : key => value}`")
            .fix(rewrite(c, "put the `for` first")),
        Code::MethodCall => method_call(c),
        Code::FunctionLiteral => Draft::new("a function cannot be defined in PCL")
            .help("to change each element of a list, write `[for value in list : result]`"),
        Code::PrefixedString => prefixed_string(c),
        Code::BareInterpolation => Draft::new(format!(
            "an interpolation is only used inside a string, found {}",
            c.found()
        ))
        .help("outside of a string, write the expression without `${ }`")
        .fix(interpolation(c)),
        Code::NullOperator => null_operator(c),
        Code::ForeignComment => Draft::new(format!("{} does not begin a comment", c.found()))
            .help("a comment begins with `#` or `//`")
            .fix(rewrite(c, "begin the comment with `#`")),
        Code::ForeignType => Draft::new(format!("{} is not a type in PCL", c.found()))
            .help("types are `string`, `int`, `number`, `bool`, `list(T)`, `map(T)` and `object({ .. })`")
            .fix(rewrite(c, "write the type of PCL")),
        Code::UnquotedString => Draft::new("a string is written in double quotes")
            .help("put the text in double quotes")
            .fix(rewrite(c, "put it in double quotes")),
        _ => return None,
    })
}

/// The fix of an interpolation without quotes: the expression alone, or a string.
fn interpolation(c: &Site<'_>) -> Option<Fix> {
    let fix = rewrite(c, "write the expression alone")?;
    let is_text = fix.edits.iter().any(|edit| edit.text.starts_with('"'));
    let title = if is_text {
        "put it in double quotes".to_owned()
    } else {
        fix.title
    };
    Some(Fix { title, ..fix })
}

/// The fix that writes the PCL for what is blamed.
pub(super) fn rewrite(c: &Site<'_>, title: impl Into<String>) -> Option<Fix> {
    let (code, at) = (c.error.code(), c.error.range().start());
    let all = &c.tree.rewrites;
    let found = all.binary_search_by_key(&(at, code), |rewrite| (rewrite.at, rewrite.code));
    let rewrite = all.get(found.ok()?)?;
    let edits = rewrite.edits.iter();
    Some(Fix {
        title: title.into(),
        edits: edits
            .map(|(range, text)| TextEdit::replace(c.span(*range), text.clone()))
            .collect(),
        applicability: rewrite.applicability,
    })
}

fn foreign_file(c: &Site<'_>) -> Draft {
    const VALUES: &str = "PCL sets values with `name = value`, in files that end in `.pp`";
    const SAME_EXTENSION: &str = "both languages use `.pp`; check a directory that holds PCL alone";
    const PROGRAM: &str = "the files of a PCL program end in `.pp`";
    let language = c.tree.language.or_else(|| language(c.tree.text()));
    let (what, help) = match language {
        Some(Language::PulumiYaml) => (
            "a Pulumi YAML program",
            "check the directory of the PCL program, or convert this one with `pulumi convert \
             --from yaml --language pcl`",
        ),
        Some(Language::Terraform) => (
            "a Terraform configuration",
            "the files of a PCL program end in `.pp`; convert this one with `pulumi convert --from \
             terraform --language pcl`",
        ),
        Some(Language::TerraformValues) => (
            "a file of Terraform variables",
            "the values of `config` blocks are set with `pulumi config set`",
        ),
        Some(Language::Yaml) => ("YAML", VALUES),
        Some(Language::Json) => ("JSON", VALUES),
        Some(Language::Hcl) => ("HCL of another tool", PROGRAM),
        Some(Language::Python) => ("a Python program", PROGRAM),
        Some(Language::TypeScript) => ("a TypeScript program", PROGRAM),
        Some(Language::JavaScript) => ("a JavaScript program", PROGRAM),
        Some(Language::Go) => ("a Go program", PROGRAM),
        Some(Language::Puppet) => ("a Puppet manifest", SAME_EXTENSION),
        Some(Language::Pascal) | None => ("a Pascal program", SAME_EXTENSION),
    };
    Draft::new(format!("this file is {what}, not PCL")).help(help)
}

fn heredoc(c: &Site<'_>) -> Draft {
    let written = c.written();
    let Some(introducer) = c.error.related() else {
        // The marker of the introducer.
        let dash = if written.starts_with("<<-") || written.starts_with("<<~") {
            "-"
        } else {
            ""
        };
        let marker = written.trim_matches(|c: char| !c.is_alphanumeric() && c != '_');
        let title = format!("write `<<{dash}{marker}`");
        let message = match written
            .chars()
            .find(|c| matches!(c, '"' | '\'' | '`' | '~'))
        {
            Some('~') => "a heredoc does not start with `<<~`".to_owned(),
            Some(_) => "the marker of a heredoc is not quoted".to_owned(),
            None if written.ends_with(marker) => {
                format!("the marker of a heredoc follows `<<{dash}` without a space")
            }
            None => format!("nothing may follow `{marker}` at the start of a heredoc"),
        };
        return Draft::new(message)
            .help(format!("{title}, with nothing else behind it"))
            .fix(rewrite(c, title));
    };
    let marker = c.text(introducer).trim_start_matches(['<', '-']);
    let draft = match c.tree.text().get(..c.error.range().start() as usize) {
        Some(before) if before.ends_with(marker) => {
            let title = format!("leave `{marker}` alone on its line");
            Draft::new(format!(
                "nothing may follow `{marker}` at the end of a heredoc"
            ))
            .help("the closing line of a heredoc holds its marker and nothing else")
            .fix(rewrite(c, title))
        }
        _ => Draft::new(format!(
            "this heredoc ends with {}, but begins with `{marker}`",
            quoted(written)
        ))
        .help("the closing line of a heredoc is the same marker")
        .fix(rewrite(c, format!("write `{marker}`"))),
    };
    draft.related("the heredoc starts here")
}

/// A heredoc that is closed by the end of another one.
fn swallowing(c: &Site<'_>) -> Draft {
    let range = c.error.range();
    let introducer = c.error.related().unwrap_or(range);
    let marker = c.text(introducer).trim_start_matches(['<', '-', ' ', '\t']);
    let title = format!("write `{marker}`");
    let draft = Draft::new(format!(
        "{} does not end this heredoc, which begins with `{marker}`",
        quoted(c.written())
    ))
    .related("the heredoc starts here")
    .help("the closing line of a heredoc is the same marker")
    .fix(c.likely(title, range, marker));
    let rest = TextRange::new(range.end(), c.tree.text().len() as u32);
    match swallowed(c.tree.text(), rest, marker) {
        Some(other) => draft.label(other, "this heredoc is still its text"),
        None => draft,
    }
}

fn statement(c: &Site<'_>) -> Draft {
    let written = c.written();
    if c.error.related().is_none() {
        return Draft::new("files are not imported in PCL")
            .help("every `.pp` file of the directory belongs to the program, and a package is found by the type tokens that name it")
            .fix(rewrite(c, "remove the line"));
    }
    if let Some(path) = written.strip_prefix("new ") {
        return construction(c, path.trim());
    }
    Draft::new(format!("an attribute is set without {}", quoted(written)))
        .related("the attribute starts with its name")
        .help("write `name = value`")
        .fix(rewrite(c, format!("remove {}", quoted(written))))
}

/// A value that other languages make by `new`; `path` is the class behind it.
fn construction(c: &Site<'_>, path: &str) -> Draft {
    if let Some(fix) = rewrite(c, "call the function of PCL") {
        return Draft::new("there is no `new` in PCL")
            .related("this is what it makes")
            .help("call the function without it")
            .fix(fix);
    }
    let help = match path {
        "Config" | "pulumi.Config" => CONFIG.to_owned(),
        _ => declared_by_block(path),
    };
    Draft::new("there is no `new` in PCL")
        .related("this is what it makes")
        .help(help)
}

/// The advice about the configuration of a program.
const CONFIG: &str = "declare each configuration variable, as in `config \"name\" \"string\" {}`, and refer to it by its name alone";

/// The advice about a resource whose class is at `path`.
fn declared_by_block(path: &str) -> String {
    let mut parts: Vec<&str> = path.split('.').collect();
    let name = parts.pop().unwrap_or_default();
    let token = match &*parts {
        [] => format!("package:module:{name}"),
        [package] => format!("{package}:index:{name}"),
        [package, module @ ..] => format!("{package}:{}:{name}", module.join("/")),
    };
    format!("a resource is declared by a block: `resource \"name\" \"{token}\" {{ .. }}`")
}

/// The advice about a call of one of Pulumi's libraries, or of a package as in other languages.
fn library_call(written: &str, name: &str) -> Option<String> {
    let path = written.split('(').next()?;
    let object = path.split('.').next()?;
    let is_path = path
        .split('.')
        .all(|part| part.chars().all(|c| c.is_alphanumeric() || c == '_'));
    if !is_path {
        return None;
    }
    Some(match (object, name) {
        ("config" | "cfg" | "conf", _) => CONFIG.to_owned(),
        ("pulumi", "export") => "declare an output: `output \"name\" { value = .. }`".to_owned(),
        ("pulumi", "all" | "output" | "Output") => {
            "outputs are used like plain values: write the values themselves".to_owned()
        }
        ("pulumi", "interpolate" | "concat" | "format") => {
            "write the values into a string, as in `\"${a}-${b}\"`".to_owned()
        }
        ("std", _) => format!("invoke it, as in `invoke(\"std:index:{name}\", {{ .. }}).result`"),
        _ if name.starts_with(char::is_uppercase) => declared_by_block(path),
        _ if is_getter(name) => {
            let mut parts: Vec<&str> = path.split('.').collect();
            parts.pop();
            let (package, module) = parts.split_first()?;
            let module = match module {
                [] => "index".to_owned(),
                module => module.join("/"),
            };
            format!("invoke it, as in `invoke(\"{package}:{module}:{name}\", {{ .. }})`")
        }
        _ => return None,
    })
}

/// Returns whether a name is that of a function of a package, such as `getImage`.
fn is_getter(name: &str) -> bool {
    let rest = name.strip_prefix("get");
    rest.is_some_and(|rest| rest.starts_with(char::is_uppercase))
}

fn yaml(c: &Site<'_>) -> Draft {
    let is_list = c.written().starts_with('-');
    let draft = if is_list {
        Draft::new("a list is written in brackets in PCL, not with `-`")
            .help("write `name = [first, second]`")
            .fix(rewrite(c, "write the list in brackets"))
    } else {
        Draft::new("an object is written in braces in PCL, not by indentation")
            .help("write `name = { key = value }`")
            .fix(rewrite(c, "write the object in braces"))
    };
    draft.related(if is_list {
        "the list belongs to this name"
    } else {
        "the object belongs to this name"
    })
}

fn word_operator(c: &Site<'_>) -> Draft {
    let written = c.written();
    let operator = match written {
        "and" | "AND" => "&&",
        "or" | "OR" => "||",
        "not" | "NOT" => "!",
        "is" | "===" => "==",
        _ => "!=",
    };
    let title = format!("write `{operator}`");
    Draft::new(format!(
        "{} is written `{operator}` in PCL",
        quoted(written)
    ))
    .help(title.clone())
    .fix(rewrite(c, title))
}

fn method_call(c: &Site<'_>) -> Draft {
    let name = c
        .error
        .related()
        .map(|range| c.text(range))
        .unwrap_or_default();
    let draft = Draft::new(format!("there are no methods in PCL, found `.{name}(..)`"))
        .related("this is called like a method");
    let help = match name {
        "apply" => "an output is used like a plain value: write the expression itself",
        "format" => "write the values into the string, as in `\"${a}-${b}\"`",
        "map" | "forEach" | "filter" | "flatMap" | "reduce" => {
            "to change each element of a list, write `[for value in list : result]`"
        }
        "upper" | "lower" | "toUpperCase" | "toLowerCase" | "trim" | "strip" | "replace"
        | "startsWith" | "endsWith" | "substring" | "slice" => {
            "the package `std` has functions for strings, as in `invoke(\"std:index:replace\", { .. }).result`"
        }
        _ => "call a function with the value as an argument, as in `split(\",\", text)`",
    };
    let title = if c.written().starts_with("pulumi.") {
        "call the function of PCL"
    } else {
        "write it without a method"
    };
    let fix = rewrite(c, title);
    match fix {
        Some(fix) => {
            let text = fix
                .edits
                .last()
                .map(|edit| edit.text.clone())
                .unwrap_or_default();
            draft.help(format!("write {}", quoted(&text))).fix(fix)
        }
        None => match library_call(c.written(), name) {
            Some(help) => draft.help(help),
            None => draft.help(help),
        },
    }
}

fn prefixed_string(c: &Site<'_>) -> Draft {
    let written = c.written();
    if written.ends_with(['"', '\'']) && c.error.related().is_none() {
        return Draft::new("triple quotes do not quote in PCL")
            .help("write a string of several lines as a heredoc, from `<<-EOT` to `EOT`")
            .fix(rewrite(c, "write it without triple quotes"));
    }
    let prefix = c
        .error
        .related()
        .map(|range| c.text(range))
        .unwrap_or_default();
    let help = match prefix {
        "f" | "F" | "$" | "s" => "every string has interpolations: write `\"${value}\"`",
        "r" | "R" | "@" => "in a string, a backslash is written `\\\\`",
        _ => "write the string without it",
    };
    Draft::new(format!("a string has no prefix in PCL, found `{prefix}`"))
        .related("this is the prefix")
        .help(help)
        .fix(rewrite(c, "write a plain string"))
}

fn null_operator(c: &Site<'_>) -> Draft {
    let sign = c.error.related().map_or(c.written(), |range| c.text(range));
    let draft = Draft::new(format!("there is no operator {} in PCL", quoted(sign)));
    match c.error.related() {
        Some(_) => draft
            .related("this operator")
            .help("write `a != null ? a : b`, or `try(a, b)`")
            .fix(rewrite(c, "write it with `?` and `:`")),
        None => draft
            .help("write `.`; where the value may be missing, write `try(a.b, null)`")
            .fix(rewrite(c, "write a plain step")),
    }
}
