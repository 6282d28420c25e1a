//! The numbers of types and of names.

use std::cmp::Ordering;
use std::sync::Arc;

use rustc_hash::FxHashMap;

/// A type of one [`TypeStore`](super::TypeStore).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TypeId(u32);

impl TypeId {
    /// The type of null.
    pub const NONE: Self = Self(0);
    /// Booleans.
    pub const BOOL: Self = Self(1);
    /// Whole numbers.
    pub const INT: Self = Self(2);
    /// Numbers.
    pub const NUMBER: Self = Self(3);
    /// Strings.
    pub const STRING: Self = Self(4);
    /// Resource ids: apart from strings, but convertible both ways.
    pub const ID: Self = Self(5);
    /// Any value.
    pub const DYNAMIC: Self = Self(6);
    /// The type of what failed to bind. It converts from and to everything, traverses to itself and
    /// absorbs what it is united or wrapped with, so that one error is reported once.
    pub const ERROR: Self = Self(7);
    /// Files and texts as resource inputs.
    pub const ASSET: Self = Self(8);
    /// Collections of assets.
    pub const ARCHIVE: Self = Self(9);
    /// A reference to a property of a resource.
    pub const PROPERTY: Self = Self(10);

    /// The number of types with a fixed id.
    pub(crate) const FIXED: u32 = 11;

    pub(crate) fn from_index(index: usize) -> Self {
        Self(u32::try_from(index).unwrap_or(u32::MAX))
    }

    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }

    pub(crate) fn raw(self) -> u32 {
        self.0
    }

    /// The fixed type that is displayed as `name`, assets and the like apart: those are found by
    /// their name anyway.
    pub(crate) fn fixed(name: &str) -> Option<Self> {
        Some(match name {
            "none" => Self::NONE,
            "bool" => Self::BOOL,
            "int" => Self::INT,
            "number" => Self::NUMBER,
            "string" => Self::STRING,
            "id" => Self::ID,
            "dynamic" => Self::DYNAMIC,
            "error" => Self::ERROR,
            _ => return None,
        })
    }
}

impl std::fmt::Debug for TypeId {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "TypeId({})", self.0)
    }
}

/// A nominal type of one store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NominalId(pub(super) u32);

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
    symbols: FxHashMap<Arc<str>, Symbol>,
    names: Vec<Arc<str>>,
}

impl Symbols {
    /// Makes room for so many more names.
    pub(super) fn reserve(&mut self, more: usize) {
        self.symbols.reserve(more);
        self.names.reserve(more);
    }

    pub(super) fn intern(&mut self, name: &str) -> Symbol {
        if let Some(known) = self.find(name) {
            return known;
        }
        let symbol = Symbol(u32::try_from(self.names.len()).unwrap_or(u32::MAX));
        let name: Arc<str> = name.into();
        self.names.push(Arc::clone(&name));
        self.symbols.insert(name, symbol);
        symbol
    }

    pub(super) fn find(&self, name: &str) -> Option<Symbol> {
        self.symbols.get(name).copied()
    }

    #[expect(
        clippy::indexing_slicing,
        reason = "a symbol is the position of a name in its table, which only grows"
    )]
    pub(super) fn name(&self, symbol: Symbol) -> &Arc<str> {
        &self.names[symbol.index()]
    }

    pub(super) fn compare(&self, a: Symbol, b: Symbol) -> Ordering {
        self.name(a).cmp(self.name(b))
    }
}
