//! The table of types while it grows, and what schemas say beyond types: marks of properties, names
//! of enumeration members, what tells the members of unions apart.

use std::sync::Arc;

use pcl_binder::PackageIndex;
use pcl_binder::schema_types::{Nominal, SchemaTypes, Shape};
use pcl_model::types::{self as model, Symbol, TypeId, TypeStore};
use pcl_schema::{
    MemberFacts, MemberId, Owner, Primitive, PropertyFacts, PropertySpec, TypeDef, TypeKind,
    TypeSpec,
};
use rustc_hash::FxHashMap;

use crate::document::DocumentOptions;
use crate::document::package::{Member, PackageSchema};
use crate::document::place::{MemberIndex, SchemaIndex, TypeIndex};
use crate::document::types::{
    Constant, Discriminator, Enum, EnumMember, Object, ObjectRole, ObjectSchema, Property, Type,
    Union, Variant,
};

/// The number of members or properties from which on a type is written as parts that types share.
const WIDE: usize = 64;

/// Types by number, and their places in the table. A type gets its place when it is first asked
/// for, and is described at the end.
pub(super) struct Types<'a> {
    store: &'a mut TypeStore,
    schemas: &'a SchemaTypes,
    pub members: Members<'a>,
    places: FxHashMap<TypeId, TypeIndex>,
    asked: Vec<TypeId>,
    table: Vec<Type>,
    /// Positions whose spec says more than their type.
    specs: Vec<(PackageIndex, TypeSpec, TypeIndex)>,
}

impl<'a> Types<'a> {
    pub fn new(store: &'a mut TypeStore, members: Members<'a>) -> Self {
        Self {
            store,
            schemas: members.schemas,
            members,
            places: FxHashMap::default(),
            asked: Vec::new(),
            table: Vec::new(),
            specs: Vec::new(),
        }
    }

    /// The place of a type.
    pub fn of(&mut self, ty: TypeId) -> TypeIndex {
        let asked = &mut self.asked;
        *self.places.entry(ty).or_insert_with(|| {
            asked.push(ty);
            TypeIndex::of(asked.len() - 1)
        })
    }

    pub fn nominal(&mut self, nominal: Nominal) -> TypeIndex {
        let ty = self.store.nominal(nominal.key());
        self.of(ty)
    }

    /// The type that a rule makes.
    pub fn made(&mut self, make: impl FnOnce(&mut TypeStore) -> TypeId) -> TypeIndex {
        let ty = make(self.store);
        self.of(ty)
    }

    pub fn name(&self, symbol: Symbol) -> String {
        self.store.name(symbol).to_owned()
    }

    pub fn is_map(&self, ty: TypeId) -> bool {
        matches!(self.store.get(self.store.strip(ty)), model::Type::Map(_))
    }

    pub fn is_output(&self, ty: TypeId) -> bool {
        matches!(self.store.get(ty), model::Type::Output(_))
    }

    /// The table: the requested types and all of their parts.
    pub fn finish(mut self) -> (Vec<Type>, Members<'a>) {
        while let Some(&ty) = self.asked.get(self.table.len()) {
            let described = self.describe(ty);
            self.table.push(described);
        }
        for (package, spec, place) in std::mem::take(&mut self.specs) {
            self.annotate(package, &spec, place);
        }
        (self.table, self.members)
    }

    fn all(&mut self, types: &[TypeId]) -> Vec<TypeIndex> {
        types.iter().map(|&ty| self.of(ty)).collect()
    }

