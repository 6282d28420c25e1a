//! The store: every type of one program, each once.

use std::cmp::Ordering;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::facts::Facts;
use super::id::TypeId;
use super::nominal::{Derivation, Materialize, Nominal, NominalSource};
use super::parts::{Branch, Part, Parts};
use super::symbol::{Symbol, Symbols};
use super::table::{IdTable, hash};
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
    table: IdTable<TypeId>,
    /// The types of one part by that part: for each type, and each [`Wrapper`].
    wrapped: Vec<[TypeId; Wrapper::COUNT]>,
    symbols: Symbols,
    /// Room to put parts in order in, kept so that looking up a type that exists allocates nothing.
    pub(super) spare_parts: Vec<TypeId>,
    pub(super) spare_properties: Vec<(Symbol, TypeId)>,
    pub(super) enums: FxHashMap<Symbol, TypeId>,
    /// The properties by their names in lower case, of the wide objects that were asked for one
    /// they do not have.
    pub(super) lower_names: FxHashMap<TypeId, FxHashMap<String, (Symbol, TypeId)>>,
    /// The texts of the values of the long enums that were asked for one.
    pub(super) enum_texts: FxHashMap<TypeId, FxHashSet<String>>,
    pub(super) nominals: Vec<Nominal>,
    pub(super) nominal_ids: FxHashMap<NominalSource, TypeId>,
    pub(super) materializer: Option<Arc<dyn Materialize>>,
    pub(super) display_orders: FxHashMap<TypeId, Arc<[TypeId]>>,
    /// The first members of large unions in display order.
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

/// A constructor of a type from one other type. There is one such type of each, so it is found by
/// its part, without a hash table.
#[derive(Clone, Copy)]
pub(super) enum Wrapper {
    List,
    Set,
    Map,
    Output,
    Promise,
    Option,
    OrOutput,
}

