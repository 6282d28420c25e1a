//! Operators, and the numbers that are whole.

use pcl::document::{
    BinaryOperator, Constant, ExpressionIndex, ExpressionKind, Key, Reference, Traversal, Type,
    VariableIndex, VariableRole,
};
use pcl::language::Function;
use rustc_hash::FxHashSet;

use crate::helper::Helper;
use crate::module::Writer;
use crate::print::Id;
use crate::types;

/// The operands up to which a number is looked through.
const MAX_PARTS: usize = 64;

impl Writer<'_> {
    pub fn binary(
        &mut self,
        operator: BinaryOperator,
        left: ExpressionIndex,
        right: ExpressionIndex,
    ) -> Id {
        let [a, b] = [left, right].map(|part| self.operand(part));
        let text = match operator {
            BinaryOperator::Or => "or",
            BinaryOperator::And => "and",
            BinaryOperator::Equal | BinaryOperator::NotEqual => {
                return self.equal(operator == BinaryOperator::Equal, [left, right], [a, b]);
            }
            BinaryOperator::Modulo if !self.is_positive(left) || !self.is_positive(right) => {
                return self.help(Helper::Remainder, [a, b]);
            }
            other => other.text(),
        };
        self.tree.binary(a, text, b)
    }

    fn equal(&mut self, equal: bool, parts: [ExpressionIndex; 2], ids: [Id; 2]) -> Id {
        let document = self.document;
        let [left, right] = parts;
        let [a, b] = ids;
        let is_single =
            |part| self.is_null(part) || matches!(document.literal(part), Some(Constant::Bool(_)));
        // A literal is never the same as one of another type, and Python warns about it.
        if let [Some(left), Some(right)] = [left, right].map(|part| self.single_literal(part)) {
            let is_same = match (&left, &right) {
                // Numbers are equal if their texts are.
                (Constant::Number(left), Constant::Number(right)) => left.text_eq(right),
                _ => left == right,
            };
            return self.constant(&Constant::Bool(is_same == equal));
        }
        // Python's linters want these compared by identity.
        let (is_left, is_right) = (is_single(left), is_single(right));
        if is_left || is_right {
            let (value, single) = if is_right { (a, b) } else { (b, a) };
            return self.tree.binary(value, if equal { "is" } else { "is not" }, single);
        }
        // In Python, true is 1.
        let is_bool = |part| {
            let ty = document.expression(part).ty;
            document.alternatives(ty).iter().all(|&ty| matches!(document.ty(ty), Type::Bool))
        };
        let is_number = |part| {
            let ty = document.expression(part).ty;
            types::any(document, ty, |ty| matches!(ty, Type::Int | Type::Number | Type::Dynamic))
        };
        if is_bool(left) && is_number(right) || is_bool(right) && is_number(left) {
            return self.tree.binary(a, if equal { "is" } else { "is not" }, b);
        }
        self.tree.binary(a, if equal { "==" } else { "!=" }, b)
    }

    /// Returns true if the code of a number is an `int` for sure.
    pub fn is_integral(&self, value: ExpressionIndex) -> bool {
        let document = self.document;
        let mut open = vec![value];
        let mut known = FxHashSet::default();
        while let Some(index) = open.pop() {
            if !known.insert(index) {
                continue;
            }
            if known.len() > MAX_PARTS {
                return false;
            }
            let is_int = match &document.expression(index).kind {
                _ if document.literal(index).is_some() => match document.literal(index) {
                    Some(Constant::Number(number)) => number.to_i64().is_some(),
                    _ => false,
                },
                ExpressionKind::Binary {
                    operator:
                        BinaryOperator::Add | BinaryOperator::Subtract | BinaryOperator::Multiply,
                    left,
                    right,
                } => {
                    open.extend([*left, *right]);
                    true
                }
                ExpressionKind::Unary { operand: part, .. }
                | ExpressionKind::Convert { value: part } => {
                    open.push(*part);
                    true
                }
                ExpressionKind::Call(call) if call.function() == Some(Function::Length) => true,
                ExpressionKind::Traversal(traversal) => match traversal.reference {
                    Reference::Variable(variable) => self.counts(traversal, variable),
                    _ => match self.local_value(traversal).filter(|_| traversal.steps.is_empty()) {
                        Some(value) => {
                            open.push(value);
                            true
                        }
                        None => is_only_int(self, index),
                    },
                },
                ExpressionKind::Binary { .. } => false,
                _ => is_only_int(self, index),
            };
            if !is_int {
                return false;
            }
        }
        true
    }

    /// Returns true if a variable, or the part of it that is read, is a number that Python counts
    /// with.
    fn counts(&self, traversal: &Traversal, variable: VariableIndex) -> bool {
        let document = self.document;
        let variable = document.variable(variable);
        let is_number = |ty| matches!(document.ty(ty), Type::Int | Type::Number);
        match (variable.role, &traversal.steps[..]) {
            (VariableRole::Range, [step]) => {
                matches!(document.ty(step.ty), Type::Int)
                    || step.key == Key::Name("key".to_owned()) && is_number(step.ty)
            }
            (VariableRole::ForKey, []) => is_number(variable.ty),
            (VariableRole::Range | VariableRole::ForKey, _) => false,
            (_, steps) => {
                let ty = steps.last().map_or(variable.ty, |step| step.ty);
                matches!(document.ty(ty), Type::Int)
            }
        }
    }

    /// The value of a literal that is neither a list nor an object.
    fn single_literal(&self, part: ExpressionIndex) -> Option<Constant> {
        if self.is_null(part) { Some(Constant::Null) } else { self.document.literal(part).cloned() }
    }

    /// Returns true if a number is not negative for sure.
    pub fn is_positive(&self, index: ExpressionIndex) -> bool {
        let document = self.document;
        match &document.expression(index).kind {
            _ if document.literal(index).is_some() => match document.literal(index) {
                Some(Constant::Number(number)) => number.to_i64().is_some_and(|value| value >= 0),
                _ => false,
            },
            ExpressionKind::Call(call) => call.function() == Some(Function::Length),
            ExpressionKind::Traversal(traversal) => match traversal.reference {
                Reference::Variable(variable) => {
                    matches!(document.variable(variable).role, VariableRole::ForKey)
                        && self.is_integral(index)
                }
                _ => false,
            },
            _ => false,
        }
    }
}

fn is_only_int(writer: &Writer<'_>, index: ExpressionIndex) -> bool {
    let document = writer.document;
    let kinds = document.alternatives(document.expression(index).ty);
    kinds.iter().all(|&ty| matches!(document.ty(ty), Type::Int))
}
