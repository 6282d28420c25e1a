//! `+ - * / %`, `-x`, the order of numbers, and `==` and `!=`, which never fail and convert
//! nothing.

use std::cmp::Ordering;
use std::sync::Arc;

use pcl_diagnostics::{Code, Diagnostic, Span};
use pcl_number::{Number, NumberError};
use pcl_syntax::ast::BinaryOperator;

use super::convert::to_number;
use crate::stop::{Stop, both};
use crate::value::{Kind, Marks, Object, Value};

/// The result of an operator on two numbers. The places are for messages.
pub(crate) fn binary(
    operator: BinaryOperator,
    (left, left_span): (&Value, impl Fn() -> Span),
    (right, right_span): (&Value, impl Fn() -> Span),
    span: impl Fn() -> Span,
) -> Result<Value, Stop> {
    let marks = left.marks.clone().union(&right.marks);
    match (&left.kind, &right.kind) {
        (Kind::Number(left), Kind::Number(right)) if left.is_finite() && right.is_finite() => {
            calculate(operator, left, right, marks, span)
        }
        _ => {
            let left = to_number(left, left_span());
            let right = to_number(right, right_span());
            let (Some(left), Some(right)) = both(left, right)? else {
                return Ok(Value::unknown(marks));
            };
            calculate(operator, &left, &right, marks, span)
        }
    }
}

fn calculate(
    operator: BinaryOperator,
    left: &Number,
    right: &Number,
    marks: Marks,
    span: impl Fn() -> Span,
) -> Result<Value, Stop> {
    let result = match operator {
        BinaryOperator::Add => left.try_add(right),
        BinaryOperator::Subtract => left.try_sub(right),
        BinaryOperator::Multiply => left.try_mul(right),
        BinaryOperator::Divide => left.try_div(right),
        BinaryOperator::Modulo => left.try_rem(right),
        _ => {
            let kind = Kind::Bool(is_in_order(operator, left.text_cmp(right)));
            return Ok(Value { kind, marks });
        }
    };
    finish(result, marks, span)
}

fn is_in_order(operator: BinaryOperator, order: Ordering) -> bool {
    match operator {
        BinaryOperator::Less => order.is_lt(),
        BinaryOperator::LessEqual => order.is_le(),
        BinaryOperator::Greater => order.is_gt(),
        _ => order.is_ge(),
    }
}

/// `-x`.
pub(crate) fn negate(
    operand: &Value,
    operand_span: Span,
    span: impl Fn() -> Span,
) -> Result<Value, Stop> {
    let marks = operand.marks.clone();
    match to_number(operand, operand_span)? {
        Some(number) => finish(Ok(number.negated()), marks, span),
        None => Ok(Value::unknown(marks)),
    }
}

fn finish(
    result: Result<Number, NumberError>,
    marks: Marks,
    span: impl Fn() -> Span,
) -> Result<Value, Stop> {
    match result.and_then(Number::finite) {
        Ok(number) => Ok(Value { kind: Kind::Number(number), marks }),
        Err(error) => Err(arithmetic(span(), error).into()),
    }
}

/// Returns whether two values are equal; unknown if that depends on a part that is unknown. Null
/// is compared without regard to the parts of the other value.
pub(crate) fn equals(left: &Value, right: &Value) -> Value {
    let is_top = left.is_null() || right.is_null();
    let marks = if is_top {
        left.marks.clone().union(&right.marks)
    } else {
        left.deep_marks().union(&right.deep_marks())
    };
    match compare(left, right) {
        Some(equal) => Value::from(equal).marked(&marks),
        None => Value::unknown(marks),
    }
}

/// Compares the values themselves. Parts that several values share are compared once, and the
/// number of parts is limited, so this terminates in time.
fn compare(left: &Value, right: &Value) -> Option<bool> {
    match (&left.kind, &right.kind) {
        (Kind::Unknown, _) | (_, Kind::Unknown) => None,
        (Kind::Null, Kind::Null) => Some(true),
        // A list of unknown elements is no null.
        (Kind::Null, _) | (_, Kind::Null) => Some(false),
        (Kind::Bool(left), Kind::Bool(right)) => Some(left == right),
        (Kind::Number(left), Kind::Number(right)) => Some(left.text_eq(right)),
        (Kind::String(left), Kind::String(right)) => Some(left == right),
        (Kind::List(one), Kind::List(other)) => {
            if Arc::ptr_eq(one, other) && !left.has_unknown() {
                return Some(true);
            }
            if one.elements().len() != other.elements().len() {
                return Some(false);
            }
            all(one.elements().iter().zip(other.elements()))
        }
        (Kind::Resource(one), Kind::Resource(other)) if one.urn() != other.urn() => Some(false),
        (Kind::Asset(left), Kind::Asset(right)) => Some(left.has_content_of(right)),
        (Kind::Archive(left), Kind::Archive(right)) => Some(left.has_content_of(right)),
        _ => match (fields(left), fields(right)) {
            (Some(one), Some(other)) => {
                if std::ptr::eq(one, other) && !left.has_unknown() {
                    return Some(true);
                }
                if !one.names().eq(other.names()) {
                    return Some(false);
                }
                let values = one.iter().zip(other.iter());
                all(values.map(|((_, left), (_, right))| (left, right)))
            }
            // Two references to one resource.
            _ => Some(matches!((&left.kind, &right.kind), (Kind::Resource(_), Kind::Resource(_)))),
        },
    }
}

/// The fields of an object, or the known ones of a resource.
fn fields(value: &Value) -> Option<&Object> {
    match &value.kind {
        Kind::Object(object) => Some(object),
        Kind::Resource(resource) => resource.known_fields(),
        _ => None,
    }
}

/// A part that differs decides, even if another one is unknown.
fn all<'v>(parts: impl Iterator<Item = (&'v Value, &'v Value)>) -> Option<bool> {
    let mut result = Some(true);
    for (left, right) in parts {
        match compare(left, right) {
            Some(true) => {}
            Some(false) => return Some(false),
            None => result = None,
        }
    }
    result
}

/// The other answer with the same marks.
pub(crate) fn negated(value: Value) -> Value {
    match value.kind {
        Kind::Bool(equal) => Value { kind: Kind::Bool(!equal), marks: value.marks },
        _ => Value::unknown(value.marks),
    }
}

/// An operator has no finite result.
fn arithmetic(span: Span, error: NumberError) -> Diagnostic {
    Diagnostic::error(Code::NotFinite, span, error.to_string())
        .help("exclude zero as the divisor with a condition, and keep numbers below 1.8e308")
}
