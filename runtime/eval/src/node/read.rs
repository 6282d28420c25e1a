//! `read` blocks.
//!
//! The rules, with examples: `tests/spec/run/read.md`.

use std::sync::Arc;

use pcl_binder::{BoundAttribute, Node, ResourceBody};
use pcl_language::ResourceOption;
use pcl_values::{Dependencies, PropertyMap, ResourceId};

use super::answered::{Answered, Completion, Identity};
use super::resource::{Declared, converter, properties, property_dependencies, unreadable};
use super::{Instance, collect, instances};
use crate::expression::convert::to_text;
use crate::expression::evaluate::Evaluator;
use crate::frame::Frame;
use crate::monitor::{Outcome, ReadAnswer, ReadResource};
use crate::stop::{Stop, both};
use crate::value::{Marks, Value};
use crate::wording;

/// Reads the resources that a block names.
pub(crate) fn read(frame: &Frame, node: &Node, body: &ResourceBody) -> Result<Value, Stop> {
    let mut evaluator = Evaluator::new(frame);
    let instances = instances(&mut evaluator, node)?;
    collect(instances, node, |instance| {
        evaluator.run().unless_cancelled()?;
        read_one(&mut evaluator, node, body, instance)
    })
}

fn read_one<'r>(
    evaluator: &mut Evaluator<'r>,
    node: &'r Node,
    body: &ResourceBody,
    instance: Instance,
) -> Result<Value, Stop> {
    let (run, frame) = (evaluator.run(), evaluator.frame);
    let (ids, others): (Vec<_>, Vec<_>) =
        body.inputs.iter().cloned().partition(|input| *input.name == *"id");
    let of_instance = instance.variables.iter().cloned();
    let id = evaluator.with(of_instance, |evaluator| id(evaluator, ids.first(), node));
    let declared = Declared::of(evaluator, node, body, &others, instance);
    let ((id, of_id), declared) = both(id, declared)?;
    let Declared { inputs, options, token, name, of_range } = declared;
    let has_secret_id = of_id.is_secret();
    let inputs = properties(inputs)?;
    let properties = match token.spec {
        Some((facts, spec)) => match &spec.state_inputs {
            Some(state) => {
                let converted = converter(run).apply(facts, token.member, state, inputs);
                let owner = facts.schema().token(token.member);
                converted.map_err(|error| unreadable(evaluator, node, &others, owner, &error))?
            }
            None => inputs,
        },
        None => inputs,
    };
    let of_properties = property_dependencies(&properties);
    let of_others = [of_id.dependencies(), &options.dependencies, &of_range];
    let dependencies = of_properties.values().chain(of_others);
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
    let answer = run.answered(answer, span).map_err(|stop| stop.cannot("read", name.shown()))?;
    let ReadAnswer { urn, id, properties, outcome, is_unknown } = answer;
    let has_failed = outcome != Outcome::Succeeded;
    let properties = if has_failed { PropertyMap::new() } else { properties };
    run.fetch_referred(&properties, span);
    let is_preview = run.settings.is_preview;
    if !is_preview && (has_failed || is_unknown) {
        run.leave_unfinished(&urn);
    }
    let id = match request.id {
        _ if !id.is_empty() => ResourceId::Known(id),
        // An older engine never answers the id.
        Some(_) if is_preview && run.features().answers_ids() => ResourceId::Unknown,
        Some(id) => ResourceId::Known(id),
        None => ResourceId::Unknown,
    };
    let answered = Answered {
        identity: Identity { name, kind: request.kind },
        outputs: Answered::outputs(properties, &request.properties),
        completion: Completion::of(run, &token, is_preview || has_failed || is_unknown),
    };
    let value = answered.into_value(urn, id).map_err(|error| wording::too_large(span, error))?;
    // A reference to the resource holds the id as plain text.
    Ok(if has_secret_id { value.secret() } else { value })
}

/// The id of the resource, with its marks; `None` if it is unknown.
fn id(
    evaluator: &mut Evaluator<'_>,
    attribute: Option<&BoundAttribute>,
    node: &Node,
) -> Result<(Option<String>, Marks), Stop> {
    let Some(attribute) = attribute else { return Err(wording::null(node.name_span()).into()) };
    let span = evaluator.span(attribute.value);
    let value = evaluator.evaluate(attribute.value)?;
    let text = to_text(&value, span)?;
    let marks = value.marks.clone();
    let Some(text) = text else { return Ok((None, marks)) };
    let text = text.unmarked().as_str().ok_or_else(|| wording::not_utf8(span))?;
    Ok((Some(text.to_owned()), marks))
}
