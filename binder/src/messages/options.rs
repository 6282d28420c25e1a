//! The `options` block, and other blocks in the bodies of resources and components.

use pcl_diagnostics::{Code, Diagnostic, Span};

/// A second `options` block. `first` is the keyword of the first one.
pub(crate) fn duplicate(span: Span, first: Option<Span>) -> Diagnostic {
    let message = "there is more than one `options` block";
    let diagnostic = Diagnostic::error(Code::DuplicateBlock, span, message)
        .help("put all options into one block");
    match first {
        Some(first) => diagnostic.label(first, "the first one is here"),
        None => diagnostic,
    }
}

/// A block other than `options` in the body of a resource or component.
pub(crate) fn unsupported_block(span: Span, kind: &str, keyword: &str) -> Diagnostic {
    let message = format!("`{kind}` blocks have no `{keyword}` block");
    Diagnostic::error(Code::UnsupportedBlock, span, message)
}

/// A block that was probably meant as a nested value.
pub(crate) fn nested_value(diagnostic: Diagnostic, keyword: &str) -> Diagnostic {
    diagnostic.help(format!(
        "write a nested value as an attribute: `{keyword} = {{ .. }}`"
    ))
}

/// A block inside of `options`.
pub(crate) fn nested_block(span: Span, keyword: &str) -> Diagnostic {
    let message = format!("`options` has no `{keyword}` block");
    Diagnostic::error(Code::UnsupportedBlock, span, message)
        .help(format!("write it as an attribute: `{keyword} = {{ .. }}`"))
}

/// An option that is read before the program runs, and is not a plain string.
pub(crate) fn not_literal(span: Span, name: &str) -> Diagnostic {
    let message = format!("the option `{name}` takes a plain quoted string");
    Diagnostic::error(Code::OptionNotLiteral, span, message)
        .note("the package is loaded before the program runs, so it cannot be computed")
        .help(format!("write it out, as in `{name} = \"..\"`"))
}

/// An unknown option.
pub(crate) fn unknown(span: Span, name: &str) -> Diagnostic {
    let message = format!("there is no option `{name}`");
    Diagnostic::error(Code::UnsupportedAttribute, span, message)
}

/// A wrong value of an option that lists properties.
pub(crate) fn with_paths(diagnostic: Diagnostic) -> Diagnostic {
    diagnostic.help("name the properties without quotes, as in `[tags, rules[0].port]`")
}

/// A wrong value of an option that lists resources.
pub(crate) fn with_list(diagnostic: Diagnostic, name: &str) -> Diagnostic {
    diagnostic.help(format!(
        "write `{name} = [..]`, with brackets even around one resource"
    ))
}
