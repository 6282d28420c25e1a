//! `[a, b]`, `{ a = b }` and `c[k]`.
//!
//! The rules, with examples: `tests/spec/expressions/collection.md`.

use std::borrow::Cow;
use std::collections::hash_map::Entry;

use pcl_diagnostics::{Code, Diagnostic, Matter, Severity, Span, TextRange};
use pcl_syntax::ast;
use rustc_hash::FxHashMap;

use super::arena::ExprArena;
use super::checker::Checker;
use super::dead_end::Owner;
use super::expr::{ExprId, ExprKind};
use crate::relations::{Conversion, Key, TraverseErrorKind};
use crate::scope::ScopeId;
use crate::types::{Symbol, Type, TypeId};
use crate::value::Constant;
use crate::wording::{ValueRole, in_words};

impl Checker<'_> {
    pub(super) fn bind_tuple(&mut self, tuple: ast::Tuple<'_>, scope: ScopeId) -> ExprId {
        let mark = self.exprs.mark();
        for element in tuple.elements() {
            let element = self.bind(element, scope);
            self.exprs.hold(element);
        }
        let elements = self.exprs.held_since(mark);
        let ty = self.tuple_type(&elements);
        let syntax = tuple.syntax();
        self.push(ExprKind::Tuple(elements), ty, syntax.range(), syntax.id())
    }

    pub(super) fn tuple_type(&mut self, elements: &[ExprId]) -> TypeId {
        let elements: Vec<TypeId> = elements.iter().map(|&id| self.exprs[id].ty).collect();
        self.types.tuple(&elements)
    }

    /// An object when every key is written out, otherwise a map. Eventual keys make the whole
    /// eventual, eventual values do not.
    pub(super) fn bind_object(&mut self, object: ast::Object<'_>, scope: ScopeId) -> ExprId {
        let mark = self.exprs.mark();
        for item in object.items() {
            let parent = ast::Expr::Object(object);
            let key = match item.bare_key() {
                Some((word, text)) => self.push_text(&text, word.range(), item.syntax().id()),
                None => {
                    let key = self.bind_part(item.key(), parent, scope);
                    self.revise_guesses(key, TypeId::STRING);
                    key
                }
            };
            self.exprs.hold(key);
            let value = self.bind_part(item.value(), parent, scope);
            self.exprs.hold(value);
        }
        let items = self.exprs.held_pairs_since(mark);
        let ty = self.object_type(&items);
        let syntax = object.syntax();
        self.push(ExprKind::Object(items), ty, syntax.range(), syntax.id())
    }

    pub(super) fn object_type(&mut self, items: &[(ExprId, ExprId)]) -> TypeId {
        let string = self.types.input_type(TypeId::STRING);
        let mut properties: Vec<(Symbol, TypeId)> = Vec::with_capacity(items.len());
        let (mut is_map, mut is_unknown) = (false, false);
        for &(key, value) in items {
            let key_type = self.type_of(key);
            let is_null = matches!(self.exprs.key_constant(key), Some(Constant::Null));
            if is_null || self.types.convert(string, key_type) == Conversion::No {
                let span = self.span_of(key);
                let given = in_words(self.types, key_type);
                let message = format!("the key of an object must be a string, found {given}");
                let diagnostic = Diagnostic::error(Code::ObjectKeyNotString, span, message);
                self.reporter.report(diagnostic.help("a key is a string, a number or a bool"));
                // A null key names nothing; the other keys still make an object.
                is_map |= !is_null;
                continue;
            }
            match self.exprs.key_text(key) {
                Some(name) => properties.push((self.types.symbol(&name), self.type_of(value))),
                None => is_map = true,
            }
            is_unknown |= is_map && self.is_refused(key);
        }
        // The name that the key should be may be any.
        if is_unknown {
            return TypeId::ERROR;
        }
        let named = properties.len();
        let ty = if is_map {
            let values: Vec<TypeId> = items.iter().map(|&(_, value)| self.type_of(value)).collect();
            let element = self.types.unify_safely(&values);
            self.types.map(element)
        } else {
            // Of a repeated name, the last value counts.
            self.types.object(properties)
        };
        if !matches!(self.types.get(ty), Type::Object(distinct) if distinct.len() == named) {
            self.report_duplicate_keys(items);
        }
        let keys = items.iter().map(|&(key, _)| self.exprs[key].ty);
        self.types.lift_by(ty, keys)
    }

    /// Returns whether a part of an expression was reported.
    fn is_refused(&self, expr: ExprId) -> bool {
        self.exprs.subtree(expr).any(|part| self.exprs[part].ty == TypeId::ERROR)
    }

    fn report_duplicate_keys(&mut self, items: &[(ExprId, ExprId)]) {
        let mut first_keys = FxHashMap::default();
        for &(key, _) in items {
            let Some(name) = self.exprs.key_text(key) else { continue };
            let name = self.types.symbol(&name);
            let first = match first_keys.entry(name) {
                Entry::Vacant(place) => {
                    place.insert(key);
                    continue;
                }
                Entry::Occupied(first) => *first.get(),
            };
            let [first, second] = [first, key].map(|key| self.span_of(key));
            let name = self.types.name(name);
            let message = format!("the key `{name}` appears twice in this object");
            let diagnostic = Diagnostic::warning(Code::DuplicateObjectKey, second, message)
                .ours()
                .label(first, "first here; this value is ignored")
                .help("keep one of the two");
            self.reporter.report(diagnostic);
        }
    }

    pub(super) fn bind_index(
        &mut self,
        index: ast::Index<'_>,
        collection: ExprId,
        scope: ScopeId,
    ) -> ExprId {
        let key = self.bind_part(index.key(), ast::Expr::Index(index), scope);
        let raw = index.collection().map_or(self.exprs[collection].range, |expr| expr.range());
        let syntax = index.syntax();
        let ty = self.index_type(collection, raw, key);
        let kind = ExprKind::Index { collection, key };
        self.push(kind, ty, syntax.range(), syntax.id())
    }

    pub(super) fn index_type(&mut self, collection: ExprId, raw: TextRange, key: ExprId) -> TypeId {
        let source = self.type_of(collection);
        let (key_type, value) = self.collection(source, raw, CollectionUse::Index);
        let constant = match self.types.get(self.type_of(key)) {
            Type::Const { value, .. } => Some(value.clone()),
            _ => None,
        };
        if let Some(constant) = constant {
            let is_literal = matches!(self.exprs[key].kind, ExprKind::Literal(_));
            let is_null = constant == Constant::Null;
            let step = Key::Constant(constant);
            let traversed = self.types.traverse(source, &step);
            let Some(error) = traversed.errors.first() else { return traversed.ty };
            let span = self.span_of(key);
            let owner = Owner::unnamed(source);
            match &error.kind {
                // One that is not written in the brackets counts as one that is not known.
                _ if !is_literal => {}
                kind @ TraverseErrorKind::ObjectKey { .. } if is_null => {
                    let diagnostic = self.failed_step(kind, &[], span, &step, &owner);
                    self.reporter.report(diagnostic);
                    return TypeId::ERROR;
                }
                // An index that is out of range counts as one that is not known.
                kind @ TraverseErrorKind::TupleRange { .. } => {
                    let diagnostic = self.failed_step(kind, &[], span, &step, &owner);
                    self.reporter.report(diagnostic.with_severity(Severity::Warning).ours());
                }
                _ => {}
            }
        }
        self.expect(key, key_type, ValueRole::Index);
        let value = self.rewrap(source, value);
        self.types.lift(value, &[self.exprs[key].ty])
    }

    /// The types of the keys and values of a collection, reported when it is none. `raw` is its
    /// text with parentheses and quotes.
    pub fn collection(
        &mut self,
        ty: TypeId,
        raw: TextRange,
        needed_for: CollectionUse,
    ) -> (TypeId, TypeId) {
        let ty = self.types.null_as_none(ty);
        let collection = self.types.collection(ty);
        let Some(given) = collection.unsupported else { return (collection.key, collection.value) };
        let span = Span::new(self.file, raw);
        let doing = match needed_for {
            CollectionUse::Loop => "loop over",
            CollectionUse::Index => "index",
            CollectionUse::Entries => "list the entries of",
        };
        let message = format!("cannot {doing} {}", in_words(self.types, given));
        let is_number = matches!(self.types.underlying(given), TypeId::INT | TypeId::NUMBER);
        let help = match self.types.get(given) {
            Type::Set(_) => "a set has no order and no keys; use a list instead",
            _ if needed_for == CollectionUse::Loop && is_number => {
                "to count, loop over `range(..)`"
            }
            _ => "expected a list, map or object",
        };
        let diagnostic = Diagnostic::error(Code::NotACollection, span, message).help(help);
        self.reporter.report_about(Matter::Collection, diagnostic);
        let ty = self.unless_excused(Matter::Collection);
        (ty, ty)
    }
}

impl ExprArena {
    /// The property that a literal key names: a literal, or plain text in quotes.
    pub fn key_text(&self, key: ExprId) -> Option<Cow<'_, str>> {
        self.key_constant(key)?.as_text()
    }

    /// The value of a key that is a literal, or plain text in quotes.
    fn key_constant(&self, key: ExprId) -> Option<&Constant> {
        let literal = match &self[key].kind {
            ExprKind::Template(parts) => match parts[..] {
                [part] => part,
                _ => return None,
            },
            _ => key,
        };
        match &self[literal].kind {
            ExprKind::Literal(constant) => Some(constant),
            _ => None,
        }
    }
}

/// An operation that needs a collection.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CollectionUse {
    /// A loop over it.
    Loop,
    /// An index into it.
    Index,
    /// The function `entries`.
    Entries,
}
