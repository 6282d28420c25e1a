//! A program or component: its nodes in their order.

use std::sync::Arc;

use pcl_binder::{ComponentBody, Module, Node, NodeBody, NodeId, NodeKind};
use pcl_model::expression::{ExprId, ExprKind};
use pcl_model::types::TypeId;
use pcl_values::{Dependencies, PropertyMap, ResourceId, Urn};

use crate::expression::convert::to_text;
use crate::expression::evaluate::Evaluator;
use crate::frame::Frame;
use crate::messages::{engine, operands};
use crate::monitor::{Outcome, RegisterResource};
use crate::node::resource::{property_dependencies, resource_value};
use crate::node::{self, Instance, Options, collect, evaluate_options, instances};
use crate::schedule::Plan;
use crate::stop::{Stop, both};
use crate::value::{Kind, References, Value};

/// Evaluates all nodes of a program or component. The result are its outputs by their names; those
/// that need a failed resource are missing.
pub(crate) fn run_nodes(frame: &Arc<Frame>) -> Result<PropertyMap, Stop> {
    let module = frame.module();
    evaluate_nodes(frame, |_| true)?;
    let mut outputs = PropertyMap::new();
    for (id, node) in module.nodes_with_ids() {
        if node.kind == NodeKind::Output
            && let Ok(value) = frame.node_value(id.0).to_property(References::Collapse)
        {
            outputs.insert(node.logical_name.to_string(), value);
        }
    }
    Ok(outputs)
}

/// Evaluates the nodes that an expression of a program needs.
pub(crate) fn run_needed(frame: &Arc<Frame>, expr: ExprId) -> Result<(), Stop> {
    let program = &frame.run.program;
    let mut needed = vec![false; frame.module().nodes.len()];
    let mut pending: Vec<NodeId> = Vec::new();
    for id in program.exprs.subtree(expr) {
        let ExprKind::Traversal(traversal) = &program.exprs[id].kind else {
            continue;
        };
        let definition = traversal.definition.map(|id| program.scopes.definition(id));
        pending.extend(definition.and_then(|it| it.kind.node()).map(NodeId));
    }
    while let Some(id) = pending.pop() {
        if let Some(seen) = needed.get_mut(id.index())
            && !std::mem::replace(seen, true)
        {
            pending.extend(frame.module().dependencies(id));
        }
    }
    let is_needed = |at: u32| needed.get(at as usize).copied().unwrap_or_default();
    node::config::read(frame, &is_needed)?;
    evaluate_nodes(frame, is_needed)
}

/// Evaluates the nodes of which a test says that they are needed.
fn evaluate_nodes(frame: &Arc<Frame>, is_needed: impl Fn(u32) -> bool + Sync) -> Result<(), Stop> {
    let run = &frame.run;
    let module = frame.module();
    let plan = Plan::new(module.nodes.len(), &edges(module));
    plan.run(
        run.settings.parallel,
        run.settings.keeps_going,
        |at| match is_needed(at) {
            true => {
                run.unless_cancelled()?;
                evaluate(frame, at)
            }
            false => Ok(()),
        },
        || run.cancel(),
    )
}

/// The needs of each node: the nodes that it refers to, and the check of the version of Pulumi,
/// which comes before everything that it does not need itself.
fn edges(module: &Module) -> Vec<(u32, u32)> {
    let mut edges = Vec::new();
    for (id, _) in module.nodes_with_ids() {
        edges.extend(
            module
                .dependencies(id)
                .iter()
                .map(|needed| (id.0, needed.0)),
        );
    }
    let is_gate = |node: &Node| matches!(node.body, NodeBody::Pulumi(Some(_)));
    let mut nodes = module.nodes_with_ids();
    if let Some((gate, _)) = nodes.find(|(_, node)| is_gate(node)) {
        let mut before = vec![false; module.nodes.len()];
        let mut pending = vec![gate];
        while let Some(id) = pending.pop() {
            if let Some(seen) = before.get_mut(id.index())
                && !std::mem::replace(seen, true)
            {
                pending.extend(module.dependencies(id));
            }
        }
        let after = before.iter().enumerate().filter(|(_, before)| !**before);
        edges.extend(after.map(|(at, _)| (at as u32, gate.0)));
    }
    edges
}

