//! Object types of which no value can exist, since each needs another one.

use pcl_diagnostics::{Code, Diagnostic, Span};
use rustc_hash::{FxHashMap, FxHashSet};

use super::Validation;
use crate::{MemberId, Reference, Section, TypeDef, TypeKind};

impl Validation<'_> {
    /// Follows required properties from object to object. Whatever may be empty, or something else,
    /// ends such a walk.
    pub(super) fn cycles(&mut self) {
        let mut done: FxHashSet<MemberId> = FxHashSet::default();
        let mut reported: FxHashSet<MemberId> = FxHashSet::default();
        let mut cycles = Vec::new();
        for (_, root) in self.sorted(Section::Types) {
            if done.contains(&root) {
                continue;
            }
            // Each type on the path, with those of its dependencies that were not visited yet.
            let mut way = vec![(root, self.needs(root))];
            let mut place_on_way: FxHashMap<MemberId, usize> = FxHashMap::default();
            place_on_way.insert(root, 0);
            while let Some((here, needs)) = way.last_mut() {
                let here = *here;
                match needs.pop() {
                    None => {
                        done.insert(here);
                        place_on_way.remove(&here);
                        way.pop();
                    }
                    Some(next) => {
                        if let Some(&at) = place_on_way.get(&next) {
                            let members: Vec<MemberId> =
                                way.iter().skip(at).map(|(id, _)| *id).collect();
                            // Each type is reported once.
                            if members.iter().all(|id| reported.insert(*id)) {
                                cycles.push(members);
                            }
                        } else if !done.contains(&next) {
                            let needs = self.needs(next);
                            place_on_way.insert(next, way.len());
                            way.push((next, needs));
                        }
                    }
                }
            }
        }
        for cycle in cycles {
            let tokens: Vec<&str> = cycle.iter().map(|id| self.package.token(*id)).collect();
            let Some(first) = cycle.first() else {
                continue;
            };
            let (offset, path) = (self.key_of(*first), self.package.parts.pointer(*first));
            self.report(&path, offset, |at| endless_type(at, &tokens));
        }
    }

    /// The object types without which there is none of this type, the first in the order of names
    /// last.
    fn needs(&self, member: MemberId) -> Vec<MemberId> {
        let mut needs = Vec::new();
        if let Ok(Some(spec)) = self.package.type_by_id(member)
            && let TypeDef::Object(properties) = spec
        {
            for (_, property) in properties.iter().filter(|(_, property)| property.required) {
                if let TypeKind::Reference(Reference::Type(id)) = property.ty.kind {
                    needs.push(id);
                }
            }
        }
        needs.reverse();
        needs
    }
}

/// Object types need each other without an end.
fn endless_type(at: Span, tokens: &[&str]) -> Diagnostic {
    let tokens: Vec<String> = tokens.iter().map(|token| format!("`{token}`")).collect();
    let message = format!(
        "no value of this type can exist: \
         it requires a value of its own type, through the required properties of {}",
        tokens.join(", ")
    );
    Diagnostic::error(Code::SchemaEndlessType, at, message)
        .help("make one of these properties optional")
}
