//! Names in Python, as Pulumi's SDKs have them.

use pcl::document::language::{python_class, python_name};
use pcl::syntax::capitalized;
use pcl_codegen::{NameRules, Names};

use crate::types::is_in_annotations;

/// The words that cannot name a variable, the built-in functions and types, which nothing hides,
/// and single letters that look like digits.
const RESERVED: &[&str] = &[
    "False",
    "I",
    "None",
    "O",
    "True",
    "abs",
    "all",
    "and",
    "any",
    "as",
    "assert",
    "async",
    "await",
    "bin",
    "bool",
    "break",
    "bytes",
    "callable",
    "chr",
    "class",
    "continue",
    "def",
    "del",
    "dict",
    "dir",
    "elif",
    "else",
    "enumerate",
    "eval",
    "except",
    "exec",
    "exit",
    "filter",
    "finally",
    "float",
    "for",
    "format",
    "from",
    "frozenset",
    "getattr",
    "global",
    "hash",
    "help",
    "hex",
    "id",
    "if",
    "import",
    "in",
    "input",
    "int",
    "is",
    "isinstance",
    "iter",
    "l",
    "lambda",
    "len",
    "list",
    "map",
    "max",
    "min",
    "next",
    "nonlocal",
    "not",
    "object",
    "open",
    "or",
    "ord",
    "pass",
    "pow",
    "print",
    "property",
    "raise",
    "range",
    "repr",
    "return",
    "reversed",
    "round",
    "set",
    "setattr",
    "slice",
    "sorted",
    "str",
    "sum",
    "super",
    "try",
    "tuple",
    "type",
    "vars",
    "while",
    "with",
    "yield",
    "zip",
];

/// The names that generated code refers to, which no declaration may hide.
const USED: &[&str] = &[
    "Any",
    "Callable",
    "Decimal",
    "Exception",
    "IndexError",
    "Mapping",
    "NoReturn",
    "NotRequired",
    "Path",
    "RuntimeError",
    "Sequence",
    "TypedDict",
    "ValueError",
    "base64",
    "cast",
    "config",
    "hashlib",
    "instances",
    "json",
    "math",
    "os",
    "pathlib",
    "pulumi",
    "range_key",
    "range_value",
    "ranges",
    "subprocess",
    "suppress",
    "typing",
    "unicodedata",
];

/// The members of all components, which no output of one may have as its name.
const COMPONENT_MEMBERS: &[&str] = &[
    "get_provider",
    "id",
    "pulumi_resource_name",
    "pulumi_resource_type",
    "register_outputs",
    "translate_input_property",
    "translate_output_property",
    "urn",
];

/// The names of a module.
pub(crate) fn names() -> Names {
    Names::new(NameRules {
        reserved: RESERVED,
        used: USED,
        identifier: variable,
        before_number: "_",
    })
}

/// A text as the name of a variable: in snake case, with underscores in the place of characters
/// that are no ASCII.
pub(crate) fn variable(text: &str) -> String {
    let ascii: String =
        text.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    let name = python_name(&ascii);
    let name = name.trim_end_matches('_');
    if name.is_empty() { "_".to_owned() } else { name.to_owned() }
}

/// The name of the parameter for an input of a resource.
pub(crate) fn parameter(name: &str) -> String {
    let name = python_name(name);
    if ["resource_name", "opts"].contains(&name.as_str()) { name + "_" } else { name }
}

/// The attribute for an output of a component.
pub(crate) fn attribute(name: &str) -> String {
    let name = variable(name);
    let is_taken = !is_identifier(&name)
        || COMPONENT_MEMBERS.contains(&name.as_str())
        || is_in_annotations(&name)
        || name.starts_with('_');
    if is_taken { format!("output_{name}") } else { name }
}

/// The name of a value of an enumeration; `None` if only the SDK knows it.
pub(crate) fn enum_member(name: &str, ty: &str) -> Option<String> {
    // The names of single characters are written out in ways that only the SDK knows.
    name.chars().nth(1)?;
    let legal = |c: char| if is_part(c) { c } else { '_' };
    let mut member: String = python_name(name).to_uppercase().chars().map(legal).collect();
    if member.starts_with(|c: char| !is_start(c)) {
        member.insert(0, '_');
    }
    if member.starts_with('_') {
        member = python_name(ty).to_uppercase() + &member;
    }
    while member.contains("__") {
        member = member.replace("__", "_");
    }
    Some(member)
}

/// The class of a member of a package: hyphens are dropped, and the letters behind them capitals.
pub(crate) fn class(name: &str) -> String {
    let mut parts = name.split('-');
    let first = parts.next().unwrap_or_default().to_owned();
    python_class(&parts.fold(first, |name, part| name + &capitalized(part)))
}

/// Returns true for names that may be written without quotes.
pub(crate) fn is_identifier(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && python_name(text).ends_with('_') == text.ends_with('_')
}

fn is_start(c: char) -> bool {
    c == '_' || c.is_alphabetic()
}

fn is_part(c: char) -> bool {
    is_start(c) || c.is_numeric()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_sdks() {
        assert_eq!(parameter("opts"), "opts_");
        assert_eq!(enum_member("t3.micro", "InstanceType").as_deref(), Some("T3_MICRO"));
        assert_eq!(enum_member("8.0", "Version").as_deref(), Some("VERSION_8_0"));
        assert_eq!(class("my-thing"), "MyThing");
    }

    #[test]
    fn names_of_variables_are_legal_and_unique() {
        let mut names = names();
        for (text, expected) in [
            ("siteUrl", "site_url"),
            ("site_url", "site_url_2"),
            ("class", "class_"),
            ("list", "list_"),
            ("l", "l_"),
            ("größe", "gr__e"),
            ("3d", "_3d"),
            ("", "_"),
        ] {
            assert_eq!(names.take(text), expected);
        }
    }
}
