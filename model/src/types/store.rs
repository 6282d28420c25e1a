//! The store: every type of one program, each once.

use std::hash::BuildHasher;
use std::sync::Arc;

use hashbrown::HashTable;
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::nominal::{Materialize, Nominal, NominalSource};
use super::symbol::Symbols;
use super::{Derivation, Facts, Symbol, Type, TypeId};
use crate::relations::Relations;

/// How deep anonymous types may nest. What would be deeper becomes `dynamic`, so that no chain of variables, each
/// wrapping the one before, can exhaust the stack.
pub(crate) const MAX_DEPTH: u16 = 512;

/// All types of one program.
///
/// A store is `Send` and used by one thread at a time. Questions take `&mut self`: answers are remembered, and a schema
/// type gets its properties when it is first looked into.
///
/// ```
/// use pcl_model::{Conversion, TypeId, TypeStore};
///
/// let mut types = TypeStore::new();
/// let names = types.list(TypeId::STRING);
/// let ports = types.list(TypeId::INT);
/// assert_eq!(types.list(TypeId::INT), ports);
/// assert_eq!(types.convert(names, ports), Conversion::Safe);
/// assert_eq!(types.convert(ports, names), Conversion::Unsafe);
///
/// let maybe = types.optional(names);
/// assert_eq!(types.pretty(maybe), "list(string)?");
/// ```
pub struct TypeStore {
    types: Vec<Type>,
    facts: Vec<Facts>,
    table: HashTable<TypeId>,
    symbols: Symbols,
    pub(super) enums: FxHashMap<Symbol, TypeId>,
    pub(super) nominals: Vec<Nominal>,
    pub(super) nominal_ids: FxHashMap<NominalSource, TypeId>,
    pub(super) materializer: Option<Arc<dyn Materialize>>,
    pub(super) display_orders: FxHashMap<TypeId, Arc<[TypeId]>>,
    pub(super) ordering: Vec<TypeId>,
    pub(super) recursive: FxHashMap<TypeId, bool>,
    pub(crate) derived_types: FxHashMap<(TypeId, Derivation), TypeId>,
    pub(crate) eventual_inside: FxHashMap<(TypeId, u8), bool>,
    pub(crate) relations: Relations,
}

impl Default for TypeStore {
    fn default() -> Self {
        Self::new()
    }
}

impl TypeStore {
    /// A store with the fixed types alone.
    pub fn new() -> Self {
        let mut store = Self {
            types: Vec::new(),
            facts: Vec::new(),
            table: HashTable::new(),
            symbols: Symbols::default(),
            enums: FxHashMap::default(),
            nominals: Vec::new(),
            nominal_ids: FxHashMap::default(),
            materializer: None,
            display_orders: FxHashMap::default(),
            ordering: Vec::new(),
            recursive: FxHashMap::default(),
            derived_types: FxHashMap::default(),
            eventual_inside: FxHashMap::default(),
            relations: Relations::default(),
        };
        let [asset, archive, property] =
            ["Asset", "Archive", "Property"].map(|name| store.symbol(name));
        for (fixed, id) in [
            (Type::None, TypeId::NONE),
            (Type::Bool, TypeId::BOOL),
            (Type::Int, TypeId::INT),
            (Type::Number, TypeId::NUMBER),
            (Type::String, TypeId::STRING),
            (Type::Id, TypeId::ID),
            (Type::Dynamic, TypeId::DYNAMIC),
            (Type::Error, TypeId::ERROR),
            (Type::Opaque(asset), TypeId::ASSET),
            (Type::Opaque(archive), TypeId::ARCHIVE),
            (Type::Opaque(property), TypeId::PROPERTY),
        ] {
            let interned = store.intern(fixed);
            debug_assert_eq!(interned, id);
        }
        debug_assert_eq!(store.types.len(), TypeId::FIXED as usize);
        store
    }

    /// A store whose nominal types get their properties from `materializer`.
    pub fn with_materializer(materializer: Arc<dyn Materialize>) -> Self {
        let mut store = Self::new();
        store.set_materializer(materializer);
        store
    }

    /// What `ty` is.
    ///
    /// # Panics
    ///
    /// When `ty` comes from another store that holds more types.
    pub fn get(&self, ty: TypeId) -> &Type {
        &self.types[ty.index()]
    }

    /// How many types there are.
    pub fn len(&self) -> usize {
        self.types.len()
    }

    /// Never: the fixed types are always there.
    pub fn is_empty(&self) -> bool {
        self.types.is_empty()
    }

    pub(crate) fn facts(&self, ty: TypeId) -> Facts {
        self.facts[ty.index()]
    }

    /// The interned form of `name`.
    pub fn symbol(&mut self, name: &str) -> Symbol {
        self.symbols.intern(name)
    }

    /// The interned form of `name`, if some type or scope has used that name.
    pub fn find_symbol(&self, name: &str) -> Option<Symbol> {
        self.symbols.find(name)
    }

    /// The text of `symbol`.
    pub fn name(&self, symbol: Symbol) -> &str {
        self.symbols.name(symbol)
    }

    /// The text of `symbol`, shared.
    pub fn shared_name(&self, symbol: Symbol) -> Arc<str> {
        self.symbols.name(symbol).clone()
    }

    /// The id of a type whose parts are interned and which is in normal form.
    pub(super) fn intern(&mut self, ty: Type) -> TypeId {
        let hash = FxBuildHasher.hash_one(&ty);
        let types = &self.types;
        if let Some(found) = self.table.find(hash, |id| types[id.index()] == ty) {
            return *found;
        }
        let facts = self.facts_of(&ty);
        if facts.depth > MAX_DEPTH {
            return TypeId::DYNAMIC;
        }
        let id = self.push(ty, facts);
        let types = &self.types;
        self.table
            .insert_unique(hash, id, |id| FxBuildHasher.hash_one(&types[id.index()]));
        id
    }

    /// A type that is not found by its parts.
    pub(super) fn push(&mut self, ty: Type, facts: Facts) -> TypeId {
        let id = TypeId::from_index(self.types.len());
        self.types.push(ty);
        self.facts.push(facts);
        id
    }

    fn facts_of(&self, ty: &Type) -> Facts {
        let one = |part: TypeId| Facts::of_parts(std::iter::once(self.facts(part)));
        match ty {
            Type::List(part) | Type::Set(part) | Type::Map(part) => one(*part),
            Type::Output(part) => one(*part).with(Facts::OUTPUT),
            Type::Promise(part) => one(*part).with(Facts::PROMISE),
            Type::Tuple(parts) | Type::Union(parts) => {
                Facts::of_parts(parts.iter().map(|part| self.facts(*part)))
            }
            Type::Object(properties) => {
                Facts::of_parts(properties.iter().map(|(_, part)| self.facts(*part)))
            }
            _ => Facts::leaf(0),
        }
    }
}
