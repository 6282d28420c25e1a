//! A call as the functions see it, and their arguments.

use std::sync::Arc;

use pcl_diagnostics::Span;
use pcl_model::expression::ExprId;

use crate::run::Run;
use crate::shown::Shown;
use crate::stop::Stop;
use crate::value::{Kind, Object, TooLarge, Value};
use crate::wording;

/// A call of a function: what the function may ask for, and the places of its arguments.
pub(crate) struct Site<'c> {
    pub run: &'c Run,
    /// The name of the function.
    pub name: &'static str,
    /// The whole call.
    pub span: Span,
    /// The arguments as written; those that `...` adds have the place of the last one.
    pub arguments: &'c [ExprId],
    /// The arguments may be parts of a secret whose mark they do not have, as in a loop over it.
    pub is_hidden: bool,
}

impl Site<'_> {
    /// The place of an argument.
    pub fn argument(&self, at: usize) -> Span {
        match self.arguments.get(at).or(self.arguments.last()) {
            Some(&id) => {
                let expr = &self.run.program.exprs[id];
                Span::new(expr.file, expr.range)
            }
            None => self.span,
        }
    }

    /// The failure of the call for an argument that is not `expected`.
    pub fn wrong_argument(&self, span: Span, value: &Value, expected: &str) -> Stop {
        let shown = Shown::of(value, &value.marks);
        wording::wrong_argument(span, self.name, &shown, expected).into()
    }

    /// The value, or the error that it is too large.
    pub fn sized(&self, value: Result<Value, TooLarge>) -> Result<Value, Stop> {
        let value = value.map_err(|error| wording::too_large(self.span, error))?;
        self.run.spend_value(&value, || self.span)?;
        Ok(value)
    }
}

/// The bytes of an argument that was converted to text.
pub(crate) fn bytes(value: &Value) -> &[u8] {
    match &value.kind {
        Kind::String(text) => text.unmarked().as_bytes(),
        _ => &[],
    }
}

/// The name in an argument that was converted to text, for a path or a key.
pub(crate) fn name(value: &Value, span: Span) -> Result<&str, Stop> {
    match value.as_text().and_then(|text| text.unmarked().as_str()) {
        Some(name) => Ok(name),
        None => Err(wording::not_utf8(span).into()),
    }
}

/// The fields of an object or resource; `None` for any other value.
pub(crate) fn fields<'v>(
    run: &'v Run,
    value: &'v Value,
    span: Span,
) -> Result<Option<&'v Object>, Stop> {
    match &value.kind {
        Kind::Object(object) => Ok(Some(object)),
        Kind::Resource(resource) => Ok(Some(run.fields(resource, span)?)),
        _ => Ok(None),
    }
}

/// Shared text of a name.
pub(crate) fn shared(name: &Arc<str>) -> Value {
    Kind::String(Arc::clone(name).into()).into()
}