/// Evaluates a node, unless it has a value already. A node that needs a failed resource has failed
/// too, which is its value.
fn evaluate(frame: &Arc<Frame>, at: u32) -> Result<(), Stop> {
    if frame.has_value(at) {
        return Ok(());
    }
    let Some(node) = frame.module().nodes.get(at as usize) else {
        return Ok(());
    };
    match value(frame, at as usize, node) {
        Ok(value) => frame.set(at, value),
        Err(Stop::Poisoned(name)) => frame.set(at, Kind::Poisoned(name).into()),
        Err(stop) => return Err(stop),
    }
    Ok(())
}

fn value(frame: &Arc<Frame>, at: usize, node: &Node) -> Result<Value, Stop> {
    match &node.body {
        NodeBody::Empty | NodeBody::Output(None) | NodeBody::Pulumi(None) => Ok(Value::NULL),
        NodeBody::Local(expr) | NodeBody::Output(Some(expr)) => {
            Evaluator::new(frame).evaluate(*expr)
        }
        NodeBody::Config(body) => node::config::default(frame, body),
        NodeBody::Resource(body) => match node.kind {
            NodeKind::Read => node::read::read(frame, node, body),
            _ => node::resource::register(frame, node, body),
        },
        NodeBody::Component(body) => component(frame, node, body),
        NodeBody::Hook(body) => node::register_hook(frame, at, node, body),
        NodeBody::Pulumi(Some(range)) => {
            let mut evaluator = Evaluator::new(frame);
            let span = evaluator.span(*range);
            let range = evaluator.evaluate(*range)?;
            let text = match &range.kind {
                Kind::String(_) => to_text(&range, span)?,
                Kind::Unknown => return Ok(range),
                _ => return Err(operands::wrong_kind(span, &range, "a string").into()),
            };
            let text = text.map(|text| text.to_string()).unwrap_or_default();
            frame
                .run
                .answered(frame.run.monitor.require_version(&text), span)?;
            Ok(range)
        }
    }
}

/// Registers components and evaluates their programs.
fn component(frame: &Arc<Frame>, node: &Node, body: &ComponentBody) -> Result<Value, Stop> {
    let mut evaluator = Evaluator::new(frame);
    let instances = instances(&mut evaluator, node)?;
    let made = collect(instances, |instance| {
        frame.run.unless_cancelled()?;
        component_one(&mut evaluator, node, body, instance)
    })?;
    made.map_err(|error| operands::too_large(node.name_span(), error).into())
}

fn component_one(
    evaluator: &mut Evaluator<'_>,
    node: &Node,
    body: &ComponentBody,
    instance: Instance,
) -> Result<Value, Stop> {
    let (run, outer) = (Arc::clone(&evaluator.frame.run), evaluator.frame);
    let span = node.name_span();
    let name = format!("{}{}{}", outer.prefix, node.logical_name, instance.suffix);
    let evaluated = evaluator.with(instance.variables, |evaluator| {
        both(
            component_inputs(evaluator, body),
            evaluate_options(evaluator, node),
        )
    });
    let (values, options) = evaluated?;
    let sent = values.iter().map(|(name, value)| {
        let value = value
            .to_property(References::Collapse)
            .map_err(Stop::Poisoned)?;
        Ok((name.to_string(), value))
    });
    let sent: PropertyMap = sent.collect::<Result<_, Stop>>()?;
    let property_dependencies = property_dependencies(&sent);
    let Options {
        sent: options,
        parent,
        dependencies: of_options,
    } = options;
    let of_others = [&of_options, &instance.dependencies];
    let dependencies = property_dependencies.values().chain(of_others);
    let kind = match (&node.token, &body.source) {
        (Some(token), None) => token.to_string(),
        (_, source) => {
            format!(
                "components:index:{}",
                declaration_name(source.as_deref().unwrap_or_default())
            )
        }
    };
    let request = RegisterResource {
        parent: parent.or_else(|| outer.parent().cloned()),
        dependencies: dependencies.flat_map(Dependencies::iter).cloned().collect(),
        property_dependencies,
        inputs: sent,
        options,
        source: Some(node.span()),
        kind,
        name,
        ..RegisterResource::default()
    };
    let answer = run.monitor.register_resource(&request);
    let answer = run
        .answered(answer, span)
        .map_err(|stop| stop.about(|diagnostic| engine::registering(diagnostic, &request.name)))?;
    if answer.outcome != Outcome::Succeeded {
        return Err(engine::component_failed(span, &request.name).into());
    }
    let mut outputs = PropertyMap::new();
    let mut poisoned = Vec::new();
    let urn = Urn::from(answer.urn.as_str());
    if let Some(program) = body.program {
        let prefix = format!("{}-", request.name);
        let inner = Frame::new(Arc::clone(&run), Some(program), Some(urn.clone()), prefix);
        for (id, node) in inner.module().nodes_with_ids() {
            if node.kind == NodeKind::Config
                && let Some((_, value)) = values.iter().find(|(name, _)| **name == *node.name)
            {
                inner.set(id.0, value.clone());
            }
        }
        let inner = Arc::new(inner);
        outputs = run_nodes(&inner)?;
        run.answered(run.monitor.register_outputs(&urn, &outputs), span)?;
        for (id, node) in inner.module().nodes_with_ids() {
            if node.kind == NodeKind::Output
                && let Some(name) = inner.node_value(id.0).poison()
            {
                poisoned.push((node.logical_name.clone(), Arc::clone(name)));
            }
        }
    }
    let value = component_value(&request, &answer.id, &urn, &outputs, poisoned);
    value.map_err(|error| operands::too_large(span, error).into())
}

