//! The wording of every diagnostic of a run. Nothing that is secret is ever part of one: messages
//! see no values, only [`Shown`].

pub(crate) mod access;
pub(crate) mod config;
pub(crate) mod engine;
pub(crate) mod functions;
pub(crate) mod hooks;
pub(crate) mod limits;
pub(crate) mod loops;
pub(crate) mod mutual;
pub(crate) mod operands;
pub(crate) mod options;
mod shown;

use pcl_diagnostics::Diagnostic;
pub(crate) use shown::Shown;

/// The same diagnostic without a word about the value, which is part of a secret one.
pub(crate) fn redacted(diagnostic: &Diagnostic) -> Diagnostic {
    let message = "this expression fails for a secret value";
    Diagnostic::error(diagnostic.code, diagnostic.primary, message)
        .note("the reason would tell something about the secret, so it is not shown")
        .help("try the expression with a value that is not secret")
}
