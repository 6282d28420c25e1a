//! A call as the functions see it: the values of its arguments, converted to what its parameters
//! take.

use std::sync::Arc;

use pcl_diagnostics::{Code, Diagnostic, Span};
use pcl_model::expression::ExprId;
use smallvec::SmallVec;

use crate::expression::convert::{to_number, to_text};
use crate::run::Run;
use crate::stop::{Stop, unless_poisoned};
use crate::value::{Kind, Object, TooLarge, Value};
use crate::wording::{self, Shown};

/// A parameter of a function.
#[derive(Clone, Copy)]
pub(crate) struct Parameter {
    /// The kind that an argument is converted to.
    pub takes: Takes,
    /// The marks of the argument do not go to the result: the function passes them on itself.
    pub is_transparent: bool,
    /// Null is an argument like others.
    pub takes_null: bool,
    /// The function runs with an unknown argument.
    pub takes_unknown: bool,
}

/// The kind that an argument is converted to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Takes {
    Any,
    Text,
    Number,
}

/// A call of a function: its arguments, and what the function may ask for.
pub(crate) struct Site<'c> {
    pub run: &'c Run,
    /// The name of the function.
    pub name: &'static str,
    /// The whole call.
    pub span: Span,
    /// The arguments as written; those that `...` adds have the place of the last one.
    pub written: &'c [ExprId],
    /// The values of the arguments.
    pub arguments: SmallVec<[Value; 4]>,
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
    pub fn expand(&mut self) -> Result<bool, Stop> {
        let Some(last) = self.arguments.last() else { return Ok(true) };
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

    /// Fails unless there are so many arguments.
    pub fn check_count(&self, required: usize, most: usize) -> Result<(), Stop> {
        let given = self.arguments.len();
        if (required..=most).contains(&given) {
            return Ok(());
        }
        Err(wording::wrong_count(self.span, self.name, required, given).into())
    }

    /// Converts an argument to what its parameter takes. The result is false if it is unknown and
    /// the function does not take that.
    pub fn prepare(&mut self, parameter: &Parameter, at: usize) -> Result<bool, Stop> {
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
