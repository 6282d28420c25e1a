//! The functions of the language at run time: their calls, and what holds for every function.
//!
//! The rules, with examples: `tests/spec/run/functions.md`.

mod assets;
mod attempts;
mod collections;
mod encoding;
mod files;
mod json;
mod numbers;
mod outputs;
mod strings;
mod table;

use std::sync::Arc;

use pcl_diagnostics::{Code, Diagnostic, Span};
use pcl_model::expression::{Call, ExprId};

use self::table::{Body, Builtin, Parameter, Takes, builtin};
use crate::expression::convert::{MAX_TEXT, to_number, to_text};
use crate::expression::evaluate::{Evaluator, Few, unless_poisoned};
use crate::run::Run;
use crate::stop::Stop;
use crate::value::{Kind, Marks, Object, TooLarge, Value};
use crate::wording::{self, Shown};

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
    site.check_count(&builtin)?;
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

/// A call of a function: its arguments, and what the function may ask for.
pub(crate) struct Site<'c> {
    pub run: &'c Run,
    /// The name of the function.
    pub name: &'static str,
    /// The whole call.
    pub span: Span,
    /// The arguments as written; those that `...` adds have the place of the last one.
    written: &'c [ExprId],
    /// The values of the arguments.
    pub arguments: Few,
    /// The arguments may be parts of a secret whose mark they do not have, as in a loop over it.
    pub is_hidden: bool,
}

impl Site<'_> {
    /// The place of an argument.
    pub fn place(&self, at: usize) -> Span {
        match self.written.get(at).or(self.written.last()) {
            Some(&id) => {
                let expr = &self.run.program.exprs[id];
                Span::new(expr.file, expr.range)
            }
            None => self.span,
        }
    }

    /// The value of an argument; null for one that is left out.
    pub fn value(&self, at: usize) -> &Value {
        self.arguments.get(at).unwrap_or(const { &Value::NULL })
    }

    /// The bytes of an argument that was converted to text.
    pub fn bytes(&self, at: usize) -> &[u8] {
        self.value(at).as_text().map_or(&[], |text| text.unmarked().as_bytes())
    }

    /// The name in an argument that was converted to text, for a path or a key.
    pub fn text(&self, at: usize) -> Result<&str, Stop> {
        match self.value(at).as_text().and_then(|text| text.unmarked().as_str()) {
            Some(name) => Ok(name),
            None => Err(wording::not_utf8(self.place(at)).into()),
        }
    }

    /// The elements of an argument that is a list. Any other one is not `expected`.
    pub fn elements(&self, at: usize, expected: &str) -> Result<&[Value], Stop> {
        self.value(at).as_list().ok_or_else(|| self.wrong_argument(at, expected))
    }

    /// The fields of an argument that is an object or resource.
    pub fn object(&self, at: usize) -> Result<Option<&Object>, Stop> {
        self.run.object(self.value(at), self.place(at))
    }

    /// The fields of an argument that is an object or resource. Any other one is not `expected`.
    pub fn fields(&self, at: usize, expected: &str) -> Result<&Object, Stop> {
        self.object(at)?.ok_or_else(|| self.wrong_argument(at, expected))
    }

    /// The failure of the call for an argument that is not `expected`.
    pub fn wrong_argument(&self, at: usize, expected: &str) -> Stop {
        let value = self.value(at);
        let shown = Shown::of(value, &value.marks);
        wording::wrong_argument(self.place(at), self.name, &shown, expected).into()
    }

    /// The value, or the error that it is too large.
    pub fn sized(&self, value: Result<Value, TooLarge>) -> Result<Value, Stop> {
        let value = value.map_err(|error| wording::too_large(self.span, error))?;
        self.run.spend_value(&value, || self.span)?;
        Ok(value)
    }

    /// Puts the elements of the last argument in its place. The result is false if these are
    /// unknown.
    fn expand(&mut self) -> Result<bool, Stop> {
        let Some(last) = self.arguments.last() else {
            return Ok(true);
        };
        unless_poisoned(last)?;
        let marks = last.marks.clone();
        let list = match &last.kind {
            Kind::Unknown => return Ok(false),
            Kind::List(list) => Arc::clone(list),
            _ => {
                let span = self.place(self.arguments.len() - 1);
                return Err(cannot_expand(span, &Shown::of(last, &marks)).into());
            }
        };
        self.arguments.pop();
        let elements = list.elements().iter();
        self.arguments.extend(elements.map(|element| element.clone().marked(&marks)));
        Ok(true)
    }

    fn check_count(&self, builtin: &Builtin) -> Result<(), Stop> {
        let most = if builtin.repeats_last { usize::MAX } else { builtin.parameters.len() };
        let given = self.arguments.len();
        if (builtin.required..=most).contains(&given) {
            Ok(())
        } else {
            Err(wording::wrong_count(self.span, self.name, builtin.required, given).into())
        }
    }

    /// Converts an argument to what its parameter takes. The result is false if it is unknown and
    /// the function does not take that.
    fn prepare(&mut self, parameter: &Parameter, at: usize) -> Result<bool, Stop> {
        let (span, argument) = (self.place(at), self.value(at));
        unless_poisoned(argument)?;
        if argument.is_null() && !parameter.takes_null {
            return Err(null_argument(span, self.name).into());
        }
        if argument.is_unknown() {
            return Ok(parameter.takes_unknown);
        }
        let converted = match parameter.takes {
            Takes::Any => return Ok(true),
            Takes::Text => to_text(argument, span)?.map(Kind::String),
            Takes::Number => to_number(argument, span)?.map(Kind::Number),
        };
        if let (Some(argument), Some(converted)) = (self.arguments.get_mut(at), converted) {
            argument.kind = converted;
        }
        Ok(true)
    }
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
