//! The schemas of the packages that a state uses, and the facts about their members.

use std::sync::Arc;

use pcl_schema::{
    Constant, ExternalReference, ExternalTarget, LoadError, Loader, MemberId, Package,
    PackageRequest, Properties, PropertySpec, Reference, Section, TypeDef, TypeKind, TypeSpec,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// Loads packages, each once.
pub(crate) struct Schemas<'l> {
    loader: &'l dyn Loader,
    loaded: FxHashMap<PackageRequest, Result<Arc<Package>, Arc<LoadError>>>,
    /// The properties whose defaults come from the environment, by package and member.
    from_environment: FxHashMap<(usize, MemberId), Arc<FxHashSet<String>>>,
}

/// The object type that a type is, with its package.
pub(crate) struct ObjectType {
    pub package: Arc<Package>,
    pub member: MemberId,
}

/// The meaning of a type behind its references.
pub(crate) enum Resolved<'t> {
    /// A type without a name.
    Spec(&'t TypeSpec),
    /// An object type.
    Object(ObjectType),
    /// An enumeration of these.
    Enum(Option<pcl_schema::Primitive>),
    /// A resource.
    Resource,
    /// Nothing that is known.
    Unknown,
}

impl<'l> Schemas<'l> {
    pub fn new(loader: &'l dyn Loader) -> Self {
        Self { loader, loaded: FxHashMap::default(), from_environment: FxHashMap::default() }
    }

    /// The package for a request; one of another version if there is none of this version.
    pub fn load(&mut self, request: &PackageRequest) -> Result<Arc<Package>, Arc<LoadError>> {
        if let Some(loaded) = self.loaded.get(request) {
            return loaded.clone();
        }
        let loaded = self.loader.load(request).or_else(|error| {
            let any = PackageRequest::new(request.name());
            self.loader.load(&any).map_err(|_| Arc::new(error))
        });
        self.loaded.insert(request.clone(), loaded.clone());
        loaded
    }

    /// The type behind the references of a type.
    pub fn resolve<'t>(&mut self, package: &Arc<Package>, spec: &'t TypeSpec) -> Resolved<'t> {
        let TypeKind::Reference(reference) = &spec.kind else { return Resolved::Spec(spec) };
        match reference {
            Reference::Type(member) => of_type(package, *member),
            Reference::Resource(_) | Reference::Provider => Resolved::Resource,
            Reference::Dangling { underlying, .. } => match underlying {
                Some(primitive) => Resolved::Enum(Some(*primitive)),
                None => Resolved::Unknown,
            },
            Reference::External(external) => self.external(package, external),
        }
    }

    fn external(
        &mut self,
        package: &Arc<Package>,
        external: &ExternalReference,
    ) -> Resolved<'static> {
        let ExternalTarget::Type(token) = &external.target else { return Resolved::Resource };
        let request = package.external_request(external);
        let Ok(other) = self.load(&request) else { return Resolved::Unknown };
        match other.find(Section::Types, token) {
            Some(member) => of_type(&other, member),
            None => Resolved::Unknown,
        }
    }

    /// Returns true if the default of a property may come from the environment.
    fn is_from_environment(
        &mut self,
        package: &Arc<Package>,
        member: MemberId,
        name: &str,
    ) -> bool {
        let key = (Arc::as_ptr(package) as usize, member);
        let names = self.from_environment.entry(key).or_insert_with(|| {
            let json = package.json(member).unwrap_or_default();
            let section = match package.section(member) {
                Section::Types => "properties",
                _ => "inputProperties",
            };
            let properties = json.get(section).and_then(|it| it.as_object());
            let names = properties.into_iter().flatten().filter(|(_, property)| {
                let environment = property.pointer("/defaultInfo/environment");
                environment.is_some_and(|list| list.as_array().is_some_and(|it| !it.is_empty()))
            });
            Arc::new(names.map(|(name, _)| name.clone()).collect())
        });
        names.contains(name)
    }

    /// The default that a program need not write: one that does not depend on the environment.
    pub fn default<'p>(
        &mut self,
        package: &Arc<Package>,
        member: MemberId,
        name: &str,
        spec: &'p PropertySpec,
    ) -> Option<&'p Constant> {
        let default = spec.default.as_ref()?;
        (!self.is_from_environment(package, member, name)).then_some(default)
    }
}

fn of_type(package: &Arc<Package>, member: MemberId) -> Resolved<'static> {
    match package.type_by_id(member) {
        Ok(Some(TypeDef::Object(_))) => {
            Resolved::Object(ObjectType { package: package.clone(), member })
        }
        Ok(Some(TypeDef::Enum(spec))) => Resolved::Enum(spec.element),
        _ => Resolved::Unknown,
    }
}

impl ObjectType {
    /// The properties.
    pub fn properties(&self) -> Option<&Properties> {
        match self.package.type_by_id(self.member) {
            Ok(Some(TypeDef::Object(properties))) => Some(properties),
            _ => None,
        }
    }
}
