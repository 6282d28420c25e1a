//! `read` blocks.
//!
//! The rules, with examples: `tests/spec/run/read.md`.

use std::sync::Arc;

use pcl_binder::{BoundAttribute, Node, ResourceBody};
use pcl_diagnostics::Diagnostic;
use pcl_language::ResourceOption;
use pcl_values::{Dependencies, ResourceId};

use super::answered::{Answered, Completion};
use super::resource::{Token, converter, inputs, property_dependencies};
use super::{Instance, collect, evaluate_options, instances};
use crate::budget::{FREE, REQUEST};
use crate::expression::convert::to_text;
use crate::expression::evaluate::Evaluator;
use crate::frame::Frame;
use crate::monitor::ReadResource;
use crate::stop::{Stop, both};
use crate::value::{Marks, Value};
use crate::wording;

/// Reads the resources that a block names.
pub(crate) fn read(frame: &Frame, node: &Node, body: &ResourceBody) -> Result<Value, Stop> {
    let mut evaluator = Evaluator::new(frame);
    let instances = instances(&mut evaluator, node)?;
    let made = collect(instances, |instance| {
        evaluator.run().unless_cancelled()?;
        read_one(&mut evaluator, node, body, instance)
    })?;
    made.map_err(|error| wording::too_large(node.name_span(), error).into())
}

fn read_one(
    evaluator: &mut Evaluator<'_>,
    node: &Node,
    body: &ResourceBody,
    instance: Instance,
) -> Result<Value, Stop> {
    let (run, frame) = (evaluator.run(), evaluator.frame);
    let (ids, others): (Vec<_>, Vec<_>) =
        body.inputs.iter().cloned().partition(|input| *input.name == *"id");
    let free = match frame.component {
        None if instance.suffix.is_empty() => FREE,
        _ => 0,
    };
    if frame.component.is_some() && instance.suffix.is_empty() {
        run.spend(REQUEST, || node.name_span())?;
    }
    let evaluated = evaluator.with(instance.variables, |evaluator| {
        let id = id(evaluator, ids.first(), node);
        let inputs = inputs(evaluator, &others, free);
        both(id, both(inputs, evaluate_options(evaluator, node)))
    });
    let ((id, of_id), (inputs, options)) = evaluated?;
    let has_secret_id = of_id.is_secret();
    let token = Token::of(run, node, body);
    let properties = match token.spec {
        Some((facts, spec)) => match &spec.state_inputs {
            Some(state) => converter(run).apply(facts, token.member, state, inputs),
            None => inputs,
        },
        None => inputs,
    };
    let of_properties = property_dependencies(&properties);
    let of_others = [of_id.dependencies(), &options.dependencies, &instance.dependencies];
    let dependencies = of_properties.values().chain(of_others);
    let own = frame.prefix.with(&node.logical_name, None);
    let name = own.with(&instance.suffix, instance.shown_suffix.as_deref());
    let request = ReadResource {
        name: name.text.clone(),
        shown_name: name.shown.clone(),
        parent: options.parent.or_else(|| frame.parent().cloned()),
        dependencies: Dependencies::all(dependencies),
        package: run.package_of(&token.text),
        additional_secret_outputs: options
            .sent
            .paths(ResourceOption::AdditionalSecretOutputs)
            .to_vec(),
        provider: options.sent.provider,
        version: options.sent.version,
        plugin_download_url: options.sent.plugin_download_url,
        source: Some(node.span()),
        kind: Arc::clone(&token.text),
        properties: Arc::new(properties),
        id,
        has_secret_id,
    };
    let span = node.name_span();
    let answer = run.monitor.read_resource(&request);
    let answer = run
        .answered(answer, span)
        .map_err(|stop| stop.about(|diagnostic| reading(diagnostic, name.shown())))?;
    run.fetch_referred(&answer.properties, span);
    let id = match request.id {
        Some(id) => ResourceId::Known(id),
        None => ResourceId::Unknown,
    };
    let answered = Answered {
        name,
        kind: request.kind,
        outputs: Answered::outputs(answer.properties, &request.properties),
        completion: Completion::of(run, &token, run.settings.is_preview),
    };
    let value =
        answered.into_value(answer.urn, id).map_err(|error| wording::too_large(span, error))?;
    // A reference to the resource holds the id as plain text.
    Ok(if has_secret_id { value.secret() } else { value })
}

/// The id of the resource, with its marks; `None` if it is unknown.
fn id(
    evaluator: &mut Evaluator<'_>,
    attribute: Option<&BoundAttribute>,
    node: &Node,
) -> Result<(Option<String>, Marks), Stop> {
    let Some(attribute) = attribute else {
        return Err(wording::null(node.name_span()).into());
    };
    let span = evaluator.span(attribute.value);
    let value = evaluator.evaluate(attribute.value)?;
    let text = to_text(&value, span)?;
    let marks = value.marks.clone();
    match text {
        None => Ok((None, marks)),
        Some(text) => match text.unmarked().as_str() {
            Some(text) => Ok((Some(text.to_owned()), marks)),
            None => Err(wording::not_utf8(span).into()),
        },
    }
}

/// A failure to read a resource.
fn reading(diagnostic: Diagnostic, name: &str) -> Diagnostic {
    Diagnostic { message: format!("cannot read `{name}`: {}", diagnostic.message), ..diagnostic }
}
