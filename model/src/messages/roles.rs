//! The roles of values, as the subjects of messages.

use std::fmt;

use pcl_syntax::ast::{BinaryOperator, UnaryOperator};
use pcl_syntax::quoted;

/// The role of a value in the expression around it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ValueRole<'a> {
    /// The condition of a conditional.
    Condition,
    /// The condition of a loop.
    LoopCondition,
    /// The key of an entry that a loop makes.
    EntryKey,
    /// The key in brackets.
    Index,
    /// The operand of a unary operator.
    Operand(UnaryOperator),
    /// The left operand of a binary operator.
    LeftOperand(BinaryOperator),
    /// The right operand of a binary operator.
    RightOperand(BinaryOperator),
    /// An argument of a call.
    Argument {
        /// The name of the parameter.
        parameter: &'a str,
        /// The name of the function.
        function: &'a str,
    },
    /// An argument with a description of its own.
    Described(&'a str),
}

impl fmt::Display for ValueRole<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Condition => out.write_str("the condition"),
            Self::LoopCondition => out.write_str("the condition of a loop"),
            Self::EntryKey => out.write_str("the key of an entry"),
            Self::Index => out.write_str("the index"),
            Self::Operand(UnaryOperator::Negate) => out.write_str("the operand of `-`"),
            Self::Operand(UnaryOperator::Not) => out.write_str("the operand of `!`"),
            Self::LeftOperand(operator) => {
                write!(out, "the left operand of `{}`", operator.text())
            }
            Self::RightOperand(operator) => {
                write!(out, "the right operand of `{}`", operator.text())
            }
            Self::Argument {
                parameter,
                function,
            } => write!(out, "argument `{parameter}` of `{function}`"),
            Self::Described(role) => out.write_str(role),
        }
    }
}

/// The role of a part of the value with the role `role`: `steps` lead to the part. A role that
/// names a path, such as "`tags` of `p:N`", is that path with the steps.
#[must_use]
pub fn part_of(role: &str, steps: &str) -> String {
    let path = role.strip_prefix('`').and_then(|rest| rest.split_once('`'));
    match path {
        Some((path, rest)) => format!("`{path}{steps}`{rest}"),
        None => match steps.strip_prefix('.') {
            Some(property) => format!("`{property}` in {role}"),
            None if steps.starts_with("[\"") => format!("`{steps}` in {role}"),
            None => format!("element `{steps}` of {role}"),
        },
    }
}

/// Returns whether a role is a plural, such as "the inputs of `p:f`".
pub(crate) fn is_plural(role: &str) -> bool {
    let mut plurals = ["the arguments ", "the inputs ", "the options "].into_iter();
    plurals.any(|plural| role.starts_with(plural))
}

/// The step to a property, as PCL writes it.
#[must_use]
pub fn property_step(name: &str) -> String {
    if pcl_syntax::is_identifier(name) {
        format!(".{name}")
    } else {
        format!("[{}]", quoted(name))
    }
}
