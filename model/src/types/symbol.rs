//! Interned names.

use std::cmp::Ordering;
use std::hash::BuildHasher;
use std::sync::Arc;

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

/// An interned string of one [`TypeStore`](super::TypeStore): equal names are equal numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Symbol(u32);

#[derive(Clone, Default)]
pub(super) struct Symbols {
    table: HashTable<Slot>,
    names: Vec<Name>,
}

/// An entry of the table. With the hash beside it a name is looked at only when it is likely the right one.
#[derive(Clone, Copy)]
struct Slot {
    hash: u64,
    symbol: Symbol,
}

#[derive(Clone)]
struct Name {
    /// The first eight bytes, as a number that orders as they do: mostly enough to tell which name is first.
    start: u64,
    text: Arc<str>,
}

impl Name {
    fn new(text: &str) -> Self {
        let mut start = [0; 8];
        let length = text.len().min(8);
        start[..length].copy_from_slice(&text.as_bytes()[..length]);
        Self {
            start: u64::from_be_bytes(start),
            text: text.into(),
        }
    }
}

impl Symbols {
    pub(super) fn intern(&mut self, name: &str) -> Symbol {
        let hash = FxBuildHasher.hash_one(name);
        if let Some(found) = self.find_hashed(hash, name) {
            return found;
        }
        let symbol = Symbol(u32::try_from(self.names.len()).expect("fewer than 2^32 names"));
        self.names.push(Name::new(name));
        let slot = Slot { hash, symbol };
        self.table.insert_unique(hash, slot, |slot| slot.hash);
        symbol
    }

    pub(super) fn find(&self, name: &str) -> Option<Symbol> {
        self.find_hashed(FxBuildHasher.hash_one(name), name)
    }

    fn find_hashed(&self, hash: u64, name: &str) -> Option<Symbol> {
        let is_name =
            |slot: &Slot| slot.hash == hash && &*self.names[slot.symbol.0 as usize].text == name;
        self.table.find(hash, is_name).map(|slot| slot.symbol)
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
