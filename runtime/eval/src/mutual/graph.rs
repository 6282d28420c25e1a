//! The steps of a group of components that need each other, and the order between them.

use std::sync::Arc;

use pcl_binder::{
    BoundAttribute, ComponentBody, ComponentProgram, Module, Node, NodeBody, NodeId, NodeKind,
    Program,
};
use pcl_diagnostics::Span;
use pcl_model::expression::ExprId;
use rustc_hash::FxHashMap;

use super::Groups;
use super::needs::{Need, Part, needs};
use crate::program::edges;

/// A step of the evaluation of a group. The number is that of the component in the group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Step {
    /// The component is registered, with the inputs that need no other component of the group.
    Register(usize),
    /// An input of that place is evaluated.
    Input(usize, usize),
    /// A node of its program is evaluated.
    Node(usize, NodeId),
    /// Its outputs are registered.
    Finish(usize),
}

impl Step {
    /// The number of the component.
    pub fn member(self) -> usize {
        let (Self::Register(at) | Self::Input(at, _) | Self::Node(at, _) | Self::Finish(at)) = self;
        at
    }
}

/// A component of a group.
pub(super) struct Member<'p> {
    pub id: NodeId,
    pub node: &'p Node,
    pub body: &'p ComponentBody,
    /// The nodes of its program.
    pub inner: Option<&'p ComponentProgram>,
    /// The groups of components in its program that need each other.
    pub groups: Groups,
    /// The needs of each input in the group; those that have any are not registered.
    pub inputs: Vec<Vec<Need>>,
    /// The needs of its range and its other options.
    pub options: Vec<Need>,
}

impl Member<'_> {
    /// Returns true for an input that needs no other component of the group.
    pub fn is_sent(&self, input: &BoundAttribute) -> bool {
        let mut inputs = self.body.inputs.iter().zip(&self.inputs);
        let same = inputs.find(|(other, _)| other.value == input.value);
        same.is_none_or(|(_, needs)| needs.is_empty())
    }
}

/// A step that needs another one, and the reference because of which it does.
pub(super) struct Edge {
    pub step: u32,
    pub needed: u32,
    pub reference: Option<Span>,
}

/// The steps of a group, numbered, and what each of them needs.
pub(super) struct Graph<'p> {
    pub members: Vec<Member<'p>>,
    pub steps: Vec<Step>,
    numbers: FxHashMap<Step, u32>,
    pub edges: Vec<Edge>,
}

impl<'p> Graph<'p> {
    pub fn new(program: &'p Program, module: &'p Module, group: &[NodeId]) -> Self {
        let needs = |id: ExprId| needs(program, module, group, id);
        let mut members = Vec::with_capacity(group.len());
        let mut steps = Vec::new();
        for &id in group {
            let node = module.node(id);
            let NodeBody::Component(body) = &node.body else { continue };
            let inner = body.program.map(|id| program.component(id));
            let member = Member {
                id,
                node,
                body,
                inner,
                groups: inner.map(|inner| Groups::of(&inner.module)).unwrap_or_default(),
                inputs: body.inputs.iter().map(|input| needs(input.value)).collect(),
                options: body.options.iter().flat_map(|it| needs(it.value)).collect(),
            };
            let at = members.len();
            let nodes = inner.into_iter().flat_map(|inner| inner.module.nodes_with_ids());
            steps.push(Step::Register(at));
            steps.extend((0..body.inputs.len()).map(|input| Step::Input(at, input)));
            steps.extend(nodes.map(|(id, _)| Step::Node(at, id)));
            steps.push(Step::Finish(at));
            members.push(member);
        }
        let numbers = (0..).zip(&steps).map(|(number, step)| (*step, number)).collect();
        let mut graph = Self { members, steps, numbers, edges: Vec::new() };
        for at in 0..graph.members.len() {
            graph.connect(at);
        }
        graph
    }

