//! Components that need each other: each is registered before all of its inputs are known, and what
//! one takes from another is there as soon as that single output is.
//!
//! The rules, with examples: `tests/spec/run/mutual.md`.

mod graph;
mod needs;

use std::sync::{Arc, OnceLock};

use pcl_binder::{Module, NodeId, Program};
use pcl_diagnostics::{Code, Diagnostic, Span};
use pcl_model::scope::DefinitionId;
use rustc_hash::FxHashMap;

use self::graph::{Graph, Member, Step};
use self::needs::{Need, Part};
use crate::expression::evaluate::Evaluator;
use crate::frame::Frame;
use crate::monitor::Registrations;
use crate::node::{Component, Instances, input, instances};
use crate::program::evaluate;
use crate::schedule::{Answer, Begun, Nodes, Plan};
use crate::stop::{self, Stop};
use crate::value::{Kind, Value};
use crate::wording;

/// The groups of components of a module that need each other.
#[derive(Default)]
pub(crate) struct Groups {
    groups: Vec<Vec<NodeId>>,
    /// The group of each node that is in one.
    group_of: FxHashMap<NodeId, usize>,
}

impl Groups {
    pub fn of(module: &Module) -> Self {
        let groups = module.mutual_components();
        let members = groups.iter().enumerate();
        let members = members.flat_map(|(at, group)| group.iter().map(move |&node| (node, at)));
        Self { group_of: members.collect(), groups }
    }

    /// The group that a node is in.
    #[inline]
    pub fn group(&self, node: NodeId) -> Option<&[NodeId]> {
        // Most programs have none.
        if self.groups.is_empty() {
            return None;
        }
        let at = self.group_of.get(&node)?;
        self.groups.get(*at).map(Vec::as_slice)
    }

    /// The node that stands for all of its group, or for itself.
    #[inline]
    pub fn first(&self, node: NodeId) -> NodeId {
        let group = self.group(node).unwrap_or_default();
        group.first().copied().unwrap_or(node)
    }
}

/// Reports the components of a program that need their own outputs.
pub(crate) fn check(program: &Program) -> Result<(), Stop> {
    let components = program.components.iter();
    let modules = components.map(|component| &component.module).chain([&program.module]);
    let groups = modules.flat_map(|module| {
        module.mutual_components().into_iter().map(move |group| (module, group))
    });
    stop::all(groups.map(|(module, group)| {
        circular(&Graph::new(program, module, &group)).map_or(Ok(()), |it| Err(it.into()))
    }))
}

/// The report of a cycle of steps, if there is one.
fn circular(graph: &Graph<'_>) -> Option<Diagnostic> {
    let cycle = graph.cycle()?;
    let name = |number: u32| {
        let step = graph.steps.get(number as usize)?;
        let member = graph.members.get(step.member())?;
        let component = &member.node.name;
        let part = match step {
            Step::Register(_) | Step::Finish(_) => return Some(component.to_string()),
            Step::Input(_, input) => &member.body.inputs.get(*input)?.name,
            Step::Node(_, node) => &member.inner?.module.nodes.get(node.index())?.name,
        };
        Some(format!("{component}.{part}"))
    };
    let mut names: Vec<String> = Vec::new();
    let mut references: Vec<(Span, String)> = Vec::new();
    for edge in cycle {
        let (step, needed) = (name(edge.step)?, name(edge.needed)?);
        if let Some(span) = edge.reference {
            references.push((span, format!("`{step}` needs `{needed}` here")));
        }
        if names.last() != Some(&step) {
            names.push(step);
        }
    }
    let (span, _) = references.first()?;
    Some(circular_need(*span, &names, &references))
}

/// The components of a block: those that are registered, and the names of failed resources because
/// of which others are not.
type Made = Result<Component, Arc<str>>;

/// A group of components that is being evaluated.
struct Group<'g> {
    frame: &'g Arc<Frame>,
    graph: Graph<'g>,
    /// The components of each block; the name of a failed resource that the whole block needs.
    made: Vec<OnceLock<Result<Instances<Made>, Arc<str>>>>,
}

/// Evaluates components that need each other.
pub(crate) fn run(frame: &Arc<Frame>, group: &[NodeId]) -> Result<(), Stop> {
    let run = &frame.run;
    let module: &Module = frame.module();
    let graph = Graph::new(&run.program, module, group);
    let edges = graph.edges.iter().map(|edge| (edge.step, edge.needed));
    let plan = Plan::new(graph.steps.len(), &edges.collect::<Vec<_>>());
    let group =
        Group { frame, made: graph.members.iter().map(|_| OnceLock::new()).collect(), graph };
    plan.run(run.settings.parallel, run.settings.keeps_going, &group, run.monitor.registrations())
}

impl Nodes for Group<'_> {
    type Waiting = ();

    fn begin(&self, _: u32, _: &mut dyn Registrations) -> Result<Begun<()>, Stop> {
        Ok(Begun::Blocks)
    }

    fn finish(&self, _: u32, (): (), _: Answer) -> Result<(), Stop> {
        Ok(())
    }

    fn evaluate(&self, number: u32) -> Result<(), Stop> {
        self.frame.run.unless_cancelled()?;
        self.graph.steps.get(number as usize).map_or(Ok(()), |step| self.take(*step))
    }

    fn cancel(&self) {
        self.frame.run.cancel();
    }
}

