//! Operators.

use pcl::document::{BinaryOperator, ExpressionIndex};

use crate::helper::Helper;
use crate::module::{Value, Writer};
use crate::syntax::{Expr, Stmt};
use crate::types::Ty;

impl Writer<'_> {
    pub fn binary(
        &mut self,
        operator: BinaryOperator,
        left: ExpressionIndex,
        right: ExpressionIndex,
    ) -> Value {
        use BinaryOperator as B;
        match operator {
            B::And | B::Or => return self.logical(operator, left, right),
            B::Equal | B::NotEqual => return self.equality(operator == B::Equal, left, right),
            _ => {}
        }
        let [left, right] = [left, right].map(|part| {
            // A whole number needs no conversion to a number.
            let value = self.operand(self.document.unconverted(part));
            self.number(value)
        });
        match operator {
            B::Less | B::LessEqual | B::Greater | B::GreaterEqual => {
                let [left, right] = self.numbers(left, right);
                Value::new(Expr::binary(operator.text(), left.expr, right.expr), Ty::Bool)
            }
            B::Divide => self.float_operation("/", left, right),
            B::Modulo => {
                let is_safe = matches!(&right.expr, Expr::Text(text) if text != "0");
                if left.ty == Ty::Int && right.ty == Ty::Int && is_safe && is_number(&right.expr) {
                    let left = self.variable_number(left);
                    return Value::new(Expr::binary("%", left.expr, right.expr), Ty::Int);
                }
                let [left, right] = [left, right].map(|value| self.coerce(value, &Ty::Float));
                Value::new(Expr::call("math.Mod", [left, right]), Ty::Float)
            }
            _ => {
                let [left, right] = self.numbers(left, right);
                let ty = left.ty.clone();
                // Go computes constants itself, and refuses those that are too large.
                let left = if is_number(&right.expr) { self.variable_number(left) } else { left };
                Value::new(Expr::binary(operator.text(), left.expr, right.expr), ty)
            }
        }
    }

    fn float_operation(&mut self, operator: &'static str, left: Value, right: Value) -> Value {
        let [left, right] =
            [left, right].map(|value| Value::new(self.coerce(value, &Ty::Float), Ty::Float));
        let right = if is_number(&right.expr) && !is_zero(&right.expr) {
            right
        } else {
            self.variable_number(right)
        };
        let left = self.variable_number(left);
        Value::new(Expr::binary(operator, left.expr, right.expr), Ty::Float)
    }

    /// A number that is written out as a variable.
    fn variable_number(&mut self, value: Value) -> Value {
        if is_number(&value.expr) { self.hoist("number", value) } else { value }
    }

    /// A value as a number.
    pub fn number(&mut self, value: Value) -> Value {
        match value.ty {
            Ty::Int | Ty::Float => value,
            _ => Value::new(self.coerce(value, &Ty::Float), Ty::Float),
        }
    }

    /// Two numbers of one type.
    fn numbers(&mut self, left: Value, right: Value) -> [Value; 2] {
        if left.ty == right.ty {
            return [left, right];
        }
        [left, right].map(|value| Value::new(self.coerce(value, &Ty::Float), Ty::Float))
    }

    /// The right side is computed only if it is needed.
    fn logical(
        &mut self,
        operator: BinaryOperator,
        left: ExpressionIndex,
        right: ExpressionIndex,
    ) -> Value {
        let left = self.operand(left);
        let left = self.coerce(left, &Ty::Bool);
        let (mut body, right) = self.block(|writer| {
            let right = writer.operand(right);
            writer.coerce(right, &Ty::Bool)
        });
        if body.is_empty() {
            return Value::new(Expr::binary(operator.text(), left, right), Ty::Bool);
        }
        let name = self.hoist("holds", Value::new(left, Ty::Bool)).expr;
        body.push(Stmt::Assign { target: name.clone(), value: right });
        let condition = match operator {
            BinaryOperator::And => name.clone(),
            _ => Expr::unary("!", name.clone()),
        };
        self.emit(Stmt::If { condition, body, otherwise: Vec::new() });
        Value::new(name, Ty::Bool)
    }

    fn equality(&mut self, is_equal: bool, left: ExpressionIndex, right: ExpressionIndex) -> Value {
        let operator = if is_equal { "==" } else { "!=" };
        let [left, right] = [left, right].map(|part| self.operand(part));
        let (left, right) = match (&left.ty, &right.ty) {
            (Ty::Null, _) => (right, left),
            _ => (left, right),
        };
        let bool = |value: bool| Value::text(value.to_string(), Ty::Bool);
        if right.ty == Ty::Null {
            return match &left.ty {
                Ty::Null => bool(is_equal),
                ty if ty.has_nil() && !ty.is_output() => {
                    let left = if matches!(left.expr, Expr::Composite { .. }) {
                        self.hoist("value", left)
                    } else {
                        left
                    };
                    Value::new(Expr::binary(operator, left.expr, Expr::nil()), Ty::Bool)
                }
                _ => bool(!is_equal),
            };
        }
        let (a, b) = (left.ty.underlying(), right.ty.underlying());
        if a.is_simple() && a == b {
            let [left, right] = [left, right].map(|value| self.coerce(value, &a));
            return Value::new(Expr::binary(operator, left, right), Ty::Bool);
        }
        if matches!((&a, &b), (Ty::Int, Ty::Float) | (Ty::Float, Ty::Int)) {
            let [left, right] = self.numbers(left, right);
            return Value::new(Expr::binary(operator, left.expr, right.expr), Ty::Bool);
        }
        let [left, right] = [left, right].map(|value| self.coerce(value, &Ty::Any));
        let equal = Expr::call(Helper::Equal.name(), [left, right]);
        let expr = if is_equal { equal } else { Expr::unary("!", equal) };
        Value::new(expr, Ty::Bool)
    }
}

/// Returns true for a number that is written out.
pub(crate) fn is_number(expr: &Expr) -> bool {
    match expr {
        Expr::Text(text) => text.starts_with(|c: char| c.is_ascii_digit()),
        Expr::Unary("-", operand) => is_number(operand),
        _ => false,
    }
}

fn is_zero(expr: &Expr) -> bool {
    matches!(expr, Expr::Text(text) if text.trim_matches(['0', '.']).is_empty())
}
