//! Writing a state.

use crate::json::{Kind, Value};
use crate::state::State;
use crate::value::{Keys, Property};

/// The form of secrets in a written state.
#[derive(Clone, Copy, Debug)]
pub enum Secrets<'k> {
    /// They stay as they are.
    Keep,
    /// Those that the keys open are written in plain text.
    Show(&'k Keys),
}

/// The spaces of a level.
const INDENT: usize = 4;

impl State {
    /// The text of the state in the layout of `pulumi stack export`: all fields in their order,
    /// also those that this crate does not know, and all numbers and strings as they are written.
    pub fn write(&self, secrets: Secrets<'_>) -> String {
        let mut out = String::with_capacity(self.tree().text().len());
        write(&mut out, self.tree().root(), 0, secrets);
        out.push('\n');
        out
    }
}

/// Writes a value; values nest at most as deep as a tree does.
fn write(out: &mut String, value: Value<'_>, level: usize, secrets: Secrets<'_>) {
    let line = |out: &mut String, level: usize| {
        out.push('\n');
        out.extend(std::iter::repeat_n(' ', INDENT * level));
    };
    match value.kind() {
        Kind::List => {
            out.push('[');
            let mut is_empty = true;
            for element in value.elements() {
                out.push_str(if is_empty { "" } else { "," });
                is_empty = false;
                line(out, level + 1);
                write(out, element, level + 1, secrets);
            }
            if !is_empty {
                line(out, level);
            }
            out.push(']');
        }
        Kind::Object => {
            let shown = shown(value, secrets);
            out.push('{');
            let mut is_empty = true;
            for (key, value) in value.entries() {
                out.push_str(if is_empty { "" } else { "," });
                is_empty = false;
                line(out, level + 1);
                match &shown {
                    Some(plain) if key.is("ciphertext") => {
                        out.push_str("\"plaintext\": ");
                        out.push_str(plain);
                    }
                    _ => {
                        out.push_str(key.raw());
                        out.push_str(": ");
                        write(out, value, level + 1, secrets);
                    }
                }
            }
            if !is_empty {
                line(out, level);
            }
            out.push('}');
        }
        Kind::Null | Kind::Bool | Kind::Number | Kind::String => out.push_str(value.raw()),
    }
}

/// The plain text of an encrypted secret that is to be shown, as JSON.
fn shown(value: Value<'_>, secrets: Secrets<'_>) -> Option<String> {
    let Secrets::Show(keys) = secrets else { return None };
    value.get("ciphertext")?;
    let Ok(Property::Secret(secret)) = Property::read(value) else { return None };
    serde_json::to_string(&**secret.unmarked(keys)?.text()).ok()
}
