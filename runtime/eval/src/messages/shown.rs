//! Values in messages.

use crate::value::{Kind, Value};

/// The most characters of a value that a message shows.
pub(super) const LONGEST: usize = 60;

/// A value in words: its kind, and the value itself if it is short and not secret.
pub(super) fn shown(value: &Value) -> String {
    if value.deep_marks().is_secret() {
        return format!("{}, which is secret", value.noun());
    }
    match &value.kind {
        Kind::Bool(value) => format!("the bool `{value}`"),
        Kind::Number(number) => match number.text() {
            text if text.len() <= LONGEST => format!("the number {text}"),
            _ => String::from("a long number"),
        },
        Kind::String(text) => match text.as_str() {
            Some(text) => format!("the string {}", quoted(text)),
            None => String::from("a string that is not UTF-8"),
        },
        Kind::Resource(resource) => format!("the resource `{}`", resource.urn()),
        _ => value.noun().to_owned(),
    }
}

/// Text as a string of PCL, cut if it is long.
pub(super) fn quoted(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        None => pcl_model::expression::quoted(text),
        Some((end, _)) => {
            let start = text.get(..end).unwrap_or_default();
            format!("{}..", pcl_model::expression::quoted(start))
        }
    }
}
