//! Locals and configs that nothing refers to.
//!
//! The rules, with examples: `tests/spec/lints/unused.md`.

use pcl_diagnostics::{Code, Diagnostic, Fix, TextEdit};

use crate::binder::Binder;
use crate::order::Edges as _;
use crate::program::{Node, NodeKind};

/// Locals that nothing refers to. A name that begins with `_` is meant to be unused.
pub(super) fn locals(binder: &Binder<'_, '_, '_>, findings: &mut Vec<Diagnostic>) {
    for node in unused(binder, NodeKind::Local) {
        let message = format!("nothing refers to the local `{}`", node.name);
        findings.push(
            Diagnostic::warning(Code::UnusedLocal, node.name_span(), message)
                .help(format!("remove it, or call it `_{}` to keep it", node.name))
                .fix(Fix::unsafe_(
                    "remove it",
                    vec![TextEdit::replace(node.span(), "")],
                )),
        );
    }
}

/// Configs that nothing refers to.
pub(super) fn configs(binder: &Binder<'_, '_, '_>, findings: &mut Vec<Diagnostic>) {
    for node in unused(binder, NodeKind::Config) {
        let message = format!("nothing refers to the config `{}`", node.name);
        findings.push(
            Diagnostic::warning(Code::UnusedConfig, node.name_span(), message)
                .help("remove it, and its value wherever the program is configured"),
        );
    }
}

/// The nodes of a kind that no other node needs. In what cannot be read anything may be referred to, so then there are none.
fn unused<'b>(binder: &'b Binder<'_, '_, '_>, kind: NodeKind) -> impl Iterator<Item = &'b Node> {
    let sources = &binder.sources.files;
    let readable = sources.iter().all(|source| source.tree.errors().is_empty());
    let mut used = vec![!readable; binder.nodes.len()];
    for at in 0..binder.nodes.len() {
        for needed in binder.dependencies.of(at) {
            used[needed.index()] |= needed.index() != at;
        }
    }
    let nodes = binder.nodes.iter().zip(used);
    nodes
        .filter(move |(node, used)| !used && node.kind == kind && !node.name.starts_with('_'))
        .map(|(node, _)| node)
}
