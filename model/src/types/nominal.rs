//! Object types that a schema names, and types derived from them.
//!
//! A nominal type is known by its key. Its properties are asked of a [`Materialize`] once, on the
//! first question about them: a program touches a handful of the thousands of types of a package.

use super::id::Symbol;
use super::id::{NominalId, TypeId};
use super::store::{Facts, TypeStore};
use super::ty::{Properties, Type};

/// Names a schema's object type. What the numbers mean is known to the [`Materialize`] alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NominalKey {
    /// The package.
    pub package: u32,
    /// The member of the package.
    pub member: u32,
    /// Selects one of the member's object types: its inputs, its outputs, a plain form, ...
    pub shape: u16,
}

/// The properties of a nominal type.
#[derive(Clone, Debug, Default)]
pub struct ObjectDefinition {
    /// Names and types, in any order; of a repeated name the last one counts.
    pub properties: Vec<(Symbol, TypeId)>,
    /// True when an unknown property is an error, false when it is a warning.
    pub strict: bool,
}

/// Gives nominal types their properties.
pub trait Materialize: Send + Sync {
    /// The properties of the type that `key` names. Called once per key. May intern types, further
    /// nominal ones included, but must not ask for the properties of any.
    fn define(&self, key: NominalKey, types: &mut TypeStore) -> ObjectDefinition;

    /// Returns whether no output and no promise occurs anywhere inside the type, at any depth. Such
    /// types stay as they are when eventual values are resolved. To answer `false` is always right,
    /// only slower.
    fn is_plain(&self, _key: NominalKey) -> bool {
        false
    }

    /// The type that is left of this one when outputs and promises are replaced by what they hold,
    /// where the schema itself has it. Otherwise one is derived, of the same structure but another
    /// type by its key.
    fn resolved(&self, _key: NominalKey) -> Option<NominalKey> {
        None
    }

    /// Returns whether the type is that of a reference to one resource.
    fn is_resource(&self, _key: NominalKey) -> bool {
        false
    }

    /// The token of the resource whose type this is, or that a property of this type refers to;
    /// `None` for other types.
    fn resource_token(&self, _key: NominalKey) -> Option<String> {
        None
    }
}

/// The origin of a nominal type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum NominalSource {
    Schema(NominalKey),
    Derived { base: TypeId, how: Derivation },
}

/// A deep change to an object that keeps its property names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Derivation {
    /// Outputs and promises are replaced by what they hold.
    Resolve,
    /// Promises are replaced by what they hold.
    ResolvePromises,
    /// Every part also accepts an output.
    Input,
    /// Resources are taken for references to them.
    Refer,
    /// Constants are replaced by their kind.
    Widen,
}

#[derive(Clone)]
pub(super) struct Nominal {
    source: NominalSource,
    body: Option<Body>,
}

#[derive(Clone)]
struct Body {
    properties: Properties,
    strict: bool,
}

impl TypeStore {
    /// The object type that `key` names.
    pub fn nominal(&mut self, key: NominalKey) -> TypeId {
        let plain =
            self.materializer.as_ref().is_some_and(|materializer| materializer.is_plain(key));
        self.nominal_from(NominalSource::Schema(key), plain)
    }

    /// `base` changed by `how`. `base` must be a nominal type.
    pub(crate) fn derived(&mut self, base: TypeId, how: Derivation) -> TypeId {
        self.nominal_from(NominalSource::Derived { base, how }, how == Derivation::Resolve)
    }

    fn nominal_from(&mut self, source: NominalSource, plain: bool) -> TypeId {
        if let Some(known) = self.nominal_ids.get(&source) {
            return *known;
        }
        let id = NominalId(u32::try_from(self.nominals.len()).unwrap_or(u32::MAX));
        self.nominals.push(Nominal { source, body: None });
        let flags = if plain { Facts::NOMINAL } else { Facts::NOMINAL | Facts::UNSURE };
        let ty = self.push(Type::Nominal(id), Facts::leaf(flags).composite());
        self.nominal_ids.insert(source, ty);
        ty
    }

