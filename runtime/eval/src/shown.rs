//! Values in messages.
//!
//! Nothing else turns a value, or text out of one, into words: messages take [`Shown`], which is
//! made with the marks of everything that the value was taken out of.

use std::fmt;

use crate::value::{Kind, Marks, Value};

/// The most characters of a value that a message shows.
const LONGEST: usize = 60;

/// A value, or text out of one, as a message shows it: its kind, and the value itself if it is
/// short and not secret.
#[derive(Clone, Debug)]
pub(crate) struct Shown {
    /// The noun for the kind of the value.
    noun: &'static str,
    /// The value itself; `None` if it is secret, long, or has no short form.
    plain: Option<String>,
    is_secret: bool,
}

impl Shown {
    /// A value that was taken out of values with these marks, which count like its own.
    pub fn of(value: &Value, within: &Marks) -> Self {
        let is_secret = within.is_secret() || value.deep_marks().is_secret();
        let plain = match &value.kind {
            _ if is_secret => None,
            Kind::Bool(value) => Some(format!("`{value}`")),
            Kind::Number(number) => Some(number.text()).filter(|text| text.len() <= LONGEST),
            Kind::String(text) => text.unmarked().as_str().map(quoted),
            Kind::Resource(resource) => Some(format!("`{}`", resource.urn())),
            _ => None,
        };
        Self { noun: value.noun(), plain, is_secret }
    }

    /// Text that was taken out of values with these marks.
    pub fn text(text: &str, within: &Marks) -> Self {
        Self {
            noun: "a string",
            plain: (!within.is_secret()).then(|| quoted(text)),
            is_secret: within.is_secret(),
        }
    }

    /// Returns true if the value is secret, or was taken out of a secret.
    pub fn is_secret(&self) -> bool {
        self.is_secret
    }

    /// The noun for the kind of the value.
    pub fn noun(&self) -> &'static str {
        self.noun
    }

    /// Text in double quotes, or a number; otherwise these words.
    pub fn or<'s>(&'s self, secret: &'s str) -> &'s str {
        self.plain.as_deref().unwrap_or(secret)
    }
}

/// The value with its kind: `the number 1`, `a list`, `a string, which is secret`.
impl fmt::Display for Shown {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.plain {
            Some(plain) => {
                let noun = self.noun.strip_prefix("a ").unwrap_or(self.noun);
                write!(out, "the {noun} {plain}")
            }
            None if self.is_secret => write!(out, "{}, which is secret", self.noun),
            None => match self.noun {
                "a number" => out.write_str("a long number"),
                "a string" => out.write_str("a string that is not UTF-8"),
                noun => out.write_str(noun),
            },
        }
    }
}

/// Text as a string of PCL, cut if it is long.
fn quoted(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        None => pcl_syntax::quoted(text),
        Some((end, _)) => {
            let start = text.get(..end).unwrap_or_default();
            format!("{}..", pcl_syntax::quoted(start))
        }
    }
}
