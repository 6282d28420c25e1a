//! `try`, `can`, `recover`: functions whose arguments may fail.

use pcl_diagnostics::{Code, Diagnostic, Span};
use pcl_model::expression::{Call, ExprId, ExprKind};
use pcl_model::scope::{DefinitionId, DefinitionKind};

use crate::expression::evaluate::Evaluator;
use crate::stop::{Stop, unless_poisoned};
use crate::value::Value;
use crate::wording;

pub(super) fn try_each(
    evaluator: &mut Evaluator<'_>,
    id: ExprId,
    call: &Call,
) -> Result<Value, Stop> {
    let mut failures = Vec::new();
    for &argument in &call.arguments {
        match evaluator.sound(argument) {
            Ok(value) if value.has_unknown() => return Ok(Value::unknown(value.deep_marks())),
            Err(Stop::Failed(mut diagnostics)) => failures.append(&mut diagnostics),
            other => return other,
        }
    }
    Err(all_failed(evaluator.span(id), failures).into())
}

pub(super) fn can(evaluator: &mut Evaluator<'_>, id: ExprId, call: &Call) -> Result<Value, Stop> {
    let Some(&argument) = call.arguments.first() else {
        return Err(wording::wrong_count(evaluator.span(id), "can", 1, 0).into());
    };
    match evaluator.sound(argument) {
        Ok(value) if value.has_unknown() => Ok(Value::unknown(value.deep_marks())),
        Ok(value) => Ok(Value::from(true).marked(&value.deep_marks())),
        Err(Stop::Failed(_)) => Ok(Value::from(false)),
        Err(stop) => Err(stop),
    }
}

pub(super) fn recover(
    evaluator: &mut Evaluator<'_>,
    id: ExprId,
    call: &Call,
) -> Result<Value, Stop> {
    let [value, recovery] = call.arguments[..] else {
        let given = call.arguments.len();
        return Err(wording::wrong_count(evaluator.span(id), "recover", 2, given).into());
    };
    let error = match evaluator.sound(value) {
        Err(Stop::Poisoned(name)) => format!("poisoned value from resource {name}"),
        Err(Stop::Failed(diagnostics)) => messages(&diagnostics),
        other => return other,
    };
    let error = Value::from(error);
    let variables = error_variables(evaluator, recovery).into_iter();
    let variables = variables.map(|variable| (variable, error.clone()));
    match evaluator.with(variables, |evaluator| evaluator.sound(recovery)) {
        Err(Stop::Poisoned(name)) => Err(recovery_poisoned(evaluator.span(recovery), &name).into()),
        other => other,
    }
}

impl Evaluator<'_> {
    /// The value of an expression, if no part of it depends on a failed resource.
    pub fn sound(&mut self, id: ExprId) -> Result<Value, Stop> {
        let value = self.evaluate(id)?;
        unless_poisoned(&value)?;
        Ok(value)
    }
}

/// The messages of failures, without values that are secret.
fn messages(diagnostics: &[Diagnostic]) -> String {
    let messages: Vec<&str> = diagnostics.iter().map(|it| it.message.as_str()).collect();
    messages.join("; ")
}

/// The definitions that `error` refers to in a recovery.
fn error_variables(evaluator: &Evaluator<'_>, recovery: ExprId) -> Vec<DefinitionId> {
    let program = &evaluator.run().program;
    let definition = |id: ExprId| {
        let ExprKind::Traversal(traversal) = &program.exprs[id].kind else { return None };
        let definition = traversal.definition?;
        let is_variable = program.scopes.definition(definition).kind == DefinitionKind::Variable;
        (is_variable && program.types.name(traversal.root) == "error").then_some(definition)
    };
    program.exprs.subtree(recovery).filter_map(definition).collect()
}

/// `try` of which every argument fails.
fn all_failed(span: Span, failures: Vec<Diagnostic>) -> Diagnostic {
    let message = "every argument of `try` fails";
    let mut diagnostic = Diagnostic::error(Code::FunctionFailed, span, message)
        .help("end with an argument that cannot fail, such as a literal");
    for failure in failures.into_iter().take(5) {
        diagnostic = diagnostic.label(failure.primary, failure.message);
    }
    diagnostic
}

/// The recovery of `recover` needs a failed resource too.
fn recovery_poisoned(span: Span, name: &str) -> Diagnostic {
    let message = format!("the recovery needs the resource `{name}`, which failed");
    Diagnostic::error(Code::FunctionFailed, span, message)
}
