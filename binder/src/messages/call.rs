//! Calls of methods by `call`.

use pcl_diagnostics::{Code, Diagnostic, Fix, Span, TextEdit, enumerate};
use pcl_model::expression::{optional, short_token};
use pcl_syntax::quoted;

/// A value in place of the one resource that a method is called on.
pub(crate) enum Receiver {
    /// Any number of resources.
    Several,
    /// One resource or none.
    Optional,
    /// A value of another type.
    Other,
}

/// A call with fewer than three arguments.
pub(crate) fn malformed(span: Span) -> Diagnostic {
    Diagnostic::error(
        Code::MalformedCall,
        span,
        "`call` takes a resource, the name of a method, and an object of arguments",
    )
    .help("write `call(resource, \"method\", { .. })`")
}

/// A name of a method that is computed. `known` are the methods of the resource.
pub(crate) fn name_not_literal(span: Span, known: &[String]) -> Diagnostic {
    Diagnostic::error(
        Code::MalformedCall,
        span,
        "the name of a method must be a quoted string without interpolations",
    )
    .help(if known.is_empty() {
        "the resource has no methods at all".to_owned()
    } else {
        format!(
            "its methods are {}",
            enumerate(known.iter().map(String::as_str))
        )
    })
}

/// A method whose function in the schema does not take the resource.
pub(crate) fn damaged(span: Span, method: &str, resource: &str, function: &str) -> Diagnostic {
    let resource = short_token(resource);
    let message = format!(
        "method `{method}` of `{resource}` is damaged: the function `{function}` does not take a resource as `__self__`"
    );
    Diagnostic::error(Code::InvalidSchemaMember, span, message)
}

/// A receiver that is not one resource; `found` is its type in words.
pub(crate) fn not_a_resource(span: Span, receiver: &Receiver, found: String) -> Diagnostic {
    let (found, help) = match receiver {
        Receiver::Several => (found, "name one of them, as in `resources[0]`"),
        Receiver::Optional => (
            optional(&found),
            "a resource with a conditional `range` has no methods to call",
        ),
        Receiver::Other => (found, "write the name of a resource of the program"),
    };
    let message = format!("the first argument of `call` must be a resource, found {found}");
    Diagnostic::error(Code::NotAResource, span, message).help(help)
}

/// A method that the resource does not have.
pub(crate) fn unknown_method<'n>(
    span: Span,
    token: &str,
    name: &str,
    known: impl ExactSizeIterator<Item = &'n str>,
    meant: Option<&str>,
) -> Diagnostic {
    let token = short_token(token);
    let message = format!("`{token}` has no method `{name}`");
    let diagnostic = Diagnostic::error(Code::UnknownMethod, span, message);
    if let Some(meant) = meant {
        let edit = TextEdit::replace(span, quoted(meant));
        diagnostic
            .help(format!("did you mean `{meant}`?"))
            .fix(Fix::unsafe_(format!("call `{meant}`"), vec![edit]))
    } else if known.len() == 0 {
        diagnostic.help(format!("`{token}` has no methods at all"))
    } else {
        diagnostic.help(format!("its methods are {}", enumerate(known)))
    }
}
