//! Locals and configs that nothing refers to.
//!
//! The rules, with examples: `tests/spec/lints/unused.md`.

use pcl_diagnostics::{Code, Diagnostic, Fix, Span, TextEdit};

use super::finished::{Finished, Lint, Scope};
use crate::node::{Node, NodeKind};

pub(super) static LOCALS: Lint =
    Lint { code: Code::UnusedLocal, scope: Scope::Declarations, check: locals };

/// Locals that nothing refers to. A name that begins with `_` is meant to be unused.
fn locals(bound: &Finished<'_>, diagnostics: &mut Vec<Diagnostic>) {
    for node in unused(bound, NodeKind::Local) {
        let (span, name) = (node.name_span(), &node.name);
        diagnostics.push(unused_local(span, name, node.span()));
    }
}

pub(super) static CONFIGS: Lint =
    Lint { code: Code::UnusedConfig, scope: Scope::Declarations, check: configs };

/// Configs that nothing refers to.
fn configs(bound: &Finished<'_>, diagnostics: &mut Vec<Diagnostic>) {
    for node in unused(bound, NodeKind::Config) {
        diagnostics.push(unused_config(node.name_span(), &node.name));
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

/// A local that nothing refers to. `declaration` is all of it.
fn unused_local(span: Span, name: &str, declaration: Span) -> Diagnostic {
    let message = format!("nothing refers to the local `{name}`");
    Diagnostic::warning(Code::UnusedLocal, span, message)
        .help(format!("remove it, or call it `_{name}` to keep it"))
        .fix(Fix::unsafe_("remove it", vec![TextEdit::replace(declaration, "")]))
}

/// A config that nothing refers to.
fn unused_config(span: Span, name: &str) -> Diagnostic {
    let message = format!("nothing refers to the config `{name}`");
    Diagnostic::warning(Code::UnusedConfig, span, message)
        .help("remove it, and its value wherever the program is configured")
}
