//! `+ - * / %`, `-x`, and the order of numbers.

use std::cmp::Ordering;

use pcl_diagnostics::Span;
use pcl_number::{Number, NumberError};
use pcl_syntax::ast::BinaryOperator;

use super::convert::to_number;
use crate::messages::operands;
use crate::stop::{Stop, both};
use crate::value::{Marks, Value};

/// The result of an operator on two numbers.
pub(crate) fn binary(
    operator: BinaryOperator,
    (left, left_span): (&Value, Span),
    (right, right_span): (&Value, Span),
    span: Span,
) -> Result<Value, Stop> {
    let marks = left.marks.clone().union(&right.marks);
    let numbers = both(to_number(left, left_span), to_number(right, right_span))?;
    let (Some(left), Some(right)) = numbers else {
        return Ok(Value::unknown(marks));
    };
    let result = match operator {
        BinaryOperator::Add => left.try_add(&right),
        BinaryOperator::Subtract => left.try_sub(&right),
        BinaryOperator::Multiply => left.try_mul(&right),
        BinaryOperator::Divide => left.try_div(&right),
        BinaryOperator::Modulo => left.try_rem(&right),
        _ => {
            return Ok(Value::from(compare(operator, left.text_cmp(&right))).marked(&marks));
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
pub(crate) fn negate(operand: &Value, operand_span: Span, span: Span) -> Result<Value, Stop> {
    let marks = operand.marks.clone();
    match to_number(operand, operand_span)? {
        Some(number) => finish(Ok(number.negated()), marks, span),
        None => Ok(Value::unknown(marks)),
    }
}

fn finish(result: Result<Number, NumberError>, marks: Marks, span: Span) -> Result<Value, Stop> {
    match result.and_then(Number::finite) {
        Ok(number) => Ok(Value::from(number).marked(&marks)),
        Err(error) => Err(operands::arithmetic(span, error).into()),
    }
}
