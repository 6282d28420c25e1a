//! Conditions that are always true, or never.
//!
//! The rules, with examples: `tests/spec/lints/constant_condition.md`.

use pcl_diagnostics::{Code, Diagnostic, Fix, Span, TextEdit};
use pcl_model::expression::{Expr, ExprId, ExprKind};
use pcl_model::value::Constant;
use pcl_syntax::ast::{BinaryOperator, UnaryOperator};

use super::finished::{Finished, Lint, Scope};

/// The most operands of a condition that are evaluated.
const MOST_OPERANDS: u32 = 256;

pub(super) static LINT: Lint = Lint { code: Code::ConstantCondition, scope: Scope::Nodes, check };

/// Checks the conditions of conditional values, of template directives and of loops.
fn check(bound: &Finished<'_>, diagnostics: &mut Vec<Diagnostic>) {
    for node in bound.nodes() {
        for expr in bound.expressions(node) {
            let (condition, branches) = match &expr.kind {
                ExprKind::Conditional { condition, if_true, if_false } => {
                    (*condition, Some([*if_true, *if_false]))
                }
                ExprKind::For(each) => match each.condition {
                    Some(condition) => (condition, None),
                    None => continue,
                },
                _ => continue,
            };
            let mut budget = MOST_OPERANDS;
            if let Some(value) = constant(bound, condition, &mut budget) {
                let place = &bound.exprs[condition];
                let span = Span::new(place.file, place.range);
                // The other branch decides whether `range.key` exists.
                let mut options = node.options().iter();
                let is_range = options.any(|option| {
                    // What follows a value may be a part of it that cannot be read.
                    &*option.name == "range"
                        && bound.exprs[option.value].range.start() == expr.range.start()
                });
                let branch = branches.filter(|_| !is_range).and_then(|[yes, no]| {
                    let chosen = &bound.exprs[if value { yes } else { no }];
                    replacement(bound, expr, place, chosen)
                });
                diagnostics.push(constant_condition(span, value, branch));
            }
        }
    }
}

/// The place of a conditional value, and the text of the branch that it always has. A directive of
/// a template has none.
fn replacement(
    bound: &Finished<'_>,
    whole: &Expr,
    condition: &Expr,
    chosen: &Expr,
) -> Option<(Span, String)> {
    let module = bound.module;
    let file = module.files.iter().position(|&file| file == whole.file)?;
    let tree = module.trees.get(file)?;
    let text = tree.text();
    let between = text.get(whole.range.start() as usize..condition.range.start() as usize)?;
    // A condition in parentheses begins with them.
    let is_value = between.chars().all(|c| c == '(' || c.is_whitespace());
    let kept = text.get(chosen.range.to_usize())?;
    let is_balanced = kept.matches('(').count() == kept.matches(')').count();
    let is_part = !kept.is_empty() && kept.len() < whole.range.to_usize().len();
    // A conditional in a conditional is simplified first.
    let is_simple = !matches!(chosen.kind, ExprKind::Conditional { .. });
    // Nobody knows what a text means that cannot be read.
    let is_readable = !tree.node(whole.node).contains_error();
    let whole = Span::new(whole.file, whole.range);
    (is_value && is_balanced && is_part && is_simple && is_readable)
        .then(|| (whole, kept.to_owned()))
}

/// The value of a condition, if it does not depend on anything.
fn constant(bound: &Finished<'_>, condition: ExprId, budget: &mut u32) -> Option<bool> {
    *budget = budget.checked_sub(1)?;
    match &bound.exprs[condition].kind {
        ExprKind::Literal(Constant::Bool(value)) => Some(*value),
        ExprKind::Unary { operator: UnaryOperator::Not, operand } => {
            constant(bound, *operand, budget).map(|value| !value)
        }
        ExprKind::Binary { operator, left, right } => match operator {
            BinaryOperator::And | BinaryOperator::Or => {
                // One side decides an `&&` if it is false, and an `||` if it is true.
                let decisive = *operator == BinaryOperator::Or;
                let sides = [left, right].map(|side| constant(bound, *side, budget));
                if sides.contains(&Some(decisive)) {
                    return Some(decisive);
                }
                sides.iter().all(Option::is_some).then_some(!decisive)
            }
            _ => compared(bound, *operator, *left, *right),
        },
        ExprKind::Conditional { condition, if_true, if_false } => {
            let chosen = if constant(bound, *condition, budget)? { *if_true } else { *if_false };
            constant(bound, chosen, budget)
        }
        _ => None,
    }
}

/// The result of comparing two values that are written out, or a name with itself.
fn compared(
    bound: &Finished<'_>,
    operator: BinaryOperator,
    left: ExprId,
    right: ExprId,
) -> Option<bool> {
    let ordering = match (bound.literal(left)?, bound.literal(right)?) {
        (Constant::Number(left), Constant::Number(right)) => left.cmp(right),
        (left, right) => {
            let is_equal = left == right;
            return match operator {
                BinaryOperator::Equal => Some(is_equal),
                BinaryOperator::NotEqual => Some(!is_equal),
                _ => None,
            };
        }
    };
    Some(match operator {
        BinaryOperator::Equal => ordering.is_eq(),
        BinaryOperator::NotEqual => ordering.is_ne(),
        BinaryOperator::Less => ordering.is_lt(),
        BinaryOperator::LessEqual => ordering.is_le(),
        BinaryOperator::Greater => ordering.is_gt(),
        BinaryOperator::GreaterEqual => ordering.is_ge(),
        _ => return None,
    })
}

/// A condition that always has the same value. `branch` is the place of the whole conditional
/// value, and what it always is.
fn constant_condition(span: Span, value: bool, branch: Option<(Span, String)>) -> Diagnostic {
    let message = format!("this condition is always {value}");
    let diagnostic = Diagnostic::warning(Code::ConstantCondition, span, message)
        .help("compare something that can change, or keep only the branch that is used");
    diagnostic.fix(branch.map(|(whole, text)| {
        let edits = vec![TextEdit::replace(whole, text)];
        Fix::unsafe_("keep the branch that is used", edits)
    }))
}
