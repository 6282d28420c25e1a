//! Variables that a declaration gives its own expressions, such as `range` and `args`.

use pcl_binder::Node;
use pcl_model::expression::ExprKind;
use pcl_model::scope::{DefinitionId, DefinitionKind};

use crate::run::Run;

/// The definitions that a name refers to in the expressions of a node, if it is a variable there.
pub(crate) fn definitions(run: &Run, node: &Node, name: &str) -> Vec<DefinitionId> {
    let program = &run.program;
    let mut found = Vec::new();
    for (_, expr) in program.exprs.range(node.expressions.clone()) {
        let ExprKind::Traversal(traversal) = &expr.kind else {
            continue;
        };
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
