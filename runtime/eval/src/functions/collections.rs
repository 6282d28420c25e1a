//! `length`, `element`, `entries`, `lookup`, `singleOrNone`.

use std::sync::Arc;

use pcl_diagnostics::{Code, Diagnostic, Span};
use unicode_segmentation::UnicodeSegmentation;

use super::site::Site;
use crate::expression::convert::to_whole;
use crate::expression::steps::no_field;
use crate::stop::Stop;
use crate::value::{Kind, Value};

pub(super) fn length(site: &Site<'_>) -> Result<Value, Stop> {
    let length = match &site.value(0).kind {
        Kind::String(text) if text.unmarked().as_bytes().is_ascii() => {
            // A carriage return and a line feed are one character.
            let bytes = text.unmarked().as_bytes();
            bytes.len() - memchr::memmem::find_iter(bytes, b"\r\n").count()
        }
        Kind::String(text) => text.unmarked().to_string().graphemes(true).count(),
        Kind::List(list) => list.elements().len(),
        _ => site.fields(0, "a string, list, map or object")?.len(),
    };
    Ok((length as i64).into())
}

pub(super) fn element(site: &Site<'_>) -> Result<Value, Stop> {
    let elements = site.elements(0, "a list")?;
    let marks = &site.value(0).marks;
    let Some(position) = to_whole(site.value(1), site.place(1))? else {
        return Ok(Value::unknown(marks.clone()));
    };
    let at = position.checked_rem_euclid(elements.len() as i64);
    match at.and_then(|at| elements.get(at as usize)) {
        Some(Value { kind: Kind::Poisoned(name), .. }) => Err(Stop::Poisoned(Arc::clone(name))),
        Some(element) => Ok(element.clone().marked(marks)),
        None => Err(no_elements(site.place(0), site.name).into()),
    }
}

pub(super) fn entries(site: &Site<'_>) -> Result<Value, Stop> {
    let pairs: Vec<(Value, &Value)> = match &site.value(0).kind {
        Kind::List(list) => {
            let elements = list.elements().iter().enumerate();
            elements.map(|(at, value)| ((at as i64).into(), value)).collect()
        }
        _ => {
            let fields = site.fields(0, "a list, map or object")?.iter();
            fields.map(|(name, value)| (Arc::clone(name).into(), value)).collect()
        }
    };
    let entries = pairs.into_iter().map(|(key, value)| {
        // The marks of the parts are those of the whole.
        site.run.spend(value.count() as u64, || site.span)?;
        let value = site.sized(value.unmarked())?;
        site.sized(Value::object(vec![("key".into(), key), ("value".into(), value)]))
    });
    site.sized(Value::list(entries.collect::<Result<_, _>>()?))
}

pub(super) fn lookup(site: &Site<'_>) -> Result<Value, Stop> {
    let map = site.value(0);
    let found = site.fields(0, "a map or object")?;
    let text = site.text(1)?;
    match (found.get(text), site.arguments.get(2)) {
        // A key that is missing is missing whatever the values are.
        (Some(_), _) | (None, Some(_)) if map.has_unknown() => Ok(Value::unknown(map.deep_marks())),
        (Some(value), _) => Ok(value.clone().marked(&map.marks)),
        (None, Some(default)) => Ok(default.clone().marked(&map.marks)),
        (None, None) => {
            let marks = map.marks.clone().union(&site.value(1).marks);
            Err(no_field(found, text, &marks, site.place(1)))
        }
    }
}

pub(super) fn single_or_none(site: &Site<'_>) -> Result<Value, Stop> {
    match site.elements(0, "a list")? {
        [] => Ok(Value::NULL),
        [only] => {
            site.run.spend(only.count() as u64, || site.span)?;
            site.sized(only.unmarked())
        }
        elements => Err(not_single(site.place(0), elements.len()).into()),
    }
}

/// A list without elements where one is needed.
fn no_elements(span: Span, name: &str) -> Diagnostic {
    let message = format!("`{name}` expects a list with elements, found an empty list");
    Diagnostic::error(Code::MissingPart, span, message)
        .help("compare its `length` with 0 first, or give a default with `try`")
}

/// A list with several elements where at most one is expected.
fn not_single(span: Span, found: usize) -> Diagnostic {
    let message = format!("`singleOrNone` expects at most one element, found {found}");
    Diagnostic::error(Code::FunctionFailed, span, message)
}
