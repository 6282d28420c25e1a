//! The program that runs: where, and as what.
//!
//! The rules, with examples: `tests/spec/functions/program.md`.

use pcl_diagnostics::{Code, Diagnostic, Span};

use super::site::Site;
use crate::shown::Shown;
use crate::stop::Stop;
use crate::value::Value;

pub(super) fn cwd(site: &Site<'_>, _: &[Value]) -> Result<Value, Stop> {
    fact(site, &site.run.settings.working_directory)
}

pub(super) fn root_directory(site: &Site<'_>, _: &[Value]) -> Result<Value, Stop> {
    fact(site, &site.run.settings.root_directory)
}

pub(super) fn project(site: &Site<'_>, _: &[Value]) -> Result<Value, Stop> {
    fact(site, &site.run.settings.project)
}

pub(super) fn stack(site: &Site<'_>, _: &[Value]) -> Result<Value, Stop> {
    fact(site, &site.run.settings.stack)
}

pub(super) fn organization(site: &Site<'_>, _: &[Value]) -> Result<Value, Stop> {
    fact(site, &site.run.settings.organization)
}

/// A fact about the run, if it is there; unknown in a program that is tried for any stack.
fn fact(site: &Site<'_>, fact: &str) -> Result<Value, Stop> {
    if site.run.settings.any_stack {
        Ok(Value::UNKNOWN)
    } else if fact.is_empty() {
        Err(no_fact(site.span, site.name).into())
    } else {
        Ok(fact.into())
    }
}

pub(super) fn not_implemented(site: &Site<'_>, arguments: &[Value]) -> Result<Value, Stop> {
    let reason = arguments
        .first()
        .filter(|reason| reason.as_text().is_some())
        .map(|reason| Shown::of(reason, &reason.marks));
    Err(declared_unimplemented(site.span, reason.as_ref()).into())
}

/// A fact about the run that is not there.
fn no_fact(span: Span, name: &str) -> Diagnostic {
    let message = format!("`{name}` has no value in this run");
    let diagnostic = Diagnostic::error(Code::FunctionFailed, span, message);
    match name {
        "organization" => diagnostic.note("this backend has no organizations"),
        _ => diagnostic,
    }
}

/// `notImplemented` with its message.
fn declared_unimplemented(span: Span, reason: Option<&Shown>) -> Diagnostic {
    let reason = reason.map_or("", |reason| reason.or("a secret reason"));
    let message = format!("not implemented: {reason}");
    Diagnostic::error(Code::FunctionFailed, span, message)
        .help("write the part of the program that a converter left out")
}
