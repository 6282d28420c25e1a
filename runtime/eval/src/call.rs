//! `call`: calls of methods of resources.
//!
//! The rules, with examples: `tests/spec/run/call.md`.

use std::sync::Arc;

use pcl_diagnostics::Span;
use pcl_model::expression::{Call, ExprId};
use pcl_values::wire::UNKNOWN_STRING;
use pcl_values::{Dependencies, PropertyMap, ResourceId, ResourceReference};

use crate::expression::evaluate::Evaluator;
use crate::invoke::{Callee, fields, hidden_arguments, marks_of};
use crate::monitor::{Called, MethodCall};
use crate::node::reference;
use crate::node::resource::property_dependencies;
use crate::stop::{Stop, both, unless_poisoned};
use crate::value::{Kind, Marks, Object, Value};
use crate::wording::{self, Shown};

/// The value of a call of a method.
pub(crate) fn call(evaluator: &mut Evaluator<'_>, id: ExprId, call: &Call) -> Result<Value, Stop> {
    let callee = Callee::of(evaluator, id, call)?;
    let span = evaluator.span(id);
    let [receiver_id, _, arguments_id, ..] = call.arguments[..] else {
        let given = call.arguments.len();
        return Err(wording::wrong_count(span, "call", 3, given).into());
    };
    let receiver = evaluator.evaluate(receiver_id);
    let arguments = evaluator.evaluate(arguments_id);
    let (receiver, arguments) = both(receiver, arguments)?;
    unless_poisoned(&arguments)?;
    let place = evaluator.span(arguments_id);
    let sent = fields(evaluator, &arguments, place, &arguments.marks)?;
    let run = evaluator.run();
    let accepts_outputs = run.features().call_outputs;
    // Secret properties of the resource do not count.
    let mut marks = receiver.marks.clone();
    if !accepts_outputs {
        // The engine does not say which parts of the result are secret.
        marks.add(&marks_of(&sent, &arguments.marks, &Dependencies::NONE));
    }
    let resource = match &receiver.kind {
        Kind::Unknown => return Ok(Value::unknown(marks)),
        Kind::Resource(resource) => resource,
        _ => {
            let found = Shown::of(&receiver, &marks);
            let place = evaluator.span(receiver_id);
            return Err(wording::not_a_resource(place, "call", &found).into());
        }
    };
    let argument_dependencies = property_dependencies(&sent);
    run.spend_request(&sent, || span)?;
    let hidden = hidden_arguments(evaluator, sent);
    let mut sent = callee.converted(evaluator, hidden, &marks, span)?;
    // Engines read a provider's id from here, which is this text while it is unknown.
    let id = match resource.id() {
        ResourceId::Unknown if is_provider(&resource.reference) => {
            ResourceId::Known(UNKNOWN_STRING.to_owned())
        }
        other => other.clone(),
    };
    let reference = ResourceReference {
        package_version: resource.reference.package_version.clone(),
        ..reference(resource.urn().clone(), id)
    };
    sent.insert("__self__".into(), reference.into());
    let request = MethodCall {
        token: callee.token.to_owned(),
        arguments: sent,
        argument_dependencies,
        package: run.package_of(callee.token),
        accepts_outputs,
    };
    match run.answered(run.monitor.call(&request), span)? {
        Called::Unknown => Ok(Value::unknown(marks)),
        Called::Failures(failures) => Err(wording::refused(span, callee.token, &failures).into()),
        Called::Result(answer, _) if accepts_outputs => {
            Ok(callee.result(run, answer, span)?.marked(&marks))
        }
        Called::Result(answer, dependencies) => {
            let value = callee.result(run, answer, span)?;
            Ok(with_dependencies(value, &dependencies, span)?.marked(&marks))
        }
    }
}

fn is_provider(reference: &ResourceReference) -> bool {
    let kind = reference.urn.resource_type().unwrap_or_default();
    kind.starts_with("pulumi:providers:")
}

/// The result with the dependencies that the answer gives for each property.
fn with_dependencies(
    value: Value,
    dependencies: &PropertyMap<Dependencies>,
    span: Span,
) -> Result<Value, Stop> {
    if dependencies.values().all(Dependencies::is_empty) {
        return Ok(value);
    }
    let Kind::Object(object) = &value.kind else {
        let all = dependencies.values().flat_map(Dependencies::iter).cloned();
        return Ok(value.marked(&Marks::new(false, all.collect())));
    };
    let fields = object.iter().map(|(name, value)| {
        let of_field = dependencies.get(&**name).cloned().unwrap_or_default();
        (Arc::clone(name), value.clone().marked(&Marks::new(false, of_field)))
    });
    let object = Object::new(fields.collect());
    let object = object.map_err(|error| wording::too_large(span, error))?;
    Ok(Value::from(Kind::Object(Arc::new(object))).marked(&value.marks))
}
