//! The facts of the schemas of a program that a plan needs.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use pcl_binder::PackageIndex;
use pcl_binder::schema_types::SchemaTypes;
use pcl_plan::{Package, ResourceFacts, Schemas};
use pcl_schema::{Constant, MemberId, Owner, ResourceSpec};
use pcl_values::{PropertyPath, PropertyValue};
use rustc_hash::FxHashMap;

use crate::binder::Program;

/// The schemas of a program, of which facts are read once.
pub(crate) struct ProgramSchemas {
    types: Arc<SchemaTypes>,
    packages: BTreeMap<String, PackageIndex>,
    known: Mutex<FxHashMap<Box<str>, Option<Arc<ResourceFacts>>>>,
}

impl ProgramSchemas {
    pub fn of(program: &Program) -> Self {
        let packages = program.packages().into_iter();
        Self {
            types: Arc::clone(&program.schemas),
            packages: packages.map(|package| (package.name, package.index)).collect(),
            known: Mutex::default(),
        }
    }

    fn read(&self, kind: &str) -> Option<ResourceFacts> {
        let provider = kind.strip_prefix("pulumi:providers:");
        let name = provider.unwrap_or_else(|| kind.split(':').next().unwrap_or_default());
        let schema = self.types.packages().package(*self.packages.get(name)?);
        let member = match provider {
            Some(_) => schema.provider_id()?,
            None => schema.find(pcl_schema::Section::Resources, kind)?,
        };
        let spec = schema.resource_by_id(member).ok()??;
        Some(facts(schema, member, spec))
    }
}

impl Schemas for ProgramSchemas {
    fn resource(&self, kind: &str) -> Option<Arc<ResourceFacts>> {
        let known = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(facts) = known().get(kind) {
            return facts.clone();
        }
        let facts = self.read(kind).map(Arc::new);
        known().insert(kind.into(), facts.clone());
        facts
    }
}

fn facts(schema: &pcl_schema::Package, member: MemberId, spec: &ResourceSpec) -> ResourceFacts {
    let of_member = schema.facts(member);
    let will_replace = |owner, name: &str| {
        of_member.property(owner, name).is_some_and(|facts| facts.will_replace_on_changes())
    };
    let path = |name: &str| -> PropertyPath { [name.into()].into_iter().collect() };
    let defaults = spec
        .inputs
        .iter()
        .filter_map(|(name, property)| Some((name.into(), constant(property.default.as_ref()?))));
    let replaces = spec.properties.iter().chain(spec.inputs.iter());
    let replaces = replaces.filter(|(_, property)| property.replace_on_changes);
    let stable = spec.properties.iter().filter(|(name, property)| {
        property.constant.is_some()
            || property.replace_on_changes
            || will_replace(Owner::Properties, name)
            || will_replace(Owner::Inputs, name)
    });
    ResourceFacts {
        inputs: spec.inputs.names().map(str::to_owned).collect(),
        defaults: defaults.collect(),
        replaces: replaces.map(|(name, _)| path(name)).collect(),
        will_replace: spec
            .inputs
            .iter()
            .filter(|(name, _)| {
                will_replace(Owner::Inputs, name) || will_replace(Owner::Properties, name)
            })
            .map(|(name, _)| path(name))
            .collect(),
        stable: stable.map(|(name, _)| name.to_owned()).collect(),
    }
}

fn constant(constant: &Constant) -> PropertyValue {
    match constant {
        Constant::Boolean(value) => (*value).into(),
        Constant::Number(value) => (*value).into(),
        Constant::String(text) => (&**text).into(),
    }
}

/// The packages of a program with the versions of their plugins.
pub(crate) fn packages(program: &Program) -> Vec<Package> {
    let packages = program.packages().into_iter().map(|package| Package {
        name: package.name,
        version: package.version.map(|version| version.to_string()).unwrap_or_default(),
        download_url: package.download_url.unwrap_or_default(),
        is_parameterized: package.base.is_some_and(|base| !base.extends),
    });
    packages.collect()
}
