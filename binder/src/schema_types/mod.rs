//! Schema specs as types of the language, created on demand.
//!
//! Every named type of a schema, and the inputs and outputs of resources and functions, become
//! nominal types: numbers that represent (package, member, shape). The type store asks
//! [`SchemaTypes`] for the properties of such a type on its first use. So recursive schemas are
//! finite, and of a resource with a thousand nested types only those cost time that are used.
//!
//! A type has a *plain* shape (only values) or an *input* shape, where each level that is not
//! marked plain also accepts an output of the plain shape.

mod convert;
mod lookup;
mod member;
mod misspelled;
mod reach;
mod shape;

use std::sync::{Arc, Mutex};

use pcl_model::types::{Materialize, NominalKey, ObjectDefinition, TypeId, TypeStore};
use pcl_schema::{
    FunctionSpec, MemberError, MemberId, Properties, Reference, ResourceSpec, ReturnSpec, Section,
    TypeDef,
};
use rustc_hash::{FxHashMap, FxHashSet};

use self::convert::holds_resources;
pub use self::convert::{constant, primitive_type};
pub use self::lookup::{Found, Lookup};
pub use self::member::{Field, Fields};
use self::misspelled::Names;
pub use self::misspelled::{suggest_member, terraform_member};
pub use self::reach::Checked;
pub use self::shape::{Nominal, Shape};
use crate::packages::{PackageCache, PackageIndex};

/// The leniencies of the types.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct SchemaOptions {
    /// Every property of every object type is optional.
    pub allow_missing_properties: bool,
    /// An unknown property of an object type is worth a warning only.
    pub skip_resource_typecheck: bool,
}

/// Makes types of the members of packages. Shared by the type store, the functions `invoke` and
/// `call`, and the binder.
pub struct SchemaTypes {
    packages: Arc<PackageCache>,
    options: SchemaOptions,
    checked: Mutex<FxHashMap<(PackageIndex, MemberId), Arc<Checked>>>,
    reported: Mutex<FxHashSet<(PackageIndex, MemberId)>>,
    names: Mutex<FxHashMap<(PackageIndex, Section), Names>>,
}

impl SchemaTypes {
    /// Types for the packages of one cache.
    pub fn new(packages: Arc<PackageCache>, options: SchemaOptions) -> Self {
        Self {
            packages,
            options,
            checked: Mutex::default(),
            reported: Mutex::default(),
            names: Mutex::default(),
        }
    }

    /// The packages that the types come from.
    pub fn packages(&self) -> &Arc<PackageCache> {
        &self.packages
    }

    /// The spec of a resource or provider.
    ///
    /// # Errors
    /// Returns an error if the text of the resource in the schema cannot be decoded.
    pub fn resource(
        &self,
        package: PackageIndex,
        member: MemberId,
    ) -> Result<Option<Arc<ResourceSpec>>, MemberError> {
        let spec = self.packages.package(package).resource_by_id(member)?;
        Ok(spec.cloned())
    }

    /// The object type or enumeration that a reference leads to, in its package.
    pub fn object_of(
        &self,
        package: PackageIndex,
        reference: &Reference,
    ) -> Option<(PackageIndex, MemberId)> {
        match reference {
            Reference::Type(member) => Some((package, *member)),
            Reference::External(external) => match self.resolve_external(package, external)? {
                (package, member, Section::Types) => Some((package, member)),
                _ => None,
            },
            _ => None,
        }
    }

    /// The object type that a reference leads to, in its package, and its properties; `None` if the
    /// reference leads to anything else.
    pub fn object_properties(
        &self,
        package: PackageIndex,
        reference: &Reference,
    ) -> Option<(PackageIndex, MemberId, &Properties)> {
        let (package, member) = self.object_of(package, reference)?;
        match self.packages.package(package).type_by_id(member).ok()?? {
            TypeDef::Object(properties) => Some((package, member, properties)),
            TypeDef::Enum(_) => None,
        }
    }

    /// The names of the methods of a resource, in order.
    pub fn method_names(&self, package: PackageIndex, member: MemberId) -> Vec<String> {
        let resource = self.resource(package, member).ok().flatten();
        let methods = resource.iter().flat_map(|resource| &resource.methods);
        methods.map(|method| method.name.to_string()).collect()
    }

    /// The spec of a function or method.
    ///
    /// # Errors
    /// Returns an error if the text of the function in the schema cannot be decoded.
    pub fn function(
        &self,
        package: PackageIndex,
        member: MemberId,
    ) -> Result<Option<Arc<FunctionSpec>>, MemberError> {
        let spec = self.packages.package(package).function_by_id(member)?;
        Ok(spec.cloned())
    }

