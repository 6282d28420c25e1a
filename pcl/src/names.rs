//! Names for generated code: legal identifiers in the usual cases, unlike each other and unlike
//! reserved words.
//!
//! A legal identifier here is legal in every language in use: ASCII letters, digits and
//! underscores, not beginning with a digit, and not empty. Whatever the text, each function here
//! gives one. SDKs have rules of their own: [`python_name`] and [`python_class`] are those of
//! Python.
//!
//! ```
//! use pcl::names::{camel_case, pascal_case, snake_case};
//!
//! assert_eq!(pascal_case("web-server"), "WebServer");
//! assert_eq!(camel_case("HTTPPort"), "httpPort");
//! assert_eq!(snake_case("vpcId2"), "vpc_id2");
//! assert_eq!(snake_case("2nd größe"), "_2nd_gr_e");
//! assert_eq!(pascal_case(""), "_");
//! ```

use std::collections::{HashMap, HashSet};

pub use pcl_schema::language::{python_class, python_name};
use pcl_syntax::{capitalized, identifier_of};

/// `webServer`
pub fn camel_case(text: &str) -> String {
    let mut words = words(text);
    if let Some(first) = words.next() {
        let rest: String = words.map(|word| capitalized(&word.to_ascii_lowercase())).collect();
        return legal(&(first.to_ascii_lowercase() + &rest));
    }
    legal("")
}

/// `WebServer`
pub fn pascal_case(text: &str) -> String {
    legal(&words(text).map(|word| capitalized(&word.to_ascii_lowercase())).collect::<String>())
}

/// `web_server`
pub fn snake_case(text: &str) -> String {
    let words: Vec<String> = words(text).map(str::to_ascii_lowercase).collect();
    legal(&words.join("_"))
}

/// The text itself where it is an identifier, and otherwise with an underscore in place of each run
/// of what cannot be in one. A reserved word gets an underscore behind it.
///
/// ```
/// use pcl::names::identifier;
///
/// assert_eq!(identifier("site", &["class"]), "site");
/// assert_eq!(identifier("my site", &["class"]), "my_site");
/// assert_eq!(identifier("class", &["class"]), "class_");
/// ```
pub fn identifier(text: &str, reserved: &[&str]) -> String {
    let parts = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
    let parts: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
    let mut name = legal(&parts.join("_"));
    while reserved.contains(&name.as_str()) {
        name.push('_');
    }
    name
}

/// Gives out names of which no two are equal.
///
/// ```
/// use pcl::names::Names;
///
/// let mut names = Names::new(&["import"]);
/// assert_eq!(names.identifier("import"), "import_");
/// assert_eq!(names.pascal("a-b"), "AB");
/// assert_eq!(names.pascal("a_b"), "AB2");
/// assert_eq!(names.pascal("a.b"), "AB3");
/// ```
///
/// Names that are given out in a scope, such as the parameters of a callback, are unlike those
/// around it, and free again behind it:
///
/// ```
/// # use pcl::names::Names;
/// let mut names = Names::new(&[]);
/// assert_eq!(names.snake("site"), "site");
/// for _ in 0..2 {
///     names.enter();
///     assert_eq!(names.snake("site"), "site2");
///     assert_eq!(names.snake("url"), "url");
///     names.leave();
/// }
/// assert_eq!(names.snake("url"), "url");
/// ```
#[derive(Clone, Debug)]
pub struct Names {
    taken: HashSet<String>,
    /// The last number that was given to a repeated name.
    last: HashMap<String, usize>,
    /// The numbers that open scopes changed, as they were before.
    scopes: Vec<Vec<(String, Option<usize>)>>,
}

impl Names {
    /// Names that are none of these words.
    pub fn new(reserved: &[&str]) -> Self {
        Self {
            taken: reserved.iter().map(|&word| word.to_owned()).collect(),
            last: HashMap::new(),
            scopes: Vec::new(),
        }
    }

    /// Begins a scope.
    pub fn enter(&mut self) {
        self.scopes.push(Vec::new());
    }

    /// Ends the scope that began last, if there is one.
    pub fn leave(&mut self) {
        for (name, before) in self.scopes.pop().into_iter().flatten().rev() {
            match before {
                Some(number) => _ = self.last.insert(name, number),
                None => {
                    self.taken.remove(&name);
                    self.last.remove(&name);
                }
            }
        }
    }

    fn set_last(&mut self, name: String, number: usize) {
        let before = self.last.insert(name.clone(), number);
        if let Some(scope) = self.scopes.last_mut() {
            scope.push((name, before));
        }
    }

    /// A name like `text`, in its own case.
    pub fn identifier(&mut self, text: &str) -> String {
        let name = identifier(text, &[]);
        self.take(name)
    }

    /// A name like `text` in camelCase.
    pub fn camel(&mut self, text: &str) -> String {
        self.take(camel_case(text))
    }

    /// A name like `text` in PascalCase.
    pub fn pascal(&mut self, text: &str) -> String {
        self.take(pascal_case(text))
    }

