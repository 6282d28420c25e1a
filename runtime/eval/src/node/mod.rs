//! Nodes: what the evaluation of each kind of declaration does.
//!
//! The rules, with examples: `tests/spec/run/node.md`.

mod answered;
mod component;
pub(crate) mod config;
mod hook;
mod instances;
mod options;
pub(crate) mod read;
pub(crate) mod resource;

use pcl_binder::Node;
use pcl_model::expression::ExprKind;
use pcl_model::scope::{DefinitionId, DefinitionKind};

pub(crate) use self::answered::reference;
pub(crate) use self::component::{Component, input};
pub(crate) use self::hook::register_hook;
pub(crate) use self::instances::{Instance, Instances, collect, instances};
pub(crate) use self::options::{Options, evaluate_options, hidden, resource_of};
use crate::run::Run;

/// The definitions that a name refers to in the expressions of a node, if it is a variable that the
/// node gives its own expressions, such as `range` and `args`.
fn definitions(run: &Run, node: &Node, name: &str) -> Vec<DefinitionId> {
    let program = &run.program;
    let mut found = Vec::new();
    for (_, expr) in program.exprs.range(node.expressions.clone()) {
        let ExprKind::Traversal(traversal) = &expr.kind else { continue };
        if let Some(definition) = traversal.definition
            && program.types.name(traversal.root) == name
            && program.scopes.definition(definition).kind == DefinitionKind::Variable
            && !found.contains(&definition)
        {
            found.push(definition);
        }
    }
    found
}
