//! Failures that a trial run of a program finds.

use pcl_diagnostics::{Diagnostic, Severity};

/// A failure that another configuration may avoid.
pub(crate) fn only_with_defaults(failure: Diagnostic) -> Diagnostic {
    failure
        .with_severity(Severity::Warning)
        .note("this fails with the defaults of the `config` blocks")
}
