//! The types of inputs and outputs as a schema says them. Object types get names: that of the
//! component, and the properties that lead to the object.

use std::collections::BTreeMap;

use pcl_binder::schema_types::{Nominal, SchemaTypes, Shape};
use pcl_binder::{PackageIndex, PackageReference, component_name};
use pcl_diagnostics::Span;
use pcl_model::types::{Enumeration, Symbol, Type, TypeId, TypeStore};
use pcl_model::value::Constant;
use pcl_schema::{ExternalTarget, Section, Token};

use super::schema_document::{Dependency, ObjectType, Property, PropertyType};

/// The reason why a schema says less about a value than a program in another language needs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Vague {
    /// It may be anything.
    Anything,
    /// It may be one of several objects, which have one name.
    SeveralObjects,
    /// Its type is that of a package whose version is not known.
    NoVersion(String),
}

/// Two object types of one name that differ.
pub(super) struct SameName {
    /// The name.
    pub name: String,
    /// The declaration of the second one.
    pub at: Span,
    /// The declaration of the first one.
    pub first: Span,
}

/// The types of a component.
pub(super) struct InterfaceTypes<'p> {
    types: &'p mut TypeStore,
    schemas: &'p SchemaTypes,
    used: Vec<PackageReference>,
    /// The start of the tokens of its object types, with its own name.
    prefix: &'p str,
    /// The object types, by token.
    pub objects: BTreeMap<String, ObjectType>,
    /// The declarations that the object types are made of, by token.
    pub places: BTreeMap<String, Span>,
    /// The packages that types refer to, by name.
    pub dependencies: BTreeMap<String, Dependency>,
    /// The object types that differ from another one of their name.
    pub same_names: Vec<SameName>,
    at: Option<Span>,
    vague: Option<Vague>,
}

impl<'p> InterfaceTypes<'p> {
    /// No types yet of the component of a token, whose program uses these packages.
    pub fn new(
        types: &'p mut TypeStore,
        schemas: &'p SchemaTypes,
        used: Vec<PackageReference>,
        token: &'p str,
    ) -> Self {
        Self {
            types,
            schemas,
            used,
            prefix: token,
            objects: BTreeMap::new(),
            places: BTreeMap::new(),
            dependencies: BTreeMap::new(),
            same_names: Vec::new(),
            at: None,
            vague: None,
        }
    }

    /// The type of an input or output that is declared at `at`, whether it may be missing, and why
    /// it says little, if it does.
    pub fn property(
        &mut self,
        ty: TypeId,
        name: &str,
        at: Span,
    ) -> (PropertyType, bool, Option<Vague>) {
        let ty = self.types.resolve(ty);
        let ty = self.types.null_as_none(ty);
        let ty = self.types.widened(ty);
        self.at = Some(at);
        self.vague = None;
        let said = self.say(ty, &component_name(name));
        (said, self.types.is_optional(ty), self.vague.take())
    }

    /// The text of a name.
    pub fn name(&self, symbol: Symbol) -> &str {
        self.types.name(symbol)
    }

    /// The only value of a type.
    pub fn only_value(&mut self, ty: TypeId) -> Option<Constant> {
        self.types.only_value(ty)
    }

    fn say(&mut self, ty: TypeId, path: &str) -> PropertyType {
        match self.types.get(ty).clone() {
            Type::Bool => PropertyType::word("boolean"),
            Type::Int => PropertyType::word("integer"),
            Type::Number => PropertyType::word("number"),
            Type::String | Type::Id => PropertyType::word("string"),
            Type::Opaque(_) if ty == TypeId::ASSET => PropertyType::reference("pulumi.json#/Asset"),
            Type::Opaque(_) if ty == TypeId::ARCHIVE => {
                PropertyType::reference("pulumi.json#/Archive")
            }
            // What is wrong with it has been reported.
            Type::Error => PropertyType::any(),
            Type::None | Type::Dynamic | Type::Opaque(_) => self.vague(Vague::Anything),
            Type::Const { value: Constant::Null, .. } => self.vague(Vague::Anything),
            Type::Const { underlying, .. } => self.say(underlying, path),
            Type::Enum(enumeration) => self.enumeration(&enumeration),
            Type::List(element) | Type::Set(element) => PropertyType::list(self.say(element, path)),
            Type::Map(element) => PropertyType::map(self.say(element, path)),
            Type::Tuple(elements) => PropertyType::list(self.one_of(&elements, path)),
            Type::Output(element) | Type::Promise(element) => self.say(element, path),
            Type::Union(_) => {
                let members = self.types.members(ty);
                self.one_of(&members, path)
            }
            Type::Object(_) => self.object(ty, path),
            Type::Nominal(_) => self.nominal(ty, path),
        }
    }

    fn vague(&mut self, reason: Vague) -> PropertyType {
        self.vague.get_or_insert(reason);
        PropertyType::any()
    }