    fn describe(&mut self, ty: TypeId) -> Type {
        match self.store.get(ty).clone() {
            model::Type::None => Type::None,
            model::Type::Bool => Type::Bool,
            model::Type::Int => Type::Int,
            model::Type::Number => Type::Number,
            model::Type::String => Type::String,
            model::Type::Id => Type::Id,
            model::Type::Dynamic => Type::Dynamic,
            model::Type::Error => Type::Error,
            model::Type::Opaque(name) => match ty {
                TypeId::ASSET => Type::Asset,
                TypeId::ARCHIVE => Type::Archive,
                TypeId::PROPERTY => Type::Property,
                _ => Type::Opaque { name: self.name(name) },
            },
            model::Type::Const { underlying, value } => {
                Type::Const { underlying: self.of(underlying), value: (&value).into() }
            }
            model::Type::Enum(enumeration) => {
                let member = |value| EnumMember {
                    name: None,
                    value: Constant::from(value),
                    deprecated: None,
                    description: None,
                };
                Type::Enum(Enum {
                    token: self.name(enumeration.token),
                    schema: None,
                    underlying: self.of(enumeration.underlying),
                    members: enumeration.values.iter().map(member).collect(),
                })
            }
            model::Type::List(element) => Type::List { element: self.of(element) },
            model::Type::Set(element) => Type::Set { element: self.of(element) },
            model::Type::Map(element) => Type::Map { element: self.of(element) },
            model::Type::Output(element) => Type::Output { element: self.of(element) },
            model::Type::Promise(element) => Type::Promise { element: self.of(element) },
            model::Type::Tuple(elements) => Type::Tuple { elements: self.all(&elements) },
            model::Type::Union(members) => {
                let split = members.split().filter(|_| members.len() > WIDE);
                // The union of other types and `dynamic` is `dynamic`.
                let split = split.filter(|_| !members.contains(&TypeId::DYNAMIC));
                let members = match split {
                    Some((left, &top, right)) => {
                        let parts = [left, Some(top), right].into_iter().flatten();
                        parts.map(|part| self.of(part)).collect()
                    }
                    None => {
                        let members = self.store.members(ty);
                        self.all(&members)
                    }
                };
                Type::Union(Union { members, schema_order: Vec::new(), discriminator: None })
            }
            model::Type::Object(properties)
                if properties.len() > WIDE && self.store.origin(ty).is_none() =>
            {
                self.halves(ty, &properties)
            }
            model::Type::Object(_) | model::Type::Nominal(_) => self.object(ty),
        }
    }

    /// An object type of many properties as one of them and two types that have the others.
    fn halves(&mut self, ty: TypeId, properties: &model::Parts<(Symbol, TypeId)>) -> Type {
        let Some((left, &(name, part), right)) = properties.split() else { return self.object(ty) };
        let property = self.property(name, part, None, None);
        let sides = [left, right].into_iter().flatten();
        Type::Object(Object {
            properties: vec![property],
            includes: sides.map(|side| self.of(side)).collect(),
            schema: None,
        })
    }

    fn object(&mut self, ty: TypeId) -> Type {
        let nominal = self.store.origin(ty).and_then(Nominal::from_key);
        let specs = nominal.map(|nominal| self.property_specs(nominal));
        let specs = specs.unwrap_or_default();
        let properties = self.store.properties(ty).unwrap_or_default();
        let facts = nominal.map(|nominal| self.members.facts(nominal.package, nominal.member));
        let facts = facts.as_deref().zip(nominal.map(|nominal| owners(nominal.shape)));
        let property = |&(name, ty): &(Symbol, TypeId)| {
            let spec = specs.get(self.store.name(name));
            let facts = facts.and_then(|(facts, owners)| {
                let name = self.store.name(name);
                owners.iter().find_map(|&owner| facts.property(owner, name))
            });
            let property = self.property(name, ty, spec, facts);
            if let (Some(nominal), Some(spec)) = (nominal, spec)
                && says_more(&spec.ty)
            {
                self.specs.push((nominal.package, spec.ty.clone(), property.ty));
            }
            property
        };
        let properties = properties.iter().map(property).collect();
        Type::Object(Object {
            properties,
            includes: Vec::new(),
            schema: nominal.map(|nominal| ObjectSchema {
                member: self.members.index(nominal.package, nominal.member),
                role: role(nominal.shape),
                derived: self.store.nominal_key(ty).is_none(),
            }),
        })
    }

