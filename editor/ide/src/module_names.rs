//! The names of a module: the nodes that they refer to, and the places that refer to them.

use std::collections::{BTreeMap, BTreeSet};

use pcl::binder::{NodeId, NodeKind};
use pcl::diagnostics::{FileId, Span, TextRange};
use pcl::model::expression::{Expr, ExprKind, Traversal};
use pcl::model::scope::DefinitionId;

use crate::{Analysis, NodeRef};

/// The node that a definition is about, if it is one of the module of a file.
pub(crate) fn of_definition(
    analysis: &Analysis,
    file: FileId,
    definition: DefinitionId,
) -> Option<NodeRef> {
    let definition = analysis.checked.program.scopes.definition(definition);
    let node = NodeId(definition.kind.node()?);
    let module = analysis.module_of(file)?;
    let is_node = node.index() < analysis.module(module).nodes.len();
    is_node.then_some(NodeRef { module, node })
}

/// The places in a module that refer to its nodes, in order, each with the node.
pub(crate) fn references(analysis: &Analysis) -> BTreeSet<(NodeRef, FileId, TextRange)> {
    let exprs = analysis.checked.program.exprs.iter();
    let names = exprs.filter_map(|(_, expr)| name_of(expr).map(|name| (expr.file, name)));
    let nodes = names.filter_map(|(file, traversal)| {
        let node = of_definition(analysis, file, traversal.definition?)?;
        Some((node, file, traversal.root_range))
    });
    nodes.collect()
}

/// The places that refer to a node by its name.
#[must_use]
pub(crate) fn references_to(analysis: &Analysis, node: NodeRef) -> Vec<Span> {
    let all = references(analysis).into_iter();
    let own = all.filter(|(of, ..)| *of == node);
    own.map(|(_, file, range)| Span::new(file, range)).collect()
}

fn name_of(expr: &Expr) -> Option<&Traversal> {
    match &expr.kind {
        ExprKind::Traversal(traversal) if !traversal.root_range.is_empty() => Some(traversal),
        _ => None,
    }
}

/// A declaration with the places that refer to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Declaration {
    /// The name in the declaration.
    pub name: Span,
    /// The places in its module that refer to it, in order.
    pub references: Vec<Span>,
}

/// The declarations of a file that can be referred to, by place.
#[must_use]
pub fn declarations(analysis: &Analysis, file: FileId) -> Vec<Declaration> {
    let mut by_node: BTreeMap<NodeRef, Vec<Span>> = BTreeMap::new();
    for (node, file, range) in references(analysis) {
        by_node
            .entry(node)
            .or_default()
            .push(Span::new(file, range));
    }
    let nodes = analysis.nodes_in(file);
    let nodes = nodes.filter(|&node| analysis.node(node).kind != NodeKind::Pulumi);
    let declarations = nodes.map(|node| Declaration {
        name: analysis.node(node).name_span(),
        references: by_node.remove(&node).unwrap_or_default(),
    });
    declarations.collect()
}
