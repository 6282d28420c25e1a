//! Names in TypeScript.

use pcl::syntax::{capitalized, identifier_of};
use rustc_hash::{FxHashMap, FxHashSet};

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

/// Gives out names of which no two are equal.
#[derive(Debug)]
pub(crate) struct Names {
    taken: FxHashSet<String>,
    /// Those of them that a variable inside of a value may hide.
    hidden: FxHashSet<String>,
    /// The last number that each name was given with. The numbers below it are taken.
    numbers: FxHashMap<String, usize>,
}

/// The names that the variables inside of a value have, and those that it refers to.
#[derive(Debug, Default)]
pub(crate) struct LocalNames {
    used: FxHashSet<String>,
    /// The last number that each name was given with. The numbers below it are used.
    numbers: FxHashMap<String, usize>,
}

impl LocalNames {
    /// The names of a value that refers to these.
    pub fn new(used: FxHashSet<String>) -> Self {
        Self { used, numbers: FxHashMap::default() }
    }
}

impl Names {
    pub fn new() -> Self {
        let words = RESERVED.iter().chain(USED);
        Self {
            taken: words.map(|&word| word.to_owned()).collect(),
            hidden: FxHashSet::default(),
            numbers: FxHashMap::default(),
        }
    }

    /// Like [`take`](Self::take), for a declaration, whose name may mean something else inside of
    /// values that do not refer to it.
    pub fn declare(&mut self, text: &str) -> String {
        let name = self.take(text);
        self.hidden.insert(name.clone());
        name
    }

    /// A name for a variable inside of a value, which no other variable in it has.
    pub fn local(&self, locals: &mut LocalNames, text: &str) -> String {
        let base = identifier(text);
        let fits = |name: &str| self.is_free(name) || self.hidden.contains(name);
        let mut take = |name: &str| fits(name) && locals.used.insert(name.to_owned());
        if take(&base) {
            return base;
        }
        let (name, number) = numbered(&base, locals.numbers.get(&base).copied(), take);
        locals.numbers.insert(base, number);
        name
    }

    pub fn is_free(&self, name: &str) -> bool {
        !self.taken.contains(name)
    }

    /// A name like `text`, in its own case.
    pub fn take(&mut self, text: &str) -> String {
        let base = identifier(text);
        let (name, number) = self.find(&base);
        self.taken.insert(name.clone());
        if let Some(number) = number {
            self.numbers.insert(base, number);
        }
        name
    }

    /// A free name, with its number if it has one.
    fn find(&self, base: &str) -> (String, Option<usize>) {
        if self.is_free(base) {
            return (base.to_owned(), None);
        }
        if RESERVED.contains(&base) {
            let marked = format!("{base}_");
            if self.is_free(&marked) {
                return (marked, None);
            }
        }
        let between = if base.ends_with(|c: char| c.is_ascii_digit()) { "_" } else { "" };
        let last = self.numbers.get(base).copied();
        let stem = format!("{base}{between}");
        let (name, number) = numbered(&stem, last, |name| self.is_free(name));
        (name, Some(number))
    }
}

/// The first name with a number behind the last one that `fits`, and its number.
fn numbered(
    base: &str,
    last: Option<usize>,
    mut fits: impl FnMut(&str) -> bool,
) -> (String, usize) {
    let mut number = last.unwrap_or(1);
    loop {
        number += 1;
        let name = format!("{base}{number}");
        if fits(&name) {
            return (name, number);
        }
    }
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
        let mut names = Names::new();
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
