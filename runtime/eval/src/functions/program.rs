//! The program that runs: where, and as what.
//!
//! The rules, with examples: `tests/spec/functions/program.md`.

use super::site::Site;
use crate::messages::{Shown, functions};
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
    match fact.is_empty() {
        _ if site.run.settings.any_stack => Ok(Value::UNKNOWN),
        true => Err(functions::no_fact(site.span, site.name).into()),
        false => Ok(fact.into()),
    }
}

pub(super) fn not_implemented(site: &Site<'_>, arguments: &[Value]) -> Result<Value, Stop> {
    let reason = arguments
        .first()
        .filter(|reason| reason.as_text().is_some())
        .map(|reason| Shown::of(reason, &reason.marks));
    Err(functions::not_implemented(site.span, reason.as_ref()).into())
}
