//! Answers of the engine.

use pcl_diagnostics::{Code, Diagnostic, Span};
use pcl_values::Urn;

use crate::monitor::Failure;

/// The engine or a provider fails.
pub(crate) fn failed(span: Span, message: &str) -> Diagnostic {
    Diagnostic::error(Code::EngineError, span, message)
}

/// A resource with the URN of another one, which is declared in another place or the same one.
pub(crate) fn duplicate(span: Span, first: Option<Span>) -> Diagnostic {
    let message = "another resource has the same type, parent and name";
    let diagnostic = Diagnostic::error(Code::DuplicateUrn, span, message)
        .note("the URN of a resource, which these make, must be unique in its stack")
        .help("give one of them another name with `__logicalName`");
    match first {
        Some(first) if first != span => diagnostic.label(first, "the other one"),
        _ => diagnostic,
    }
}

/// The properties of a resource that another one refers to cannot be read.
pub(crate) fn malformed_resource(span: Span, urn: &Urn) -> Diagnostic {
    let message = format!("the engine does not give the properties of `{urn}`");
    Diagnostic::error(Code::EngineError, span, message)
}

/// A failure to register a resource.
pub(crate) fn registering(diagnostic: Diagnostic, name: &str) -> Diagnostic {
    Diagnostic {
        message: format!("cannot register `{name}`: {}", diagnostic.message),
        ..diagnostic
    }
}

/// A failure to read a resource.
pub(crate) fn reading(diagnostic: Diagnostic, name: &str) -> Diagnostic {
    Diagnostic {
        message: format!("cannot read `{name}`: {}", diagnostic.message),
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

/// A function has one result, but the answer has another number of them.
pub(crate) fn not_one_result(span: Span, token: &str, found: usize) -> Diagnostic {
    let message = format!("expected one result of `{token}`, found {found}");
    Diagnostic::error(Code::EngineError, span, message)
}

/// A package has no reference after its registration.
pub(crate) fn no_package_reference(span: Span, name: &str) -> Diagnostic {
    let message = format!("the engine gives no reference for the package `{name}`");
    Diagnostic::error(Code::EngineError, span, message)
}
