//! The operands of an expression, one after the other.

use super::expr::{ExprId, ExprKind};

impl ExprKind {
    /// Calls `visit` with every operand, in the order in which they were bound.
    pub fn for_each_operand(&self, mut visit: impl FnMut(ExprId)) {
        match self {
            Self::Literal(_) | Self::Traversal(_) | Self::Error => {}
            Self::Template(parts) | Self::Tuple(parts) => parts.iter().copied().for_each(visit),
            Self::Call(call) => call.arguments.iter().copied().for_each(visit),
            Self::TemplateJoin(operand)
            | Self::Convert(operand)
            | Self::Unary { operand, .. }
            | Self::RelativeTraversal {
                source: operand, ..
            } => visit(*operand),
            Self::Binary { left, right, .. } => [*left, *right].into_iter().for_each(visit),
            Self::Conditional {
                condition,
                if_true,
                if_false,
            } => [*condition, *if_true, *if_false]
                .into_iter()
                .for_each(visit),
            Self::Object(items) => {
                for &(key, value) in items {
                    visit(key);
                    visit(value);
                }
            }
            Self::Index { collection, key } => [*collection, *key].into_iter().for_each(visit),
            Self::For(for_expr) => {
                visit(for_expr.collection);
                for_expr.key.into_iter().for_each(&mut visit);
                visit(for_expr.value);
                for_expr.condition.into_iter().for_each(visit);
            }
            Self::Splat(splat) => [splat.source, splat.each].into_iter().for_each(visit),
            Self::Apply(apply) => {
                let arguments = apply.arguments.iter().map(|&(_, argument)| argument);
                arguments.chain([apply.body]).for_each(visit);
            }
        }
    }

    /// Calls `visit` with every operand, in the order of [`ExprKind::for_each_operand`], to put
    /// another one in its place.
    pub fn for_each_operand_mut(&mut self, mut visit: impl FnMut(&mut ExprId)) {
        match self {
            Self::Literal(_) | Self::Traversal(_) | Self::Error => {}
            Self::Template(parts) | Self::Tuple(parts) => parts.iter_mut().for_each(visit),
            Self::Call(call) => call.arguments.iter_mut().for_each(visit),
            Self::TemplateJoin(operand)
            | Self::Convert(operand)
            | Self::Unary { operand, .. }
            | Self::RelativeTraversal {
                source: operand, ..
            } => visit(operand),
            Self::Binary { left, right, .. } => [left, right].into_iter().for_each(visit),
            Self::Conditional {
                condition,
                if_true,
                if_false,
            } => [condition, if_true, if_false].into_iter().for_each(visit),
            Self::Object(items) => {
                for (key, value) in items {
                    visit(key);
                    visit(value);
                }
            }
            Self::Index { collection, key } => [collection, key].into_iter().for_each(visit),
            Self::For(for_expr) => {
                visit(&mut for_expr.collection);
                for_expr.key.iter_mut().for_each(&mut visit);
                visit(&mut for_expr.value);
                for_expr.condition.iter_mut().for_each(visit);
            }
            Self::Splat(splat) => {
                visit(&mut splat.source);
                visit(&mut splat.each);
            }
            Self::Apply(apply) => {
                let arguments = apply.arguments.iter_mut().map(|(_, argument)| argument);
                arguments.chain([&mut apply.body]).for_each(visit);
            }
        }
    }
}
