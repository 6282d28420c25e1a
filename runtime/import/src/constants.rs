//! The constants of schemas: defaults, and the only values of properties.

use pcl_schema::Constant;
use pcl_state::json::{Kind, Value};

use crate::expr::Expr;

/// Returns true if a value is this constant.
pub(crate) fn is_constant(value: Value<'_>, constant: &Constant) -> bool {
    match (constant, value.kind()) {
        (Constant::Boolean(expected), Kind::Bool) => value.boolean() == Some(*expected),
        (Constant::Number(expected), Kind::Number) => value.number() == Some(*expected),
        (Constant::String(expected), Kind::String) => {
            value.string().is_some_and(|text| *text == **expected)
        }
        _ => false,
    }
}

/// The expression of a constant.
pub(crate) fn of_constant(constant: &Constant) -> Expr {
    match constant {
        Constant::Boolean(value) => Expr::Bool(*value),
        Constant::Number(value) => Expr::Number(*value),
        Constant::String(text) => Expr::Text(text.to_string()),
    }
}
