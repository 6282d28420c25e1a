//! `length`, `element`, `entries`, `lookup`, `singleOrNone`.

use pcl_diagnostics::{Code, Diagnostic, Span};
use unicode_segmentation::UnicodeSegmentation;

use super::site::{Site, fields, name, shared};
use crate::expression::access::no_field;
use crate::expression::convert::to_whole;
use crate::stop::Stop;
use crate::value::{Kind, Value};

pub(super) fn length(site: &Site<'_>, arguments: &[Value]) -> Result<Value, Stop> {
    let [value] = arguments else {
        return Ok(Value::NULL);
    };
    let span = site.argument(0);
    let length = match &value.kind {
        Kind::String(text) if text.unmarked().as_bytes().is_ascii() => {
            // A carriage return and a line feed are one character.
            let bytes = text.unmarked().as_bytes();
            bytes.len() - memchr::memmem::find_iter(bytes, b"\r\n").count()
        }
        Kind::String(text) => text.unmarked().to_string().graphemes(true).count(),
        Kind::List(list) => list.elements().len(),
        _ => match fields(site.run, value, span)? {
            Some(fields) => fields.len(),
            None => {
                let expected = "a string, list, map or object";
                return Err(site.wrong_argument(span, value, expected));
            }
        },
    };
    Ok((length as i64).into())
}

pub(super) fn element(site: &Site<'_>, arguments: &[Value]) -> Result<Value, Stop> {
    let [value, position] = arguments else {
        return Ok(Value::NULL);
    };
    let Kind::List(list) = &value.kind else {
        let span = site.argument(0);
        return Err(site.wrong_argument(span, value, "a list"));
    };
    let elements = list.elements();
    let Some(position) = to_whole(position, site.argument(1))? else {
        return Ok(Value::unknown(value.marks.clone()));
    };
    let at = position.checked_rem_euclid(elements.len() as i64);
    match at.and_then(|at| elements.get(at as usize)) {
        Some(element) => poisonless(element.clone().marked(&value.marks)),
        None => Err(no_elements(site.argument(0), site.name).into()),
    }
}

fn poisonless(value: Value) -> Result<Value, Stop> {
    match &value.kind {
        Kind::Poisoned(name) => Err(Stop::Poisoned(name.clone())),
        _ => Ok(value),
    }
}

pub(super) fn entries(site: &Site<'_>, arguments: &[Value]) -> Result<Value, Stop> {
    let [value] = arguments else {
        return Ok(Value::NULL);
    };
    let span = site.argument(0);
    let pairs: Vec<(Value, Value)> = match &value.kind {
        Kind::List(list) => {
            let elements = list.elements().iter().enumerate();
            elements.map(|(at, value)| ((at as i64).into(), value.clone())).collect()
        }
        _ => match fields(site.run, value, span)? {
            Some(fields) => {
                fields.iter().map(|(name, value)| (shared(name), value.clone())).collect()
            }
            None => {
                let expected = "a list, map or object";
                return Err(site.wrong_argument(span, value, expected));
            }
        },
    };
    let entries = pairs.into_iter().map(|(key, value)| {
        // The marks of the parts are those of the whole.
        site.run.spend(value.count() as u64, || site.span)?;
        let value = site.sized(value.unmarked())?;
        site.sized(Value::object(vec![("key".into(), key), ("value".into(), value)]))
    });
    site.sized(Value::list(entries.collect::<Result<_, _>>()?))
}

pub(super) fn lookup(site: &Site<'_>, arguments: &[Value]) -> Result<Value, Stop> {
    let (map, key, default) = match arguments {
        [map, key] => (map, key, None),
        [map, key, default, ..] => (map, key, Some(default)),
        _ => return Ok(Value::NULL),
    };
    let span = site.argument(0);
    let Some(found) = fields(site.run, map, span)? else {
        return Err(site.wrong_argument(span, map, "a map or object"));
    };
    let key_span = site.argument(1);
    let text = name(key, key_span)?;
    match (found.get(text), default) {
        // A key that is missing is missing whatever the values are.
        (Some(_), _) | (None, Some(_)) if map.has_unknown() => Ok(Value::unknown(map.deep_marks())),
        (Some(value), _) => Ok(value.clone().marked(&map.marks)),
        (None, Some(default)) => Ok(default.clone().marked(&map.marks)),
        (None, None) => {
            let marks = map.marks.clone().union(&key.marks);
            Err(no_field(found, text, &marks, key_span))
        }
    }
}

pub(super) fn single_or_none(site: &Site<'_>, arguments: &[Value]) -> Result<Value, Stop> {
    let [value] = arguments else {
        return Ok(Value::NULL);
    };
    let span = site.argument(0);
    match &value.kind {
        Kind::List(list) => match list.elements() {
            [] => Ok(Value::NULL),
            [only] => {
                site.run.spend(only.count() as u64, || site.span)?;
                site.sized(only.unmarked())
            }
            elements => Err(not_single(span, elements.len()).into()),
        },
        _ => Err(site.wrong_argument(span, value, "a list")),
    }
}

/// A list without elements where one is needed.
fn no_elements(span: Span, name: &str) -> Diagnostic {
    let message = format!("`{name}` expects a list with elements, found an empty list");
    Diagnostic::error(Code::MissingPart, span, message)
}

/// A list with several elements where at most one is expected.
fn not_single(span: Span, found: usize) -> Diagnostic {
    let message = format!("`singleOrNone` expects at most one element, found {found}");
    Diagnostic::error(Code::FunctionFailed, span, message)
}
