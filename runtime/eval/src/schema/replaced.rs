//! The properties of a resource whose changes replace it, as its schema says.

use pcl_binder::PackageIndex;
use pcl_schema::{MemberId, Properties, TypeKind, TypeSpec};
use rustc_hash::{FxHashMap, FxHashSet};

use super::Facts;

/// The paths of properties whose changes replace a resource.
pub(crate) fn replaced(facts: Facts<'_>, properties: &Properties) -> Vec<String> {
    let mut search = Search::default();
    let mut paths = Vec::new();
    search.object(facts, properties, "", &mut paths);
    paths
}

type Member = (PackageIndex, MemberId);

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
            let Some((facts, member, properties)) = facts.object(inner) else {
                continue;
            };
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
