//! `config` blocks.
//!
//! The rules, with examples: `tests/spec/run/config.md`.

use pcl_binder::{ConfigBody, Node, NodeBody, NodeId};
use pcl_diagnostics::{Code, Diagnostic, Span};

use crate::config::{Misfit, parse};
use crate::expression::evaluate::Evaluator;
use crate::frame::Frame;
use crate::shown::Shown;
use crate::stop::Stop;
use crate::value::{Marks, Value};
use crate::wording;

/// Reads the configuration that a program needs before it runs, so that every mistake in it is
/// reported before anything is registered. Defaults are evaluated later, when their node comes.
pub(crate) fn read(frame: &Frame, is_needed: &dyn Fn(u32) -> bool) -> Result<(), Stop> {
    let mut stop = None;
    for (id, node) in frame.module().nodes_with_ids() {
        if is_needed(id.0)
            && let Err(other) = read_node(frame, id, node)
        {
            other.collect(&mut stop);
        }
    }
    match stop {
        Some(stop) => Err(stop),
        None => Ok(()),
    }
}

/// Reads the configuration of a node, if it is a variable without a value.
pub(crate) fn read_node(frame: &Frame, id: NodeId, node: &Node) -> Result<(), Stop> {
    if let NodeBody::Config(body) = &node.body
        && !frame.has_value(id.0)
        && let Some(value) = read_one(frame, node, body)?
    {
        frame.set(id.0, value);
    }
    Ok(())
}

/// The configured value; `None` if the default counts.
fn read_one(frame: &Frame, node: &Node, body: &ConfigBody) -> Result<Option<Value>, Stop> {
    let run = &frame.run;
    let span = node.name_span();
    let config = &run.settings.config;
    let key = || format!("{}:{}", run.settings.project, node.logical_name);
    let entry = if config.is_empty() { None } else { config.get(&key()) };
    let Some(entry) = entry else {
        return match (body.default, body.nullable) {
            (Some(_), _) => Ok(None),
            (None, _) if run.settings.any_stack => Ok(Some(Value::unknown(marks(body, false)))),
            (None, true) => Ok(Some(Value::NULL)),
            (None, false) => Err(missing(span, &node.logical_name).into()),
        };
    };
    let marks = marks(body, entry.is_secret);
    let Some(text) = &entry.text else {
        run.warn(encrypted(span, &node.logical_name));
        return Ok(Some(Value::unknown(marks)));
    };
    let types = &run.program.types;
    let text = text.unmarked().as_str().unwrap_or_default();
    let value = parse(types, node.ty, text).map_err(|misfit: Misfit| {
        let extra = match &misfit {
            Misfit::Extra(name) => Some(Shown::text(name, &marks)),
            _ => None,
        };
        let found = Shown::text(text, &marks);
        value_does_not_fit(span, &node.logical_name, &found, &misfit, extra.as_ref())
    })?;
    if value
        .as_text()
        .and_then(|text| pcl_values::wire::reserved(text.unmarked().as_str()?))
        .is_some()
    {
        return Err(crate::wording::reserved(span).into());
    }
    Ok(Some(value.marked(&marks)))
}

fn marks(body: &ConfigBody, is_secret: bool) -> Marks {
    if body.secret || is_secret { Marks::secret() } else { Marks::NONE }
}

/// The default of a variable that has no value; null without one.
pub(crate) fn default(frame: &Frame, body: &ConfigBody) -> Result<Value, Stop> {
    let value = match body.default {
        Some(default) => Evaluator::new(frame).evaluate(default)?,
        None => Value::NULL,
    };
    Ok(value.marked(&marks(body, false)))
}

/// A variable has no value.
fn missing(span: Span, name: &str) -> Diagnostic {
    let message = format!("the configuration variable `{name}` has no value");
    Diagnostic::error(Code::MissingConfig, span, message)
        .help(format!("set it with `pulumi config set {name} ..`, or give it a `default`"))
}

/// The configured text does not fit its variable. A secret text is not shown.
fn value_does_not_fit(
    span: Span,
    name: &str,
    text: &Shown,
    misfit: &Misfit,
    extra: Option<&Shown>,
) -> Diagnostic {
    let found = format!("found {}", text.or("a secret value"));
    let message = match misfit {
        Misfit::Expected(expected) => {
            format!("the configuration variable `{name}` expects {expected}, {found}")
        }
        Misfit::NotJson(..) => {
            format!("the configuration variable `{name}` expects JSON, {found}")
        }
        Misfit::Extra(_) => {
            format!("the configuration variable `{name}` has a value that its type does not have")
        }
        Misfit::TooLarge(error) => return wording::too_large(span, *error),
    };
    let diagnostic = Diagnostic::error(Code::InvalidConfig, span, message)
        .help(format!("set another value with `pulumi config set {name} ..`"));
    match (misfit, extra) {
        (Misfit::NotJson(line, column), _) => {
            diagnostic.note(format!("the JSON is malformed at line {line}, column {column}"))
        }
        (Misfit::Extra(_), Some(extra)) if !extra.is_secret() => {
            diagnostic.note(format!("its name is {}", extra.or("long")))
        }
        _ => diagnostic,
    }
}

/// A value is encrypted and its key is not known.
fn encrypted(span: Span, name: &str) -> Diagnostic {
    let message =
        format!("the configuration variable `{name}` is encrypted, so it is unknown here");
    Diagnostic::warning(Code::EncryptedConfig, span, message)
        .ours()
        .help("set PULUMI_CONFIG_PASSPHRASE or PULUMI_CONFIG_PASSPHRASE_FILE to decrypt it")
}
