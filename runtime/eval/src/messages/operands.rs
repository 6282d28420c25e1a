//! Values that an operator, a function or a template cannot take.

use pcl_diagnostics::{Code, Diagnostic, Span};
use pcl_number::NumberError;
use pcl_values::MAX_DEPTH;

use super::Shown;
use crate::expression::template::MAX_TEXT;
use crate::value::{MAX_PARTS, TooLarge};

/// A value is null where one is needed.
pub(crate) fn null(span: Span) -> Diagnostic {
    Diagnostic::error(Code::NullValue, span, "this value is null")
        .note("expected a value that is not null")
        .help("compare the value with `null` first, or give a default with `try`")
}

/// An argument of a function is null.
pub(crate) fn null_argument(span: Span, function: &str) -> Diagnostic {
    let message = format!("this argument of `{function}` is null");
    Diagnostic::error(Code::NullValue, span, message)
        .note(format!("`{function}` expects a value that is not null"))
        .help("compare the value with `null` first")
}

/// A part of a template is null.
pub(crate) fn null_in_template(span: Span) -> Diagnostic {
    Diagnostic::error(Code::NullValue, span, "cannot interpolate null")
        .note("expected a string, a number or a bool")
        .help("compare the value with `null` first, or give a default with `try`")
}

/// A value has another kind than an operator or a function needs.
pub(crate) fn wrong_kind(span: Span, value: &Shown, expected: &str) -> Diagnostic {
    let message = format!("expected {expected}, found {value}");
    Diagnostic::error(Code::WrongValueKind, span, message).help(remedy(value))
}

/// The help for a value of a wrong kind.
fn remedy(value: &Shown) -> &'static str {
    match value.noun() {
        "a list" => "take one element of the list, as in `value[0]`",
        "an object" | "a resource" => "name the part that you mean, as in `value.name`",
        _ => "check where the value comes from; `try` gives a default for one that does not fit",
    }
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

/// An operator has no finite result.
pub(crate) fn arithmetic(span: Span, error: NumberError) -> Diagnostic {
    Diagnostic::error(Code::NotFinite, span, error.to_string())
        .help("exclude zero as the divisor with a condition, and keep numbers below 1.8e308")
}

/// A number is not whole.
pub(crate) fn not_whole(span: Span, value: &Shown) -> Diagnostic {
    let message = format!("expected a whole number, found {value}");
    Diagnostic::error(Code::WrongValueKind, span, message)
        .help("subtract the remainder, as in `n - n % 1`")
}

/// A value is too large.
pub(crate) fn too_large(span: Span, error: TooLarge) -> Diagnostic {
    let message = match error {
        TooLarge::Depth => format!("this value nests deeper than {MAX_DEPTH} levels"),
        TooLarge::Parts => format!("this value has more than {MAX_PARTS} parts"),
    };
    Diagnostic::error(Code::ValueTooLarge, span, message).help("build the value from fewer parts")
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
