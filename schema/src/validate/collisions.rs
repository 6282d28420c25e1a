//! Members that a program cannot tell apart.

use std::collections::{BTreeMap, BTreeSet};

use pcl_diagnostics::{Code, Diagnostic, Span};

use super::Validation;
use crate::{MemberId, Section};

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
            let [package, written, name] = parts[..] else {
                continue;
            };
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