    /// The object type of a member in some shape. Its properties are decoded on their first use.
    pub fn object(
        &self,
        types: &mut TypeStore,
        package: PackageIndex,
        member: MemberId,
        shape: Shape,
    ) -> TypeId {
        let nominal = Nominal { package, member, shape };
        types.nominal(nominal.key())
    }

    /// The type of an object inside of the inputs of a resource without the need for constants; any
    /// other type as it is.
    pub(crate) fn without_constants(&self, types: &mut TypeStore, ty: TypeId) -> TypeId {
        match types.nominal_key(ty).and_then(Nominal::from_key) {
            Some(nominal) if nominal.shape == Shape::Input => {
                let shape = Shape::ResourceObject;
                self.object(types, nominal.package, nominal.member, shape)
            }
            _ => ty,
        }
    }

    /// The result type of a function: an empty object when it returns nothing.
    pub fn function_result(
        &self,
        types: &mut TypeStore,
        package: PackageIndex,
        member: MemberId,
        function: &FunctionSpec,
    ) -> TypeId {
        match &function.returns {
            None => types.object([]),
            Some(ReturnSpec::Object(properties)) => {
                let mut specs = properties.iter().map(|(_, property)| &property.ty);
                let shape = if specs.any(holds_resources) {
                    Shape::FunctionOutputsWithResources
                } else {
                    Shape::FunctionOutputs
                };
                self.object(types, package, member, shape)
            }
            Some(ReturnSpec::Type(spec)) => self.result(types, package, spec),
        }
    }

    /// The resource whose variable `ty` is the type of; also when the outputs inside that type have
    /// been resolved.
    pub fn resource_of(&self, types: &TypeStore, ty: TypeId) -> Option<(PackageIndex, MemberId)> {
        let nominal = Nominal::from_key(types.origin(ty)?)?;
        (nominal.shape == Shape::Resource).then_some((nominal.package, nominal.member))
    }

    /// The properties that a nominal type is made of, each with its origin in the schema; `None` if
    /// the member cannot be decoded or the type is not an object.
    pub fn with_properties<R>(
        &self,
        nominal: Nominal,
        act: impl FnOnce(&Properties) -> R,
    ) -> Option<R> {
        let package = self.packages.package(nominal.package);
        let member = nominal.member;
        let empty = Properties::default();
        let properties = match nominal.shape {
            Shape::Plain
            | Shape::Input
            | Shape::ResourceObject
            | Shape::PlainResourceObject
            | Shape::ResourceMember
            | Shape::PlainResourceMember
            | Shape::PlainWithResources => match package.type_by_id(member).ok()?? {
                TypeDef::Object(properties) => properties,
                TypeDef::Enum(_) => return None,
            },
            Shape::ResourceInputs => &package.resource_by_id(member).ok()??.inputs,
            Shape::ReadInputs => {
                package.resource_by_id(member).ok()??.state_inputs.as_ref().unwrap_or(&empty)
            }
            Shape::Resource | Shape::ResourceReference | Shape::PlainResourceReference => {
                &package.resource_by_id(member).ok()??.properties
            }
            Shape::FunctionInputs | Shape::FunctionInputsWithOutputs | Shape::MethodInputs => {
                package.function_by_id(member).ok()??.inputs.as_ref().unwrap_or(&empty)
            }
            Shape::FunctionOutputs | Shape::FunctionOutputsWithResources => {
                match &package.function_by_id(member).ok()??.returns {
                    Some(ReturnSpec::Object(properties)) => properties,
                    _ => return None,
                }
            }
        };
        Some(act(properties))
    }
}

impl Materialize for SchemaTypes {
    fn define(&self, key: NominalKey, types: &mut TypeStore) -> ObjectDefinition {
        let Some(nominal) = Nominal::from_key(key) else { return ObjectDefinition::default() };
        self.with_properties(nominal, |properties| self.definition(types, nominal, properties))
            .unwrap_or_default()
    }

    fn is_plain(&self, key: NominalKey) -> bool {
        Nominal::from_key(key).is_some_and(|nominal| nominal.shape.is_plain())
    }

    fn resolved(&self, key: NominalKey) -> Option<NominalKey> {
        let nominal = Nominal::from_key(key)?;
        let shape = nominal.shape.resolved()?;
        Some(Nominal { shape, ..nominal }.key())
    }

    fn is_resource(&self, key: NominalKey) -> bool {
        Nominal::from_key(key).is_some_and(|nominal| nominal.shape == Shape::Resource)
    }

    fn resource_token(&self, key: NominalKey) -> Option<String> {
        let nominal = Nominal::from_key(key)?;
        let token = || self.packages.package(nominal.package).token(nominal.member).to_owned();
        nominal.shape.of_resource().then(token)
    }
}
