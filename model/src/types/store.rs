//! The store: every type of one program, each once.

use std::cmp::Ordering;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::id::TypeId;
use super::id::{Symbol, Symbols};
use super::kind::constant::kind_of;
use super::nominal::{Derivation, Materialize, Nominal, NominalSource};
use super::parts::{Branch, Part, Parts};
use super::ty::Type;
use crate::relations::memo::Relations;
use crate::value::Constant;

/// The limit of the nesting of anonymous types. A deeper type becomes `dynamic`, so that no chain
/// of variables, each wrapping the one before, can exhaust the stack.
pub(crate) const MAX_DEPTH: u16 = 512;

/// All types of one program.
///
/// A store is `Send` and used by one thread at a time. Questions take `&mut self`: answers are
/// remembered, and a schema type gets its properties when it is first looked into.
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
#[derive(Clone)]
pub struct TypeStore {
    types: Vec<Type>,
    facts: Vec<Facts>,
    ids: FxHashMap<Type, TypeId>,
    symbols: Symbols,
    /// The types of constant strings by their texts, which are symbols like all names. They are not
    /// in `ids`: a key is looked up as a name anyway, and programs consist of keys and texts.
    pub(super) string_constants: Vec<Option<TypeId>>,
    pub(super) enums: FxHashMap<Symbol, TypeId>,
    /// The properties by their names in lower case, of the wide objects that were asked for one
    /// they do not have.
    pub(super) lower_names: FxHashMap<TypeId, FxHashMap<String, (Symbol, TypeId)>>,
    /// The values of the long enums that were asked for one.
    pub(super) enum_values: FxHashMap<TypeId, FxHashSet<Constant>>,
    pub(super) nominals: Vec<Nominal>,
    pub(super) nominal_ids: FxHashMap<NominalSource, TypeId>,
    pub(super) materializer: Option<Arc<dyn Materialize>>,
    /// The members of unions in structural order.
    pub(super) orders: FxHashMap<TypeId, Arc<[TypeId]>>,
    /// The first members of large unions in structural order.
    pub(super) first_members: FxHashMap<TypeId, Arc<[TypeId]>>,
    pub(super) ordering: Vec<TypeId>,
    pub(super) recursive: FxHashMap<TypeId, bool>,
    pub(crate) derived_types: FxHashMap<(TypeId, Derivation), TypeId>,
    /// The unions of two large unions, or of a large and a small one.
    pub(super) united: FxHashMap<(TypeId, TypeId), Branch<TypeId>>,
    /// The objects of which every property may be left out, by the objects with the same
    /// properties.
    pub(super) all_optional: FxHashMap<TypeId, TypeId>,
    /// The unions of the types of all properties, by their objects.
    pub(super) any_property: FxHashMap<TypeId, TypeId>,
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
            ids: FxHashMap::default(),
            symbols: Symbols::default(),
            string_constants: Vec::new(),
            enums: FxHashMap::default(),
            lower_names: FxHashMap::default(),
            enum_values: FxHashMap::default(),
            nominals: Vec::new(),
            nominal_ids: FxHashMap::default(),
            materializer: None,
            orders: FxHashMap::default(),
            first_members: FxHashMap::default(),
            ordering: Vec::new(),
            recursive: FxHashMap::default(),
            derived_types: FxHashMap::default(),
            united: FxHashMap::default(),
            all_optional: FxHashMap::default(),
            any_property: FxHashMap::default(),
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
        Self { materializer: Some(materializer), ..Self::new() }
    }

    /// The kind and parts of `ty`.
    ///
    /// # Panics
    ///
    /// Panics if `ty` comes from another store that holds more types.
    #[expect(
        clippy::indexing_slicing,
        reason = "an id is the position of a type in its store, which only grows"
    )]
    pub fn get(&self, ty: TypeId) -> &Type {
        &self.types[ty.index()]
    }

    /// All types, the fixed ones first.
    pub fn ids(&self) -> impl Iterator<Item = TypeId> + use<> {
        (0..self.types.len()).map(TypeId::from_index)
    }

    /// The number of types.
    pub fn len(&self) -> usize {
        self.types.len()
    }

    /// Returns false: the fixed types are always there.
    pub fn is_empty(&self) -> bool {
        self.types.is_empty()
    }

    #[expect(
        clippy::indexing_slicing,
        reason = "every type of the store has facts, at its position"
    )]
    pub(crate) fn facts(&self, ty: TypeId) -> Facts {
        self.facts[ty.index()]
    }

    /// Makes room for so many more names, and as many types.
    pub fn reserve(&mut self, more: usize) {
        self.symbols.reserve(more);
        self.ids.reserve(more);
        self.types.reserve(more);
        self.facts.reserve(more);
    }

    /// The interned form of `name`.
    pub fn symbol(&mut self, name: &str) -> Symbol {
        self.symbols.intern(name)
    }

    /// The interned form of `name`, if some type or scope has used that name.
    pub fn find_symbol(&self, name: &str) -> Option<Symbol> {
        self.symbols.find(name)
    }

    /// Orders two names as their texts are.
    pub(crate) fn compare_names(&self, a: Symbol, b: Symbol) -> Ordering {
        self.symbols.compare(a, b)
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
        if let Some(known) = self.ids.get(&ty) {
            return *known;
        }
        let facts = self.facts_of(&ty);
        if facts.depth > MAX_DEPTH {
            return TypeId::DYNAMIC;
        }
        let id = self.push(ty.clone(), facts);
        self.ids.insert(ty, id);
        id
    }

    /// A type that is not found by its parts.
    pub(super) fn push(&mut self, ty: Type, facts: Facts) -> TypeId {
        let id = TypeId::from_index(self.types.len());
        self.types.push(ty);
        self.facts.push(facts);
        id
    }

    pub(super) fn facts_of(&self, ty: &Type) -> Facts {
        let one = |part: TypeId| Facts::of_parts(std::iter::once(self.facts(part)));
        match ty {
            Type::List(part) | Type::Set(part) | Type::Map(part) => one(*part),
            Type::Output(part) => one(*part).eventual().with(Facts::OUTPUT),
            Type::Promise(part) => one(*part).eventual().with(Facts::PROMISE),
            Type::Tuple(elements) => {
                Facts::of_parts(elements.iter().map(|element| self.facts(*element)))
            }
            Type::Union(members) => self.facts_of_members(members),
            Type::Object(properties) => self.facts_of_members(properties).composite(),
            Type::Const { value, .. } if *value == Constant::Null => {
                Facts::leaf(Facts::LITERAL | Facts::NULL)
            }
            // Equal to the literal of the same value, which is another type.
            Type::Const { underlying, value } if *underlying != kind_of(value) => {
                Facts::leaf(Facts::LITERAL | Facts::CHOOSY)
            }
            Type::Const { .. } => Facts::leaf(Facts::LITERAL),
            _ => Facts::leaf(Facts::OTHER),
        }
    }

    fn facts_of_members<P: Part>(&self, parts: &Parts<P>) -> Facts {
        let own = |parts: &[P]| Facts::of_members(parts.iter().map(|part| self.facts(part.ty())));
        let Some(many) = parts.many() else { return own(parts) };
        let [left, right] = [&many.left, &many.right].map(|branch| match branch.parts.len() {
            // One member alone is not a union.
            0 | 1 => own(&branch.parts),
            _ if branch.ty == TypeId::DYNAMIC => Facts::TOO_DEEP,
            _ => self.facts(branch.ty),
        });
        left.beside(own(&[many.part])).beside(right)
    }
}

