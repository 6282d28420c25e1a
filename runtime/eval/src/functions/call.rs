//! Calls: arguments, and what holds for every function.

use std::sync::Arc;

use pcl_diagnostics::{Code, Diagnostic, Span};
use pcl_model::expression::{Call, ExprId};

use super::site::Site;
use super::table::{Body, Builtin, Parameter, Takes, builtin};
use crate::expression::convert::{to_number, to_text};
use crate::expression::evaluate::{Evaluator, Few, unless_poisoned};
use crate::expression::template::MAX_TEXT;
use crate::shown::Shown;
use crate::stop::Stop;
use crate::value::{Kind, Marks, Value};
use crate::wording;

/// The value of a call.
pub(crate) fn call(evaluator: &mut Evaluator<'_>, id: ExprId, call: &Call) -> Result<Value, Stop> {
    let run = evaluator.run();
    let Some(&function) = run.functions.get(&call.name) else {
        let name = run.program.types.name(call.name);
        return Err(wording::unknown(evaluator.span(id), name).into());
    };
    let builtin = builtin(function);
    let body = match &builtin.body {
        Body::Values(body) => body,
        Body::Expressions(body) => return body(evaluator, id, call),
    };
    let site = Site {
        run,
        name: function.name(),
        span: evaluator.span(id),
        arguments: &call.arguments,
        is_hidden: evaluator.is_hidden(),
    };
    let mut arguments = Few::new();
    evaluator.operands(&call.arguments, &mut arguments)?;
    if call.expands_last && !expand(&site, &mut arguments)? {
        // The number of arguments is unknown.
        let marks: Vec<Marks> = arguments.iter().map(Value::deep_marks).collect();
        return Ok(Value::unknown(Marks::all(&marks)));
    }
    check_count(&site, &builtin, arguments.len())?;
    let (mut marks, mut stop, mut is_known) = (Marks::NONE, None, true);
    for (at, argument) in arguments.iter_mut().enumerate() {
        let parameter = builtin.parameters.get(at).or(builtin.parameters.last());
        let Some(parameter) = parameter else { break };
        match prepared(parameter, argument, &site, at) {
            Ok(known) => is_known &= known,
            Err(other) => other.collect(&mut stop),
        }
        if let Kind::String(_) = &argument.kind {
            run.spend_value(argument, || site.span)?;
        }
        if !parameter.is_transparent {
            marks.add(&argument.deep_marks());
        }
    }
    match stop {
        Some(stop) => Err(stop),
        None if is_known => match body(&site, &arguments) {
            Ok(value) if is_too_long(&value) => Err(wording::text_too_long(site.span).into()),
            Ok(value) => {
                // Lists and objects are counted where they are made.
                if let Kind::String(_) = &value.kind {
                    run.spend_value(&value, || site.span)?;
                }
                Ok(value.marked(&marks))
            }
            Err(stop) => {
                let all: Vec<Marks> = arguments.iter().map(Value::deep_marks).collect();
                Err(stop.unless_shown(&Marks::all(&all)))
            }
        },
        None => {
            let all = arguments.iter().map(|argument| &argument.marks);
            Ok(Value::unknown(marks.union(&Marks::all(all))))
        }
    }
}

/// Returns true for a string that is longer than strings may be. Some functions make long ones
/// longer.
fn is_too_long(value: &Value) -> bool {
    matches!(&value.kind, Kind::String(text) if text.len() > MAX_TEXT)
}

/// Puts the elements of the last argument in its place. The result is false if these are unknown.
fn expand(site: &Site<'_>, arguments: &mut Few) -> Result<bool, Stop> {
    let Some(last) = arguments.last() else {
        return Ok(true);
    };
    unless_poisoned(last)?;
    let marks = last.marks.clone();
    let list = match &last.kind {
        Kind::Unknown => return Ok(false),
        Kind::List(list) => Arc::clone(list),
        _ => {
            let span = site.argument(arguments.len() - 1);
            return Err(cannot_expand(span, &Shown::of(last, &marks)).into());
        }
    };
    arguments.pop();
    let elements = list.elements().iter();
    arguments.extend(elements.map(|element| element.clone().marked(&marks)));
    Ok(true)
}

fn check_count(site: &Site<'_>, builtin: &Builtin, given: usize) -> Result<(), Stop> {
    let most = if builtin.repeats_last { usize::MAX } else { builtin.parameters.len() };
    if (builtin.required..=most).contains(&given) {
        Ok(())
    } else {
        Err(wording::wrong_count(site.span, site.name, builtin.required, given).into())
    }
}

/// Converts an argument to what its parameter takes. The result is false if it is unknown and the
/// function does not take that.
fn prepared(
    parameter: &Parameter,
    argument: &mut Value,
    site: &Site<'_>,
    at: usize,
) -> Result<bool, Stop> {
    unless_poisoned(argument)?;
    let span = site.argument(at);
    if argument.is_null() && !parameter.takes_null {
        return Err(null_argument(span, site.name).into());
    }
    if argument.is_unknown() {
        return Ok(parameter.takes_unknown);
    }
    let converted = match parameter.takes {
        Takes::Any => return Ok(true),
        Takes::Text => to_text(argument, span)?.map(Kind::String),
        Takes::Number => to_number(argument, span)?.map(Kind::Number),
    };
    if let Some(converted) = converted {
        argument.kind = converted;
    }
    Ok(true)
}

/// `...` behind a value that is no list.
fn cannot_expand(span: Span, value: &Shown) -> Diagnostic {
    let message = format!("`...` expects a list, found {value}");
    Diagnostic::error(Code::WrongValueKind, span, message)
}

/// An argument of a function is null.
fn null_argument(span: Span, function: &str) -> Diagnostic {
    let message = format!("this argument of `{function}` is null");
    Diagnostic::error(Code::NullValue, span, message)
        .note(format!("`{function}` expects a value that is not null"))
        .help("compare the value with `null` first")
}
