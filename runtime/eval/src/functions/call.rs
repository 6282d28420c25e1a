//! Calls: arguments, and what holds for every function.

use pcl_model::expression::{Call, ExprId};

use super::site::Site;
use super::table::{Body, builtin};
use crate::expression::convert::MAX_TEXT;
use crate::expression::evaluate::Evaluator;
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
    let mut site = Site {
        run,
        name: function.name(),
        span: evaluator.span(id),
        written: &call.arguments,
        arguments: evaluator.operands(&call.arguments)?,
        is_hidden: evaluator.is_hidden(),
    };
    let all_marks = |site: &Site<'_>| {
        let marks: Vec<Marks> = site.arguments.iter().map(Value::deep_marks).collect();
        Marks::all(&marks)
    };
    if call.expands_last && !site.expand()? {
        // The number of arguments is unknown.
        return Ok(Value::unknown(all_marks(&site)));
    }
    let most = if builtin.repeats_last { usize::MAX } else { builtin.parameters.len() };
    site.check_count(builtin.required, most)?;
    let (mut marks, mut stop, mut is_known) = (Marks::NONE, None, true);
    for at in 0..site.arguments.len() {
        let parameter = builtin.parameters.get(at).or(builtin.parameters.last());
        let Some(parameter) = parameter else { break };
        match site.prepare(parameter, at) {
            Ok(known) => is_known &= known,
            Err(other) => other.collect(&mut stop),
        }
        let argument = site.value(at);
        if let Kind::String(_) = &argument.kind {
            run.spend_value(argument, || site.span)?;
        }
        if !parameter.is_transparent {
            marks.add(&argument.deep_marks());
        }
    }
    if let Some(stop) = stop {
        return Err(stop);
    }
    if !is_known {
        let own = site.arguments.iter().map(|argument| &argument.marks);
        return Ok(Value::unknown(marks.union(&Marks::all(own))));
    }
    let value = body(&site).map_err(|stop| stop.unless_shown(&all_marks(&site)))?;
    // Lists and objects are counted where they are made.
    if let Kind::String(text) = &value.kind {
        if text.len() > MAX_TEXT {
            return Err(wording::text_too_long(site.span).into());
        }
        run.spend_value(&value, || site.span)?;
    }
    Ok(value.marked(&marks))
}
