//! Operators. TypeScript rejects comparisons that it can decide.

use pcl::document::{
    BinaryOperator, Constant, ExpressionIndex, ExpressionKind, Reference, Type, TypeIndex,
};

use crate::module::Writer;
use crate::print::{Id, Node};
use crate::types;

impl Writer<'_> {
    pub fn binary(
        &mut self,
        operator: BinaryOperator,
        left: ExpressionIndex,
        right: ExpressionIndex,
    ) -> Id {
        let document = self.document;
        let [mut a, b] = [left, right].map(|part| self.operand(part));
        let operator = match operator {
            BinaryOperator::Equal | BinaryOperator::NotEqual => {
                let equal = operator == BinaryOperator::Equal;
                let is_null = |index| {
                    let kind = &document.expression(index).kind;
                    document.literal(index) == Some(&Constant::Null)
                        || matches!(kind, ExpressionKind::Traversal(traversal)
                            if traversal.reference == Reference::Constant(Constant::Null))
                };
                if is_null(left) || is_null(right) {
                    let value = if is_null(left) { b } else { a };
                    let null = self.tree.name("null");
                    return self.tree.binary(value, if equal { "==" } else { "!=" }, null);
                }
                let [from, to] = [left, right].map(|part| document.expression(part).ty);
                if self.is_composite(from) || self.is_composite(to) {
                    self.node_modules.insert("util");
                    let same = self.tree.call("util.isDeepStrictEqual", [a, b]);
                    return if equal {
                        same
                    } else {
                        self.tree.add(Node::Unary { operator: "!", operand: same })
                    };
                }
                // TypeScript rejects comparisons that it can decide.
                if !self.overlap(left, right) {
                    a = self.any(a);
                }
                if equal { "===" } else { "!==" }
            }
            other => other.text(),
        };
        self.tree.binary(a, operator, b)
    }

    /// `value as any`
    pub fn any(&mut self, value: Id) -> Id {
        let ty = self.tree.name("any");
        self.tree.add(Node::As { value, ty })
    }

    fn is_composite(&self, ty: TypeIndex) -> bool {
        types::any(self.document, ty, |ty| {
            matches!(
                ty,
                Type::List { .. }
                    | Type::Set { .. }
                    | Type::Map { .. }
                    | Type::Tuple { .. }
                    | Type::Object(_)
                    | Type::Dynamic
            )
        })
    }

    /// Returns true if TypeScript knows the value of an expression, or the few that it may have.
    fn is_fixed(&self, index: ExpressionIndex) -> bool {
        let document = self.document;
        let mut open = vec![index];
        for _ in 0..64 {
            let Some(index) = open.pop() else { return true };
            match &document.expression(index).kind {
                _ if document.literal(index).is_some() => {}
                ExpressionKind::Unary { operand, .. } => open.push(*operand),
                ExpressionKind::Template { parts } => open.extend(parts),
                ExpressionKind::Conditional { if_true, if_false, .. } => {
                    open.extend([*if_true, *if_false]);
                }
                ExpressionKind::Traversal(traversal) if traversal.steps.is_empty() => {
                    match self.local_value(traversal) {
                        Some(value) => open.push(value),
                        None => return false,
                    }
                }
                _ => return false,
            }
        }
        false
    }

    /// Returns true if values of both can be equal, as far as their types say.
    fn overlap(&self, left: ExpressionIndex, right: ExpressionIndex) -> bool {
        let document = self.document;
        if self.is_fixed(left) && self.is_fixed(right) {
            return false;
        }
        let kinds = |index: ExpressionIndex| -> Vec<u8> {
            let ty = document.expression(index).ty;
            let kind = |ty| match document.ty(ty) {
                Type::Bool => 1,
                Type::Int | Type::Number => 2,
                Type::String | Type::Id => 3,
                _ => 0,
            };
            document.alternatives(ty).into_iter().map(kind).collect()
        };
        let (left, right) = (kinds(left), kinds(right));
        left.contains(&0) || left.iter().any(|kind| right.contains(kind))
    }
}
