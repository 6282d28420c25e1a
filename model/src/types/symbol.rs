//! Interned names.

use std::hash::BuildHasher;
use std::sync::Arc;

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

/// An interned string of one [`TypeStore`](super::TypeStore): equal names are equal numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Symbol(u32);

#[derive(Default)]
pub(super) struct Symbols {
    table: HashTable<Symbol>,
    names: Vec<Arc<str>>,
}

impl Symbols {
    pub(super) fn intern(&mut self, name: &str) -> Symbol {
        let hash = FxBuildHasher.hash_one(name);
        let Self { table, names } = self;
        if let Some(found) = table.find(hash, |symbol| &*names[symbol.0 as usize] == name) {
            return *found;
        }
        let symbol = Symbol(u32::try_from(names.len()).expect("fewer than 2^32 names"));
        names.push(name.into());
        table.insert_unique(hash, symbol, |symbol| {
            FxBuildHasher.hash_one(&*names[symbol.0 as usize])
        });
        symbol
    }

    pub(super) fn find(&self, name: &str) -> Option<Symbol> {
        let hash = FxBuildHasher.hash_one(name);
        self.table
            .find(hash, |symbol| &*self.names[symbol.0 as usize] == name)
            .copied()
    }

    pub(super) fn name(&self, symbol: Symbol) -> &Arc<str> {
        &self.names[symbol.0 as usize]
    }
}
