//! Names in Java, as Pulumi's SDKs have them.

use pcl::syntax::capitalized;
use pcl_codegen::{NameRules, Names};

/// The words that cannot name anything.
const RESERVED: &[&str] = &[
    "_",
    "abstract",
    "assert",
    "boolean",
    "break",
    "byte",
    "case",
    "catch",
    "char",
    "class",
    "const",
    "continue",
    "default",
    "do",
    "double",
    "else",
    "enum",
    "extends",
    "false",
    "final",
    "finally",
    "float",
    "for",
    "goto",
    "if",
    "implements",
    "import",
    "instanceof",
    "int",
    "interface",
    "long",
    "native",
    "new",
    "null",
    "package",
    "private",
    "protected",
    "public",
    "return",
    "short",
    "static",
    "strictfp",
    "super",
    "switch",
    "synchronized",
    "this",
    "throw",
    "throws",
    "transient",
    "true",
    "try",
    "var",
    "void",
    "volatile",
    "while",
    "yield",
    "record",
    "sealed",
    "permits",
];

/// The names that generated code refers to, which no declaration may hide.
const USED: &[&str] = &["args", "com", "config", "ctx", "generated_program", "java", "options"];

/// The methods of every object, and of builders.
const METHODS: &[&str] = &[
    "notify",
    "notifyAll",
    "toString",
    "clone",
    "equals",
    "hashCode",
    "getClass",
    "wait",
    "finalize",
    "builder",
];

/// The methods of resources.
const RESOURCE_METHODS: &[&str] = &[
    "getResourceType",
    "getResourceName",
    "getChildResources",
    "getUrn",
    "getId",
    "pulumiResourceType",
    "pulumiResourceName",
    "pulumiChildResources",
    "urn",
    "id",
];

/// The words that the names of SDKs avoid.
fn is_reserved_by_sdks(name: &str) -> bool {
    RESERVED.contains(&name) && !["yield", "record", "sealed", "permits"].contains(&name)
}

/// The names of a file.
pub(crate) fn names() -> Names {
    Names::new(NameRules {
        reserved: RESERVED,
        used: USED,
        identifier: variable,
        before_number: "",
    })
}

/// The names of classes in a project.
pub(crate) fn class_names() -> Names {
    Names::new(NameRules {
        reserved: &[],
        used: &["App", "Helpers"],
        identifier: class,
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

/// A text as the name of a class.
pub(crate) fn class(text: &str) -> String {
    let name = variable(text);
    let name = capitalized(name.trim_start_matches('_'));
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

/// An identifier as SDKs make them: hyphens are dropped, and other characters become underscores.
pub(crate) fn identifier(text: &str) -> String {
    let mut out = String::new();
    for (at, c) in text.chars().enumerate() {
        let is_letter = c == '_' || c == '$' || c.is_alphabetic();
        match c {
            '-' => {}
            c if is_letter => out.push(c),
            c if c.is_numeric() => {
                if at == 0 {
                    out.push('_');
                }
                out.push(c);
            }
            _ => out.push('_'),
        }
    }
    if is_reserved_by_sdks(&out) { out + "_" } else { out }
}

/// The name of a class of an SDK.
pub(crate) fn sdk_class(name: &str) -> String {
    identifier(&capitalized(name))
}

/// The name of a function of an SDK.
pub(crate) fn sdk_function(name: &str) -> String {
    let name = sdk_class(name);
    let mut letters = name.chars();
    match letters.next() {
        Some(first) => first.to_lowercase().chain(letters).collect(),
        None => name,
    }
}

/// The method that gives or sets a property of an object.
pub(crate) fn property(name: &str) -> String {
    let name = identifier(name);
    if METHODS.contains(&name.as_str()) { name + "_" } else { name }
}

/// The method that gives a property of a resource.
pub(crate) fn resource_property(name: &str) -> String {
    let name = property(name);
    if RESOURCE_METHODS.contains(&name.as_str()) { name + "_" } else { name }
}

/// The constant of a value of an enumeration; `None` if only the SDK knows its name.
pub(crate) fn constant(name: &str) -> Option<String> {
    // The names of single characters are written out in ways that only the SDK knows.
    name.chars().nth(1)?;
    let mut name = capitalized(&identifier(name));
    while name.contains("__") {
        name = name.replace("__", "_");
    }
    Some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_sdks() {
        assert_eq!(sdk_class("my-thing"), "Mything");
        assert_eq!(sdk_function("GetAmi"), "getAmi");
        assert_eq!(property("class"), "class_");
        assert_eq!(property("notify"), "notify_");
        assert_eq!(resource_property("urn"), "urn_");
        assert_eq!(constant("t3.micro").as_deref(), Some("T3_micro"));
        assert_eq!(constant("8.0").as_deref(), Some("_8_0"));
        assert_eq!(identifier("apps/v1"), "apps_v1");
    }

    #[test]
    fn names_of_variables_are_legal_and_unique() {
        let mut names = names();
        for (text, expected) in [
            ("siteUrl", "siteUrl"),
            ("site_url", "siteUrl2"),
            ("Site", "site"),
            ("URLPath", "urlPath"),
            ("class", "class_"),
            ("my-site", "mySite"),
            ("3d", "_3d"),
            ("größe", "grE"),
            ("", "value"),
            ("ctx", "ctx2"),
        ] {
            assert_eq!(names.take(text), expected);
        }
    }
}
