//! Calls of Pulumi's libraries for other languages: `new random.RandomPassword("pw", { .. })`,
//! `config.require("name")`, `pulumi.secret(x)`.

use pcl_diagnostics::{Code, TextRange};
use pcl_syntax::SyntaxKind as K;

use crate::function::worded;
use crate::habit::Habit;
use crate::view::{Line, View};

/// The functions of the libraries that are functions of PCL, under this name or another.
const FUNCTIONS: &[(&str, &str)] = &[
    ("FileArchive", "fileArchive"),
    ("FileAsset", "fileAsset"),
    ("RemoteArchive", "remoteArchive"),
    ("RemoteAsset", "remoteAsset"),
    ("StringAsset", "stringAsset"),
    ("getOrganization", "organization"),
    ("getProject", "project"),
    ("getStack", "stack"),
    ("get_organization", "organization"),
    ("get_project", "project"),
    ("get_stack", "stack"),
    ("jsonStringify", "toJSON"),
    ("json_dumps", "toJSON"),
    ("secret", "secret"),
    ("stringify", "toJSON"),
    ("unsecret", "unsecret"),
];

/// The names that programs give to their configuration.
const CONFIGS: &[&str] = &["config", "cfg", "conf"];

/// The names that are values wherever an expression is.
const LITERALS: &[&str] = &["false", "null", "true"];

/// The types of configuration variables, by the last word of the method that reads one.
const TYPES: &[(&str, &str)] = &[
    ("boolean", "bool"),
    ("bool", "bool"),
    ("float64", "number"),
    ("float", "number"),
    ("int32", "int"),
    ("int", "int"),
    ("number", "number"),
    ("object", "any"),
];

/// `new a.b.C(..)` at `token`.
pub(super) fn construction(view: &View<'_>, line: &Line, token: u32) -> Option<Habit> {
    if !view.is_word(token, &["new"]) || !view.is_in_value(line, token) {
        return None;
    }
    let first = view.next(token);
    let mut last = first;
    if view.kind(first) != K::Ident {
        return None;
    }
    while view.kind(last + 1) == K::Dot && view.kind(last + 2) == K::Ident {
        last += 2;
    }
    let opener = last + 1;
    if view.kind(opener) != K::LParen {
        return None;
    }
    let closer = view.close_of(opener)?;
    let arguments = view.text_between(view.range(opener).end(), view.start(closer));
    let whole = view.span(token, closer);
    let habit = Habit::new(Code::ForeignStatement, view.span(token, last))
        .related(view.span(first, last))
        .read(whole, K::Foreign);
    let habit = habit
        .message("there is no `new` in PCL")
        .label("this is what it makes")
        .title("call the function of PCL");
    Some(match function(view.text(last)) {
        Some(function) => habit
            .help("call the function without it")
            .edit(whole, format!("{function}({arguments})"))
            .safe(),
        None => habit.help(match view.slice(view.span(first, last)) {
            "Config" | "pulumi.Config" => CONFIG.to_owned(),
            path => declared_by_block(path),
        }),
    })
}

/// The call of a method of a library, whose dot is at `token`, from the first token to `closer`.
/// `None` where the object is no part of a library.
pub(super) fn method(
    view: &View<'_>,
    line: &Line,
    first: u32,
    token: u32,
    closer: u32,
) -> Option<Habit> {
    let (object, name) = (view.text(first), view.text(token + 1));
    let opener = token + 2;
    let is_library = view.kind(first) == K::Ident
        && (CONFIGS.contains(&object) || matches!(object, "pulumi" | "std" | "JSON" | "json"));
    if !is_library || view.kind(opener) != K::LParen {
        return None;
    }
    let whole = view.span(first, closer);
    let habit = Habit::value(Code::MethodCall, whole).related(view.range(token + 1));
    let arguments = view.text_between(view.range(opener).end(), view.start(closer)).trim();
    if CONFIGS.contains(&object) {
        let reads = name.starts_with("get") || name.starts_with("require");
        let reads = reads || matches!(name, "Get" | "Require" | "Try");
        // A map may have that name too.
        let is_own = view.declares(object) && !view.reads_config();
        return (reads && !is_own && first + 1 == token)
            .then(|| configured(view, line, habit, first, closer, (name, arguments)))
            .map(|habit| worded(view, habit));
    }
    let function = function(name).filter(|_| object != "std" && first + 1 == token);
    let habit = match function {
        Some(function) => habit.edit(whole, format!("{function}({arguments})")).safe(),
        None => habit,
    };
    Some(worded(view, habit))
}

fn function(name: &str) -> Option<&'static str> {
    FUNCTIONS.iter().find(|(other, _)| *other == name).map(|(_, own)| *own)
}

/// The habit of a call that reads a configuration variable, with the edits that write its name, and
/// a declaration where the file has none.
fn configured(
    view: &View<'_>,
    line: &Line,
    habit: Habit,
    first: u32,
    closer: u32,
    (method, arguments): (&str, &str),
) -> Habit {
    let name = arguments
        .strip_prefix('"')
        .and_then(|text| text.strip_suffix('"'))
        .filter(|name| pcl_syntax::is_identifier(name) && !LITERALS.contains(name));
    let Some(name) = name else { return habit };
    let whole = view.span(first, closer);
    let declaration = declaration(name, method);
    // An attribute of that name at the top level is what the declaration stands for.
    let attribute = view.before(first).and_then(|sign| {
        let name = view.before(sign)?;
        (view.kind(sign) == K::Equals && view.start(name) >= line.start).then_some(name)
    });
    let is_top = view.opener_of(line.first).is_none();
    if let Some(attribute) = attribute.filter(|&at| is_top && view.text(at) == name) {
        let next = view.next_kind(closer);
        return if matches!(next, K::Newline | K::EndOfFile | K::Semicolon) {
            habit.edit(view.span(attribute, closer), declaration)
        } else {
            habit
        };
    }
    if view.declares(name) {
        let value = if method.to_ascii_lowercase().contains("secret") {
            format!("secret({name})")
        } else {
            name.to_owned()
        };
        return habit.edit(whole, value).safe();
    }
    let beginning = match view.kind(0) {
        K::ByteOrderMark => view.range(0).end(),
        _ => 0,
    };
    habit.edit(TextRange::empty(beginning), format!("{declaration}\n\n")).edit(whole, name)
}

/// The declaration of a configuration variable that such a method reads.
fn declaration(name: &str, method: &str) -> String {
    let method = method.to_ascii_lowercase();
    let ty = TYPES.iter().find(|(end, _)| method.ends_with(end));
    let ty = ty.map_or("string", |(_, ty)| ty);
    if method.contains("secret") {
        format!("config \"{name}\" \"{ty}\" {{\n  secret = true\n}}")
    } else {
        format!("config \"{name}\" \"{ty}\" {{\n}}")
    }
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
pub(super) fn library_call(written: &str, name: &str) -> Option<String> {
    let path = written.split('(').next()?;
    let object = path.split('.').next()?;
    let is_path = path.split('.').all(|part| part.chars().all(|c| c.is_alphanumeric() || c == '_'));
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
