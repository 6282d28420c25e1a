//! The construction of a component that a program in any language asks for: its directory is
//! evaluated with the inputs that the engine passes on.
//!
//! The rules: `docs/components.md`.

use std::sync::Arc;

use pcl_binder::{ConfigBody, Node, NodeBody, NodeId, NodeKind};
use pcl_diagnostics::Diagnostic;
use pcl_values::{PropertyMap, Urn};

use crate::evaluation::{Evaluation, Setup, register_packages};
use crate::fit;
use crate::frame::{Frame, Name};
use crate::monitor::EngineError;
use crate::node::config::coerced;
use crate::node::resource::properties;
use crate::run::{Carried, Run};
use crate::stop::Stop;
use crate::value::{References, Value};
use crate::{mutual, program, wording};

/// A component that was constructed.
#[derive(Clone, Debug, PartialEq)]
pub struct Constructed {
    /// The URN of the component.
    pub urn: Urn,
    /// Its outputs; those that need a failed resource are missing.
    pub outputs: PropertyMap,
}

/// The reason why an input is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrongInput {
    /// The path to the part of the input, as in `rules[0].port`.
    pub path: String,
    /// The reason. It says nothing about a secret value.
    pub reason: String,
}

/// The reason why a component was not constructed.
#[derive(Clone, Debug)]
pub enum NotConstructed {
    /// Its inputs are refused; nothing was registered.
    Inputs(Vec<WrongInput>),
    /// Its evaluation failed. The diagnostics are empty if the engine has reported the failure.
    Failed(Vec<Diagnostic>),
}

/// An input of a component.
struct Input {
    /// The config that takes it.
    node: NodeId,
    name: Arc<str>,
    value: Value,
}

impl Evaluation {
    /// The evaluation of a component's directory, whose program is that of the setup, for a
    /// component of this name.
    pub fn of_component(setup: Setup<'_>, name: &str) -> Self {
        let Setup { program, settings, contents, monitor, trees, .. } = setup;
        let run = Run::new(program, settings, contents, monitor, Carried::default());
        let prefix = Name { text: format!("{name}-").into(), shown: None };
        let run = Arc::new(run.with_files(trees));
        Self::in_frame(Frame::new(run, None, None, prefix))
    }

    /// Constructs a component with these inputs: registers it by a function that gets them as they
    /// are sent, evaluates its program, and registers its outputs. The diagnostics beside the
    /// result are warnings.
    ///
    /// # Errors
    /// Returns the reason why the component was not constructed.
    pub fn construct(
        &self,
        given: &PropertyMap,
        register: impl FnOnce(&PropertyMap) -> Result<Urn, EngineError>,
    ) -> (Result<Constructed, NotConstructed>, Vec<Diagnostic>) {
        let inputs = match inputs(self.frame(), given) {
            Ok(inputs) => inputs,
            Err(wrong) => return (Err(NotConstructed::Inputs(wrong)), Vec::new()),
        };
        let result = self.construct_with(inputs, register).map_err(|stop| match stop.once_each() {
            Stop::Failed(mut errors) => {
                pcl_diagnostics::sort(&mut errors);
                NotConstructed::Failed(*errors)
            }
            Stop::Poisoned(_) | Stop::Cancelled => NotConstructed::Failed(Vec::new()),
        });
        (result, self.take_warnings())
    }

    fn construct_with(
        &self,
        inputs: Vec<Input>,
        register: impl FnOnce(&PropertyMap) -> Result<Urn, EngineError>,
    ) -> Result<Constructed, Stop> {
        let frame = self.frame();
        let (run, start) = (&frame.run, frame.start());
        mutual::check(&run.program)?;
        run.ask_features(start)?;
        let named = inputs.iter().map(|input| (Arc::clone(&input.name), &input.value));
        let sent = properties(named)?;
        let urn = run.answered(register(&sent), start)?;
        frame.set_parent(urn.clone());
        for input in inputs {
            frame.set(input.node.0, input.value);
        }
        run.set_packages(register_packages(run, start)?);
        program::run_nodes(frame)?;
        let outputs = outputs(frame)?;
        run.answered(run.monitor.register_outputs(&urn, &outputs), start)?;
        Ok(Constructed { urn, outputs })
    }
}

/// The outputs as the schema of the package has them: the SDKs of languages with static types read
/// no other ones, while those of a stack stay as they are written.
fn outputs(frame: &Frame) -> Result<PropertyMap, Stop> {
    let types = &frame.run.program.types;
    let nodes = frame.module().nodes_with_ids();
    let outputs = nodes.filter(|(_, node)| node.kind == NodeKind::Output);
    let outputs = outputs.filter_map(|(id, node)| {
        let value = coerced(types, node.ty, frame.node_value(id.0).clone());
        let value = value.map_err(|error| wording::too_large(node.name_span(), error).into());
        let sent = value.map(|value| value.to_property(References::Collapse).ok()).transpose()?;
        Some(sent.map(|value| (Arc::clone(&node.logical_name), value)))
    });
    outputs.collect()
}

/// The inputs that are given or null, or the reasons why some are refused.
fn inputs(frame: &Frame, given: &PropertyMap) -> Result<Vec<Input>, Vec<WrongInput>> {
    let mut values = Vec::new();
    let mut wrong = Vec::new();
    let configs = frame.module().nodes_with_ids().filter_map(|(id, node)| match &node.body {
        NodeBody::Config(body) => Some((id, node, body)),
        _ => None,
    });
    let configs: Vec<_> = configs.collect();
    for &(id, node, body) in &configs {
        let name = &node.logical_name;
        match input(frame, node, body, given) {
            Ok(Some(value)) => values.push(Input { node: id, name: Arc::clone(name), value }),
            Ok(None) => {}
            Err(error) => wrong.push(error),
        }
    }
    // Generated SDKs send null for what is not given.
    let unknown = given.iter().filter(|(name, value)| {
        !value.is_null() && !configs.iter().any(|(_, node, _)| node.logical_name == **name)
    });
    wrong.extend(unknown.map(|(name, _)| WrongInput {
        path: name.to_string(),
        reason: String::from("the component has no such input"),
    }));
    if wrong.is_empty() { Ok(values) } else { Err(wrong) }
}

/// The value of an input; `None` if its default counts.
fn input(
    frame: &Frame,
    node: &Node,
    body: &ConfigBody,
    given: &PropertyMap,
) -> Result<Option<Value>, WrongInput> {
    let name = &*node.logical_name;
    let wrong = |reason: String| WrongInput { path: name.to_owned(), reason };
    let Some(value) = given.get(name).filter(|value| !value.is_null()) else {
        return match (body.default, body.nullable) {
            (Some(_), _) => Ok(None),
            (None, true) => Ok(Some(Value::NULL)),
            (None, false) => Err(wrong(String::from("the input is required"))),
        };
    };
    let types = &frame.run.program.types;
    let value = Value::from_property(value).and_then(|value| coerced(types, node.ty, value));
    let value = value.map_err(|error| wrong(wording::too_large_text(error)))?;
    let value = if body.secret { value.secret() } else { value };
    match fit::misfit(types, node.ty, &value, name) {
        Some(misfit) => Err(WrongInput { path: misfit.path, reason: misfit.reason }),
        None => Ok(Some(value)),
    }
}
