//! PCL0461, PCL0462 and PCL0463: methods, positional arguments, and types without values.

use pcl_diagnostics::{Code, Diagnostic, Span};

use super::did_you_mean;

fn bad_method(at: Span, message: String) -> Diagnostic {
    Diagnostic::error(Code::SchemaMethod, at, message).help(
        "a method is a function `RESOURCE/NAME` of this package whose first input is `__self__`",
    )
}

/// The function of a method does not exist.
pub(crate) fn unknown_method(at: Span, token: &str, meant: Option<&str>) -> Diagnostic {
    let meant = did_you_mean(meant);
    bad_method(at, format!("the package has no function `{token}`{meant}"))
}

/// The token of a method does not begin with that of its resource.
pub(crate) fn method_token(at: Span, owner: &str, token: &str) -> Diagnostic {
    bad_method(
        at,
        format!("the token of a method is `{owner}/NAME`, not `{token}`"),
    )
}

/// A method and a property have one name.
pub(crate) fn method_and_property(at: Span, name: &str) -> Diagnostic {
    bad_method(at, format!("there is also a property `{name}`"))
}

/// A function is a method of two resources.
pub(crate) fn method_of_two(at: Span, token: &str, owner: &str) -> Diagnostic {
    bad_method(at, format!("`{token}` is already a method of `{owner}`"))
}

/// The first input of a method is not the resource.
pub(crate) fn method_without_self(at: Span, token: &str) -> Diagnostic {
    bad_method(
        at,
        format!("the first input of a method is `__self__`, which `{token}` does not have"),
    )
}

fn bad_order(at: Span, message: String) -> Diagnostic {
    Diagnostic::error(Code::SchemaMultiArgument, at, message)
        .help("list every input once, in the order of the arguments")
}

/// A function without inputs has an order of them.
pub(crate) fn order_without_inputs(at: Span) -> Diagnostic {
    bad_order(at, "the function has no inputs to order".to_owned())
}

/// The order has an unknown or a duplicate input.
pub(crate) fn no_input_or_twice(at: Span, name: &str) -> Diagnostic {
    bad_order(at, format!("`{name}` is not an input, or is listed twice"))
}

/// The order lacks an input.
pub(crate) fn missing_in_order(at: Span, name: &str) -> Diagnostic {
    bad_order(at, format!("the input `{name}` is missing"))
}

/// Object types need each other without an end.
pub(crate) fn endless_type(at: Span, tokens: &[&str]) -> Diagnostic {
    let tokens: Vec<String> = tokens.iter().map(|token| format!("`{token}`")).collect();
    let message = format!(
        "no value of this type can exist: \
         it requires a value of its own type, through the required properties of {}",
        tokens.join(", ")
    );
    Diagnostic::error(Code::SchemaEndlessType, at, message)
        .help("make one of these properties optional")
}
