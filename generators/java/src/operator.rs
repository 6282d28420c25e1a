//! Operators.

use pcl::document::{BinaryOperator, ExpressionIndex};

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
        let [left, right] = match operator {
            B::Divide => {
                [left, right].map(|value| Value::new(self.coerce(value, &Ty::Float), Ty::Float))
            }
            B::Modulo if left.ty == Ty::Int && right.ty == Ty::Int => {
                let is_zero = right.expr == Expr::text("0");
                match (&right.expr, is_zero) {
                    (Expr::Text(text), false) if text.starts_with(|c: char| c.is_ascii_digit()) => {
                        [left, right]
                    }
                    // Whole numbers have no rest of a division by zero.
                    _ => [left, right]
                        .map(|value| Value::new(self.coerce(value, &Ty::Float), Ty::Float)),
                }
            }
            _ => self.numbers(left, right),
        };
        let ty = match operator {
            B::Less | B::LessEqual | B::Greater | B::GreaterEqual => Ty::Bool,
            _ => left.ty.clone(),
        };
        Value::new(Expr::binary(operator.text(), left.expr, right.expr), ty)
    }

    /// A value as a number.
    pub fn number(&mut self, value: Value) -> Value {
        match value.ty {
            Ty::Int | Ty::Float => value,
            _ if *value.ty.present() == Ty::Int => {
                Value::new(self.coerce(value, &Ty::Int), Ty::Int)
            }
            _ => Value::new(self.coerce(value, &Ty::Float), Ty::Float),
        }
    }

    /// Two numbers of one type.
    pub fn numbers(&mut self, left: Value, right: Value) -> [Value; 2] {
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
        let name = self.names_take("holds");
        body.push(Stmt::assign(&name, right));
        let short = (operator == BinaryOperator::Or).to_string();
        let other = vec![Stmt::assign(&name, Expr::text(short))];
        self.emit(Stmt::Define { ty: "boolean".to_owned(), name: name.clone(), value: None });
        let (body, otherwise) =
            if operator == BinaryOperator::And { (body, other) } else { (other, body) };
        self.emit(Stmt::If { condition: left, body, otherwise });
        Value::text(name, Ty::Bool)
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
                Ty::Optional(_) => {
                    let method = if is_equal { "isEmpty" } else { "isPresent" };
                    Value::new(left.expr.method(method, []), Ty::Bool)
                }
                Ty::Bool | Ty::Int | Ty::Float if !matches!(left.expr, Expr::Call { .. }) => {
                    bool(!is_equal)
                }
                _ => Value::new(Expr::binary(operator, left.expr, Expr::null()), Ty::Bool),
            };
        }
        let (a, b) = (left.ty.present().underlying(), right.ty.present().underlying());
        let (left, right) = if a.is_simple() && a == b {
            let to = a.nullable();
            (self.coerce(left, &to), self.coerce(right, &to))
        } else if matches!((&left.ty, &right.ty), (Ty::Int, Ty::Float) | (Ty::Float, Ty::Int)) {
            let [left, right] = self.numbers(left, right);
            (left.expr, right.expr)
        } else {
            let [left, right] = [left, right].map(|value| self.coerce(value, &Ty::Any));
            let equal = Expr::call("Helpers.equal", [left, right]);
            let expr = if is_equal { equal } else { Expr::unary("!", equal) };
            return Value::new(expr, Ty::Bool);
        };
        let equal = Expr::call("Objects.equals", [left, right]);
        let expr = if is_equal { equal } else { Expr::unary("!", equal) };
        Value::new(expr, Ty::Bool)
    }
}
