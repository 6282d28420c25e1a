//! `read name "package:module:Type" { id = .. }`: what cannot be read.
//!
//! The rules, with examples: `tests/spec/blocks/read.md`.

use pcl_diagnostics::{Code, Diagnostic, Span};
use pcl_model::expression::short_token;

/// A `read` of a provider.
pub(super) fn provider_read(span: Span, written: &str) -> Diagnostic {
    let message = format!("`{written}` is a provider, and providers cannot be read");
    Diagnostic::error(Code::ProviderRead, span, message)
        .help("declare it with `resource`, or read one of the provider's resources")
}

/// A `read` of a component.
pub(super) fn component_read(span: Span, token: &str) -> Diagnostic {
    let token = short_token(token);
    let message = format!("`{token}` is a component, and components cannot be read");
    Diagnostic::error(Code::ComponentRead, span, message)
        .help("read the resources inside the component instead")
}
