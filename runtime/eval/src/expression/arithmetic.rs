//! `+ - * / %`, `-x`, and the order of numbers.

use std::cmp::Ordering;

use pcl_diagnostics::{Code, Diagnostic, Span};
use pcl_number::{Number, NumberError};
use pcl_syntax::ast::BinaryOperator;

use super::convert::to_number;
use crate::stop::{Stop, both};
use crate::value::{Kind, Marks, Value};

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
            let kind = Kind::Bool(compare(operator, left.text_cmp(right)));
            return Ok(Value { kind, marks });
        }
    };
    finish(result, marks, span)
}

fn compare(operator: BinaryOperator, order: Ordering) -> bool {
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

/// An operator has no finite result.
fn arithmetic(span: Span, error: NumberError) -> Diagnostic {
    Diagnostic::error(Code::NotFinite, span, error.to_string())
        .help("exclude zero as the divisor with a condition, and keep numbers below 1.8e308")
}
