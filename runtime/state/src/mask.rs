//! The text of a state for people: what may be secret is hidden, and every byte keeps its place.

use pcl_diagnostics::TextRange;

use crate::json::{Kind, Value};
use crate::shape::{DEPLOYMENT, Field, MANIFEST, OPERATION, RESOURCE, Shape};
use crate::state::State;
use crate::value::Property;

/// The text of a file for snippets: the same places in it, and no value that may be secret.
///
/// The strings of properties and of unknown fields of a state are hidden, and of their secrets the
/// keys, numbers and truth values too. In a text that is no
/// state, everything but brackets, commas and spaces is, because nobody knows what it is.
pub fn masked(text: &str, state: Option<&State>) -> String {
    let mut hidden = Vec::new();
    match state {
        Some(state) => around(&mut hidden, state.tree().root(), state.deployment()),
        None => hidden.push(TextRange::new(0, text.len() as u32)),
    }
    let keeps_signs = state.is_none();
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    for range in hidden {
        let range = range.to_usize();
        out.push_str(text.get(from..range.start).unwrap_or_default());
        for c in text.get(range.clone()).unwrap_or_default().chars() {
            let is_sign = c.is_whitespace() || keeps_signs && "{}[],:\"".contains(c);
            out.push(if is_sign { c } else { stand_in(c) });
        }
        from = range.end;
    }
    out.push_str(text.get(from..).unwrap_or_default());
    out
}

/// A character of the same length.
fn stand_in(c: char) -> char {
    match c.len_utf8() {
        1 => '*',
        2 => '\u{b7}',
        3 => '\u{2022}',
        _ => '\u{10101}',
    }
}

/// Hides what is secret in a deployment, and all strings of a value around it.
fn around(hidden: &mut Vec<TextRange>, value: Value<'_>, deployment: Option<Value<'_>>) {
    let inside = deployment.filter(|it| value.range().contains_range(it.range()));
    match inside {
        None => strings(hidden, value),
        Some(deployment) if deployment.index() == value.index() => {
            fields(hidden, value, DEPLOYMENT);
        }
        Some(_) => value.entries().for_each(|(_, part)| around(hidden, part, inside)),
    }
}

/// Hides what the known fields of an object do not show.
fn fields(hidden: &mut Vec<TextRange>, object: Value<'_>, known: &[Field]) {
    for (key, value) in object.entries() {
        let field = known.iter().find(|field| key.is(field.name));
        match field.map(|field| field.shape) {
            Some(Shape::Resources) if value.kind() == Kind::List => {
                for resource in value.elements() {
                    resource_fields(hidden, resource);
                }
            }
            Some(Shape::Operations) if value.kind() == Kind::List => {
                for operation in value.elements() {
                    fields(hidden, operation, OPERATION);
                }
            }
            Some(Shape::Object) if key.is("resource") => resource_fields(hidden, value),
            Some(Shape::Object) if key.is("manifest") => fields(hidden, value, MANIFEST),
            Some(Shape::Text | Shape::Urn | Shape::Provider) if value.kind() == Kind::String => {}
            Some(Shape::Texts | Shape::Urns) if value.kind() == Kind::List => {
                for element in value.elements().filter(|it| it.kind() != Kind::String) {
                    strings(hidden, element);
                }
            }
            Some(Shape::PropertyDependencies) if value.kind() == Kind::Object => {
                for list in value.entries().map(|(_, list)| list) {
                    for element in list.elements().filter(|it| it.kind() != Kind::String) {
                        strings(hidden, element);
                    }
                    if list.kind() != Kind::List {
                        strings(hidden, list);
                    }
                }
            }
            _ => strings(hidden, value),
        }
    }
    if object.kind() != Kind::Object {
        strings(hidden, object);
    }
}

fn resource_fields(hidden: &mut Vec<TextRange>, resource: Value<'_>) {
    fields(hidden, resource, RESOURCE);
}

/// Hides the contents of all strings in a value, and of everything in its secrets.
fn strings(hidden: &mut Vec<TextRange>, value: Value<'_>) {
    match value.kind() {
        Kind::String => hidden.push(content(value.range())),
        Kind::List => value.elements().for_each(|it| strings(hidden, it)),
        // A malformed special value may be a secret, too.
        Kind::Object if matches!(Property::read(value), Ok(Property::Secret(_)) | Err(_)) => {
            value.entries().for_each(|(_, it)| all(hidden, it));
        }
        Kind::Object => value.entries().for_each(|(_, it)| strings(hidden, it)),
        Kind::Null | Kind::Bool | Kind::Number => {}
    }
}

/// Hides a value, the keys in it included.
fn all(hidden: &mut Vec<TextRange>, value: Value<'_>) {
    match value.kind() {
        Kind::String => hidden.push(content(value.range())),
        Kind::List => value.elements().for_each(|it| all(hidden, it)),
        Kind::Object => value.entries().for_each(|(key, it)| {
            hidden.push(content(key.range()));
            all(hidden, it);
        }),
        Kind::Null | Kind::Bool | Kind::Number => hidden.push(value.range()),
    }
}

/// The content of a string in quotes.
fn content(string: TextRange) -> TextRange {
    TextRange::new(string.start() + 1, string.end() - 1)
}
