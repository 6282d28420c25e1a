//! Attributes and blocks in bodies that do not know them.

use pcl_diagnostics::{Code, Diagnostic, Span};

/// An attribute that means nothing in a block of this type: Pulumi would pass over it without a
/// word.
pub(crate) fn ignored_attribute(span: Span, name: &str, block: &str) -> Diagnostic {
    let message = format!("`{name}` is not an attribute of `{block}` blocks");
    Diagnostic::warning(Code::IgnoredAttribute, span, message)
        .note("Pulumi ignores it")
        .ours()
}

/// A block that means nothing inside a block of this type.
pub(crate) fn ignored_block(span: Span, name: &str, block: &str) -> Diagnostic {
    let message = format!("`{block}` blocks have no `{name}` block");
    Diagnostic::error(Code::IgnoredBlock, span, message)
        .note("Pulumi ignores it, so it has no effect")
        .ours()
}

/// An attribute or block that the block refuses.
pub(crate) fn unknown_member(
    span: Span,
    name: &str,
    keyword: &str,
    label: Option<&str>,
) -> Diagnostic {
    let message = match label {
        Some(label) => format!("`{label}` {keyword}s have no `{name}`"),
        None => format!("`{keyword}` blocks have no `{name}`"),
    };
    Diagnostic::error(Code::UnknownProperty, span, message)
}

/// A block among attributes that means nothing there; an attribute may have been meant.
pub(crate) fn ignored_nested(span: Span, name: &str, block: &str) -> Diagnostic {
    ignored_block(span, name, block)
        .help("remove it, or write an attribute with `=` if a value was meant")
}
