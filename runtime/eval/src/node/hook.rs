//! `hook` blocks.
//!
//! The rules, with examples: `tests/spec/run/hook.md`.

use std::sync::Arc;

use pcl_binder::{HookBody, Node, NodeBody};
use pcl_diagnostics::{Code, Diagnostic, Span};
use pcl_model::expression::ExprId;
use pcl_values::PropertyMap;

use super::definitions;
use crate::expression::convert::{to_bool, to_text};
use crate::expression::evaluate::Evaluator;
use crate::frame::Frame;
use crate::monitor::RegisterHook;
use crate::stop::Stop;
use crate::value::{Kind, Object, Value};
use crate::wording::{self, Shown};

/// Registers a hook. The value of the node is the name that options refer to it by.
pub(crate) fn register_hook(
    frame: &Arc<Frame>,
    at: usize,
    node: &Node,
    body: &HookBody,
) -> Result<Value, Stop> {
    let mut evaluator = Evaluator::new(frame);
    let name = format!("{}{}", frame.prefix.text, node.logical_name);
    let mut switch = |expr: Option<ExprId>| -> Result<bool, Stop> {
        let Some(expr) = expr else { return Ok(false) };
        let value = evaluator.evaluate(expr)?;
        if value.is_null() {
            Ok(false)
        } else {
            Ok(to_bool(&value, evaluator.span(expr))?.unwrap_or(false))
        }
    };
    let on_dry_run = switch(body.on_dry_run)?;
    let ignore_errors = switch(body.ignore_errors)?;
    let own = Arc::clone(frame);
    let request = RegisterHook {
        name: name.clone(),
        is_error_hook: body.on_error,
        on_dry_run,
        ignore_errors,
        command: Arc::new(move |arguments: &PropertyMap| command(&own, at, arguments)),
    };
    let run = &frame.run;
    run.answered(run.monitor.register_hook(request), node.name_span())?;
    Ok(name.into())
}

/// The command of a hook and its arguments, given what the hook is called with.
fn command(frame: &Frame, at: usize, arguments: &PropertyMap) -> Result<Vec<String>, String> {
    let Some(node) = frame.module().nodes.get(at) else { return Ok(Vec::new()) };
    let NodeBody::Hook(body) = &node.body else { return Ok(Vec::new()) };
    let evaluated = evaluate(frame, node, body, arguments);
    evaluated.map_err(|stop| match stop {
        Stop::Failed(diagnostics) => {
            let messages = diagnostics.iter().map(|diagnostic| diagnostic.message.as_str());
            messages.collect::<Vec<_>>().join("; ")
        }
        Stop::Poisoned(name) => format!("the command needs the resource `{name}`, which failed"),
        Stop::Cancelled => String::from("the run was cancelled"),
    })
}

fn evaluate(
    frame: &Frame,
    node: &Node,
    body: &HookBody,
    arguments: &PropertyMap,
) -> Result<Vec<String>, Stop> {
    let Some(expr) = body.command else { return Err(no_command(node.name_span()).into()) };
    let mut evaluator = Evaluator::of_hook(frame);
    let span = evaluator.span(expr);
    let arguments = Object::from_properties(arguments);
    let arguments = arguments.map_err(|error| wording::too_large(span, error))?;
    let arguments = Value::from(Kind::Object(Arc::new(arguments)));
    let definitions = definitions(&frame.run, node, "args");
    let variables = definitions.into_iter().map(|id| (id, arguments.clone()));
    let value = evaluator.with(variables, |evaluator| evaluator.evaluate(expr))?;
    let Kind::List(list) = &value.kind else {
        return Err(not_a_list(span, &Shown::of(&value, &value.marks)).into());
    };
    if list.elements().is_empty() {
        return Err(no_command(span).into());
    }
    let words = list.elements().iter().map(|word| {
        let text = match &word.kind {
            Kind::Number(_) | Kind::Bool(_) => None,
            _ => to_text(word, span).map_err(|stop| stop.unless_shown(&value.marks))?,
        };
        match text.as_ref().and_then(|text| text.unmarked().as_str()) {
            Some(text) => Ok(text.to_owned()),
            None => Err(not_a_word(span, &Shown::of(word, &value.marks)).into()),
        }
    });
    words.collect()
}

/// The command of a hook is empty or missing.
fn no_command(span: Span) -> Diagnostic {
    let message = "the command of this hook is empty";
    Diagnostic::error(Code::InvalidOptionValue, span, message)
        .note("expected a list of a program and its arguments")
}

/// The command of a hook is no list.
fn not_a_list(span: Span, value: &Shown) -> Diagnostic {
    let message = format!("the command of a hook must be a list, found {value}");
    Diagnostic::error(Code::InvalidOptionValue, span, message)
}

/// A part of the command of a hook is no string.
fn not_a_word(span: Span, value: &Shown) -> Diagnostic {
    let message = format!("a part of a command must be a string, found {value}");
    Diagnostic::error(Code::InvalidOptionValue, span, message)
}
