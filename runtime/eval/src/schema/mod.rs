//! The schemas of a run: the inputs that requests carry, the outputs that answers lack, and facts
//! about a resource or function.

pub(crate) mod inputs;
pub(crate) mod outputs;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use pcl_binder::PackageIndex;
use pcl_binder::schema_types::SchemaTypes;
use pcl_schema::{Constant, MemberId, Properties, Section, TypeKind, TypeSpec};
use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::Value;

use crate::notation::part;

/// The schemas of a program, from one package.
#[derive(Clone, Copy)]
pub(crate) struct Facts<'s> {
    pub schemas: &'s SchemaTypes,
    pub package: PackageIndex,
}

impl<'s> Facts<'s> {
    pub fn new(schemas: &'s SchemaTypes, package: PackageIndex) -> Self {
        Self { schemas, package }
    }

    /// The schema of the package.
    pub fn schema(self) -> &'s Arc<pcl_schema::Package> {
        self.schemas.packages().package(self.package)
    }

    /// The properties of the object type that a type names, with the package that has it and the
    /// member; `None` for any other type.
    pub fn object(self, spec: &TypeSpec) -> Option<(Facts<'s>, MemberId, &'s Properties)> {
        let TypeKind::Reference(reference) = &spec.kind else { return None };
        let found = self.schemas.object_properties(self.package, reference);
        let (package, member, properties) = found?;
        Some((Facts::new(self.schemas, package), member, properties))
    }
}

/// Facts about members that only a run needs, each read once.
#[derive(Default)]
pub(crate) struct FactsCache(Mutex<FxHashMap<Member, Arc<MemberFacts>>>);

/// Facts about a member that only a run needs.
#[derive(Default)]
pub(crate) struct MemberFacts {
    /// The environment variables from which properties take their defaults, by property.
    pub environment: BTreeMap<String, Vec<String>>,
    /// The former types of a resource.
    pub aliases: Vec<String>,
    /// The paths of the properties of a resource whose changes replace it.
    pub replaced: Vec<String>,
}

impl FactsCache {
    /// The facts about a member.
    pub fn of(&self, facts: Facts<'_>, member: MemberId) -> Arc<MemberFacts> {
        let known = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (facts.package, member);
        if let Some(known) = known().get(&key) {
            return Arc::clone(known);
        }
        let read = Arc::new(MemberFacts::read(facts, member));
        Arc::clone(known().entry(key).or_insert(read))
    }
}

impl MemberFacts {
    fn read(facts: Facts<'_>, member: MemberId) -> Self {
        let schema = facts.schema();
        let resource = schema.resource_by_id(member).ok().flatten();
        let replaced = resource.map(|resource| replaced(facts, &resource.properties));
        let Some(json) = schema.json(member) else { return Self::default() };
        let properties = match schema.section(member) {
            Section::Types => part(&json, "properties"),
            Section::Functions => part(part(&json, "inputs"), "properties"),
            _ => part(&json, "inputProperties"),
        };
        let texts = |list: &Value| -> Vec<String> {
            let texts = list.as_array().into_iter().flatten();
            texts.filter_map(|text| text.as_str().map(str::to_owned)).collect()
        };
        let environment = properties.as_object().into_iter().flatten();
        let environment = environment.filter_map(|(name, property)| {
            let names = texts(part(part(property, "defaultInfo"), "environment"));
            (!names.is_empty()).then(|| (name.clone(), names))
        });
        let aliases = part(&json, "aliases").as_array().into_iter().flatten();
        let aliases = aliases.filter_map(|alias| part(alias, "type").as_str().map(str::to_owned));
        Self {
            environment: environment.collect(),
            aliases: aliases.collect(),
            replaced: replaced.unwrap_or_default(),
        }
    }
}

/// The value of a constant of a schema.
pub(crate) fn constant(constant: &Constant) -> pcl_values::PropertyValue {
    match constant {
        Constant::Boolean(value) => (*value).into(),
        Constant::Number(value) => (*value).into(),
        Constant::String(text) => (&**text).into(),
    }
}

/// The paths of properties whose changes replace a resource.
fn replaced(facts: Facts<'_>, properties: &Properties) -> Vec<String> {
    let mut search = Search::default();
    let mut paths = Vec::new();
    search.object(facts, properties, "", &mut paths);
    paths
}

/// A member of a package.
type Member = (PackageIndex, MemberId);

/// A search for the properties of a resource whose changes replace it.
#[derive(Default)]
struct Search {
    /// The object types in which, at some depth, a property replaces; most have none.
    replacing: FxHashMap<Member, bool>,
    /// The object types around the property that is visited: types may contain themselves.
    open: FxHashSet<Member>,
}

impl Search {
    fn object(
        &mut self,
        facts: Facts<'_>,
        properties: &Properties,
        before: &str,
        paths: &mut Vec<String>,
    ) {
        for (name, spec) in properties.iter() {
            let (suffix, inner) = inner(&spec.ty);
            let path = format!("{before}{name}{suffix}");
            if spec.replace_on_changes {
                paths.push(path);
                continue;
            }
            let Some((facts, member, properties)) = facts.object(inner) else { continue };
            let key = (facts.package, member);
            if self.replaces(facts, key, properties) && self.open.insert(key) {
                self.object(facts, properties, &format!("{path}."), paths);
                self.open.remove(&key);
            }
        }
    }

    /// Returns whether a property of the object type, or of a type in it, replaces.
    fn replaces(&mut self, facts: Facts<'_>, key: Member, properties: &Properties) -> bool {
        if let Some(known) = self.replacing.get(&key) {
            return *known;
        }
        let mut seen = FxHashSet::from_iter([key]);
        let mut pending = vec![(facts, properties)];
        let mut found = false;
        while let Some((facts, properties)) = pending.pop() {
            for (_, spec) in properties.iter() {
                found |= spec.replace_on_changes;
                let (_, inner) = inner(&spec.ty);
                if let Some((facts, member, properties)) = facts.object(inner)
                    && seen.insert((facts.package, member))
                {
                    pending.push((facts, properties));
                }
            }
        }
        if found {
            self.replacing.insert(key, true);
        } else {
            // Nothing that it leads to replaces either.
            self.replacing.extend(seen.into_iter().map(|key| (key, false)));
        }
        found
    }
}

/// The type inside of lists and maps, with the steps that lead there.
fn inner(spec: &TypeSpec) -> (&'static str, &TypeSpec) {
    match &spec.kind {
        TypeKind::Array(inner) => ("[*]", innermost(inner)),
        TypeKind::Map(inner) => (".*", innermost(inner)),
        _ => ("", spec),
    }
}

fn innermost(mut spec: &TypeSpec) -> &TypeSpec {
    while let TypeKind::Array(inner) | TypeKind::Map(inner) = &spec.kind {
        spec = inner;
    }
    spec
}