    #[expect(
        clippy::indexing_slicing,
        reason = "a nominal id is a position in the table of nominal types, which only grows"
    )]
    fn nominal_of(&self, id: NominalId) -> &Nominal {
        &self.nominals[id.0 as usize]
    }

    /// The type that resolving leaves of the nominal type `ty`, if the schema has it as well.
    pub(crate) fn resolved_by_schema(&mut self, ty: TypeId) -> Option<TypeId> {
        let key = self.nominal_key(ty)?;
        let resolved = self.materializer.as_ref()?.resolved(key)?;
        Some(self.nominal(resolved))
    }

    /// The token of the resource whose type `ty` is, or that a property of type `ty` refers to.
    pub(crate) fn resource_token(&self, ty: TypeId) -> Option<String> {
        let key = self.origin(ty)?;
        self.materializer.as_ref()?.resource_token(key)
    }

    /// The token of the resource that a property of type `ty` refers to.
    pub(crate) fn wanted_resource(&self, ty: TypeId) -> Option<String> {
        if self.is_resource(ty) { None } else { self.resource_token(ty) }
    }

    /// The type of the resource that `ty` takes for a reference.
    pub(crate) fn referred_resource(&self, ty: TypeId) -> Option<TypeId> {
        match self.derivation(ty) {
            Some((resource, Derivation::Refer)) => Some(resource),
            _ => None,
        }
    }

    /// The type that the nominal type `ty` was derived from and the change, if it was derived.
    pub(crate) fn derivation(&self, ty: TypeId) -> Option<(TypeId, Derivation)> {
        let Type::Nominal(id) = self.get(ty) else { return None };
        match self.nominal_of(*id).source {
            NominalSource::Schema(_) => None,
            NominalSource::Derived { base, how } => Some((base, how)),
        }
    }

    /// The key of a nominal type itself; `None` for anonymous types and for types derived from
    /// nominal ones.
    pub fn nominal_key(&self, ty: TypeId) -> Option<NominalKey> {
        let Type::Nominal(id) = self.get(ty) else { return None };
        match self.nominal_of(*id).source {
            NominalSource::Schema(key) => Some(key),
            NominalSource::Derived { .. } => None,
        }
    }

    /// The keys of all nominal types of schemas that were requested so far, in that order.
    pub fn nominal_keys(&self) -> impl Iterator<Item = NominalKey> {
        self.nominals.iter().filter_map(|nominal| match nominal.source {
            NominalSource::Schema(key) => Some(key),
            NominalSource::Derived { .. } => None,
        })
    }

    /// The key of the nominal type that `ty` is or was derived from.
    pub fn origin(&self, mut ty: TypeId) -> Option<NominalKey> {
        while let Some((base, _)) = self.derivation(ty) {
            ty = base;
        }
        self.nominal_key(ty)
    }

    /// Returns whether `ty` is the type of a reference to one resource, also after the outputs in
    /// it were resolved.
    pub fn is_resource(&self, ty: TypeId) -> bool {
        match (self.origin(ty), &self.materializer) {
            (Some(key), Some(materializer)) => materializer.is_resource(key),
            _ => false,
        }
    }

    /// The properties of an object type, sorted by name; `None` if `ty` is not an object.
    pub fn properties(&mut self, ty: TypeId) -> Option<Properties> {
        self.materialize(ty);
        self.known_properties(ty).cloned()
    }

    /// Returns whether an unknown property of this object type is an error. Anonymous objects are
    /// strict.
    pub fn is_strict(&mut self, ty: TypeId) -> bool {
        self.materialize(ty);
        let Type::Nominal(id) = self.get(ty) else { return true };
        let body = &self.nominal_of(*id).body;
        body.as_ref().is_none_or(|body| body.strict)
    }

    /// The properties of an object type, unless it is nominal and has not got them yet; see
    /// [`TypeStore::materialize`].
    pub(super) fn known_properties(&self, ty: TypeId) -> Option<&Properties> {
        match self.get(ty) {
            Type::Object(properties) => Some(properties),
            Type::Nominal(id) => {
                let body = self.nominal_of(*id).body.as_ref();
                body.map(|body| &body.properties)
            }
            _ => None,
        }
    }

    /// Sees to it that `ty` has its properties when it is nominal.
    pub(super) fn materialize(&mut self, ty: TypeId) {
        if let Type::Nominal(id) = *self.get(ty)
            && self.nominal_of(id).body.is_none()
        {
            let body = self.make_body(ty, id);
            if let Some(nominal) = self.nominals.get_mut(id.0 as usize) {
                nominal.body = Some(body);
            }
        }
    }

    fn make_body(&mut self, ty: TypeId, id: NominalId) -> Body {
        match self.nominal_of(id).source {
            NominalSource::Schema(key) => {
                let mut definition = match self.materializer.clone() {
                    Some(materializer) => materializer.define(key, self),
                    None => ObjectDefinition::default(),
                };
                self.sort_properties(&mut definition.properties);
                Body {
                    properties: Properties::few(definition.properties),
                    strict: definition.strict,
                }
            }
            NominalSource::Derived { base, how } => {
                let properties = self.properties(base).unwrap_or_default();
                let derived: Vec<_> = properties
                    .iter()
                    .map(|&(name, part)| (name, self.derive_part(part, how, base, ty)))
                    .collect();
                Body { properties: Properties::few(derived), strict: self.is_strict(base) }
            }
        }
    }
}
