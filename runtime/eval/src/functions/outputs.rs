//! Secrets, outputs of other stacks, and what resources are called.
//!
//! The rules, with examples: `tests/spec/functions/outputs.md`.

use super::site::{Site, fields, name};
use crate::stop::Stop;
use crate::value::{Kind, Marks, Value};

/// The argument itself.
pub(super) fn same(_: &Site<'_>, arguments: &[Value]) -> Result<Value, Stop> {
    Ok(arguments.first().cloned().unwrap_or(Value::NULL))
}

pub(super) fn secret(site: &Site<'_>, arguments: &[Value]) -> Result<Value, Stop> {
    Ok(same(site, arguments)?.secret())
}

pub(super) fn unsecret(site: &Site<'_>, arguments: &[Value]) -> Result<Value, Stop> {
    let value = same(site, arguments)?;
    Ok(Value { marks: value.marks.revealed(), kind: value.kind })
}

pub(super) fn get_output(site: &Site<'_>, arguments: &[Value]) -> Result<Value, Stop> {
    let [reference, wanted] = arguments else {
        return Ok(Value::NULL);
    };
    let wanted = name(wanted, site.argument(1))?;
    let span = site.argument(0);
    let mut marks = reference.marks.clone();
    let Some(fields_of) = fields(site.run, reference, span)? else {
        return Ok(Value::NULL.marked(&marks));
    };
    let Some(outputs) = fields_of.get("outputs") else {
        return Ok(Value::NULL.marked(&marks));
    };
    marks.add(&outputs.marks);
    let secrets = fields_of.get("secretOutputNames");
    let secrets = secrets.and_then(Value::as_list).unwrap_or_default();
    let is_wanted = |name: &Value| name.as_text().is_some_and(|name| *name == *wanted);
    if secrets.iter().any(is_wanted) {
        marks.add(&Marks::secret());
    }
    Ok(match &outputs.kind {
        Kind::Unknown => Value::unknown(marks),
        Kind::Object(object) => match object.get(wanted) {
            Some(output) => output.clone().marked(&marks),
            None => Value::NULL.marked(&marks),
        },
        _ => Value::NULL.marked(&marks),
    })
}

pub(super) fn resource_name(site: &Site<'_>, arguments: &[Value]) -> Result<Value, Stop> {
    internal(site, arguments, "__name")
}

pub(super) fn resource_type(site: &Site<'_>, arguments: &[Value]) -> Result<Value, Stop> {
    internal(site, arguments, "__type")
}

/// A fact about a resource that the program itself decides, so it has no marks.
fn internal(site: &Site<'_>, arguments: &[Value], fact: &str) -> Result<Value, Stop> {
    let Some(value) = arguments.first() else {
        return Ok(Value::NULL);
    };
    let span = site.argument(0);
    let found = fields(site.run, value, span)?.and_then(|fields| fields.get(fact));
    match found {
        // The name may have a secret key of a range.
        Some(fact) => Ok(Value::from(fact.kind.clone()).marked(&fact.marks.without_dependencies())),
        None => Err(site.wrong_argument(span, value, "a resource")),
    }
}
