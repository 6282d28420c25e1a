//! Names in TypeScript.

use pcl::syntax::{capitalized, identifier_of};
use pcl_codegen::{NameRules, Names};

/// The words that cannot name a variable in a module.
const RESERVED: &[&str] = &[
    "arguments",
    "await",
    "break",
    "case",
    "catch",
    "class",
    "const",
    "continue",
    "debugger",
    "default",
    "delete",
    "do",
    "else",
    "enum",
    "eval",
    "export",
    "extends",
    "false",
    "finally",
    "for",
    "function",
    "if",
    "implements",
    "import",
    "in",
    "instanceof",
    "interface",
    "let",
    "new",
    "null",
    "package",
    "private",
    "protected",
    "public",
    "return",
    "static",
    "super",
    "switch",
    "this",
    "throw",
    "true",
    "try",
    "typeof",
    "undefined",
    "var",
    "void",
    "while",
    "with",
    "yield",
];

/// The names that generated code refers to, which no declaration may hide.
const USED: &[&str] = &[
    "Array", "Buffer", "Error", "Intl", "JSON", "Math", "Number", "Object", "Promise", "Record",
    "String", "exports", "module", "process", "pulumi", "require",
];

/// The names of a module.
pub(crate) fn names() -> Names {
    Names::new(NameRules { reserved: RESERVED, used: USED, identifier, before_number: "" })
}

/// A text as an identifier: other characters become underscores.
pub(crate) fn identifier(text: &str) -> String {
    let is_start = |c: char| c.is_ascii_alphabetic() || matches!(c, '_' | '$');
    identifier_of(text, is_start, |c| is_start(c) || c.is_ascii_digit())
}

/// The text with a capital letter in the place of each hyphen and the letter behind it, as SDKs
/// call the members of packages.
pub(crate) fn unhyphenated(text: &str) -> String {
    let mut parts = text.split('-');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |name, part| name + &capitalized(part))
}

/// The text with its first word in lower case.
pub(crate) fn camel(text: &str) -> String {
    let mut out = String::new();
    let chars: Vec<char> = text.chars().collect();
    let mut start = true;
    for (at, &c) in chars.iter().enumerate() {
        let next_is_lower = chars.get(at + 1).is_some_and(|next| next.is_lowercase());
        if start && (at == 0 || !next_is_lower) && c.is_uppercase() {
            out.extend(c.to_lowercase());
        } else {
            start = false;
            out.push(c);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_legal_and_unique() {
        let mut names = names();
        for (text, expected) in [
            ("site", "site"),
            ("site", "site2"),
            ("my-site", "my_site"),
            ("class", "class_"),
            ("class", "class2"),
            ("pulumi", "pulumi2"),
            ("3d", "_3d"),
            ("größe", "gr__e"),
            ("x1", "x1"),
            ("x1", "x1_2"),
        ] {
            assert_eq!(names.take(text), expected);
        }
    }

    #[test]
    fn cases() {
        for (text, expected) in [("GetAmi", "getAmi"), ("URLFor", "urlFor"), ("ID", "id")] {
            assert_eq!(camel(text), expected);
        }
        for (text, expected) in [("do-something", "doSomething"), ("plain", "plain"), ("a-", "a")] {
            assert_eq!(unhyphenated(text), expected);
        }
    }
}
