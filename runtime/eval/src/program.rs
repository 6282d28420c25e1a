//! A program or component: its nodes in their order.

use std::sync::Arc;

use pcl_binder::{ComponentBody, Module, Node, NodeBody, NodeId, NodeKind};
use pcl_language::Function;
use pcl_model::expression::{ExprId, ExprKind};
use pcl_model::types::Symbol;
use pcl_values::PropertyMap;

use crate::expression::evaluate::Evaluator;
use crate::frame::Frame;
use crate::monitor::Registrations;
use crate::mutual::{self, Groups};
use crate::node::resource::Registration;
use crate::node::{self, Component, collect, instances};
use crate::schedule::{Answer, Begun, Nodes, Plan};
use crate::stop::Stop;
use crate::value::{Kind, Value};
use crate::wording;

/// Evaluates all nodes of a program or component. The result are its outputs by their names; those
/// that need a failed resource are missing.
pub(crate) fn run_nodes(frame: &Arc<Frame>) -> Result<PropertyMap, Stop> {
    evaluate_nodes(frame, |_| true)?;
    Ok(frame.outputs())
}

/// Evaluates the nodes that an expression of a program needs.
pub(crate) fn run_needed(frame: &Arc<Frame>, expr: ExprId) -> Result<(), Stop> {
    let program = &frame.run.program;
    let mut needed = vec![false; frame.module().nodes.len()];
    let mut pending: Vec<NodeId> = Vec::new();
    for id in program.exprs.subtree(expr) {
        let ExprKind::Traversal(traversal) = &program.exprs[id].kind else { continue };
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
    let groups = Groups::of(module);
    let plan = Plan::new(module.nodes.len(), &edges(module, &groups));
    let nodes = ProgramNodes {
        frame,
        groups,
        is_needed,
        calls: [Function::Invoke, Function::Call, Function::ResourceExists]
            .map(|function| run.symbol(function)),
    };
    let registrations = run.monitor.registrations();
    plan.run(run.settings.parallel, run.settings.keeps_going, &nodes, registrations)
}

/// The nodes of a program or component.
struct ProgramNodes<'f, I> {
    frame: &'f Arc<Frame>,
    groups: Groups,
    is_needed: I,
    /// The functions that ask the engine, if the program uses them.
    calls: [Option<Symbol>; 3],
}

impl<'f, I: Fn(u32) -> bool + Sync> Nodes for ProgramNodes<'f, I> {
    type Waiting = Box<Registration<'f>>;

    fn begin(
        &self,
        at: u32,
        registrations: &mut dyn Registrations,
    ) -> Result<Begun<Self::Waiting>, Stop> {
        let frame: &'f Frame = self.frame;
        let Some(node) = frame.module().nodes.get(at as usize) else { return Ok(Begun::Done) };
        if !(self.is_needed)(at) || frame.has_value(at) {
            return Ok(Begun::Done);
        }
        frame.run.unless_cancelled()?;
        let value = match &node.body {
            _ if self.calls(node) => return Ok(Begun::Blocks),
            NodeBody::Empty | NodeBody::Local(_) | NodeBody::Output(_) | NodeBody::Config(_) => {
                // It may compute for long.
                registrations.send();
                value(self.frame, at as usize, node)
            }
            NodeBody::Resource(body)
                if node.kind != NodeKind::Read
                    && node.option("range").is_none()
                    && !frame.run.settings.defers_resources =>
            {
                match Registration::of_single(frame, node, body) {
                    Ok(registration) => {
                        registrations.begin(at, &registration.request);
                        return Ok(Begun::Waiting(Box::new(registration)));
                    }
                    Err(stop) => Err(stop),
                }
            }
            _ => return Ok(Begun::Blocks),
        };
        set(frame, at, value).map(|()| Begun::Done)
    }

    fn finish(&self, at: u32, waiting: Self::Waiting, answer: Answer) -> Result<(), Stop> {
        set(self.frame, at, waiting.answered(&self.frame.run, answer))
    }

    fn evaluate(&self, at: u32) -> Result<(), Stop> {
        evaluate(self.frame, &self.groups, at)
    }

    fn cancel(&self) {
        self.frame.run.cancel();
    }
}

impl<I> ProgramNodes<'_, I> {
    /// Returns true if an expression of a node calls a function that asks the engine.
    fn calls(&self, node: &Node) -> bool {
        // Most programs have no such calls.
        if self.calls == [None; 3] {
            return false;
        }
        let exprs = &self.frame.run.program.exprs;
        let mut kinds = exprs.range(node.expressions.clone());
        kinds.any(|(_, expr)| match &expr.kind {
            ExprKind::Call(call) => self.calls.contains(&Some(call.name)),
            _ => false,
        })
    }
}

/// The needs of each node: the nodes that it refers to, and the check of the version of Pulumi,
/// which comes before everything that it does not need itself. The first of a group of components
/// that need each other stands for all of them.
pub(crate) fn edges(module: &Module, groups: &Groups) -> Vec<(u32, u32)> {
    let mut edges = Vec::with_capacity(module.nodes.len());
    for (id, _) in module.nodes_with_ids() {
        let first = groups.first(id);
        if first != id {
            edges.push((id.0, first.0));
        }
        let needed = module.dependencies(id).iter().copied();
        let outside = needed.filter(|&needed| groups.first(needed) != first);
        edges.extend(outside.map(|needed| (first.0, needed.0)));
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

/// Evaluates a node, unless it has a value already; with the first of a group of components that
/// need each other, all of them. A node that needs a failed resource has failed too, which is its
/// value.
pub(crate) fn evaluate(frame: &Arc<Frame>, groups: &Groups, at: u32) -> Result<(), Stop> {
    if frame.has_value(at) {
        return Ok(());
    }
    if let Some(group) = groups.group(NodeId(at)) {
        return mutual::run(frame, group);
    }
    let Some(node) = frame.module().nodes.get(at as usize) else { return Ok(()) };
    set(frame, at, value(frame, at as usize, node))
}

/// Evaluates a node that is in no group, unless it has a value already.
pub(crate) fn evaluate_node(frame: &Arc<Frame>, id: NodeId) -> Result<(), Stop> {
    evaluate(frame, &Groups::default(), id.0)
}

/// Sets the value of a node. One that needs a failed resource has failed too.
#[inline]
fn set(frame: &Frame, at: u32, value: Result<Value, Stop>) -> Result<(), Stop> {
    match value {
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
                Kind::String(text) => text.unmarked().to_string(),
                Kind::Unknown => return Ok(range),
                _ => return Err(wording::unexpected(&range, span, "a string")),
            };
            frame.run.answered(frame.run.monitor.require_version(&text), span)?;
            Ok(range)
        }
    }
}

/// Registers components and evaluates their programs.
fn component(frame: &Arc<Frame>, node: &Node, body: &ComponentBody) -> Result<Value, Stop> {
    let mut evaluator = Evaluator::new(frame);
    let instances = instances(&mut evaluator, node)?;
    collect(instances, node, |instance| {
        frame.run.unless_cancelled()?;
        let component = Component::register(&mut evaluator, node, body, instance, |_| true)?;
        if let Some(inner) = &component.inner {
            evaluate_nodes(inner, |_| true)?;
        }
        component.finish(node)
    })
}
