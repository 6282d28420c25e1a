//! Files of attributes that are not programs.

use pcl_diagnostics::{Code, Diagnostic, Span};

/// A filter for a listing of resources that cannot be listed.
pub(crate) fn not_listable(span: Span, token: &str) -> Diagnostic {
    let message = format!("resources of type `{token}` cannot be listed");
    Diagnostic::error(Code::NotListable, span, message)
        .help("take a type whose schema has `listInputs`")
}

/// A block among the attributes.
pub(crate) fn block(span: Span, keyword: &str) -> Diagnostic {
    let message = format!("a `{keyword}` block is not allowed here");
    Diagnostic::error(Code::UnsupportedBlock, span, message)
        .help("write attributes only, as `name = value`")
}
