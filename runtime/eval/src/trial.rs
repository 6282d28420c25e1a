//! Quick trials: nothing may fail in a program, which is tried node by node.
//!
//! A quick trial evaluates a program as [`Evaluation`] does, but stops at the first failure, and
//! where a limit is exceeded: an evaluation would take more steps, and have no result either. Of
//! resources it only registers the names (`node/deferred.rs`), and it forgets a value as soon as no
//! node needs it any more. So nodes can be tried while a program is being bound, and dropped.

use std::sync::{Arc, OnceLock};

use pcl_binder::{NodeId, Program};
use pcl_values::{Contents, Urn};

use crate::evaluation::{Evaluation, Setup};
use crate::frame::Frame;
use crate::node;
use crate::offline::Offline;
use crate::program;
use crate::run::{Carried, Run, Settings};
use crate::stop::Stop;
use crate::value::Value;

/// A quick trial of a program, of which only is told whether something may fail.
pub struct Trial {
    settings: Settings,
    contents: Arc<dyn Contents + Send + Sync>,
    monitor: Arc<Offline>,
    state: Option<State>,
}

/// The values of the nodes so far, and all else that those after them need.
struct State {
    values: Box<[OnceLock<Value>]>,
    /// For each node the number of nodes that still need it.
    uses: Vec<u32>,
    stack: Option<Urn>,
    carried: Carried,
}

impl Trial {
    /// A trial with these facts and files.
    pub fn new(settings: Settings, contents: Arc<dyn Contents + Send + Sync>) -> Self {
        let settings = Settings {
            is_preview: true,
            is_offline: true,
            defers_resources: true,
            keeps_going: false,
            parallel: 1,
            ..settings
        };
        Self {
            monitor: Arc::new(Offline::forgetful(&settings.project, &settings.stack)),
            settings,
            contents,
            state: None,
        }
    }

    /// Tries a program as a whole. Returns true if nothing in it fails; false if something does or
    /// may, so that the program has to be evaluated.
    pub fn passes(&self, program: &Arc<Program>) -> bool {
        let monitor = Offline::forgetful(&self.settings.project, &self.settings.stack);
        let evaluation = Evaluation::new(Setup {
            program: Arc::clone(program),
            settings: self.settings.clone(),
            contents: Arc::clone(&self.contents),
            monitor: Arc::new(monitor),
            trees: &[],
            variables: Vec::new(),
            nodes: Vec::new(),
        });
        let outcome = evaluation.run();
        let has_errors = || outcome.diagnostics.iter().any(|it| it.is_error());
        evaluation.is_exceeded() || (outcome.outputs.is_some() && !has_errors())
    }

    /// Tries nodes of a program without components, each after those that it needs. The nodes of
    /// one program are given in one or several calls. Returns true if nothing in these nodes fails.
    pub fn passes_nodes(&mut self, program: &Arc<Program>, nodes: &[NodeId]) -> bool {
        let state = match self.state.take() {
            Some(state) => state,
            None => State::new(program),
        };
        let State { values, mut uses, stack, carried } = state;
        let run = Run::new(
            Arc::clone(program),
            self.settings.clone(),
            Arc::clone(&self.contents),
            Arc::clone(&self.monitor) as _,
            carried,
        );
        let frame = Arc::new(Frame::resumed(Arc::new(run), stack, values));
        let result = evaluate(&frame, nodes);
        let Some((run, stack, mut values)) = Arc::into_inner(frame).map(Frame::into_parts) else {
            return false;
        };
        let is_used_up = |node: &NodeId| uses.get(node.index()) == Some(&0);
        let forget = |node: NodeId, values: &mut [OnceLock<Value>]| {
            values.get_mut(node.index()).and_then(OnceLock::take);
        };
        for node in nodes.iter().filter(|node| is_used_up(node)) {
            forget(*node, &mut values);
        }
        for needed in nodes.iter().flat_map(|&node| program.module.dependencies(node)) {
            if let Some(uses) = uses.get_mut(needed.index()) {
                *uses = uses.saturating_sub(1);
                if *uses == 0 {
                    forget(*needed, &mut values);
                }
            }
        }
        let Some(run) = Arc::into_inner(run) else { return false };
        let passes = run.is_exceeded() || result.is_ok();
        self.state = Some(State { values, uses, stack, carried: run.into_carried() });
        passes
    }
}

impl State {
    fn new(program: &Program) -> Self {
        let module = &program.module;
        let mut uses = vec![0; module.nodes.len()];
        for needed in module.nodes_with_ids().flat_map(|(id, _)| module.dependencies(id)) {
            if let Some(uses) = uses.get_mut(needed.index()) {
                *uses += 1;
            }
        }
        Self {
            values: module.nodes.iter().map(|_| OnceLock::new()).collect(),
            uses,
            stack: None,
            carried: Carried::default(),
        }
    }
}

/// Evaluates these nodes one by one.
fn evaluate(frame: &Arc<Frame>, nodes: &[NodeId]) -> Result<(), Stop> {
    if frame.parent().is_none() {
        frame.register_stack()?;
    }
    for &id in nodes {
        if let Some(node) = frame.module().nodes.get(id.index()) {
            node::config::read_node(frame, id, node)?;
            program::evaluate_node(frame, id)?;
        }
    }
    Ok(())
}
