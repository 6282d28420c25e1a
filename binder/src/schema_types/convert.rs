//! From type specs to types.

use pcl_model::types::{ObjectDefinition, TypeId, TypeStore};
use pcl_model::value::{Constant, Number};
use pcl_schema::{
    self as schema, EnumSpec, MemberId, Primitive, Properties, PropertySpec, Reference, Section,
    TypeDef, TypeKind, TypeSpec,
};

use super::{Nominal, SchemaTypes, Shape};
use crate::packages::PackageIndex;

impl SchemaTypes {
    /// The properties of a nominal type, made of those of its member.
    pub(super) fn definition(
        &self,
        types: &mut TypeStore,
        nominal: Nominal,
        properties: &Properties,
    ) -> ObjectDefinition {
        let shape = nominal.shape;
        let mut entries = Vec::with_capacity(properties.len() + 2);
        if shape.of_resource() {
            for (name, ty) in [("id", TypeId::ID), ("urn", TypeId::STRING)] {
                if !properties.contains_key(name) {
                    let ty = if shape.gives_outputs() { types.output(ty) } else { ty };
                    entries.push((types.symbol(name), ty));
                }
            }
        }
        if shape == Shape::ReadInputs {
            let id = types.or_output(TypeId::ID);
            entries.push((types.symbol("id"), id));
        }
        for (name, property) in properties.iter() {
            let hidden = match shape {
                Shape::MethodInputs => name == "__self__",
                Shape::ReadInputs => name == "id",
                _ => false,
            };
            if !hidden {
                let ty = self.property(types, nominal.package, property, shape);
                entries.push((types.symbol(name), ty));
            }
        }
        let lenient = self.options.allow_missing_properties || self.options.skip_resource_typecheck;
        ObjectDefinition { properties: entries, strict: shape.of_resource() || !lenient }
    }

    /// The type of one property of an object of that shape.
    pub(crate) fn property(
        &self,
        types: &mut TypeStore,
        package: PackageIndex,
        property: &PropertySpec,
        shape: Shape,
    ) -> TypeId {
        let mut ty = self.position(types, package, &property.ty, shape.inside());
        let is_resource = shape.of_resource();
        let is_filled = property.constant.is_some() && shape.fills_constants();
        if !property.required
            || is_filled
            || (!is_resource && self.options.allow_missing_properties)
        {
            ty = types.optional(ty);
        }
        if !is_resource && let Some(value) = &property.constant {
            // All that the position takes stays underneath, so that an optional constant may be
            // left out.
            ty = types.constant_of(ty, constant(value));
        }
        if shape.gives_outputs() {
            ty = types.output(ty);
        }
        ty
    }

    /// A spec where plain values are meant.
    pub(crate) fn plain(
        &self,
        types: &mut TypeStore,
        package: PackageIndex,
        spec: &TypeSpec,
    ) -> TypeId {
        self.position(types, package, spec, Shape::Plain)
    }

    /// The spec of a function's result. The resources in it have outputs as their properties.
    pub(super) fn result(
        &self,
        types: &mut TypeStore,
        package: PackageIndex,
        spec: &TypeSpec,
    ) -> TypeId {
        let shape = if holds_resources(spec) { Shape::PlainWithResources } else { Shape::Plain };
        self.position(types, package, spec, shape)
    }

    /// A spec where objects have this shape, which is one of those [inside](Shape::inside) another.
    /// The type with inputs inside, or an output of the plain type, for places that take outputs.
    fn position(
        &self,
        types: &mut TypeStore,
        package: PackageIndex,
        spec: &TypeSpec,
        shape: Shape,
    ) -> TypeId {
        let inner = self.convert(types, package, spec, shape);
        if shape.takes_outputs() && !spec.plain {
            // An output holds the plain type, which is what resolving leaves of this one.
            types.or_output(inner)
        } else {
            inner
        }
    }

    /// A spec without what outputs add to it; items are positions of their own.
    fn convert(
        &self,
        types: &mut TypeStore,
        package: PackageIndex,
        spec: &TypeSpec,
        shape: Shape,
    ) -> TypeId {
        match &spec.kind {
            TypeKind::Primitive(primitive) => primitive_type(*primitive),
            TypeKind::Any | TypeKind::Json => TypeId::DYNAMIC,
            // Wherever an asset goes, an archive goes as well.
            TypeKind::Asset => types.union([TypeId::ARCHIVE, TypeId::ASSET]),
            TypeKind::Archive => TypeId::ARCHIVE,
            TypeKind::Array(items) => {
                let items = self.position(types, package, items, shape);
                types.list(items)
            }
            TypeKind::Map(values) => {
                let values = self.position(types, package, values, shape);
                types.map(values)
            }
            TypeKind::Union(union) => {
                let shape = if shape.fills_constants() && self.has_to_tell(package, union) {
                    shape.among_others()
                } else {
                    shape
                };
                let elements: Vec<TypeId> = union
                    .elements
                    .iter()
                    .map(|element| self.position(types, package, element, shape))
                    .collect();
                types.union(elements)
            }
            TypeKind::Reference(reference) => self.reference(types, package, reference, shape),
            TypeKind::Invalid => TypeId::NONE,
        }
    }

