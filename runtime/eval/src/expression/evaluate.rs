//! The evaluation of an expression: the order of its operands, and which of them count.
//!
//! The rules, with examples: `tests/spec/run/expression.md`.

use std::sync::Arc;

use pcl_diagnostics::Span;
use pcl_model::expression::{Expr, ExprArena, ExprId, ExprKind, Items, Operands};
use pcl_model::scope::DefinitionId;
use pcl_model::value::Constant;
use pcl_syntax::ast::{BinaryOperator, UnaryOperator};
use smallvec::SmallVec;

use super::convert::{Joined, to_bool};
use super::operators;
use super::steps::key_text;
use crate::frame::Frame;
use crate::run::Run;
use crate::stop::{self, Stop, both, unless_poisoned};
use crate::value::{Kind, Marks, TooLarge, Value};
use crate::{functions, wording};

/// The length of reserved texts.
const RESERVED: usize = pcl_values::wire::UNKNOWN_STRING.len();

/// The steps that are taken from the budget at once.
const STEPS: u32 = 256;

/// Values of operands, mostly few.
pub(crate) type Few = SmallVec<[Value; 4]>;

/// Evaluates expressions in the scope of a program or component.
pub(crate) struct Evaluator<'r> {
    pub frame: &'r Frame,
    exprs: &'r ExprArena,
    /// The variables of loops, of `range` and the like, innermost last.
    pub(super) bindings: Vec<(DefinitionId, Value)>,
    /// Loops over secrets are under way, whose variables do not have their marks.
    is_hidden: bool,
    /// The steps that are not taken from the budget yet.
    steps: u32,
    /// The expressions belong to a hook, which the engine calls also after the run was cancelled.
    is_hook: bool,
}

impl<'r> Evaluator<'r> {
    /// An evaluator without variables besides the nodes of the frame.
    pub fn new(frame: &'r Frame) -> Self {
        Self {
            frame,
            exprs: &frame.run.program.exprs,
            bindings: Vec::new(),
            is_hidden: false,
            steps: 0,
            is_hook: false,
        }
    }

    /// An evaluator for the command of a hook.
    pub fn of_hook(frame: &'r Frame) -> Self {
        Self { is_hook: true, ..Self::new(frame) }
    }

    /// Fails once the run is cancelled, if that ends this evaluation.
    pub fn unless_cancelled(&self) -> Result<(), Stop> {
        if self.is_hook { Ok(()) } else { self.run().unless_cancelled() }
    }

    /// Returns true if a variable may be part of a secret whose mark it does not have.
    pub fn is_hidden(&self) -> bool {
        self.is_hidden
    }

    /// Evaluates the rounds of a loop over a collection with these marks.
    pub fn in_loop<T>(&mut self, marks: &Marks, evaluate: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.is_hidden;
        self.is_hidden |= marks.is_secret();
        let result = evaluate(self);
        self.is_hidden = before;
        result
    }

    /// Takes the steps so far from the budget.
    #[cold]
    fn spend(&mut self, id: ExprId) -> Result<(), Stop> {
        let steps = std::mem::take(&mut self.steps);
        if self.is_hook { Ok(()) } else { self.run().spend(steps.into(), || self.span(id)) }
    }

