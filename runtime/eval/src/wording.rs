//! Values in messages, and words that several rules share.
//!
//! Nothing else turns a value, or text out of one, into words: messages take [`Shown`], which is
//! made with the marks of everything that the value was taken out of.

use std::fmt;

use pcl_diagnostics::{Code, Diagnostic, Span};
use pcl_model::expression::short_token;
use pcl_values::MAX_DEPTH;

use crate::expression::convert::MAX_TEXT;
use crate::monitor::Failure;
use crate::schema::inputs::Unreadable;
use crate::stop::Stop;
use crate::value::{Kind, MAX_PARTS, Marks, TooLarge, Value};

/// The most characters of a value that a message shows.
const MAX_SHOWN: usize = 60;

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
            Kind::Number(number) => Some(number.text()).filter(|text| text.len() <= MAX_SHOWN),
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
    match text.char_indices().nth(MAX_SHOWN) {
        None => pcl_syntax::quoted(text),
        Some((end, _)) => {
            let start = text.get(..end).unwrap_or_default();
            format!("{}..", pcl_syntax::quoted(start))
        }
    }
}

/// A key is null.
pub(crate) fn null_key(span: Span) -> Diagnostic {
    Diagnostic::error(Code::NullValue, span, "this key is null")
        .note("expected a string or a number")
}

/// A component that the engine does not register.
pub(crate) fn component_failed(span: Span, name: &str) -> Diagnostic {
    let message = format!("the engine did not register the component `{name}`");
    Diagnostic::error(Code::EngineError, span, message)
}

/// A function or method refuses its arguments.
pub(crate) fn refused(span: Span, token: &str, failures: &[Failure]) -> Diagnostic {
    let message = format!("`{token}` refuses its arguments");
    let mut diagnostic = Diagnostic::error(Code::CallRefused, span, message);
    for failure in failures {
        diagnostic = diagnostic.note(if failure.property.is_empty() {
            failure.reason.clone()
        } else {
            format!("`{}`: {}", failure.property, failure.reason)
        });
    }
    diagnostic
}

/// A function that does not exist at run time.
pub(crate) fn unknown(span: Span, name: &str) -> Diagnostic {
    let message = format!("the function `{name}` does not exist when a program runs");
    Diagnostic::error(Code::FunctionFailed, span, message)
}

/// A call with too few or too many arguments.
pub(crate) fn wrong_count(span: Span, name: &str, expected: usize, given: usize) -> Diagnostic {
    let arguments = if expected == 1 { "argument" } else { "arguments" };
    let message = format!("`{name}` expects {expected} {arguments}, found {given}");
    Diagnostic::error(Code::FunctionFailed, span, message)
}

/// An argument of another kind than the function takes.
pub(crate) fn wrong_argument(span: Span, name: &str, value: &Shown, expected: &str) -> Diagnostic {
    let message = format!("`{name}` expects {expected}, found {value}");
    Diagnostic::error(Code::WrongValueKind, span, message)
}

pub(crate) fn exceeded(span: Span, message: String, setting: &str) -> Diagnostic {
    Diagnostic::error(Code::ValueTooLarge, span, message)
        .note("a run that reaches a limit ends")
        .help(format!(
            "make the program do less, or raise the setting `{setting}` for a program that you trust"
        ))
}

/// A range of more than the `most` numbers that Pulumi makes.
pub(crate) fn range_too_long(span: Span, most: usize) -> Diagnostic {
    let message = format!("`range` makes at most {most} numbers");
    Diagnostic::error(Code::ValueTooLarge, span, message)
        .help("divide the work among several ranges")
}

/// A value is null where one is needed.
pub(crate) fn null(span: Span) -> Diagnostic {
    Diagnostic::error(Code::NullValue, span, "this value is null")
        .note("expected a value that is not null")
        .help("compare the value with `null` first, or give a default with `try`")
}

/// The failure of a value that is not `expected`.
pub(crate) fn unexpected(value: &Value, span: Span, expected: &str) -> Stop {
    wrong_kind(span, &Shown::of(value, &value.marks), expected).into()
}

/// A value has another kind than an operator or a function needs.
fn wrong_kind(span: Span, value: &Shown, expected: &str) -> Diagnostic {
    let message = format!("expected {expected}, found {value}");
    Diagnostic::error(Code::WrongValueKind, span, message).help(match value.noun() {
        "a list" => "take one element of the list, as in `value[0]`",
        "an object" | "a resource" => "name the part that you mean, as in `value.name`",
        _ => "check where the value comes from; `try` gives a default for one that does not fit",
    })
}

/// An input whose text is no number or bool.
pub(crate) fn unreadable_input(span: Span, owner: &str, input: &Unreadable) -> Diagnostic {
    let Unreadable { path, wanted, text } = input;
    let owner = short_token(owner);
    let found = match text.as_deref() {
        Some(text) => format!("the string {}", quoted(text)),
        None => "a string".to_owned(),
    };
    let message = format!("`{path}` of `{owner}` must be {wanted}, found {found}");
    Diagnostic::error(Code::WrongValueKind, span, message)
}

/// A string is not UTF-8 where text is needed.
pub(crate) fn not_utf8(span: Span) -> Diagnostic {
    let message = "expected text, found a string that is not UTF-8";
    Diagnostic::error(Code::WrongValueKind, span, message)
        .help("`toBase64` makes text of any bytes")
}

/// A number is infinite.
pub(crate) fn not_finite(span: Span) -> Diagnostic {
    let message = "this number exceeds the greatest 64-bit float";
    Diagnostic::error(Code::NotFinite, span, message)
        .help("write a number up to 1.7976931348623157e308")
}

/// A value is too large.
pub(crate) fn too_large(span: Span, error: TooLarge) -> Diagnostic {
    Diagnostic::error(Code::ValueTooLarge, span, too_large_text(error))
        .help("build the value from fewer parts")
}

/// The limit that a value exceeds, as a sentence.
pub(crate) fn too_large_text(error: TooLarge) -> String {
    match error {
        TooLarge::Depth => format!("this value nests deeper than {MAX_DEPTH} levels"),
        TooLarge::Parts => format!("this value has more than {MAX_PARTS} parts"),
    }
}

/// A string is too long.
pub(crate) fn text_too_long(span: Span) -> Diagnostic {
    let message = format!("this string is longer than {} MiB", MAX_TEXT >> 20);
    Diagnostic::error(Code::ValueTooLarge, span, message)
        .help("pass large content as an asset, such as `fileAsset(path)`")
}

/// A string or key that means something else to the engine.
pub(crate) fn reserved(span: Span) -> Diagnostic {
    let message = "this string is reserved: the engine would take it for something else";
    Diagnostic::error(Code::ReservedValue, span, message)
        .help("refer to the value instead of writing what a state file or a log has for it")
}

/// An expression that does not bind.
pub(crate) fn not_an_expression(span: Span) -> Diagnostic {
    let message = "this expression cannot be evaluated: it has an error that `pcl check` reports";
    Diagnostic::error(Code::Internal, span, message)
}

/// The value of an option is no resource.
pub(crate) fn not_a_resource(span: Span, name: &str, value: &Shown) -> Diagnostic {
    let message = format!("`{name}` expects a resource, found {value}");
    Diagnostic::error(Code::InvalidOptionValue, span, message)
        .help("name the resource itself, not one of its outputs")
}