    /// A property with what its schema says of it, if one does.
    fn property(
        &mut self,
        name: Symbol,
        ty: TypeId,
        spec: Option<&PropertySpec>,
        facts: Option<PropertyFacts<'_>>,
    ) -> Property {
        let environment = facts.map(PropertyFacts::environment).unwrap_or_default();
        let description = self.members.description(facts.and_then(PropertyFacts::description));
        let deprecated = spec.and_then(|spec| spec.deprecation_message.as_deref());
        let deprecated = self.members.worded(deprecated);
        Property {
            name: self.name(name),
            ty: self.of(ty),
            required: match spec {
                Some(spec) => spec.required,
                None => !self.store.is_optional(ty),
            },
            secret: spec.is_some_and(|spec| spec.secret),
            plain: spec.is_some_and(|spec| spec.ty.plain),
            replace_on_changes: spec.is_some_and(|spec| spec.replace_on_changes),
            default: spec.and_then(|spec| spec.default.as_ref().map(Constant::from)),
            constant: spec.and_then(|spec| spec.constant.as_ref().map(Constant::from)),
            deprecated,
            display_name: facts.and_then(|facts| Some(facts.display_name()?.to_owned())),
            environment: environment.into_iter().map(str::to_owned).collect(),
            will_replace_on_changes: facts.is_some_and(PropertyFacts::will_replace_on_changes),
            description,
            language: facts.map(PropertyFacts::languages).unwrap_or_default(),
        }
    }

    fn property_specs(&self, nominal: Nominal) -> FxHashMap<String, PropertySpec> {
        let specs = self.schemas.with_properties(nominal, |properties| {
            let owned = |(name, spec): (&str, &PropertySpec)| (name.to_owned(), spec.clone());
            properties.iter().map(owned).collect()
        });
        specs.unwrap_or_default()
    }

    /// Adds what a spec says of the unions and enumerations in a type. The parts of both are walked
    /// side by side.
    fn annotate(&mut self, package: PackageIndex, spec: &TypeSpec, place: TypeIndex) {
        let mut open = vec![(spec, place)];
        while let Some((spec, place)) = open.pop() {
            let Some(ty) = self.table.get(place.index()) else { continue };
            match (ty, &spec.kind) {
                (Type::Output { element } | Type::Promise { element }, _) => {
                    open.push((spec, *element));
                }
                (Type::Const { underlying, .. }, _) => open.push((spec, *underlying)),
                (Type::List { element } | Type::Set { element }, TypeKind::Array(items)) => {
                    open.push((items, *element));
                }
                (Type::Map { element }, TypeKind::Map(values)) => open.push((values, *element)),
                (Type::Union(union), kind) => {
                    let members = union.flat_members(&self.table).into_owned();
                    let is_object =
                        |ty: TypeIndex| matches!(self.table.get(ty.index()), Some(Type::Object(_)));
                    let others = members.iter().copied().filter(|&member| !is_object(member));
                    let TypeKind::Union(written) = kind else {
                        open.extend(others.map(|member| (spec, member)));
                        continue;
                    };
                    for element in &written.elements {
                        match &element.kind {
                            TypeKind::Union(_) => open.push((element, place)),
                            TypeKind::Reference(reference) if !self.is_enum(package, reference) => {
                            }
                            _ if says_more(element) => {
                                open.extend(others.clone().map(|member| (element, member)));
                            }
                            _ => {}
                        }
                    }
                    if let (Some(discriminator), None) =
                        (&written.discriminator, &union.discriminator)
                    {
                        let found = self.discriminator(&members, discriminator);
                        if let Some(Type::Union(union)) = self.table.get_mut(place.index()) {
                            union.discriminator = found;
                        }
                    }
                    let order = self.schema_order(package, &written.elements, &members);
                    if let Some(Type::Union(union)) = self.table.get_mut(place.index()) {
                        union.schema_order = order;
                    }
                }
                (Type::Enum(_), TypeKind::Reference(reference)) => {
                    if let Some((package, member)) = self.schemas.object_of(package, reference) {
                        self.name_members(package, member, place);
                    }
                }
                (_, TypeKind::Union(written)) => {
                    let elements = written.elements.iter().filter(|spec| says_more(spec));
                    open.extend(elements.map(|element| (element, place)));
                }
                _ => {}
            }
        }
    }