impl Wrapper {
    const COUNT: usize = 7;
    /// Nothing is made into the type of null.
    const NOT_MADE: TypeId = TypeId::NONE;
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
            table: IdTable::default(),
            wrapped: Vec::new(),
            symbols: Symbols::default(),
            spare_parts: Vec::new(),
            spare_properties: Vec::new(),
            enums: FxHashMap::default(),
            lower_names: FxHashMap::default(),
            enum_texts: FxHashMap::default(),
            nominals: Vec::new(),
            nominal_ids: FxHashMap::default(),
            materializer: None,
            display_orders: FxHashMap::default(),
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
        self.table.reserve(more);
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
        let hash = hash(&ty);
        let found = self.find(hash, |known| *known == ty);
        found.unwrap_or_else(|| self.add(hash, ty))
    }

    /// The type that `wrapper` makes of `part` alone, if it was asked for before.
    #[inline]
    pub(super) fn wrapped(&self, wrapper: Wrapper, part: TypeId) -> Option<TypeId> {
        let made = *self.wrapped.get(part.index())?.get(wrapper as usize)?;
        (made != Wrapper::NOT_MADE).then_some(made)
    }

    /// Remembers what `wrapper` makes of `part`.
    #[cold]
    pub(super) fn remember_wrapped(&mut self, wrapper: Wrapper, part: TypeId, made: TypeId) {
        if self.wrapped.len() <= part.index() {
            let room = [Wrapper::NOT_MADE; Wrapper::COUNT];
            self.wrapped.resize(self.types.len(), room);
        }
        let own = self.wrapped.get_mut(part.index());
        if let Some(own) = own.and_then(|own| own.get_mut(wrapper as usize)) {
            *own = made;
        }
    }

    /// The id of `ty`, which `wrapper` makes of `part` in normal form.
    #[inline]
    pub(super) fn wrap(&mut self, wrapper: Wrapper, part: TypeId, ty: Type) -> TypeId {
        match self.wrapped(wrapper, part) {
            Some(made) => made,
            None => self.add_wrapped(wrapper, part, ty),
        }
    }

    #[cold]
    fn add_wrapped(&mut self, wrapper: Wrapper, part: TypeId, ty: Type) -> TypeId {
        let facts = self.facts_of(&ty);
        let made = if facts.depth > MAX_DEPTH { TypeId::DYNAMIC } else { self.push(ty, facts) };
        self.remember_wrapped(wrapper, part, made);
        made
    }

    /// The id of the tuple of these elements.
    #[inline]
    pub(super) fn intern_tuple(&mut self, elements: &[TypeId]) -> TypeId {
        let hash = hash(elements);
        let found =
            self.find(hash, |known| matches!(known, Type::Tuple(own) if **own == *elements));
        found.unwrap_or_else(|| self.add(hash, Type::Tuple(elements.into())))
    }

    /// The id of the union or object that has these few parts, in normal form.
    pub(super) fn intern_few<P: Part>(&mut self, parts: &[P]) -> TypeId {
        let hash = hash(parts);
        let found = self.find(hash, |known| P::of(known).is_some_and(|own| own.are(parts)));
        found.unwrap_or_else(|| self.add(hash, P::make(Parts::few(parts))))
    }

    /// The id of the type of the single value `value`.
    pub(super) fn intern_constant(&mut self, underlying: TypeId, value: Constant) -> TypeId {
        let hash = match &value {
            Constant::String(text) => hash(&(underlying, text)),
            value => hash(&(underlying, value)),
        };
        let found = self.find(hash, |known| match known {
            Type::Const { underlying: own, value: known } => *own == underlying && *known == value,
            _ => false,
        });
        found.unwrap_or_else(|| self.add(hash, Type::Const { underlying, value }))
    }

    /// The type of the single string `text`, and the text as that type has it.
    pub(super) fn intern_text(&mut self, text: &str) -> (TypeId, Arc<str>) {
        let hash = hash(&(TypeId::STRING, text));
        let is_text = |known: &Type| text_of(known).is_some_and(|own| **own == *text);
        if let Some(found) = self.find(hash, is_text)
            && let Some(text) = text_of(self.get(found))
        {
            return (found, Arc::clone(text));
        }
        let text: Arc<str> = text.into();
        let constant =
            Type::Const { underlying: TypeId::STRING, value: Constant::String(Arc::clone(&text)) };
        (self.add(hash, constant), text)
    }

    #[inline]
    fn find(&self, hash: u32, equals: impl Fn(&Type) -> bool) -> Option<TypeId> {
        self.table.find(hash, |id| equals(self.get(id)))
    }

    #[cold]
    fn add(&mut self, hash: u32, ty: Type) -> TypeId {
        let facts = self.facts_of(&ty);
        if facts.depth > MAX_DEPTH {
            return TypeId::DYNAMIC;
        }
        let id = self.push(ty, facts);
        self.table.insert(hash, id);
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
            Type::Const { .. } => Facts::leaf(Facts::LITERAL),
            _ => Facts::leaf(0),
        }
    }

    fn facts_of_members<P: Part>(&self, parts: &Parts<P>) -> Facts {
        let own = |parts: &[P]| Facts::of_members(parts.iter().map(|part| self.facts(part.ty())));
        let Some(many) = parts.many() else {
            return own(parts);
        };
        let [left, right] = [&many.left, &many.right].map(|branch| match branch.parts.len() {
            // One member alone is not a union.
            0 | 1 => own(&branch.parts),
            _ if branch.ty == TypeId::DYNAMIC => Facts::TOO_DEEP,
            _ => self.facts(branch.ty),
        });
        left.beside(own(&[many.part])).beside(right)
    }
}

/// The one text that values of the type `ty` have, if they are strings.
#[inline]
fn text_of(ty: &Type) -> Option<&Arc<str>> {
    match ty {
        Type::Const { underlying: TypeId::STRING, value: Constant::String(text) } => Some(text),
        _ => None,
    }
}
