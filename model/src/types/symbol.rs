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
    start: u64,
    text: Arc<str>,
}

/// The first eight bytes, as a number that orders as they do: mostly enough to tell which name is first, and whether it is the same.
fn start(text: &str) -> u64 {
    let bytes = text.as_bytes();
    match bytes.first_chunk() {
        Some(first) => u64::from_be_bytes(*first),
        None => {
            let number = bytes.iter().fold(0, |number, &byte| number << 8 | u64::from(byte));
            // Shifting in two steps, since an empty name would be shifted out of the number in one.
            number << (4 * (8 - bytes.len())) << (4 * (8 - bytes.len()))
        }
    }
}

/// The hash of a name. Of a short one its start is all there is.
fn hash(start: u64, name: &str) -> u64 {
    match name.len() {
        0..=8 => FxBuildHasher.hash_one((start, name.len())),
        _ => FxBuildHasher.hash_one(name),
    }
}

impl Symbols {
    pub(super) fn intern(&mut self, name: &str) -> Symbol {
        let start = start(name);
        let hash = hash(start, name);
        if let Some(found) = self.find_hashed(hash, start, name) {
            return found;
        }
        let symbol = Symbol(u32::try_from(self.names.len()).expect("fewer than 2^32 names"));
        let text = name.into();
        self.names.push(Name { start, text });
        let slot = Slot { hash, symbol };
        self.table.insert_unique(hash, slot, |slot| slot.hash);
        symbol
    }

    pub(super) fn find(&self, name: &str) -> Option<Symbol> {
        let start = start(name);
        self.find_hashed(hash(start, name), start, name)
    }

    fn find_hashed(&self, hash: u64, start: u64, name: &str) -> Option<Symbol> {
        let is_name = |slot: &Slot| {
            let own = &self.names[slot.symbol.0 as usize];
            slot.hash == hash
                && own.start == start
                && own.text.len() == name.len()
                && own.text.as_bytes().get(8..) == name.as_bytes().get(8..)
        };
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
