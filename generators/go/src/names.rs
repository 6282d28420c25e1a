//! Names in Go, as Pulumi's SDKs have them.

use pcl_codegen::{NameRules, Names};

/// The keywords, and what Go declares itself.
const RESERVED: &[&str] = &[
    "any",
    "append",
    "bool",
    "break",
    "byte",
    "cap",
    "case",
    "chan",
    "clear",
    "close",
    "comparable",
    "complex",
    "complex128",
    "complex64",
    "const",
    "continue",
    "copy",
    "default",
    "defer",
    "delete",
    "else",
    "error",
    "fallthrough",
    "false",
    "float32",
    "float64",
    "for",
    "func",
    "go",
    "goto",
    "if",
    "imag",
    "import",
    "init",
    "int",
    "int16",
    "int32",
    "int64",
    "int8",
    "interface",
    "iota",
    "len",
    "main",
    "make",
    "map",
    "max",
    "min",
    "new",
    "nil",
    "package",
    "panic",
    "print",
    "println",
    "range",
    "real",
    "recover",
    "return",
    "rune",
    "select",
    "string",
    "struct",
    "switch",
    "true",
    "type",
    "uint",
    "uint16",
    "uint32",
    "uint64",
    "uint8",
    "uintptr",
    "var",
];

/// The names that generated code refers to, which no declaration may hide.
const USED: &[&str] = &[
    "args",
    "base64",
    "cfg",
    "cmp",
    "config",
    "ctx",
    "err",
    "errors",
    "exec",
    "fmt",
    "hex",
    "internals",
    "json",
    "maps",
    "math",
    "os",
    "pulumi",
    "pulumix",
    "reflect",
    "sha1",
    "sha256",
    "slices",
    "sort",
    "strconv",
    "strings",
    "unicode",
];

/// The names of a file.
pub(crate) fn names() -> Names {
    Names::new(NameRules {
        reserved: RESERVED,
        used: USED,
        identifier: variable,
        before_number: "",
    })
}

/// A text as the name of a variable: in camel case, without characters that are no ASCII.
pub(crate) fn variable(text: &str) -> String {
    let text = text.strip_prefix('$').unwrap_or(text);
    let mut out = String::new();
    let mut is_next = false;
    for c in text.chars() {
        if !c.is_ascii_alphanumeric() {
            is_next = !out.is_empty();
        } else if is_next {
            out.push(c.to_ascii_uppercase());
            is_next = false;
        } else {
            out.push(c);
        }
    }
    let out = lower_first(&out);
    match out.chars().next() {
        None => "value".to_owned(),
        Some(first) if first.is_ascii_digit() => format!("_{out}"),
        Some(_) => out,
    }
}

/// The name of a variable that others of the package may see: `SiteUrl`.
pub(crate) fn exported(text: &str) -> String {
    let name = variable(text);
    let name = name.trim_start_matches('_');
    let name = upper_first(name);
    match name.chars().next() {
        Some(first) if first.is_ascii_digit() => format!("Value{name}"),
        _ => name,
    }
}

/// A name with its first word in small letters: `urlPath` for `URLPath`.
fn lower_first(name: &str) -> String {
    let letters: Vec<char> = name.chars().collect();
    let upper = letters.iter().take_while(|c| c.is_ascii_uppercase()).count();
    let is_word = upper == letters.len();
    let end = if upper > 1 && !is_word { upper - 1 } else { upper };
    let lower = |(at, c): (usize, &char)| if at < end { c.to_ascii_lowercase() } else { *c };
    letters.iter().enumerate().map(lower).collect()
}

/// A text with a capital at its start.
pub(crate) fn upper_first(text: &str) -> String {
    let mut letters = text.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => String::new(),
    }
}

/// The name of a file, which must not be one for some systems alone or for tests.
pub(crate) fn file(text: &str) -> String {
    variable(text).to_ascii_lowercase().trim_start_matches('_').to_owned()
}

/// The name of a member or property of a package: hyphens are dropped, and the letters behind them
/// are capitals.
pub(crate) fn title(name: &str) -> String {
    let name = name.trim_start_matches('$');
    let mut parts = name.split('-');
    let first = upper_first(parts.next().unwrap_or_default());
    let name = parts.fold(first, |name, part| name + &upper_first(part));
    match name.chars().next() {
        Some(first) if first != '_' && !first.is_alphabetic() => format!("_{name}"),
        _ => name,
    }
}

/// The name of a property in a struct, which no method may have.
pub(crate) fn field(name: &str) -> String {
    let name = title(name);
    if ["ID", "URN", "GetProvider", "ElementType"].contains(&name.as_str()) {
        return name + "_";
    }
    name
}

/// The name of the property of a resource of a class.
pub(crate) fn resource_field(class: &str, name: &str) -> String {
    let name = field(name);
    let taken = format!("To{class}Output");
    if name == taken || name == format!("{taken}WithContext") { name + "_" } else { name }
}

/// The constant of a value of an enumeration; `None` if only the SDK knows its name.
pub(crate) fn constant(name: &str, ty: &str) -> Option<String> {
    // The names of single characters are written out in ways that only the SDK knows.
    name.chars().nth(1)?;
    let name = name.trim_start_matches('$');
    let mut parts = name.split('-');
    let first = upper_first(parts.next().unwrap_or_default());
    let name = parts.fold(first, |name, part| format!("{name}_{}", upper_first(part)));
    let legal = |c: char| if c.is_alphanumeric() || c == '_' { c } else { '_' };
    let mut name: String = name.chars().map(legal).collect();
    if name.starts_with(|c: char| c.is_numeric()) {
        name.insert(0, '_');
    }
    while name.contains("__") {
        name = name.replace("__", "_");
    }
    if name.contains('_') && !name.starts_with('_') {
        name.insert(0, '_');
    }
    Some(format!("{ty}{name}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_sdks() {
        assert_eq!(title("my-thing"), "MyThing");
        assert_eq!(title("$schema"), "Schema");
        assert_eq!(field("elementType"), "ElementType_");
        assert_eq!(constant("t3.micro", "InstanceType").as_deref(), Some("InstanceType_T3_micro"));
        assert_eq!(constant("Small", "Size").as_deref(), Some("SizeSmall"));
    }

    #[test]
    fn names_of_variables_are_legal_and_unique() {
        let mut names = names();
        for (text, expected) in [
            ("siteUrl", "siteUrl"),
            ("site_url", "siteUrl2"),
            ("Site", "site"),
            ("URLPath", "urlPath"),
            ("func", "func_"),
            ("my-site", "mySite"),
            ("3d", "_3d"),
            ("größe", "grE"),
            ("", "value"),
            ("err", "err2"),
        ] {
            assert_eq!(names.take(text), expected);
        }
    }
}
