//! The rules about several members: those that a program cannot tell apart, methods, and object
//! types of which no value can exist, since each needs another one.

use std::collections::{BTreeMap, BTreeSet};

use pcl_diagnostics::{Code, Diagnostic, Span};
use rustc_hash::{FxHashMap, FxHashSet};

use super::Validation;
use crate::{MemberId, Reference, Section, TypeDef, TypeKind, diagnostic};

impl Validation<'_> {
    pub(super) fn collisions(&mut self) {
        let format = self.package.parts.module_format();
        let sections = [Section::Functions, Section::Resources];
        let members = sections.into_iter().flat_map(|section| self.sorted(section));
        // The forms in which each can be written, in lower case; and all modules.
        let mut forms: BTreeMap<String, BTreeSet<MemberId>> = BTreeMap::new();
        let mut modules: BTreeSet<String> = BTreeSet::new();
        let mut names: Vec<(String, MemberId)> = Vec::new();
        for (token, member) in members {
            let parts: Vec<&str> = token.split(':').collect();
            let [package, written, name] = parts[..] else { continue };
            let module = match format.module_of(token) {
                "" => written,
                module => module,
            };
            for form in [token.to_owned(), format!("{package}:{module}:{name}")] {
                forms.entry(form.to_lowercase()).or_default().insert(member);
            }
            let canonical = format!("{package}:{module}:{name}");
            let module = format.module_of(&canonical);
            let mut outer = module;
            while !outer.is_empty() {
                modules.insert(outer.to_lowercase());
                outer = outer.rsplit_once('/').map_or("", |(outer, _)| outer);
            }
            let qualified = match module {
                "" => name.to_lowercase(),
                module => format!("{module}/{name}").to_lowercase(),
            };
            names.push((qualified, member));
        }
        let mut reported: BTreeSet<&BTreeSet<MemberId>> = BTreeSet::new();
        let clashes: Vec<_> = forms.iter().filter(|(_, members)| members.len() > 1).collect();
        for (form, members) in clashes {
            if !reported.insert(members) {
                continue;
            }
            for member in members {
                let others = members.iter().filter(|other| *other != member);
                let others: Vec<Span> =
                    others.map(|other| self.span(self.key_of(*other))).collect();
                let (offset, path) = (self.key_of(*member), self.package.parts.pointer(*member));
                self.report(&path, offset, |at| same_form(at, form, others));
            }
        }
        for (name, member) in names.iter().filter(|(name, _)| modules.contains(name)) {
            let (offset, path) = (self.key_of(*member), self.package.parts.pointer(*member));
            self.report(&path, offset, |at| module_of_name(at, name));
        }
    }
}

fn collision(at: Span, message: String) -> Diagnostic {
    Diagnostic::error(Code::SchemaCollision, at, message).help("give one of them another name")
}

/// Several members can be written as `form`; `others` are the keys of the other ones.
fn same_form(at: Span, form: &str, others: impl IntoIterator<Item = Span>) -> Diagnostic {
    let message = format!("several members can be referred to as `{form}`");
    others.into_iter().fold(collision(at, message), |diagnostic, other| {
        diagnostic.label(other, "this name differs only in case or module")
    })
}

/// A member has the name of a module.
fn module_of_name(at: Span, name: &str) -> Diagnostic {
    collision(at, format!("there is also a module `{name}`"))
}

impl Validation<'_> {
    pub(super) fn methods(&mut self) {
        let mut owners: FxHashMap<MemberId, &str> = FxHashMap::default();
        let provider = self.package.provider_id();
        let provider = provider.map(|id| (self.package.token(id), id));
        let resources = provider.into_iter().chain(self.sorted(Section::Resources));
        for (token, resource) in resources.collect::<Vec<_>>() {
            let Ok(Some(spec)) = self.package.resource_by_id(resource) else { continue };
            for method in &spec.methods {
                let Some(function) = method.function else { continue };
                let owner = owners.insert(function, token);
                let takes_resource = match self.package.function_by_id(function) {
                    Ok(Some(spec)) => {
                        let by_order = spec.multi_argument_inputs.first().map(|name| &**name);
                        let by_name = || spec.inputs.as_ref()?.names().next();
                        by_order.or_else(by_name) == Some("__self__")
                    }
                    _ => true,
                };
                if owner.is_none() && takes_resource {
                    continue;
                }
                let offset = self.offset_in(resource, ["methods", &method.name]);
                let path =
                    format!("{}/methods/{}", self.package.parts.pointer(resource), method.name);
                if let Some(owner) = owner {
                    self.report(&path, offset, |at| method_of_two(at, &method.token, owner));
                }
                if !takes_resource {
                    self.report(&path, offset, |at| method_without_self(at, &method.token));
                }
            }
        }
    }
}

/// A function is a method of two resources.
fn method_of_two(at: Span, token: &str, owner: &str) -> Diagnostic {
    diagnostic::bad_method(at, format!("`{token}` is already a method of `{owner}`"))
}

/// The first input of a method is not the resource.
fn method_without_self(at: Span, token: &str) -> Diagnostic {
    diagnostic::bad_method(
        at,
        format!("the first input of a method is `__self__`, which `{token}` does not have"),
    )
}

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
            let Some(first) = cycle.first() else { continue };
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