/// A component as a value: its outputs, of which those that need a failed resource have failed.
fn component_value(
    request: &RegisterResource,
    id: &str,
    urn: &Urn,
    outputs: &PropertyMap,
    poisoned: Vec<(Arc<str>, Arc<str>)>,
) -> Result<Value, crate::value::TooLarge> {
    let id = ResourceId::Known(id.to_owned());
    let value = resource_value(urn.as_str(), id, &request.name, &request.kind, outputs)?;
    if poisoned.is_empty() {
        return Ok(value);
    }
    let Kind::Resource(resource) = &value.kind else {
        return Ok(value);
    };
    let known = resource
        .known_fields()
        .into_iter()
        .flat_map(crate::value::Object::iter);
    let known = known.map(|(name, value)| (Arc::clone(name), value.clone()));
    let failed = poisoned
        .into_iter()
        .map(|(name, by)| (name, Kind::Poisoned(by).into()));
    let fields = crate::value::Object::new(known.chain(failed).collect())?;
    let resource = crate::value::Resource::new(resource.reference.clone(), fields);
    Ok(Value::from(resource).marked(&value.marks))
}

/// The inputs of a component, each converted to the type that its program declares.
fn component_inputs(
    evaluator: &mut Evaluator<'_>,
    body: &ComponentBody,
) -> Result<Vec<(Arc<str>, Value)>, Stop> {
    let run = evaluator.run();
    let declared = |name: &str| -> TypeId {
        let program = body
            .program
            .map(|program| &run.program.component(program).module);
        let mut nodes = program.into_iter().flat_map(|module| &module.nodes);
        let config = nodes.find(|node| node.kind == NodeKind::Config && *node.name == *name);
        config.map_or(TypeId::DYNAMIC, |config| config.ty)
    };
    let mut values = Vec::new();
    let mut stop = None;
    for input in &body.inputs {
        let span = evaluator.span(input.value);
        let value = evaluator.evaluate(input.value).and_then(|value| {
            let ty = declared(&input.name);
            let value = crate::config::coerced(&run.program.types, ty, value);
            value.map_err(|error| operands::too_large(span, error).into())
        });
        match value {
            Ok(value) => values.push((Arc::clone(&input.name), value)),
            Err(other) => other.collect(&mut stop),
        }
    }
    match stop {
        Some(stop) => Err(stop),
        None => Ok(values),
    }
}

/// The name of a component's type: the name of its directory in Pascal case.
fn declaration_name(source: &str) -> String {
    let base = source
        .trim_end_matches('/')
        .rsplit('/')
        .next()
        .unwrap_or_default();
    let words = base.split(|c: char| !c.is_alphanumeric());
    let capitalized = words.flat_map(|word| {
        let mut chars = word.chars();
        let first = chars.next().into_iter().flat_map(char::to_uppercase);
        first.chain(chars.collect::<Vec<_>>())
    });
    capitalized.collect()
}

#[cfg(test)]
mod tests {
    use super::declaration_name;

    #[test]
    fn the_type_of_a_component_is_named_after_its_directory() {
        assert_eq!(declaration_name("./modules/my_Thing-v2"), "MyThingV2");
        assert_eq!(declaration_name("./inner/"), "Inner");
    }
}