    /// The members of a union that a schema names, in its order; none if they have this order.
    fn schema_order(
        &self,
        package: PackageIndex,
        elements: &[TypeSpec],
        members: &[TypeIndex],
    ) -> Vec<TypeIndex> {
        let mut order: Vec<usize> = Vec::new();
        for element in elements.iter().take(WIDE) {
            let named = match &element.kind {
                TypeKind::Reference(reference) => self.schemas.object_of(package, reference),
                _ => None,
            };
            let named = named.and_then(|named| self.members.places.get(&named).copied());
            let is_it = |&ty: &TypeIndex| match (&element.kind, self.table.get(ty.index())) {
                (TypeKind::Primitive(Primitive::Boolean), Some(Type::Bool))
                | (TypeKind::Primitive(Primitive::Integer), Some(Type::Int))
                | (TypeKind::Primitive(Primitive::Number), Some(Type::Number))
                | (TypeKind::Primitive(Primitive::String), Some(Type::String))
                | (TypeKind::Array(_), Some(Type::List { .. }))
                | (TypeKind::Map(_), Some(Type::Map { .. })) => true,
                (TypeKind::Reference(_), Some(Type::Object(object))) => {
                    object.schema.is_some_and(|schema| Some(schema.member) == named)
                }
                (TypeKind::Reference(reference), Some(Type::Enum(_))) => {
                    self.is_enum(package, reference)
                }
                _ => false,
            };
            order.extend(members.iter().position(is_it));
        }
        if order.is_sorted() {
            return Vec::new();
        }
        order.into_iter().filter_map(|at| members.get(at).copied()).collect()
    }

    fn discriminator(
        &self,
        members: &[TypeIndex],
        spec: &pcl_schema::Discriminator,
    ) -> Option<Discriminator> {
        let object = |&member: &TypeIndex| match self.table.get(member.index())? {
            Type::Object(object) => Some((member, object)),
            _ => None,
        };
        let objects = members.iter().filter_map(object);
        let mut variants: Vec<Variant> = if spec.mapping.is_empty() {
            // Then the members say themselves what the property has to be.
            let variant = |(ty, object): (TypeIndex, &Object)| {
                let value = object.property(&spec.property)?.constant.as_ref()?;
                let value = value.as_str()?.to_owned();
                Some(Variant { value, ty })
            };
            objects.filter_map(variant).collect()
        } else {
            let mut named: FxHashMap<&str, TypeIndex> = FxHashMap::default();
            for (ty, object) in objects {
                if let Some(schema) = object.schema {
                    let token = self.members.token(schema.member);
                    named.entry(name_of(token)).or_insert(ty);
                }
            }
            let variant = |(value, target): &(Box<str>, Box<str>)| {
                let (ty, value) = (*named.get(name_of(target))?, value.to_string());
                Some(Variant { value, ty })
            };
            spec.mapping.iter().filter_map(variant).collect()
        };
        variants.sort_by(|a, b| a.value.cmp(&b.value));
        (!variants.is_empty())
            .then(|| Discriminator { property: spec.property.to_string(), variants })
    }

    /// Returns whether a reference leads to an enumeration.
    fn is_enum(&self, package: PackageIndex, reference: &pcl_schema::Reference) -> bool {
        let found = self.schemas.object_of(package, reference);
        found.is_some_and(|(package, member)| {
            let schema = self.schemas.packages().package(package);
            let definition = schema.type_by_id(member);
            definition
                .is_ok_and(|found| found.is_some_and(|found| matches!(*found, TypeDef::Enum(_))))
        })
    }

