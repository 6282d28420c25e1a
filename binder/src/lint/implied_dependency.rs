//! `dependsOn` of something that the resource refers to anyway.
//!
//! The rules, with examples: `tests/spec/lints/implied_dependency.md`.

use std::collections::HashSet;

use pcl_diagnostics::{Code, Diagnostic, Span};
use pcl_model::expression::{ExprId, ExprKind};

use super::finished::{Finished, Lint, Scope};
use crate::node::{NodeBody, NodeId};

pub(super) static LINT: Lint = Lint { code: Code::ImpliedDependency, scope: Scope::Nodes, check };

/// Looks at the elements of every `dependsOn` that name a resource and nothing more.
fn check(bound: &Finished<'_>, diagnostics: &mut Vec<Diagnostic>) {
    for node in bound.nodes() {
        let NodeBody::Resource(body) = &node.body else { continue };
        let Some(depends_on) = node.option("dependsOn") else { continue };
        let ExprKind::Tuple(elements) = &bound.exprs[depends_on.value].kind else { continue };
        let mut used = HashSet::new();
        for input in &body.inputs {
            used_values(bound, input.value, &mut used);
        }
        for &element in elements {
            let Some((target, false)) = reference(bound, element) else { continue };
            if used.contains(&target) {
                let expr = &bound.exprs[element];
                let span = Span::new(expr.file, expr.range);
                let needed = &bound.module.node(target).name;
                diagnostics.push(implied_dependency(span, &node.name, needed));
            }
        }
    }
}

/// The resources whose outputs an expression uses: it waits for them.
fn used_values(bound: &Finished<'_>, value: ExprId, used: &mut HashSet<NodeId>) {
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        if let Some((target, true)) = reference(bound, value) {
            used.insert(target);
        }
        let expr = &bound.exprs[value];
        expr.kind.for_each_operand(|operand| open.push(operand));
    }
}

/// The resource that an expression refers to, and whether to a part of it.
fn reference(bound: &Finished<'_>, value: ExprId) -> Option<(NodeId, bool)> {
    let ExprKind::Traversal(traversal) = &bound.exprs[value].kind else { return None };
    let definition = bound.scopes.definition(traversal.definition?);
    let node = NodeId(definition.kind.node()?);
    let target = bound.module.nodes.get(node.index())?;
    target.kind.is_resource().then_some((node, !traversal.steps.is_empty()))
}

/// A `dependsOn` of a resource whose outputs the resource uses.
fn implied_dependency(span: Span, resource: &str, needed: &str) -> Diagnostic {
    let message = format!("`{resource}` waits for `{needed}` anyway, since it uses its outputs");
    Diagnostic::warning(Code::ImpliedDependency, span, message)
        .help(format!("remove `{needed}` from `dependsOn`"))
}