impl Group<'_> {
    fn take(&self, step: Step) -> Result<(), Stop> {
        let at = step.member();
        let (Some(member), Some(made)) = (self.graph.members.get(at), self.made.get(at)) else {
            return Ok(());
        };
        match step {
            Step::Register(_) => {
                _ = made.set(unless_failed(self.register(member))?);
                Ok(())
            }
            Step::Input(_, at) => self.input(member, at, components(made)),
            Step::Node(_, node) => {
                let inner = components(made).filter_map(|component| component.inner.as_ref());
                for inner in inner {
                    evaluate(inner, &member.groups, node.0)?;
                }
                Ok(())
            }
            Step::Finish(_) => {
                let value = match made.get() {
                    Some(Ok(instances)) => {
                        instances.value(member.node.name_span(), |component| match component {
                            Ok(component) => component.finish(member.node),
                            Err(name) => Ok(Kind::Poisoned(Arc::clone(name)).into()),
                        })?
                    }
                    Some(Err(name)) => Kind::Poisoned(Arc::clone(name)).into(),
                    None => Value::UNKNOWN,
                };
                self.frame.set(member.id.0, value);
                Ok(())
            }
        }
    }

    fn register(&self, member: &Member<'_>) -> Result<Instances<Made>, Stop> {
        let mut evaluator = Evaluator::new(self.frame);
        let variables = self.variables(&member.options)?;
        evaluator.with(variables, |evaluator| {
            let (node, body) = (member.node, member.body);
            instances(evaluator, node)?.map(|instance| {
                let is_sent = |input: &_| member.is_sent(input);
                unless_failed(Component::register(evaluator, node, body, instance, is_sent))
            })
        })
    }

    /// Evaluates an input of all components of a block. One that needs a failed resource has failed
    /// too.
    fn input<'c>(
        &self,
        member: &Member<'_>,
        at: usize,
        components: impl Iterator<Item = &'c Component>,
    ) -> Result<(), Stop> {
        let (attribute, needs) = (member.body.inputs.get(at), member.inputs.get(at));
        let (Some(attribute), Some(needs)) = (attribute, needs) else { return Ok(()) };
        if needs.is_empty() {
            return Ok(());
        }
        let others = self.variables(needs)?;
        let mut evaluator = Evaluator::new(self.frame);
        for component in components {
            let variables = others.iter().chain(&component.variables).cloned();
            let value =
                evaluator.with(variables, |evaluator| input(evaluator, member.body, attribute));
            let value = unless_failed(value)?.unwrap_or_else(|name| Kind::Poisoned(name).into());
            component.set_input(&attribute.name, value);
        }
        Ok(())
    }

    /// The values of components of which an expression needs single parts.
    fn variables(&self, needs: &[Need]) -> Result<Vec<(DefinitionId, Value)>, Stop> {
        let mut variables: Vec<(DefinitionId, Value)> = Vec::new();
        for need in needs {
            let of_it = || needs.iter().filter(|other| other.component == need.component);
            let is_known = variables.iter().any(|(known, _)| *known == need.definition);
            // A component that is needed as a whole has its value when its turn comes.
            if is_known || of_it().any(|need| need.part == Part::Whole) {
                continue;
            }
            let outputs = of_it().filter_map(|need| match &need.part {
                Part::Output(name) => Some(Arc::clone(name)),
                _ => None,
            });
            let outputs: Vec<Arc<str>> = outputs.collect();
            let is_whole = of_it().any(|need| need.part == Part::Identity);
            let at = self.graph.members.iter();
            let at = at.clone().position(|member| member.id == need.component);
            let made = at.and_then(|at| self.made.get(at)?.get());
            let value = match made {
                Some(Ok(instances)) => instances.value(need.span, |component| match component {
                    Ok(component) => {
                        let value = component.with_outputs(&outputs, is_whole);
                        value.map_err(|error| wording::too_large(need.span, error).into())
                    }
                    Err(name) => Ok(Kind::Poisoned(Arc::clone(name)).into()),
                })?,
                Some(Err(name)) => Kind::Poisoned(Arc::clone(name)).into(),
                None => continue,
            };
            variables.push((need.definition, value));
        }
        Ok(variables)
    }
}

/// The result, or the name of the failed resource because of which there is none.
fn unless_failed<T>(result: Result<T, Stop>) -> Result<Result<T, Arc<str>>, Stop> {
    match result {
        Ok(made) => Ok(Ok(made)),
        Err(Stop::Poisoned(name)) => Ok(Err(name)),
        Err(stop) => Err(stop),
    }
}

/// The components of a block that are registered.
fn components(
    made: &OnceLock<Result<Instances<Made>, Arc<str>>>,
) -> impl Iterator<Item = &Component> {
    let instances = made.get().and_then(|made| made.as_ref().ok());
    let made = instances.into_iter().flat_map(Instances::iter);
    made.filter_map(|made| made.as_ref().ok())
}

/// The most steps of a cycle that a message names.
const MAX_NAMED: usize = 10;

/// A part of a component that needs itself. The names are those of all parts on the way, in order.
fn circular_need(span: Span, names: &[String], references: &[(Span, String)]) -> Diagnostic {
    let start = names.first().map_or("", String::as_str);
    let message = format!("`{start}` depends on itself");
    let mut chain: Vec<&str> = names.iter().map(String::as_str).chain([start]).collect();
    if chain.len() > MAX_NAMED {
        chain.splice(MAX_NAMED - 3..chain.len() - 2, [".."]);
    }
    let chain = chain.join(" -> ");
    let mut diagnostic = Diagnostic::error(Code::CircularReference, span, message)
        .note(format!("the cycle is: {chain}"));
    for (span, text) in references.iter().take(MAX_NAMED) {
        diagnostic = diagnostic.label(*span, text.clone());
    }
    diagnostic.help(
        "components may use outputs of each other that do not depend on what they get in return",
    )
}
