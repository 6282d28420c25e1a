//! `[for v in c: e]`, `{for k, v in c: k => e}`, and the loop of a template.
//!
//! The rules, with examples: `tests/spec/expressions/for_expr.md`.

use pcl_diagnostics::{Code, Diagnostic, Span, TextRange};
use pcl_syntax::{NodeId, SyntaxToken, ast};

use super::checker::Checker;
use super::expr::{ExprId, ExprKind, For};
use crate::expression::collection::CollectionUse;
use crate::scope::{Definition, DefinitionId, ScopeId};
use crate::types::TypeId;
use crate::wording::ValueRole;

impl Checker<'_> {
    pub(super) fn bind_for(&mut self, for_expr: ast::For<'_>, scope: ScopeId) -> ExprId {
        let parent = ast::Expr::For(for_expr);
        let collection = self.bind_part(for_expr.collection(), parent, scope);
        let raw = for_expr.collection().map_or(self.exprs[collection].range, |expr| expr.range());
        let variables = [for_expr.key_variable(), for_expr.value_variable()];
        let (inner, variables) = self.enter_loop(collection, raw, variables, scope);
        let key = for_expr.is_object().then(|| self.bind_part(for_expr.key(), parent, inner));
        let value = self.bind_part(for_expr.value(), parent, inner);
        let condition = for_expr.condition().map(|condition| self.bind(condition, inner));
        let [key_variable, value_variable] = variables;
        let groups = for_expr.groups();
        let made = For { key_variable, value_variable, collection, key, value, condition, groups };
        let syntax = for_expr.syntax();
        self.push_for(made, syntax.range(), syntax.id())
    }

    /// Defines the variables of a loop over `collection`, whose text with parentheses and quotes is
    /// `raw`, in the scope that its body sees.
    pub(super) fn enter_loop(
        &mut self,
        collection: ExprId,
        raw: TextRange,
        [key, value]: [Option<SyntaxToken<'_>>; 2],
        scope: ScopeId,
    ) -> (ScopeId, [Option<DefinitionId>; 2]) {
        self.revise_guess(collection, |checker, ty| {
            checker.types.strip(ty) == TypeId::DYNAMIC || checker.is_collection(ty)
        });
        let source = self.type_of(collection);
        let (key_type, value_type) = self.collection(source, raw, CollectionUse::Loop);
        let scope = self.scopes.new_scope(Some(scope));
        let key_variable = key.and_then(|name| self.define_variable(scope, name, key_type));
        let value_variable = value.and_then(|name| self.define_variable(scope, name, value_type));
        if let (Some(key), Some(value), None) = (key, value, value_variable) {
            let [first, second] = [key, value].map(|name| Span::new(self.file, name.range()));
            let message = format!("both variables of this loop are called `{}`", value.text());
            let diagnostic = Diagnostic::error(Code::DuplicateLoopVariable, second, message)
                .label(first, "the same name here")
                .help("rename one of them");
            self.reporter.report(diagnostic);
        }
        (scope, [key_variable, value_variable])
    }

    fn define_variable(
        &mut self,
        scope: ScopeId,
        name: SyntaxToken<'_>,
        ty: TypeId,
    ) -> Option<DefinitionId> {
        let definition = Definition {
            span: Some(Span::new(self.file, name.range())),
            ..Definition::variable(self.types.symbol(name.text()), ty)
        };
        self.scopes.define(scope, definition).ok()
    }

    pub(super) fn push_for(&mut self, made: For, range: TextRange, node: NodeId) -> ExprId {
        if let Some(key) = made.key {
            self.expect(key, TypeId::STRING, ValueRole::EntryKey);
        }
        if let Some(condition) = made.condition {
            self.expect(condition, TypeId::BOOL, ValueRole::LoopCondition);
        }
        let ty = self.for_type(&made);
        self.push(ExprKind::For(Box::new(made)), ty, range, node)
    }

    pub(super) fn for_type(&mut self, for_expr: &For) -> TypeId {
        let value = self.type_of(for_expr.value);
        let made = match (for_expr.key, for_expr.groups) {
            (None, _) => self.types.list(value),
            (Some(_), false) => self.types.map(value),
            (Some(_), true) => {
                let group = self.types.list(value);
                self.types.map(group)
            }
        };
        let made = self.rewrap(self.exprs[for_expr.collection].ty, made);
        let shapers = [for_expr.key, for_expr.condition].into_iter().flatten();
        let shapers = shapers.map(|id| self.exprs[id].ty);
        self.types.lift_by(made, shapers)
    }
}