    /// Adds the edges of the steps of a component.
    fn connect(&mut self, at: usize) {
        let mut added = Vec::new();
        let number = |step: Step| self.numbers.get(&step).copied().unwrap_or_default();
        let mut add = |step, needed, reference| {
            added.push(Edge { step: number(step), needed: number(needed), reference });
        };
        let Some(member) = self.members.get(at) else { return };
        let register = Step::Register(at);
        for need in &member.options {
            add(register, self.needed(need), Some(need.span));
        }
        for (input, needs) in member.inputs.iter().enumerate() {
            add(Step::Input(at, input), register, None);
            for need in needs {
                add(Step::Input(at, input), self.needed(need), Some(need.span));
            }
            add(Step::Finish(at), Step::Input(at, input), None);
        }
        if let Some(inner) = member.inner {
            for (id, _) in inner.module.nodes_with_ids() {
                add(Step::Node(at, id), register, None);
                add(Step::Finish(at), Step::Node(at, id), None);
            }
            for (number, input) in member.body.inputs.iter().enumerate() {
                if let Some((id, _)) = inner.input(&input.name) {
                    add(Step::Node(at, id), Step::Input(at, number), None);
                }
            }
            for (node, needed) in edges(&inner.module, &member.groups) {
                add(Step::Node(at, NodeId(node)), Step::Node(at, NodeId(needed)), None);
            }
        }
        self.edges.append(&mut added);
    }

    /// The step after which a part of a component is there.
    fn needed(&self, need: &Need) -> Step {
        let place = |member: &Member<'_>| member.id == need.component;
        let at = self.members.iter().position(place).unwrap_or_default();
        let output = |name: &Arc<str>| {
            let inner = self.members.get(at)?.inner?;
            let mut nodes = inner.module.nodes_with_ids();
            let is_it = |node: &Node| node.kind == NodeKind::Output && node.logical_name == *name;
            nodes.find(|(_, node)| is_it(node)).map(|(id, _)| id)
        };
        match &need.part {
            Part::Existence | Part::Identity => Step::Register(at),
            Part::Output(name) => match output(name) {
                Some(node) => Step::Node(at, node),
                None => Step::Finish(at),
            },
            Part::Whole => Step::Finish(at),
        }
    }

    /// A cycle of steps, as the edges on it; `None` if there is none.
    pub fn cycle(&self) -> Option<Vec<&Edge>> {
        let mut open = vec![0_usize; self.steps.len()];
        let mut needed_by: Vec<Vec<u32>> = vec![Vec::new(); self.steps.len()];
        for edge in &self.edges {
            if let Some(open) = open.get_mut(edge.step as usize) {
                *open += 1;
            }
            if let Some(steps) = needed_by.get_mut(edge.needed as usize) {
                steps.push(edge.step);
            }
        }
        let all = 0..self.steps.len() as u32;
        let is_free = |open: &[usize], step: u32| open.get(step as usize) == Some(&0);
        let mut free: Vec<u32> = all.filter(|&step| is_free(&open, step)).collect();
        while let Some(step) = free.pop() {
            for &next in needed_by.get(step as usize).into_iter().flatten() {
                if let Some(open) = open.get_mut(next as usize) {
                    *open -= 1;
                }
                if is_free(&open, next) {
                    free.push(next);
                }
            }
        }
        // Each step that is left needs one that is left, so going on leads into a cycle.
        let is_left = |step: u32| !is_free(&open, step);
        let next = |step: u32| {
            let mut edges = self.edges.iter();
            edges.find(|edge| edge.step == step && is_left(edge.needed))
        };
        let mut step = (0..self.steps.len() as u32).find(|&step| is_left(step))?;
        let mut path: Vec<&Edge> = Vec::new();
        let mut places = vec![None; self.steps.len()];
        loop {
            match places.get_mut(step as usize)? {
                Some(start) => return Some(path.split_off(*start)),
                place => *place = Some(path.len()),
            }
            let edge = next(step)?;
            path.push(edge);
            step = edge.needed;
        }
    }
}
