//! `c ? a : b`.
//!
//! The rules, with examples: `tests/spec/expressions/conditional.md`.

use pcl_diagnostics::TextRange;
use pcl_syntax::NodeId;
use pcl_syntax::ast;

use super::checker::Checker;
use super::expr::{ExprId, ExprKind};
use crate::scope::ScopeId;
use crate::types::TypeId;
use crate::wording::ValueRole;

impl Checker<'_> {
    pub(super) fn bind_conditional(
        &mut self,
        conditional: ast::Conditional<'_>,
        condition: ExprId,
        scope: ScopeId,
    ) -> ExprId {
        let parent = ast::Expr::Conditional(conditional);
        let if_true = self.bind_part(conditional.if_true(), parent, scope);
        let if_false = self.bind_part(conditional.if_false(), parent, scope);
        let syntax = conditional.syntax();
        self.push_conditional([condition, if_true, if_false], syntax.range(), syntax.id())
    }

    /// The branches are unified; only the condition makes the result eventual, since the branches'
    /// own eventuals stay in them.
    pub(super) fn push_conditional(
        &mut self,
        [condition, if_true, if_false]: [ExprId; 3],
        range: TextRange,
        node: NodeId,
    ) -> ExprId {
        self.expect(condition, TypeId::BOOL, ValueRole::Condition);
        let ty = self.conditional_type([condition, if_true, if_false]);
        let kind = ExprKind::Conditional { condition, if_true, if_false };
        self.push(kind, ty, range, node)
    }

    pub(super) fn conditional_type(
        &mut self,
        [condition, if_true, if_false]: [ExprId; 3],
    ) -> TypeId {
        let branches = [self.type_of(if_true), self.type_of(if_false)];
        let unified = self.types.unify_safely(&branches);
        self.types.lift(unified, &[self.exprs[condition].ty])
    }
}