    fn name_members(&mut self, package: PackageIndex, member: MemberId, place: TypeIndex) {
        let schema = self.schemas.packages().package(package);
        let Ok(Some(definition)) = schema.type_by_id(member) else { return };
        let named = self.members.index(package, member);
        let facts = self.members.facts(package, member);
        let (TypeDef::Enum(spec), Some(Type::Enum(known))) =
            (definition, self.table.get_mut(place.index()))
        else {
            return;
        };
        known.schema = Some(named);
        let values = known.members.iter_mut().zip(&spec.values);
        for (at, (member, value)) in values.enumerate() {
            if member.value == Constant::from(&value.value) {
                member.description = self.members.description(facts.value_description(at));
                member.name = value.name.as_deref().map(str::to_owned);
                member.deprecated = self.members.worded(value.deprecation_message.as_deref());
            }
        }
    }
}

/// Returns true if a spec may contain more than the type that is made of it.
fn says_more(spec: &TypeSpec) -> bool {
    match &spec.kind {
        TypeKind::Array(part) | TypeKind::Map(part) => says_more(part),
        TypeKind::Union(_) | TypeKind::Reference(_) => true,
        _ => false,
    }
}

/// The last part of a token or of a reference to one. Package and module are spelled in too many
/// ways to be compared.
fn name_of(token: &str) -> &str {
    token.rsplit(':').next().unwrap_or(token)
}

/// The places of the properties of an object in its member; the first that has one counts.
fn owners(shape: Shape) -> &'static [Owner] {
    match shape {
        Shape::Plain
        | Shape::Input
        | Shape::ResourceObject
        | Shape::PlainResourceObject
        | Shape::ResourceMember
        | Shape::PlainResourceMember
        | Shape::PlainWithResources
        | Shape::Resource
        | Shape::ResourceReference
        | Shape::PlainResourceReference => &[Owner::Properties],
        Shape::ResourceInputs => &[Owner::Inputs],
        Shape::ReadInputs => &[Owner::StateInputs, Owner::Inputs],
        Shape::FunctionInputs | Shape::FunctionInputsWithOutputs | Shape::MethodInputs => {
            &[Owner::FunctionInputs]
        }
        Shape::FunctionOutputs | Shape::FunctionOutputsWithResources => &[Owner::FunctionOutputs],
    }
}

fn role(shape: Shape) -> ObjectRole {
    match shape {
        Shape::Plain
        | Shape::PlainResourceObject
        | Shape::PlainResourceMember
        | Shape::PlainWithResources => ObjectRole::Plain,
        Shape::Input | Shape::ResourceObject | Shape::ResourceMember => ObjectRole::Input,
        Shape::ResourceInputs => ObjectRole::ResourceInputs,
        Shape::ReadInputs => ObjectRole::ReadInputs,
        Shape::Resource => ObjectRole::Resource,
        Shape::ResourceReference | Shape::PlainResourceReference => ObjectRole::ResourceReference,
        Shape::FunctionInputs | Shape::FunctionInputsWithOutputs | Shape::MethodInputs => {
            ObjectRole::FunctionInputs
        }
        Shape::FunctionOutputs | Shape::FunctionOutputsWithResources => ObjectRole::FunctionOutputs,
    }
}

/// Schemas and members, and their places in the tables. Each gets its place when it is first asked
/// for.
pub(in crate::document) struct Members<'a> {
    pub schemas: &'a SchemaTypes,
    options: DocumentOptions,
    packages: FxHashMap<PackageIndex, SchemaIndex>,
    places: FxHashMap<(PackageIndex, MemberId), MemberIndex>,
    facts: FxHashMap<(PackageIndex, MemberId), Arc<MemberFacts>>,
    table: Vec<PackageSchema>,
    members: Vec<Member>,
}

