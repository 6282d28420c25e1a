//! Interned names.

use std::cmp::Ordering;
use std::sync::Arc;

use super::table::{IdTable, hash};

/// An interned string of one [`TypeStore`](super::TypeStore): equal names are equal numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Symbol(u32);

impl Symbol {
    /// Its place among the names of its store, which are numbered as they come.
    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }

    pub(crate) const fn raw(self) -> u32 {
        self.0
    }
}

#[derive(Clone, Default)]
pub(super) struct Symbols {
    table: IdTable<Symbol>,
    names: Vec<Name>,
}

#[derive(Clone)]
struct Name {
    start: u64,
    text: Arc<str>,
}

/// The first eight bytes, as a number that orders as they do: mostly enough to tell which name is
/// first, and whether it is the same.
#[inline]
fn start(text: &str) -> u64 {
    let bytes = text.as_bytes();
    if let Some(first) = bytes.first_chunk() {
        return u64::from_be_bytes(*first);
    }
    let missing = 8 * (8 - bytes.len() as u32);
    match (bytes.first_chunk(), bytes.last_chunk()) {
        (Some(first), Some(last)) => {
            // The last four bytes reach into the first four, which shifting takes off.
            let [first, last] = [*first, *last].map(u32::from_be_bytes);
            u64::from(first) << 32 | u64::from(last.unbounded_shl(missing))
        }
        _ => {
            let number = bytes.iter().fold(0, |number, &byte| number << 8 | u64::from(byte));
            number.unbounded_shl(missing)
        }
    }
}

/// The hash of a name. Of a short one its start is all there is.
fn hash_name(start: u64, name: &str) -> u32 {
    match name.len() {
        0..=8 => hash(&(start, name.len())),
        _ => hash(name),
    }
}

impl Symbols {
    /// Makes room for so many more names.
    pub(super) fn reserve(&mut self, more: usize) {
        self.table.reserve(more);
        self.names.reserve(more);
    }

    pub(super) fn intern(&mut self, name: &str) -> Symbol {
        let start = start(name);
        let hash = hash_name(start, name);
        if let Some(found) = self.find_hashed(hash, start, name) {
            return found;
        }
        let symbol = Symbol(u32::try_from(self.names.len()).unwrap_or(u32::MAX));
        let text = name.into();
        self.names.push(Name { start, text });
        self.table.insert(hash, symbol);
        symbol
    }

    pub(super) fn find(&self, name: &str) -> Option<Symbol> {
        let start = start(name);
        self.find_hashed(hash_name(start, name), start, name)
    }

    fn find_hashed(&self, hash: u32, start: u64, name: &str) -> Option<Symbol> {
        self.table.find(hash, |symbol: Symbol| {
            let own = self.named(symbol);
            own.start == start
                && own.text.len() == name.len()
                && own.text.as_bytes().get(8..) == name.as_bytes().get(8..)
        })
    }

    #[expect(
        clippy::indexing_slicing,
        reason = "a symbol is the position of a name in its table, which only grows"
    )]
    fn named(&self, symbol: Symbol) -> &Name {
        &self.names[symbol.index()]
    }

    pub(super) fn name(&self, symbol: Symbol) -> &Arc<str> {
        &self.named(symbol).text
    }

    pub(super) fn compare(&self, a: Symbol, b: Symbol) -> Ordering {
        let [a, b] = [a, b].map(|symbol| self.named(symbol));
        let order = a.start.cmp(&b.start);
        order.then_with(|| a.text.cmp(&b.text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn starts_order_as_texts_do_and_tell_short_ones_apart() {
        let text = "0a{zé-Zb9";
        let texts: Vec<&str> = (0..=text.len())
            .flat_map(|from| (from..=text.len()).map(move |to| (from, to)))
            .filter_map(|(from, to)| text.get(from..to))
            .collect();
        for a in &texts {
            let mut padded = [0; 8];
            let length = a.len().min(8);
            padded[..length].copy_from_slice(&a.as_bytes()[..length]);
            assert_eq!(start(a), u64::from_be_bytes(padded), "{a:?}");
        }
        let mut symbols = Symbols::default();
        let all: Vec<Symbol> = texts.iter().map(|text| symbols.intern(text)).collect();
        for (a, &one) in texts.iter().zip(&all) {
            assert_eq!(symbols.find(a), Some(one));
            for (b, &other) in texts.iter().zip(&all) {
                assert_eq!(one == other, a == b, "{a:?} {b:?}");
                assert_eq!(symbols.compare(one, other), a.cmp(b), "{a:?} {b:?}");
            }
        }
    }
}
