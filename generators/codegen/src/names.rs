//! Names of which no two are equal, in a module and inside of the values in it.

use rustc_hash::{FxHashMap, FxHashSet};

/// The rules of a language about names.
#[derive(Clone, Copy, Debug)]
pub struct NameRules {
    /// The words that cannot name a variable.
    pub reserved: &'static [&'static str],
    /// The names that generated code refers to, which no declaration may hide.
    pub used: &'static [&'static str],
    /// Makes an identifier of a text.
    pub identifier: fn(&str) -> String,
    /// The text between a name and its number.
    pub before_number: &'static str,
}

/// Gives out names of which no two are equal.
#[derive(Debug)]
pub struct Names {
    rules: NameRules,
    taken: FxHashSet<String>,
    /// Those of them that a variable inside of a value may hide.
    hidden: FxHashSet<String>,
    /// The last number that each name was given with. The numbers below it are taken.
    numbers: FxHashMap<String, usize>,
}

/// The names that the variables inside of a value have, and those that it refers to.
#[derive(Debug, Default)]
pub struct LocalNames {
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
    /// The names of a module, of which those in the rules are taken.
    pub fn new(rules: NameRules) -> Self {
        let words = rules.reserved.iter().chain(rules.used);
        Self {
            rules,
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
        let base = (self.rules.identifier)(text);
        let fits = |name: &str| self.is_free(name) || self.hidden.contains(name);
        let mut take = |name: &str| fits(name) && locals.used.insert(name.to_owned());
        if take(&base) {
            return base;
        }
        let stem = format!("{base}{}", self.rules.before_number);
        let (name, number) = numbered(&stem, locals.numbers.get(&base).copied(), take);
        locals.numbers.insert(base, number);
        name
    }

    /// Returns true if nothing has a name yet.
    pub fn is_free(&self, name: &str) -> bool {
        !self.taken.contains(name)
    }

    /// A name like `text`, in its own case.
    pub fn take(&mut self, text: &str) -> String {
        let base = (self.rules.identifier)(text);
        let (name, number) = self.find(&base);
        self.taken.insert(name.clone());
        if let Some(number) = number {
            self.numbers.insert(base, number);
        }
        name
    }

    /// A name that is `name`, or is made of it, in the case that it has.
    pub fn take_exactly(&mut self, name: &str) -> String {
        let (name, _) = self.find(name);
        self.taken.insert(name.clone());
        name
    }

    /// A free name, with its number if it has one.
    fn find(&self, base: &str) -> (String, Option<usize>) {
        if self.is_free(base) {
            return (base.to_owned(), None);
        }
        if self.rules.reserved.contains(&base) {
            let marked = format!("{base}_");
            if self.is_free(&marked) {
                return (marked, None);
            }
        }
        let is_number = base.ends_with(|c: char| c.is_ascii_digit());
        let between = if is_number { "_" } else { self.rules.before_number };
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
