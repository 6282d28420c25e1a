//! `component` blocks.
//!
//! The rules, with examples: `tests/spec/run/component.md`.

use std::sync::Arc;

use pcl_binder::{BoundAttribute, ComponentBody, Node, NodeBody, NodeKind};
use pcl_model::scope::DefinitionId;
use pcl_values::{Dependencies, PropertyMap, ResourceId, Urn};

use super::answered::{Answered, Identity};
use super::resource::{properties, property_dependencies, shared};
use super::{Instance, Options, evaluate_options};
use crate::expression::evaluate::Evaluator;
use crate::frame::{Frame, Name};
use crate::monitor::{Outcome, RegisterResource};
use crate::stop::{self, Stop, both};
use crate::value::{Kind, Object, Resource, TooLarge, Value};
use crate::wording;

/// A component that is registered.
pub(crate) struct Component {
    name: Name,
    kind: Arc<str>,
    id: String,
    urn: Urn,
    /// The value of `range` in its inputs.
    pub variables: Box<[(DefinitionId, Value)]>,
    /// The program in its directory; `None` for a component without a source.
    pub inner: Option<Arc<Frame>>,
}

impl Component {
    /// Registers a component with those of its inputs that are sent, and gives them to its program.
    pub fn register(
        evaluator: &mut Evaluator<'_>,
        node: &Node,
        body: &ComponentBody,
        instance: Instance,
        is_sent: impl Fn(&BoundAttribute) -> bool,
    ) -> Result<Self, Stop> {
        let (run, outer) = (Arc::clone(&evaluator.frame.run), evaluator.frame);
        let Instance { suffix, shown_suffix, variables, dependencies: of_range } = instance;
        let own = outer.prefix.with(&node.logical_name, None);
        let name = own.with(&suffix, shown_suffix.as_deref());
        let evaluated = evaluator.with(variables.iter().cloned(), |evaluator| {
            let sent = body.inputs.iter().filter(|&input| is_sent(input));
            let inputs = stop::all::<_, Vec<_>>(sent.map(|attribute| {
                Ok((Arc::clone(&attribute.name), input(evaluator, body, attribute)?))
            }));
            both(inputs, evaluate_options(evaluator, node))
        });
        let (values, options) = evaluated?;
        let sent = properties(values.iter().map(|(name, value)| (Arc::clone(name), value)))?;
        let property_dependencies = property_dependencies(&sent);
        let Options { sent: options, parent, dependencies: of_options } = options;
        let of_others = [&of_options, &of_range];
        let dependencies = property_dependencies.values().chain(of_others);
        let kind = node.token.clone().unwrap_or_default();
        run.spend_request(&sent, || node.name_span())?;
        let request = RegisterResource {
            parent: parent.or_else(|| outer.parent().cloned()),
            dependencies: Dependencies::all(dependencies),
            property_dependencies,
            inputs: Arc::new(sent),
            options: shared(options),
            source: Some(node.span()),
            kind,
            name: name.text.clone(),
            shown_name: name.shown.clone(),
            ..RegisterResource::default()
        };
        let span = node.name_span();
        let answer = run.monitor.register_resource(&request);
        let answer = run.answered(answer, span);
        let answer = answer.map_err(|stop| stop.cannot("register", name.shown()))?;
        if answer.outcome != Outcome::Succeeded {
            return Err(wording::component_failed(span, name.shown()).into());
        }
        let urn = answer.urn;
        let inner = body.program.map(|program| {
            let prefix = name.with("-", None);
            Arc::new(Frame::new(run, Some(program), Some(urn.clone()), prefix))
        });
        let component = Self { name, kind: request.kind, id: answer.id, urn, variables, inner };
        for (name, value) in values {
            component.set_input(&name, value);
        }
        Ok(component)
    }

    /// Gives an input to the program of the component.
    pub fn set_input(&self, name: &str, value: Value) {
        let Some(inner) = &self.inner else { return };
        let program = inner.component.map(|id| inner.run.program.component(id));
        if let Some((id, _)) = program.and_then(|program| program.input(name)) {
            inner.set(id.0, value);
        }
    }

    /// Registers the outputs of a component whose program has run. The result is the component as a
    /// value.
    pub fn finish(&self, node: &Node) -> Result<Value, Stop> {
        let span = node.name_span();
        let mut outputs = PropertyMap::new();
        if let Some(inner) = &self.inner {
            outputs = inner.outputs();
            let monitor = &inner.run.monitor;
            inner.run.answered(monitor.register_outputs(&self.urn, &outputs), span)?;
        }
        self.value(outputs).map_err(|error| wording::too_large(span, error).into())
    }

    /// The component with these outputs, and those that need a failed resource, which have failed.
    fn value(&self, outputs: PropertyMap) -> Result<Value, TooLarge> {
        let answered = Answered {
            identity: Identity { name: self.name.clone(), kind: Arc::clone(&self.kind) },
            outputs: Arc::new(outputs),
            completion: None,
        };
        let value = answered.into_value(self.urn.clone(), ResourceId::Known(self.id.clone()))?;
        let failed = self.failed_outputs();
        let Kind::Resource(resource) = &value.kind else { return Ok(value) };
        if failed.is_empty() {
            return Ok(value);
        }
        let known = resource.known_fields().into_iter().flat_map(Object::iter);
        let known = known.map(|(name, value)| (Arc::clone(name), value.clone()));
        let fields = Object::new(known.chain(failed).collect())?;
        let resource = Resource::new(resource.reference.clone(), fields);
        Ok(Value::from(resource).marked(&value.marks))
    }

    fn failed_outputs(&self) -> Vec<(Arc<str>, Value)> {
        let Some(inner) = &self.inner else { return Vec::new() };
        let nodes = inner.module().nodes_with_ids();
        let outputs = nodes.filter(|(_, node)| node.kind == NodeKind::Output);
        let failed = outputs.filter_map(|(id, node)| {
            let by = inner.node_value(id.0).poison()?;
            let failed = Value::from(Kind::Poisoned(Arc::clone(by)));
            Some((Arc::clone(&node.logical_name), failed))
        });
        failed.collect()
    }

    /// The component with no other outputs than these, which its program has evaluated. What needs
    /// one of them depends on nothing else of the component; without `is_whole`, its own marks are
    /// left out for that.
    pub fn with_outputs(&self, names: &[Arc<str>], is_whole: bool) -> Result<Value, TooLarge> {
        let mut outputs = self.inner.as_ref().map(|inner| inner.outputs());
        if let Some(outputs) = &mut outputs {
            outputs.retain(|name, _| names.iter().any(|wanted| **wanted == **name));
        }
        let value = self.value(outputs.unwrap_or_default())?;
        Ok(if is_whole { value } else { value.kind.into() })
    }
}

/// An input of a component, converted to the type that its program declares, and secret if it
/// declares that.
pub(crate) fn input(
    evaluator: &mut Evaluator<'_>,
    body: &ComponentBody,
    attribute: &BoundAttribute,
) -> Result<Value, Stop> {
    let run = evaluator.run();
    let value = evaluator.evaluate(attribute.value)?;
    let program = body.program.map(|id| run.program.component(id));
    let Some((_, declared)) = program.and_then(|program| program.input(&attribute.name)) else {
        return Ok(value);
    };
    let value = super::config::coerced(&run.program.types, declared.ty, value)
        .map_err(|error| wording::too_large(evaluator.span(attribute.value), error))?;
    Ok(match &declared.body {
        NodeBody::Config(config) if config.secret => value.secret(),
        _ => value,
    })
}