    fn reference(
        &self,
        types: &mut TypeStore,
        package: PackageIndex,
        reference: &Reference,
        shape: Shape,
    ) -> TypeId {
        match reference {
            Reference::Type(member) => self.named(types, package, *member, shape),
            Reference::Resource(member) => {
                self.object(types, package, *member, shape.resource_inside())
            }
            Reference::Provider => match self.packages.package(package).provider_id() {
                Some(member) => self.object(types, package, member, shape.resource_inside()),
                None => TypeId::NONE,
            },
            Reference::Dangling { token, underlying: Some(underlying) } => {
                let opaque = types.opaque(token);
                types.union([opaque, primitive_type(*underlying)])
            }
            Reference::Dangling { underlying: None, .. } => TypeId::NONE,
            Reference::External(external) => match self.resolve_external(package, external) {
                Some((package, member, Section::Types)) => {
                    self.named(types, package, member, shape)
                }
                Some((package, member, _)) => {
                    self.object(types, package, member, shape.resource_inside())
                }
                None => TypeId::NONE,
            },
        }
    }

    /// A member of the section `types`.
    fn named(
        &self,
        types: &mut TypeStore,
        package: PackageIndex,
        member: MemberId,
        shape: Shape,
    ) -> TypeId {
        match self.packages.package(package).type_by_id(member) {
            Ok(Some(TypeDef::Object(_))) => self.object(types, package, member, shape),
            Ok(Some(TypeDef::Enum(spec))) => self.enumeration(types, package, member, spec),
            _ => TypeId::NONE,
        }
    }

    fn enumeration(
        &self,
        types: &mut TypeStore,
        package: PackageIndex,
        member: MemberId,
        spec: &EnumSpec,
    ) -> TypeId {
        let Some(element) = spec.element else { return TypeId::NONE };
        let underlying = primitive_type(element);
        if spec.values.is_empty() {
            return underlying;
        }
        let package = self.packages.package(package);
        let written = package.token(member);
        let token = package.canonical(written);
        let values: Vec<Constant> = spec.values.iter().map(|v| constant(&v.value)).collect();
        types.enumeration(token.as_deref().unwrap_or(written), underlying, &values)
    }

    /// The member of another package that a reference leads to; `None` when the package does not
    /// load or has no such member, which
    /// [`SchemaTypes::check`] reports.
    pub(crate) fn resolve_external(
        &self,
        package: PackageIndex,
        reference: &schema::ExternalReference,
    ) -> Option<(PackageIndex, MemberId, Section)> {
        let request = self.packages.package(package).external_request(reference);
        let index = self.packages.load(&request).ok()?;
        let (section, member) = self.packages.package(index).external_member(&reference.target);
        Some((index, member?, section))
    }
}

/// Returns whether resources are what a spec is about, or its items.
pub(super) fn holds_resources(spec: &TypeSpec) -> bool {
    match &spec.kind {
        TypeKind::Array(items) | TypeKind::Map(items) => holds_resources(items),
        TypeKind::Union(union) => union.elements.iter().any(holds_resources),
        TypeKind::Reference(Reference::Resource(_) | Reference::Provider) => true,
        TypeKind::Reference(Reference::External(external)) => {
            !matches!(external.target, schema::ExternalTarget::Type(_))
        }
        _ => false,
    }
}

/// The type of a schema's primitive.
pub const fn primitive_type(primitive: Primitive) -> TypeId {
    match primitive {
        Primitive::Boolean => TypeId::BOOL,
        Primitive::Integer => TypeId::INT,
        Primitive::Number => TypeId::NUMBER,
        Primitive::String => TypeId::STRING,
    }
}

/// A schema's constant as a value of the language.
pub fn constant(value: &schema::Constant) -> Constant {
    match value {
        schema::Constant::Boolean(value) => Constant::Bool(*value),
        schema::Constant::Number(value) => match Number::parse(&value.to_string()) {
            Some(number) => Constant::Number(number),
            None => Constant::Null,
        },
        schema::Constant::String(value) => Constant::from(&**value),
    }
}
