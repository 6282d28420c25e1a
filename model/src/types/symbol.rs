//! Interned names.

use std::cmp::Ordering;
use std::sync::Arc;

use super::table::{IdTable, hash};

/// An interned string of one [`TypeStore`](super::TypeStore): equal names are equal numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Symbol(u32);

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

/// The first eight bytes, as a number that orders as they do: mostly enough to tell which name is first, and whether it is the same.
fn start(text: &str) -> u64 {
    let bytes = text.as_bytes();
    match bytes.first_chunk() {
        Some(first) => u64::from_be_bytes(*first),
        None => {
            let number = bytes
                .iter()
                .fold(0, |number, &byte| number << 8 | u64::from(byte));
            // Shifting in two steps, since an empty name would be shifted out of the number in one.
            number << (4 * (8 - bytes.len())) << (4 * (8 - bytes.len()))
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
    pub(super) fn intern(&mut self, name: &str) -> Symbol {
        let start = start(name);
        let hash = hash_name(start, name);
        if let Some(found) = self.find_hashed(hash, start, name) {
            return found;
        }
        let symbol = Symbol(u32::try_from(self.names.len()).expect("fewer than 2^32 names"));
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
            let own = &self.names[symbol.0 as usize];
            own.start == start
                && own.text.len() == name.len()
                && own.text.as_bytes().get(8..) == name.as_bytes().get(8..)
        })
    }

    pub(super) fn name(&self, symbol: Symbol) -> &Arc<str> {
        &self.names[symbol.0 as usize].text
    }

    pub(super) fn compare(&self, a: Symbol, b: Symbol) -> Ordering {
        let [a, b] = [a, b].map(|symbol| &self.names[symbol.0 as usize]);
        let order = a.start.cmp(&b.start);
        order.then_with(|| a.text.cmp(&b.text))
    }
}
