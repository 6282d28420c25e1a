//! Texts.
//!
//! The rules, with examples: `tests/spec/functions/strings.md`.

use pcl_diagnostics::{Code, Diagnostic, Span};
use pcl_values::Text;

use super::site::{Site, bytes};
use crate::expression::convert::to_text;
use crate::expression::template::MAX_TEXT;
use crate::stop::Stop;
use crate::value::{Kind, MAX_PARTS, Value};
use crate::wording;

pub(super) fn join(site: &Site<'_>, arguments: &[Value]) -> Result<Value, Stop> {
    let [separator, value] = arguments else {
        return Ok(Value::NULL);
    };
    let span = site.argument(1);
    let Kind::List(list) = &value.kind else {
        return Err(site.wrong_argument(span, value, "a list of strings"));
    };
    let elements = list.elements();
    site.run.spend(elements.len() as u64, || site.span)?;
    let mut joined: Vec<u8> = Vec::new();
    let (mut stop, mut is_known) = (None, true);
    for (at, element) in list.elements().iter().enumerate() {
        if at > 0 {
            joined.extend_from_slice(bytes(separator));
        }
        if element.is_null() {
            Stop::from(null_element(span, site.name, at)).collect(&mut stop);
            continue;
        }
        match to_text(element, span) {
            Ok(Some(text)) => joined.extend_from_slice(text.unmarked().as_bytes()),
            Ok(None) => is_known = false,
            Err(other) => other.collect(&mut stop),
        }
        if joined.len() > MAX_TEXT {
            return Err(wording::text_too_long(site.span).into());
        }
    }
    match stop {
        Some(stop) => Err(stop),
        None if is_known => Ok(Text::from(joined).into()),
        None => Ok(Value::UNKNOWN),
    }
}

/// One more than the most parts that a value may have: no more are made.
const MOST: usize = MAX_PARTS + 1;

pub(super) fn split(site: &Site<'_>, arguments: &[Value]) -> Result<Value, Stop> {
    let [separator, text] = arguments else {
        return Ok(Value::NULL);
    };
    let (separator, text) = (bytes(separator), bytes(text));
    let parts: Vec<Value> = match (separator.is_empty(), std::str::from_utf8(text)) {
        (true, Ok(text)) => {
            let mut buffer = [0; 4];
            let chars = text.chars();
            let parts = chars.map(|c| Value::from(&*c.encode_utf8(&mut buffer)));
            parts.take(MOST).collect()
        }
        (true, Err(_)) => {
            let parts = text.iter().map(|byte| Text::from(&[*byte][..]).into());
            parts.take(MOST).collect()
        }
        (false, _) => {
            let mut parts = Vec::new();
            let mut rest = text;
            while parts.len() < MOST
                && let Some(at) = find(rest, separator)
            {
                let (part, behind) = rest.split_at_checked(at).unwrap_or((rest, &[]));
                parts.push(Value::from(Text::from(part)));
                rest = behind.get(separator.len()..).unwrap_or_default();
            }
            parts.push(Text::from(rest).into());
            parts
        }
    };
    site.sized(Value::list(parts))
}

fn find(text: &[u8], part: &[u8]) -> Option<usize> {
    memchr::memmem::find(text, part)
}

/// An element of a list is null.
fn null_element(span: Span, name: &str, at: usize) -> Diagnostic {
    let message = format!("element {at} of this list is null");
    Diagnostic::error(Code::NullValue, span, message)
        .note(format!("`{name}` expects elements that are not null"))
}
