//! Secrets, outputs of other stacks, what resources are called, and the program that runs: where,
//! and as what.
//!
//! The rules, with examples: `tests/spec/functions/outputs.md`, `tests/spec/functions/program.md`.

use pcl_diagnostics::{Code, Diagnostic, Span};

use super::site::Site;
use crate::stop::Stop;
use crate::value::{Kind, Marks, Value};
use crate::wording::Shown;

pub(super) fn secret(site: &Site<'_>) -> Result<Value, Stop> {
    Ok(site.value(0).clone().secret())
}

pub(super) fn unsecret(site: &Site<'_>) -> Result<Value, Stop> {
    let Value { kind, marks } = site.value(0).clone();
    Ok(Value { kind, marks: marks.revealed() })
}

pub(super) fn get_output(site: &Site<'_>) -> Result<Value, Stop> {
    let reference = site.value(0);
    let wanted = site.text(1)?;
    let mut marks = reference.marks.clone();
    let found = site.object(0)?.and_then(|fields| Some((fields, fields.get("outputs")?)));
    let Some((fields, outputs)) = found else { return Ok(Value::NULL.marked(&marks)) };
    marks.add(&outputs.marks);
    let secrets = fields.get("secretOutputNames");
    let mut secrets = secrets.and_then(Value::as_list).unwrap_or_default().iter();
    if secrets.any(|name| name.as_text().is_some_and(|name| *name == *wanted)) {
        marks.add(&Marks::secret());
    }
    let output = match &outputs.kind {
        Kind::Unknown => Value::UNKNOWN,
        Kind::Object(object) => object.get(wanted).cloned().unwrap_or(Value::NULL),
        _ => Value::NULL,
    };
    Ok(output.marked(&marks))
}

pub(super) fn resource_name(site: &Site<'_>) -> Result<Value, Stop> {
    internal(site, "__name")
}

pub(super) fn resource_type(site: &Site<'_>) -> Result<Value, Stop> {
    internal(site, "__type")
}

/// A fact about a resource that the program itself decides, so it has no marks.
fn internal(site: &Site<'_>, fact: &str) -> Result<Value, Stop> {
    let expected = "a resource";
    match site.fields(0, expected)?.get(fact) {
        // The name may have a secret key of a range.
        Some(fact) => Ok(Value::from(fact.kind.clone()).marked(&fact.marks.without_dependencies())),
        None => Err(site.wrong_argument(0, expected)),
    }
}

pub(super) fn cwd(site: &Site<'_>) -> Result<Value, Stop> {
    fact(site, &site.run.settings.working_directory)
}

pub(super) fn root_directory(site: &Site<'_>) -> Result<Value, Stop> {
    fact(site, &site.run.settings.root_directory)
}

pub(super) fn project(site: &Site<'_>) -> Result<Value, Stop> {
    fact(site, &site.run.settings.project)
}

pub(super) fn stack(site: &Site<'_>) -> Result<Value, Stop> {
    fact(site, &site.run.settings.stack)
}

pub(super) fn organization(site: &Site<'_>) -> Result<Value, Stop> {
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

pub(super) fn not_implemented(site: &Site<'_>) -> Result<Value, Stop> {
    let reason = site.value(0);
    Err(declared_unimplemented(site.span, &Shown::of(reason, &reason.marks)).into())
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
fn declared_unimplemented(span: Span, reason: &Shown) -> Diagnostic {
    let message = format!("not implemented: {}", reason.or("a secret reason"));
    Diagnostic::error(Code::FunctionFailed, span, message)
        .help("write the part of the program that a converter left out")
}
