//! The JSON form of declarations, expressions and types.
//!
//! Each is one object whose fields depend on its `kind`. A form has the fields of all kinds, of
//! which a value has some: so a reader needs neither to see `kind` first nor to keep what it reads
//! until then. Fields that are empty, false or follow from others are left out.

mod expression;
mod node;
mod types;

use std::borrow::Cow;

use serde::de;

/// A field that the kind of an object requires.
fn required<T, E: de::Error>(field: Option<T>, name: &'static str) -> Result<T, E> {
    field.ok_or_else(|| E::missing_field(name))
}

fn text(text: &str) -> Option<Cow<'_, str>> {
    Some(Cow::Borrowed(text))
}

/// A list, unless it is empty.
fn list<T: Clone>(list: &[T]) -> Option<Cow<'_, [T]>> {
    (!list.is_empty()).then_some(Cow::Borrowed(list))
}

fn owned<T: Clone>(list: Option<Cow<'_, [T]>>) -> Vec<T> {
    list.map_or_else(Vec::new, Cow::into_owned)
}

/// A flag, unless it is not set.
fn flag(flag: bool) -> Option<bool> {
    flag.then_some(true)
}
