//! `[a, b]`, `{ a = b }` and `c[k]`.
//!
//! The rules, with examples: `tests/spec/expressions/collection.md`.

use pcl_diagnostics::{Severity, TextRange};
use pcl_syntax::ast;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::arena::ExprArena;
use super::checker::Checker;
use super::dead_end::Owner;
use super::expr::{ExprId, ExprKind};
use crate::messages::collections::{self as messages, CollectionUse};
use crate::messages::roles::ValueRole;
use crate::relations::{Conversion, Key, TraverseErrorKind};
use crate::scope::ScopeId;
use crate::types::{Symbol, TypeId};
use crate::value::Constant;

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
        let elements = elements.iter().map(|&id| self.exprs[id].ty);
        self.types.tuple_of(elements)
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
        let mut properties = Properties::with_room(items.len());
        let mut is_map = false;
        for &(key, value) in items {
            let key_type = self.type_of(key);
            let constant = self.exprs.key_constant(key);
            if let Some(Constant::String(name)) = constant {
                let symbol = self.types.symbol(name);
                if let Some(first) = properties.set(symbol, self.exprs[value].ty, key) {
                    self.report_duplicate_key(symbol, first, key);
                }
                continue;
            }
            let is_null = matches!(constant, Some(Constant::Null));
            let string = self.types.input_type(TypeId::STRING);
            if is_null || self.types.convert(string, key_type) == Conversion::No {
                let span = self.span_of(key);
                let diagnostic = messages::object_key_not_string(span, self.types, key_type);
                self.reporter.report(diagnostic);
                // A null key names nothing; the other keys still make an object.
                is_map |= !is_null;
                continue;
            }
            let Some(name) = self.exprs.key_text(key) else {
                is_map = true;
                continue;
            };
            let symbol = self.types.symbol(&name);
            if let Some(first) = properties.set(symbol, self.type_of(value), key) {
                self.report_duplicate_key(symbol, first, key);
            }
        }
        let ty = if is_map {
            let values: Vec<TypeId> = items
                .iter()
                .map(|&(_, value)| self.type_of(value))
                .collect();
            let element = self.types.unify_safely(&values);
            self.types.map(element)
        } else {
            let properties = properties.all.iter();
            self.types
                .object(properties.map(|&(name, ty, _)| (name, ty)))
        };
        let keys = items.iter().map(|&(key, _)| self.exprs[key].ty);
        self.types.lift_by(ty, keys)
    }

    fn report_duplicate_key(&mut self, name: Symbol, first: ExprId, second: ExprId) {
        let [first, second] = [first, second].map(|key| self.span_of(key));
        let name = self.types.name(name);
        let diagnostic = messages::duplicate_object_key(second, first, name);
        self.reporter.report(diagnostic);
    }

    pub(super) fn bind_index(
        &mut self,
        index: ast::Index<'_>,
        collection: ExprId,
        scope: ScopeId,
    ) -> ExprId {
        let key = self.bind_part(index.key(), ast::Expr::Index(index), scope);
        let raw = index
            .collection()
            .map_or(self.exprs[collection].range, |expr| expr.range());
        let syntax = index.syntax();
        let ty = self.index_type(collection, raw, key);
        let kind = ExprKind::Index { collection, key };
        self.push(kind, ty, syntax.range(), syntax.id())
    }

    pub(super) fn index_type(&mut self, collection: ExprId, raw: TextRange, key: ExprId) -> TypeId {
        let source = self.type_of(collection);
        let (key_type, value) = self.collection(source, raw, CollectionUse::Index);
        if let ExprKind::Literal(constant) = &self.exprs[key].kind {
            let is_null = matches!(constant, Constant::Null);
            let step = Key::Constant(constant.clone());
            let traversed = self.types.traverse(source, &step);
            let Some(error) = traversed.errors.first() else {
                return traversed.ty;
            };
            let span = self.span_of(key);
            match &error.kind {
                kind @ TraverseErrorKind::ObjectKey { .. } if is_null => {
                    let owner = Owner::unnamed(source);
                    let diagnostic = self.failed_step(kind, &[], span, &step, &owner);
                    self.reporter.report(diagnostic);
                    return TypeId::ERROR;
                }
                // An index that is out of range counts as one that is not known.
                kind @ TraverseErrorKind::TupleRange { .. } => {
                    let owner = Owner::unnamed(source);
                    let diagnostic = self.failed_step(kind, &[], span, &step, &owner);
                    self.reporter
                        .report(diagnostic.with_severity(Severity::Warning).ours());
                }
                _ => {}
            }
        }
        self.expect(key, key_type, ValueRole::Index);
        let value = self.rewrap(source, value);
        self.types.lift(value, &[self.exprs[key].ty])
    }
}

/// The properties of an object, and the key that each has.
struct Properties {
    all: SmallVec<[(Symbol, TypeId, ExprId); 8]>,
    /// The index of each, once they are many.
    places: FxHashMap<Symbol, usize>,
}

impl Properties {
    /// Up to how many properties a scan finds one faster than a table.
    const FEW: usize = 16;

    fn with_room(count: usize) -> Self {
        Self {
            all: SmallVec::with_capacity(count),
            places: FxHashMap::default(),
        }
    }

    /// Adds a property; of a repeated name the last type counts, and the first key is given.
    fn set(&mut self, name: Symbol, ty: TypeId, key: ExprId) -> Option<ExprId> {
        let count = self.all.len();
        if count == Self::FEW && self.places.is_empty() {
            let places = self.all.iter().enumerate();
            self.places = places.map(|(at, &(name, ..))| (name, at)).collect();
        }
        let place = if count < Self::FEW {
            self.all.iter().position(|&(own, ..)| own == name)
        } else {
            self.places.get(&name).copied()
        };
        if let Some((_, own, first)) = place.and_then(|place| self.all.get_mut(place)) {
            *own = ty;
            return Some(*first);
        }
        if count >= Self::FEW {
            self.places.insert(name, count);
        }
        self.all.push((name, ty, key));
        None
    }
}

impl ExprArena {
    /// The property that a literal key names: a literal, or plain text in quotes.
    #[must_use]
    pub fn key_text(&self, key: ExprId) -> Option<String> {
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
