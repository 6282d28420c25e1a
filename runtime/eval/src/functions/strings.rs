//! Texts.
//!
//! The rules, with examples: `tests/spec/functions/strings.md`.

use pcl_diagnostics::{Code, Diagnostic, Span};
use pcl_values::Text;

use super::site::Site;
use crate::expression::convert::{MAX_TEXT, to_text};
use crate::stop::Stop;
use crate::value::{MAX_PARTS, Value};
use crate::wording;

pub(super) fn join(site: &Site<'_>) -> Result<Value, Stop> {
    let span = site.place(1);
    let elements = site.elements(1, "a list of strings")?;
    site.run.spend(elements.len() as u64, || site.span)?;
    let mut joined: Vec<u8> = Vec::new();
    let (mut stop, mut is_known) = (None, true);
    for (at, element) in elements.iter().enumerate() {
        if at > 0 {
            joined.extend_from_slice(site.bytes(0));
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

pub(super) fn split(site: &Site<'_>) -> Result<Value, Stop> {
    let (separator, text) = (site.bytes(0), site.bytes(1));
    // One part more than a value may have is too many, and no more are made.
    let most = MAX_PARTS + 1;
    let parts: Vec<Value> = match (separator.is_empty(), std::str::from_utf8(text)) {
        (true, Ok(text)) => {
            let mut buffer = [0; 4];
            let parts = text.chars().map(|c| Value::from(&*c.encode_utf8(&mut buffer)));
            parts.take(most).collect()
        }
        (true, Err(_)) => {
            let parts = text.iter().map(|byte| Text::from(&[*byte][..]).into());
            parts.take(most).collect()
        }
        (false, _) => {
            let mut parts = Vec::new();
            let mut rest = text;
            while parts.len() < most
                && let Some(at) = memchr::memmem::find(rest, separator)
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

/// An element of a list is null.
fn null_element(span: Span, name: &str, at: usize) -> Diagnostic {
    let message = format!("element {at} of this list is null");
    Diagnostic::error(Code::NullValue, span, message)
        .note(format!("`{name}` expects elements that are not null"))
}