    /// A name like `text` in snake_case.
    pub fn snake(&mut self, text: &str) -> String {
        self.take(snake_case(text))
    }

    /// The name itself when it is free: a reserved word gets an underscore, what was given out a
    /// number.
    fn take(&mut self, name: String) -> String {
        if self.taken.insert(name.clone()) {
            self.set_last(name.clone(), 1);
            return name;
        }
        if !self.last.contains_key(&name) {
            return self.take(name + "_");
        }
        let mut number = self.last.get(&name).copied().unwrap_or_default();
        loop {
            number += 1;
            // Digits at its end would run into the number.
            let between = if name.ends_with(|c: char| c.is_ascii_digit()) { "_" } else { "" };
            let numbered = format!("{name}{between}{number}");
            if self.taken.insert(numbered.clone()) {
                self.set_last(name, number);
                self.set_last(numbered.clone(), 1);
                return numbered;
            }
        }
    }
}

/// The words of a text: runs of ASCII letters and digits, divided before each capital that begins a
/// word.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_alphanumeric())
        .flat_map(|run| {
            let bytes = run.as_bytes();
            let begins = |at: usize| {
                let upper = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_uppercase);
                let lower = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_lowercase);
                upper(at) && (!upper(at - 1) || lower(at + 1))
            };
            let mut starts = vec![0];
            starts.extend((1..bytes.len()).filter(|&at| begins(at)));
            let ends: Vec<usize> = starts.iter().skip(1).copied().chain([bytes.len()]).collect();
            starts.into_iter().zip(ends).filter_map(move |(start, end)| run.get(start..end))
        })
        .filter(|word| !word.is_empty())
}

/// An identifier in every language in use.
fn legal(text: &str) -> String {
    let is_start = |c: char| c.is_ascii_alphabetic() || c == '_';
    identifier_of(text, is_start, |c| is_start(c) || c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const RESERVED: &[&str] = &["class", "_", "a", "a_", "item2"];

    fn is_legal(name: &str) -> bool {
        let legal = |c: char| c.is_ascii_alphanumeric() || c == '_';
        name.chars().all(legal)
            && !name.is_empty()
            && !name.starts_with(|c: char| c.is_ascii_digit())
    }

    #[test]
    fn words_begin_at_capitals_and_behind_what_is_no_letter() {
        for (text, camel, pascal, snake) in [
            ("my-web.server", "myWebServer", "MyWebServer", "my_web_server"),
            ("parseXMLText", "parseXmlText", "ParseXmlText", "parse_xml_text"),
            ("HTTP", "http", "Http", "http"),
            ("s3Bucket", "s3Bucket", "S3Bucket", "s3_bucket"),
            ("__x__", "x", "X", "x"),
            ("3d", "_3d", "_3d", "_3d"),
            ("日本", "_", "_", "_"),
        ] {
            assert_eq!(camel_case(text), camel);
            assert_eq!(pascal_case(text), pascal);
            assert_eq!(snake_case(text), snake);
        }
    }

    proptest! {
        #[test]
        fn every_name_is_legal(text in ".*") {
            for name in [camel_case(&text), pascal_case(&text), snake_case(&text)] {
                prop_assert!(is_legal(&name), "{name}");
            }
            let name = identifier(&text, RESERVED);
            prop_assert!(is_legal(&name) && !RESERVED.contains(&name.as_str()), "{name}");
            if is_legal(&text) && !RESERVED.contains(&text.as_str()) {
                prop_assert_eq!(name, text);
            }
        }

        /// Cases are stable: what is in one stays so.
        #[test]
        fn a_case_is_kept(text in ".*") {
            prop_assert_eq!(snake_case(&snake_case(&text)), snake_case(&text));
        }

        #[test]
        fn names_are_given_out_once(texts in prop::collection::vec("[a-c2_]{0,3}|class|item2?|.{0,2}", 0..40)) {
            let mut names = Names::new(RESERVED);
            let mut given = HashSet::new();
            for (at, text) in texts.iter().enumerate() {
                let name = match at % 4 {
                    0 => names.identifier(text),
                    1 => names.camel(text),
                    2 => names.pascal(text),
                    _ => names.snake(text),
                };
                prop_assert!(is_legal(&name) && !RESERVED.contains(&name.as_str()), "{name}");
                prop_assert!(given.insert(name.clone()), "{name} twice");
            }
        }

        /// Whatever happens in a scope, names behind it are those without the scope.
        #[test]
        fn scopes_leave_no_trace(
            before in prop::collection::vec("[a-b2]{0,2}", 0..9),
            within in prop::collection::vec("[a-b2]{0,2}", 0..9),
            after in prop::collection::vec("[a-b2]{0,2}", 0..9),
        ) {
            let mut names = Names::new(RESERVED);
            let outer: HashSet<_> = before.iter().map(|text| names.snake(text)).collect();
            let mut without = names.clone();
            names.enter();
            for text in &within {
                let name = names.snake(text);
                prop_assert!(!outer.contains(&name), "{name}");
            }
            names.leave();
            for text in &after {
                prop_assert_eq!(names.snake(text), without.snake(text));
            }
        }
    }
}
