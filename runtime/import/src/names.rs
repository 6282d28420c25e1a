//! Names in the program: legal identifiers, each given once.
//!
//! The rules, with examples: `tests/spec/import/names.md`.

use pcl_syntax::{capitalized, identifier};
use rustc_hash::FxHashMap;

/// The words that mean something else in an expression.
const RESERVED: [&str; 10] =
    ["true", "false", "null", "range", "self", "for", "if", "in", "else", "endif"];

/// Gives out names of which no two are equal.
#[derive(Debug, Default)]
pub struct Names {
    /// The last number that was given to each name, zero for one without a number.
    taken: FxHashMap<String, usize>,
}

impl Names {
    /// A name like `text`, or like `text` with `kind` behind it, or else with a number.
    pub fn give(&mut self, text: &str, kind: &str) -> String {
        let name = identifier(text);
        if self.take(&name) {
            return name;
        }
        let longer = identifier(&format!("{name}{}", capitalized(kind)));
        if longer != name && self.take(&longer) {
            return longer;
        }
        let mut number = self.taken.get(&name).copied().unwrap_or(0).max(1);
        loop {
            number += 1;
            let numbered = format!("{name}{number}");
            if self.take(&numbered) {
                self.taken.insert(name, number);
                return numbered;
            }
        }
    }

    fn take(&mut self, name: &str) -> bool {
        let is_new = !RESERVED.contains(&name) && !self.taken.contains_key(name);
        if is_new {
            self.taken.insert(name.to_owned(), 0);
        }
        is_new
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_legal() {
        for (text, name) in [
            ("web", "web"),
            ("my.box", "my_box"),
            ("my-box", "my-box"),
            ("1box", "_1box"),
            ("a b/c", "a_b_c"),
            ("größe", "größe"),
            ("-x", "_-x"),
            ("", "_"),
            ("🦁", "_"),
        ] {
            assert_eq!(identifier(text), name);
            assert!(pcl_syntax::is_identifier(name));
        }
    }

    #[test]
    fn names_are_given_once() {
        let mut names = Names::default();
        let mut give = |text: &str| names.give(text, "Box");
        assert_eq!(
            ["a", "a", "a", "a", "aBox"].map(&mut give),
            ["a", "aBox", "a2", "a3", "aBoxBox"]
        );
        assert_eq!(["range", "a.b", "a_b"].map(&mut give), ["rangeBox", "a_b", "a_bBox"]);
    }
}