impl<'a> Members<'a> {
    pub fn new(schemas: &'a SchemaTypes, options: DocumentOptions) -> Self {
        Self {
            schemas,
            options,
            packages: FxHashMap::default(),
            places: FxHashMap::default(),
            facts: FxHashMap::default(),
            table: Vec::new(),
            members: Vec::new(),
        }
    }

    /// The place of a package's schema.
    pub fn schema(&mut self, package: PackageIndex) -> SchemaIndex {
        if let Some(&known) = self.packages.get(&package) {
            return known;
        }
        let schema = self.schemas.packages().package(package);
        self.table.push(PackageSchema {
            name: schema.name().to_owned(),
            version: schema.version().cloned(),
            display_name: schema.display_name(),
            namespace: schema.namespace(),
            repository: schema.repository(),
            supports_pack: schema.supports_pack(),
            plugin_download_url: schema.plugin_download_url(),
            module_format: schema.module_format().pattern().to_owned(),
            description: self.description(schema.about().as_deref()),
            language: schema.languages(),
        });
        let index = SchemaIndex::of(self.table.len() - 1);
        self.packages.insert(package, index);
        index
    }

    /// The place of a member.
    pub fn index(&mut self, package: PackageIndex, member: MemberId) -> MemberIndex {
        if let Some(&known) = self.places.get(&(package, member)) {
            return known;
        }
        let (schema_index, facts) = (self.schema(package), self.facts(package, member));
        let schema = self.schemas.packages().package(package);
        let token = schema.token(member);
        let module = schema.module_format().module_of(token);
        self.members.push(Member {
            schema: schema_index,
            package: schema.name().to_owned(),
            version: schema.version().cloned(),
            token: token.to_owned(),
            canonical: self.canonical(package, member),
            module: module.to_owned(),
            name: token.rsplit(':').next().unwrap_or(token).to_owned(),
            display_name: facts.display_name().map(str::to_owned),
            is_overlay: facts.is_overlay(),
            is_renamed_in_go: facts.is_renamed_in_go(),
            description: self.description(facts.description()),
            language: facts.languages(),
        });
        let index = MemberIndex::of(self.members.len() - 1);
        self.places.insert((package, member), index);
        index
    }

    /// The token of a member in the form that programs use.
    pub fn canonical(&self, package: PackageIndex, member: MemberId) -> String {
        let schema = self.schemas.packages().package(package);
        let token = schema.token(member);
        // The provider, and the engine's own resources, have one token only.
        if token.starts_with("pulumi:") {
            token.to_owned()
        } else {
            schema.canonical(token).unwrap_or_else(|| token.to_owned())
        }
    }

    /// The token in the schema of a member that has a place.
    pub fn token(&self, member: MemberIndex) -> &str {
        let member = self.members.get(member.index());
        member.map_or("", |member| &member.token)
    }

    /// The facts about a member that types do not have.
    pub fn facts(&mut self, package: PackageIndex, member: MemberId) -> Arc<MemberFacts> {
        let facts = self.facts.entry((package, member)).or_insert_with(|| {
            let schema = self.schemas.packages().package(package);
            if self.options.descriptions {
                Arc::new(schema.facts(member))
            } else {
                schema.lean_facts(member)
            }
        });
        Arc::clone(facts)
    }

    /// A description, if descriptions are asked for.
    pub fn description(&self, text: Option<&str>) -> Option<String> {
        self.worded(text.filter(|_| self.options.descriptions))
    }

    /// A text of a schema with the names that are asked for.
    pub fn worded(&self, text: Option<&str>) -> Option<String> {
        text.map(|text| self.options.wording.of(text).into_owned())
    }

    pub fn finish(self) -> (Vec<PackageSchema>, Vec<Member>) {
        (self.table, self.members)
    }
}