    pub fn run(&self) -> &'r Run {
        &self.frame.run
    }

    pub fn expr(&self, id: ExprId) -> &'r Expr {
        &self.exprs[id]
    }

    pub fn span(&self, id: ExprId) -> Span {
        let expr = self.expr(id);
        Span::new(expr.file, expr.range)
    }

    /// Evaluates with one more variable.
    pub fn with<T>(
        &mut self,
        variables: impl IntoIterator<Item = (DefinitionId, Value)>,
        evaluate: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let before = self.bindings.len();
        self.bindings.extend(variables);
        let result = evaluate(self);
        self.bindings.truncate(before);
        result
    }

    /// The value of an expression.
    pub fn evaluate(&mut self, id: ExprId) -> Result<Value, Stop> {
        self.steps += 1;
        if self.steps >= STEPS {
            self.spend(id)?;
        }
        let expr = self.expr(id);
        let Some(mut first) = first_operand(&expr.kind) else { return self.atom(id, expr) };
        // Chains of operators and steps may be longer than the stack is deep.
        let mut pending: SmallVec<[ExprId; 8]> = SmallVec::new();
        while let Some(next) = first_operand(&self.expr(first).kind) {
            pending.push(first);
            first = next;
            self.steps += 1;
        }
        let mut value = self.atom(first, self.expr(first));
        while let Some(id) = pending.pop() {
            value = self.continued(id, value);
        }
        self.continued(id, value)
    }

    /// The values of several operands: all are evaluated, so that all their errors are reported.
    pub fn operands(&mut self, ids: &[ExprId]) -> Result<Few, Stop> {
        stop::all(ids.iter().map(|&id| self.evaluate(id)))
    }

    /// The value of an expression that does not begin with an operand.
    fn atom(&mut self, id: ExprId, expr: &'r Expr) -> Result<Value, Stop> {
        match &expr.kind {
            ExprKind::Literal(constant) => self.literal(id, constant),
            ExprKind::Traversal(traversal) => self.traversal(id, traversal),
            ExprKind::Template(parts) => self.template(id, parts),
            ExprKind::TemplateJoin(parts) => self.template_join(*parts),
            ExprKind::Tuple(elements) => self.tuple(id, elements),
            ExprKind::Object(items) => self.object(id, items),
            ExprKind::For(for_expr) => self.for_expr(id, for_expr),
            ExprKind::Call(call) => functions::call(self, id, call),
            ExprKind::Unary { operator, operand } => {
                let value = self.evaluate(*operand)?;
                match operator {
                    UnaryOperator::Not => {
                        let (value, truth) = self.truth(value, *operand)?;
                        Ok(match truth {
                            Some(truth) => Value::from(!truth).marked(&value.marks),
                            None => Value::unknown(value.marks),
                        })
                    }
                    UnaryOperator::Negate => {
                        operators::negate(&value, self.span(*operand), || self.span(id))
                    }
                }
            }
            ExprKind::Convert(operand) => self.evaluate(*operand),
            ExprKind::Apply(apply) => {
                let arguments: Vec<ExprId> = apply.arguments.iter().map(|(_, id)| *id).collect();
                let values = self.operands(&arguments)?;
                let variables = apply.arguments.iter().map(|(variable, _)| *variable);
                let variables: Vec<_> = variables.zip(values).collect();
                self.with(variables, |evaluator| evaluator.evaluate(apply.body))
            }
            // The rest begins with an operand; syntax errors end a run before it starts.
            _ => Err(wording::not_an_expression(self.span(id)).into()),
        }
    }

    /// The value of an expression whose first operand has this value.
    fn continued(&mut self, id: ExprId, first: Result<Value, Stop>) -> Result<Value, Stop> {
        match &self.expr(id).kind {
            ExprKind::Binary { operator, left, right } => {
                self.binary(id, *operator, (*left, first), *right)
            }
            ExprKind::Conditional { condition, if_true, if_false } => {
                self.conditional((*condition, first?), [*if_true, *if_false])
            }
            ExprKind::Index { key, .. } => {
                let key_value = self.evaluate(*key);
                let (collection, key_value) = both(first, key_value)?;
                self.index(&collection, &key_value, [id, *key])
            }
            ExprKind::RelativeTraversal { source, steps } => self.steps(&first?, *source, *steps),
            ExprKind::Splat(splat) => self.splat(id, splat, first?),
            _ => first,
        }
    }

    pub(super) fn literal(&self, id: ExprId, constant: &Constant) -> Result<Value, Stop> {
        Ok(match constant {
            Constant::Null => Value::NULL,
            Constant::Bool(value) => (*value).into(),
            Constant::Number(number) if !number.is_finite() => {
                return Err(wording::not_finite(self.span(id)).into());
            }
            Constant::Number(number) => number.clone().into(),
            Constant::String(text) => self.text(id, text)?,
        })
    }

    /// The value of text in a program: as it is written, where the syntax tree composes it.
    fn text(&self, id: ExprId, text: &Arc<str>) -> Result<Value, Stop> {
        if text.len() == RESERVED && pcl_values::wire::reserved(text).is_some() {
            return Err(wording::reserved(self.span(id)).into());
        }
        let expr = self.expr(id);
        let exact = || self.run().exact_text((expr.file, expr.range));
        Ok(match (!text.is_ascii()).then(exact).flatten() {
            Some(exact) => exact.clone().into(),
            None => Arc::clone(text).into(),
        })
    }

    fn tuple(&mut self, id: ExprId, elements: &Operands) -> Result<Value, Stop> {
        let values = stop::all(elements.iter().map(|&element| self.evaluate(element)))?;
        self.sized(Value::list(values), id)
    }

    /// The value, or the error that it is too large.
    pub fn sized(&self, value: Result<Value, TooLarge>, id: ExprId) -> Result<Value, Stop> {
        let value = value.map_err(|error| wording::too_large(self.span(id), error))?;
        self.run().spend_value(&value, || self.span(id))?;
        Ok(value)
    }

    fn object(&mut self, id: ExprId, items: &Items) -> Result<Value, Stop> {
        let mut fields = Vec::with_capacity(items.len());
        let mut marks = Marks::NONE;
        let (mut stop, mut unknown_key) = (None, false);
        for &(key, value) in items {
            let name = self.object_key(key, &mut marks);
            let value = self.evaluate(value);
            match both(name, value) {
                Ok((Some(name), value)) => fields.push((name, value)),
                Ok((None, _)) => unknown_key = true,
                Err(other) => other.collect(&mut stop),
            }
        }
        match stop {
            Some(stop) => Err(stop),
            None if unknown_key => Ok(Value::unknown(marks)),
            None => Ok(self.sized(Value::object(fields), id)?.marked(&marks)),
        }
    }

    /// The text of a key, whose marks are added to `marks`; `None` if it is unknown.
    fn object_key(&mut self, key: ExprId, marks: &mut Marks) -> Result<Option<Arc<str>>, Stop> {
        if let ExprKind::Literal(Constant::String(text)) = &self.expr(key).kind
            && text.is_ascii()
        {
            let reserved = **text == *pcl_values::wire::SIGNATURE;
            return if reserved {
                Err(wording::reserved(self.span(key)).into())
            } else {
                Ok(Some(Arc::clone(text)))
            };
        }
        let value = self.evaluate(key)?;
        marks.add(&value.marks);
        let text = key_text(&value, self.span(key))?;
        if text.as_deref() == Some(pcl_values::wire::SIGNATURE) {
            return Err(wording::reserved(self.span(key)).into());
        }
        Ok(text)
    }

    fn binary(
        &mut self,
        id: ExprId,
        operator: BinaryOperator,
        (left, left_value): (ExprId, Result<Value, Stop>),
        right: ExprId,
    ) -> Result<Value, Stop> {
        if let BinaryOperator::And | BinaryOperator::Or = operator {
            let is_and = operator == BinaryOperator::And;
            return self.logical(is_and, (left, left_value), right);
        }
        let right_value = self.evaluate(right);
        let (left_value, right_value) = both(left_value, right_value)?;
        match operator {
            BinaryOperator::Equal => self.equality(id, &left_value, &right_value),
            BinaryOperator::NotEqual => {
                let equal = self.equality(id, &left_value, &right_value)?;
                Ok(operators::negated(equal))
            }
            _ => {
                let left = (&left_value, || self.span(left));
                let right = (&right_value, || self.span(right));
                operators::binary(operator, left, right, || self.span(id))
            }
        }
    }

    fn equality(&self, id: ExprId, left: &Value, right: &Value) -> Result<Value, Stop> {
        let parts = left.count().min(right.count());
        if parts > 0 {
            self.run().spend(parts as u64, || self.span(id))?;
        }
        unless_poisoned(left)?;
        unless_poisoned(right)?;
        Ok(operators::equals(left, right))
    }

    /// `&&` and `||`. A known left operand that decides is the result, and the right one is not
    /// evaluated; a right one that decides is the result, even if the left one is null or fails.
    fn logical(
        &mut self,
        is_and: bool,
        (left, left_value): (ExprId, Result<Value, Stop>),
        right: ExprId,
    ) -> Result<Value, Stop> {
        let deciding = !is_and;
        let may_be_missing = match &left_value {
            Ok(value) => value.is_null(),
            Err(stop) => matches!(stop, Stop::Failed(_)),
        };
        let left_value = left_value.and_then(|value| self.truth(value, left));
        if let Ok((value, Some(truth))) = &left_value
            && *truth == deciding
        {
            return Ok(Value::from(*truth).marked(&value.marks));
        }
        let right_value = self.evaluate(right);
        let right_value = right_value.and_then(|value| self.truth(value, right));
        match (left_value, right_value) {
            (Err(_), Ok((value, Some(truth)))) if may_be_missing && truth == deciding => {
                Ok(Value::from(truth).marked(&value.marks))
            }
            (left_value, right_value) => {
                let ((left, one), (right, other)) = both(left_value, right_value)?;
                let marks = left.marks.union(&right.marks);
                Ok(match (one, other) {
                    (_, Some(truth)) if truth == deciding => Value::from(truth).marked(&marks),
                    (Some(_), Some(_)) => Value::from(is_and).marked(&marks),
                    _ => Value::unknown(marks),
                })
            }
        }
    }

    /// An operand of a logical operator with the bool that it converts to.
    fn truth(&self, value: Value, id: ExprId) -> Result<(Value, Option<bool>), Stop> {
        let span = self.span(id);
        if value.is_null() {
            return Err(wording::null(span).into());
        }
        let truth = to_bool(&value, span)?;
        Ok((value, truth))
    }

    /// The branch that a known condition takes. With an unknown one, both are evaluated for their
    /// marks, and their errors do not count.
    fn conditional(
        &mut self,
        (condition, value): (ExprId, Value),
        branches: [ExprId; 2],
    ) -> Result<Value, Stop> {
        let (value, truth) = self.truth(value, condition)?;
        let [if_true, if_false] = branches;
        match truth {
            Some(true) => Ok(self.evaluate(if_true)?.marked(&value.marks)),
            Some(false) => Ok(self.evaluate(if_false)?.marked(&value.marks)),
            None => {
                let mut marks = value.marks;
                let mut results = Vec::new();
                for branch in branches {
                    match self.evaluate(branch) {
                        Ok(value) => {
                            unless_poisoned(&value)?;
                            marks.add(&value.deep_marks());
                            results.push(value);
                        }
                        Err(Stop::Failed(_)) => {}
                        Err(stop) => return Err(stop),
                    }
                }
                let known = match &results[..] {
                    [one, other] => match (&one.kind, &other.kind) {
                        (Kind::Null, Kind::Null) => true,
                        (Kind::Number(one), Kind::Number(other)) => one.text_eq(other),
                        _ => false,
                    },
                    _ => false,
                };
                Ok(match results.pop().filter(|_| known) {
                    Some(value) => value.marked(&marks),
                    None => Value::unknown(marks),
                })
            }
        }
    }

    fn template(&mut self, id: ExprId, parts: &Operands) -> Result<Value, Stop> {
        if let [part] = parts[..]
            && let ExprKind::Literal(Constant::String(text)) = &self.expr(part).kind
        {
            return self.text(part, text);
        }
        let mut joined = Joined::default();
        for &part in parts {
            match &self.expr(part).kind {
                ExprKind::Literal(Constant::String(text))
                    if text.is_ascii() && text.len() != RESERVED =>
                {
                    joined.text(text);
                }
                _ => match self.evaluate(part) {
                    Ok(value) => joined.part(&value, || self.span(part)),
                    Err(stop) => joined.fail(stop),
                },
            }
            joined.check(|| self.span(id))?;
        }
        let joined = joined.finish()?;
        self.run().spend_value(&joined, || self.span(id))?;
        Ok(joined)
    }
}

/// The operand that an expression begins with, if it begins with one.
fn first_operand(kind: &ExprKind) -> Option<ExprId> {
    match kind {
        ExprKind::Binary { left, .. } => Some(*left),
        ExprKind::Conditional { condition, .. } => Some(*condition),
        ExprKind::Index { collection, .. } => Some(*collection),
        ExprKind::RelativeTraversal { source, .. } => Some(*source),
        ExprKind::Splat(splat) => Some(splat.source),
        _ => None,
    }
}
