//! Words that several rules share.

use pcl_diagnostics::{Code, Diagnostic, Span};
use pcl_values::MAX_DEPTH;

use crate::expression::template::MAX_TEXT;
use crate::monitor::Failure;
use crate::shown::Shown;
use crate::value::{MAX_PARTS, TooLarge};

/// A key is null.
pub(crate) fn null_key(span: Span) -> Diagnostic {
    Diagnostic::error(Code::NullValue, span, "this key is null")
        .note("expected a string or a number")
}

/// A failure to register a resource.
pub(crate) fn registering(diagnostic: Diagnostic, name: &str) -> Diagnostic {
    Diagnostic {
        message: format!("cannot register `{name}`: {}", diagnostic.message),
        ..diagnostic
    }
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

/// A value is null where one is needed.
pub(crate) fn null(span: Span) -> Diagnostic {
    Diagnostic::error(Code::NullValue, span, "this value is null")
        .note("expected a value that is not null")
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

/// The value of an option is no resource.
pub(crate) fn not_a_resource(span: Span, name: &str, value: &Shown) -> Diagnostic {
    let message = format!("`{name}` expects a resource, found {value}");
    Diagnostic::error(Code::InvalidOptionValue, span, message)
        .help("name the resource itself, not one of its outputs")
}
