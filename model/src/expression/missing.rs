//! Properties that an object written out must have and has not, or has at a wrong place.

use std::borrow::Cow;

use pcl_diagnostics::{Code, Diagnostic, Fix, TextEdit};

use super::checker::Checker;
use super::expr::{ExprId, ExprKind};
use super::inner_place::{path_to, put_inside};
use super::mismatch::Culprit;
use crate::expression::literal::key_like;
use crate::types::{Properties, Symbol, TypeId};
use crate::wording::{all_of, in_words, is_plural};

/// An item of an object that belongs into another object inside of it.
struct Displaced {
    /// Its place among the items.
    at: usize,
    key: ExprId,
    value: ExprId,
    /// The path to the object that it belongs into.
    path: String,
}

impl Checker<'_> {
    /// The diagnostic for an object written out without the property `name`, which may be there
    /// under a similar name.
    pub(super) fn describe_missing(&mut self, culprit: &Culprit, name: Symbol) -> Diagnostic {
        let mut members = Vec::new();
        for wanted in self.containers(culprit) {
            members.extend(self.types.properties(wanted));
        }
        let all = members.iter().flat_map(|properties| properties.iter());
        let wanted = all.filter(|(known, _)| *known == name);
        let wanted: Vec<TypeId> = wanted.map(|&(_, ty)| ty).collect();
        let ty = (!wanted.is_empty()).then(|| self.types.union(wanted));
        let types = &*self.types;
        let is_known = |key: &str| {
            let key = types.find_symbol(key);
            let is_in = |key| {
                let mut members = members.iter();
                members.any(|properties| types.find_property(properties, key).is_some())
            };
            key.is_some_and(is_in)
        };
        let name = types.shared_name(name);
        let role = &culprit.role;
        let verb = if is_plural(role) { "are" } else { "is" };
        let message = format!("{role} {verb} missing `{name}`");
        let span = self.span_of(culprit.expr);
        let diagnostic = Diagnostic::error(Code::TypeNotAssignable, span, message);
        if let Some(key) = self.misspelled_key(culprit.expr, &name, is_known) {
            let span = self.span_of(key);
            let edit = TextEdit::replace(span, key_like(&self.exprs[key].kind, &name));
            return diagnostic
                .label(span, format!("did you mean `{name}`?"))
                .fix(Fix::unsafe_(format!("rename to `{name}`"), vec![edit]));
        }
        let displaced = self.keys_inside(culprit.expr, &members, &name);
        if !displaced.is_empty() {
            return self.with_displaced(diagnostic, &displaced);
        }
        let ty = ty.map(|ty| format!(", which must be {}", in_words(self.types, ty)));
        let ty = ty.unwrap_or_default();
        diagnostic.help(format!("add `{name} = ..` to the object{ty}"))
    }

    /// The unknown keys of an object written out that belong into its property `missing`.
    fn keys_inside(
        &mut self,
        object: ExprId,
        members: &[Properties],
        missing: &str,
    ) -> Vec<Displaced> {
        let ExprKind::Object(items) = &self.exprs[object].kind else { return Vec::new() };
        let [properties] = members else { return Vec::new() };
        let mut found = Vec::new();
        for (at, &(key, value)) in items.clone().iter().enumerate() {
            let Some(text) = self.exprs.key_text(key).map(Cow::into_owned) else { continue };
            let Some(name) = self.types.find_symbol(&text) else { continue };
            if self.types.find_property(properties, name).is_some() {
                continue;
            }
            let comparisons = self.scopes.comparisons();
            let path = path_to(self.types, comparisons, properties, (name, &text));
            let is_inside = |path: &String| path.split('.').next() == Some(missing);
            found.extend(path.filter(is_inside).map(|path| Displaced { at, key, value, path }));
        }
        found
    }

    /// The diagnostic with keys that belong into the missing property, and the fix that puts them
    /// there, if they are next to each other.
    fn with_displaced(&self, diagnostic: Diagnostic, keys: &[Displaced]) -> Diagnostic {
        let (Some(first), Some(last)) = (keys.first(), keys.last()) else { return diagnostic };
        let path = &first.path;
        let places = keys.iter().map(|it| (self.span_of(it.key), &it.path));
        let diagnostic = places.fold(diagnostic, |diagnostic, (span, path)| {
            diagnostic.label(span, format!("belongs in `{path}`"))
        });
        let names = keys.iter().filter_map(|it| self.exprs.key_text(it.key));
        let names: Vec<String> = names.map(|text| format!("`{text}`")).collect();
        let verb = if names.len() == 1 { "belongs" } else { "belong" };
        let diagnostic = diagnostic.help(format!("{} {verb} in `{path}`", all_of(names)));
        let is_one_place = keys.iter().all(|it| it.path == *path);
        let are_adjacent = last.at - first.at + 1 == keys.len();
        let fits = is_one_place && are_adjacent && !self.exprs.ends_line(last.value);
        let spans = [first.key, last.value].map(|part| self.span_of(part));
        diagnostic.fix(fits.then(|| put_inside(spans[0], spans[1], path)))
    }

    /// A property that an object must have, whichever of the wanted types it is meant to be, and
    /// that is not given.
    pub(super) fn missing_property(&mut self, culprit: &Culprit) -> Option<Symbol> {
        if !matches!(self.exprs[culprit.expr].kind, ExprKind::Object(_)) {
            return None;
        }
        let wanted = self.containers(culprit);
        // Rather than with its parts, a reference is written as the resource.
        let is_written = |ty| self.types.wanted_resource(ty).is_none();
        let wanted: Vec<TypeId> = wanted.into_iter().filter(|&ty| is_written(ty)).collect();
        let (&first, others) = wanted.split_first()?;
        let needed = self.types.properties(first)?;
        let given = self.types.resolve(culprit.given);
        self.types.properties(given)?;
        needed.iter().find_map(|&(name, ty)| {
            let is_given = self.types.property(given, name).is_some();
            let is_missing = !is_given
                && !self.accepts(ty, TypeId::NONE)
                && others.iter().all(|&other| {
                    let ty = self.types.property(other, name);
                    ty.is_some_and(|ty| !self.accepts(ty, TypeId::NONE))
                });
            is_missing.then_some(name)
        })
    }
}
