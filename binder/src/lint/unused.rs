//! Locals and configs that nothing refers to.
//!
//! The rules, with examples: `tests/spec/lints/unused.md`.

use pcl_diagnostics::Diagnostic;

use super::finished::Finished;
use crate::messages::lint;
use crate::node::{Node, NodeKind};

/// Locals that nothing refers to. A name that begins with `_` is meant to be unused.
pub(super) fn locals(bound: &Finished<'_>, diagnostics: &mut Vec<Diagnostic>) {
    for node in unused(bound, NodeKind::Local) {
        let (span, name) = (node.name_span(), &node.name);
        diagnostics.push(lint::unused_local(span, name, node.span()));
    }
}

/// Configs that nothing refers to.
pub(super) fn configs(bound: &Finished<'_>, diagnostics: &mut Vec<Diagnostic>) {
    for node in unused(bound, NodeKind::Config) {
        diagnostics.push(lint::unused_config(node.name_span(), &node.name));
    }
}

/// The nodes of a kind that no other node needs. A file with syntax errors
/// may refer to anything, so then there are none.
fn unused<'b>(bound: &Finished<'b>, kind: NodeKind) -> impl Iterator<Item = &'b Node> {
    let module = bound.module;
    let readable = module.trees.iter().all(|tree| tree.errors().is_empty());
    let mut used = vec![!readable; module.nodes.len()];
    for (at, _) in module.nodes_with_ids() {
        for &needed in module.dependencies(at) {
            if let Some(used) = used.get_mut(needed.index()) {
                *used |= needed != at;
            }
        }
    }
    let nodes = module.nodes.iter().zip(used);
    nodes
        .filter(move |(node, used)| !used && node.kind == kind && !node.name.starts_with('_'))
        .map(|(node, _)| node)
}
