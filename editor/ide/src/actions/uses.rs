//! The places that name a declaration, with the step behind each, and what declarations need.

use std::collections::HashSet;

use pcl::binder::NodeKind;
use pcl::diagnostics::{Span, TextRange};
use pcl::syntax::SyntaxKind;
use pcl::syntax::ast::{self, AstNode as _};

use crate::names::{Name, references};
use crate::{Analysis, ModuleId, NodeRef};

/// A place that names a declaration.
pub(super) struct Use {
    /// The place of the name.
    pub name: Span,
    /// The member behind the name and the range of both: `id` of `bucket.id`.
    pub member: Option<(String, TextRange)>,
    /// Set if steps follow that are no members: `bucket[0]`.
    pub is_indexed: bool,
}

/// The places that name a declaration; `None` if one of them is no value.
pub(super) fn uses(analysis: &Analysis, node: NodeRef) -> Option<Vec<Use>> {
    references(analysis, Name::Node(node)).iter().map(|&name| of_place(analysis, name)).collect()
}

fn of_place(analysis: &Analysis, name: Span) -> Option<Use> {
    let node = analysis.tree(name.file)?.covering(name.range);
    if node.kind() != SyntaxKind::Name {
        return None;
    }
    let plain = Use { name, member: None, is_indexed: false };
    let Some(parent) = node.parent() else { return Some(plain) };
    let is_first = parent.children().next() == Some(node);
    match parent.kind() {
        SyntaxKind::Index | SyntaxKind::Splat if is_first => {
            Some(Use { is_indexed: true, ..plain })
        }
        SyntaxKind::Traversal if is_first => {
            let step = ast::Traversal::cast(parent)?.steps().next()?;
            Some(match step.kind() {
                ast::StepKind::Attribute(member) => {
                    let whole = TextRange::new(name.range.start(), member.range().end());
                    Use { member: Some((member.text().to_owned(), whole)), ..plain }
                }
                _ => Use { is_indexed: true, ..plain },
            })
        }
        _ => Some(plain),
    }
}

/// Returns true for the declarations whose members are outputs of resources.
pub(super) const fn has_outputs(kind: NodeKind) -> bool {
    matches!(kind, NodeKind::Resource | NodeKind::Read | NodeKind::Component)
}

/// Returns true if declarations of the program need another one that needs one of them. They would
/// need themselves if they were one.
pub(super) fn need_each_other(analysis: &Analysis, nodes: &[NodeRef]) -> bool {
    let module = analysis.module(ModuleId::Program);
    let is_one = |id| nodes.iter().any(|node| node.node == id);
    let needs = |id| module.dependencies(id).iter().copied();
    let mut next: Vec<_> = nodes.iter().flat_map(|node| needs(node.node)).collect();
    next.retain(|&id| !is_one(id));
    let mut seen = HashSet::new();
    while let Some(id) = next.pop() {
        if is_one(id) {
            return true;
        }
        if seen.insert(id) {
            next.extend(needs(id));
        }
    }
    false
}
