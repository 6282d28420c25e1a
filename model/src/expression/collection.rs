//! `[a, b]`, `{ a = b }` and `c[k]`.

use pcl_diagnostics::{Code, Diagnostic, Severity, TextRange};
use pcl_syntax::ast;
use rustc_hash::FxHashMap;

use super::{Checker, ExprId, ExprKind};
use crate::relations::{Conversion, Key};
use crate::scope::ScopeId;
use crate::types::{Symbol, TypeId};
use crate::value::Constant;

impl Checker<'_> {
    pub(super) fn bind_tuple(&mut self, tuple: ast::Tuple<'_>, scope: ScopeId) -> ExprId {
        let elements: Box<[ExprId]> = tuple
            .elements()
            .map(|element| self.bind(element, scope))
            .collect();
        let ty = self.tuple_type(&elements);
        let syntax = tuple.syntax();
        self.push(ExprKind::Tuple(elements), ty, syntax.range(), syntax.id())
    }

    pub(super) fn tuple_type(&mut self, elements: &[ExprId]) -> TypeId {
        let types: Vec<TypeId> = elements.iter().map(|&id| self.exprs[id].ty).collect();
        self.types.tuple(&types)
    }

    /// An object when every key is written out, otherwise a map. Eventual keys make the whole eventual, eventual values do not.
    pub(super) fn bind_object(&mut self, object: ast::Object<'_>, scope: ScopeId) -> ExprId {
        let mut items = Vec::new();
        for item in object.items() {
            let parent = ast::Expr::Object(object);
            let key = match item.key_is_bare_name() {
                Some(name) => {
                    let text = item.bare_key().unwrap_or_default();
                    self.push_text(&text, name.range(), item.syntax().id())
                }
                None => self.bind_part(item.key(), parent, scope),
            };
            let value = self.bind_part(item.value(), parent, scope);
            items.push((key, value));
        }
        let ty = self.object_type(&items);
        let syntax = object.syntax();
        let kind = ExprKind::Object(items.into_boxed_slice());
        self.push(kind, ty, syntax.range(), syntax.id())
    }

    pub(super) fn object_type(&mut self, items: &[(ExprId, ExprId)]) -> TypeId {
        let string_input = self.types.input_type(TypeId::STRING);
        let mut properties: Vec<(Symbol, TypeId)> = Vec::with_capacity(items.len());
        let mut places: FxHashMap<Symbol, (usize, ExprId)> = FxHashMap::default();
        let mut is_map = false;
        for &(key, value) in items {
            let key_type = self.type_of(key);
            let is_null = matches!(self.exprs[key].kind, ExprKind::Literal(Constant::Null));
            if is_null || self.types.convert(string_input, key_type) == Conversion::No {
                let shown = super::shown(self.types, key_type);
                let message = format!("the key of an object must be a string, not {shown}");
                let span = self.span_of(key);
                self.diagnostics.push(
                    Diagnostic::error(Code::ObjectKeyNotString, span, message)
                        .help("a key is a string, a number or a bool"),
                );
                // A null key names nothing; the other keys still make an object.
                is_map |= !is_null;
                continue;
            }
            let Some(name) = self.exprs.key_text(key) else {
                is_map = true;
                continue;
            };
            let symbol = self.types.symbol(&name);
            let ty = self.type_of(value);
            if let Some(&(at, first)) = places.get(&symbol) {
                self.report_duplicate_key(&name, first, key);
                properties[at].1 = ty;
            } else {
                places.insert(symbol, (properties.len(), key));
                properties.push((symbol, ty));
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
            self.types.object(properties)
        };
        let keys: Vec<TypeId> = items.iter().map(|&(key, _)| self.type_of(key)).collect();
        self.types.lift(ty, &keys)
    }

    fn report_duplicate_key(&mut self, name: &str, first: ExprId, second: ExprId) {
        let message = format!("the key `{name}` stands twice in this object");
        let diagnostic =
            Diagnostic::warning(Code::DuplicateObjectKey, self.span_of(second), message)
                .ours()
                .label(self.span_of(first), "first here; this value is lost")
                .help("keep one of the two");
        self.diagnostics.push(diagnostic);
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
        let (key_type, value) = self.collection(source, raw, "index");
        if let ExprKind::Literal(constant) = &self.exprs[key].kind {
            let is_null = matches!(constant, Constant::Null);
            let step = Key::Constant(constant.clone());
            let traversed = self.types.traverse(source, &step);
            let Some(problem) = traversed.problems.first() else {
                return traversed.ty;
            };
            let span = self.span_of(key);
            let finding = self.describe(&problem.kind, span, &step);
            if is_null && finding.code == Code::PropertyNameNotString {
                self.diagnostics.push(finding);
                return TypeId::ERROR;
            }
            // An index that is out of range counts as one that is not known.
            if finding.code == Code::TupleIndexOutOfRange {
                self.diagnostics
                    .push(finding.with_severity(Severity::Warning).ours());
            }
        }
        self.expect(key, key_type, "the index");
        let value = self.rewrap(source, value);
        self.types.lift(value, &[self.exprs[key].ty])
    }
}

impl super::ExprArena {
    /// The property that a key names, if it is written out: a literal, or plain text in quotes.
    #[must_use]
    pub fn key_text(&self, key: ExprId) -> Option<String> {
        let literal = match &self[key].kind {
            ExprKind::Template(parts) => match **parts {
                [part] => part,
                _ => return None,
            },
            _ => key,
        };
        match &self[literal].kind {
            ExprKind::Literal(constant) => constant.as_text(),
            _ => None,
        }
    }
}