    /// One of these types, where null says only that a value may be missing.
    fn one_of(&mut self, members: &[TypeId], path: &str) -> PropertyType {
        let mut kinds: Vec<TypeId> = Vec::with_capacity(members.len());
        for &member in members {
            let kind = match self.types.get(member) {
                Type::Const { value: Constant::Null, .. } | Type::None => continue,
                Type::Const { underlying, .. } => *underlying,
                _ => member,
            };
            if !kinds.contains(&kind) {
                kinds.push(kind);
            }
        }
        // Wherever an asset goes, an archive goes as well, and wherever a number does, an integer.
        for (wide, narrow) in [(TypeId::ASSET, TypeId::ARCHIVE), (TypeId::NUMBER, TypeId::INT)] {
            if kinds.contains(&wide) {
                kinds.retain(|&kind| kind != narrow);
            }
        }
        let is_word = |kind: &TypeId| {
            matches!(*kind, TypeId::STRING | TypeId::INT | TypeId::NUMBER | TypeId::BOOL)
        };
        if kinds.iter().any(is_word) {
            // Types that a schema refers to and does not have are words under another name.
            let types = &*self.types;
            kinds.retain(|&kind| {
                let is_known = kind == TypeId::ASSET || kind == TypeId::ARCHIVE;
                is_known || !matches!(types.get(kind), Type::Opaque(_))
            });
        }
        if kinds.contains(&TypeId::DYNAMIC) {
            return self.vague(Vague::Anything);
        }
        let objects = kinds.iter().filter(|&&kind| matches!(self.types.get(kind), Type::Object(_)));
        if objects.count() > 1 {
            return self.vague(Vague::SeveralObjects);
        }
        let mut said: Vec<PropertyType> = Vec::new();
        for kind in kinds {
            let kind = self.say(kind, path);
            if !said.contains(&kind) {
                said.push(kind);
            }
        }
        match said.len() {
            0 => self.vague(Vague::Anything),
            1 => said.swap_remove(0),
            _ => PropertyType::one_of(said),
        }
    }

    /// An object type under the name that its path gives it.
    fn object(&mut self, ty: TypeId, path: &str) -> PropertyType {
        let token = format!("{}{path}", self.prefix);
        let mut object = ObjectType::new();
        for (symbol, ty) in self.types.properties(ty).unwrap_or_default().iter().copied() {
            let name = self.types.name(symbol).to_owned();
            let said = self.say(ty, &format!("{path}{}", component_name(&name)));
            if !self.types.is_optional(ty) {
                object.required.push(name.clone());
            }
            object.properties.insert(name, Property { ty: said, ..Property::default() });
        }
        object.required.sort();
        let reference = PropertyType::reference(format!("#/types/{}", escaped(&token)));
        let Some(at) = self.at else { return reference };
        match self.objects.get(&token) {
            Some(known) if *known != object => {
                let first = self.places.get(&token).copied().unwrap_or(at);
                let name = token.rsplit(':').next().unwrap_or_default().to_owned();
                self.same_names.push(SameName { name, at, first });
            }
            Some(_) => {}
            None => {
                self.places.insert(token.clone(), at);
                self.objects.insert(token, object);
            }
        }
        reference
    }

    /// An object type or resource of another package.
    fn nominal(&mut self, ty: TypeId, path: &str) -> PropertyType {
        let Some(nominal) = self.types.origin(ty).and_then(Nominal::from_key) else {
            return self.vague(Vague::Anything);
        };
        match nominal.shape {
            Shape::Plain
            | Shape::Input
            | Shape::ResourceObject
            | Shape::PlainResourceObject
            | Shape::ResourceMember
            | Shape::PlainResourceMember
            | Shape::PlainWithResources
            | Shape::Resource
            | Shape::ResourceReference
            | Shape::PlainResourceReference => {
                let schema = self.schemas.packages().package(nominal.package);
                let section = schema.section(nominal.member);
                let token = schema.token(nominal.member).to_owned();
                self.external(nominal.package, section, &token)
            }
            // The schema gives these no name of their own.
            Shape::ResourceInputs
            | Shape::ReadInputs
            | Shape::FunctionInputs
            | Shape::FunctionInputsWithOutputs
            | Shape::MethodInputs
            | Shape::FunctionOutputs
            | Shape::FunctionOutputsWithResources => self.object(ty, path),
        }
    }

    /// An enumeration of another package; if that does not have it, the type of its values.
    fn enumeration(&mut self, enumeration: &Enumeration) -> PropertyType {
        let token = self.types.name(enumeration.token).to_owned();
        let owner = Token::parse(&token).map(|token| token.package.to_owned());
        let mut used = self.used.iter();
        let index = used.find(|used| Some(&used.name) == owner.as_ref()).map(|used| used.index);
        if let Some(index) = index {
            let schema = self.schemas.packages().package(index);
            let target = ExternalTarget::Type(token.into());
            if let (section, Some(member)) = schema.external_member(&target) {
                let token = schema.token(member).to_owned();
                return self.external(index, section, &token);
            }
        }
        self.say(enumeration.underlying, "")
    }

    /// A member of another package, which becomes a dependency.
    fn external(&mut self, index: PackageIndex, section: Section, token: &str) -> PropertyType {
        let schema = self.schemas.packages().package(index);
        let name = schema.name();
        // The types of the engine itself are in no schema.
        let Some(version) = schema.version().filter(|_| name != "pulumi") else {
            return self.vague(Vague::NoVersion(name.to_owned()));
        };
        let member = match section {
            Section::Provider => section.key().to_owned(),
            _ => format!("{}/{}", section.key(), escaped(token)),
        };
        if !self.dependencies.contains_key(name) {
            let used = self.used.iter().find(|used| used.index == index).cloned();
            let used = used.unwrap_or_else(|| PackageReference {
                name: name.to_owned(),
                version: Some(version.clone()),
                download_url: None,
                base: None,
                index,
            });
            self.dependencies.insert(name.to_owned(), Dependency::of(&used));
        }
        PropertyType::reference(format!("/{name}/v{version}/schema.json#/{member}"))
    }
}

/// A token as a part of a reference.
fn escaped(token: &str) -> String {
    token.replace('%', "%25").replace('/', "%2F")
}