/// Facts that follow from a type's parts, stored with every type so that common queries are cheap.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Facts {
    flags: u8,
    /// The number of types with parts among the members of a union, or 1 for another type with
    /// parts; at most 255.
    pub(crate) composites: u8,
    /// The depth of the tree of anonymous types.
    pub(crate) depth: u16,
}

impl Facts {
    /// An output occurs in the anonymous tree.
    pub(crate) const OUTPUT: u8 = 1;
    /// A promise occurs in the anonymous tree.
    pub(crate) const PROMISE: u8 = 2;
    /// A nominal type occurs that may hold outputs or promises.
    pub(crate) const UNSURE: u8 = 4;
    /// A nominal type occurs.
    pub(crate) const NOMINAL: u8 = 8;
    /// A constant or an enum occurs in the anonymous tree.
    pub(crate) const LITERAL: u8 = 16;
    /// It is the constant `null`, or a union with that as a member.
    pub(crate) const NULL: u8 = 32;
    /// The conversion of a constant to it depends on the value of the constant, not only on whether
    /// it is a member.
    pub(crate) const CHOOSY: u8 = 64;
    /// It is no constant, or a union with a member that is none.
    pub(crate) const OTHER: u8 = 128;
    /// The facts of parts that are deeper than types may be.
    pub(crate) const TOO_DEEP: Self =
        Self { flags: Self::OTHER, composites: 0, depth: u16::MAX - 1 };
    /// Any of the ways to hold an output or a promise.
    pub(crate) const EVENTUAL: u8 = Self::OUTPUT | Self::PROMISE | Self::UNSURE;

    pub(crate) fn leaf(flags: u8) -> Self {
        Self { flags, composites: 0, depth: 1 }
    }

    /// The facts of a union with these members.
    pub(crate) fn of_members(members: impl Iterator<Item = Facts>) -> Self {
        let facts = members.fold(Self::default(), Self::beside);
        Self { depth: facts.depth + 1, ..facts }
    }

    /// The facts of another type with these parts.
    pub(crate) fn of_parts(parts: impl Iterator<Item = Facts>) -> Self {
        Self::of_members(parts).composite()
    }

    /// The facts that hold for either, and for both together.
    pub(crate) fn beside(self, other: Self) -> Self {
        Self {
            flags: self.flags | other.flags,
            composites: self.composites.saturating_add(other.composites),
            depth: self.depth.max(other.depth),
        }
    }

    /// The facts of a type with parts that is not a union.
    pub(crate) fn composite(self) -> Self {
        let flags = self.flags & !(Self::NULL | Self::CHOOSY) | Self::OTHER;
        Self { flags, composites: 1, ..self }
    }

    /// The same of an output or promise, which takes what its element takes.
    pub(crate) fn eventual(self) -> Self {
        if self.has(Self::LITERAL) { self.with(Self::CHOOSY) } else { self }
    }

    pub(crate) fn with(mut self, flags: u8) -> Self {
        self.flags |= flags;
        self
    }

    pub(crate) fn has(self, any: u8) -> bool {
        self.flags & any != 0
    }
}
