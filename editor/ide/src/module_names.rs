//! The declarations of a module.

use pcl::binder::{NodeId, NodeKind};
use pcl::diagnostics::{FileId, Span};
use pcl::model::scope::DefinitionId;

use crate::names::{Name, references};
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

/// A declaration with the places that refer to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Declaration {
    /// The name in the declaration.
    pub name: Span,
    /// The places that refer to it, in order.
    pub references: Vec<Span>,
}

/// The declarations of a file that can be referred to, by place.
#[must_use]
pub fn declarations(analysis: &Analysis, file: FileId) -> Vec<Declaration> {
    let nodes = analysis.nodes_in(file);
    let nodes = nodes.filter(|&node| analysis.node(node).kind != NodeKind::Pulumi);
    let declarations = nodes.map(|node| Declaration {
        name: analysis.node(node).name_span(),
        references: references(analysis, Name::Node(node)).to_vec(),
    });
    declarations.collect()
}
