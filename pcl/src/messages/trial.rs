//! Failures that a trial run of a program finds.

use pcl_diagnostics::{Diagnostic, Severity};

/// The note on a failure that another configuration may avoid.
pub(crate) const DEFAULTS: &str = "this fails with the defaults of the `config` blocks";

/// A failure that another configuration may avoid.
pub(crate) fn only_with_defaults(failure: Diagnostic) -> Diagnostic {
    failure.with_severity(Severity::Warning).note(DEFAULTS)
}

/// A file that is not there, and may be there before the program runs.
pub(crate) fn missing_file(failure: Diagnostic) -> Diagnostic {
    failure.with_severity(Severity::Warning)
}
