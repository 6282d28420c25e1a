//! `dependsOn` of something that the resource refers to anyway.
//!
//! The rules, with examples: `tests/spec/lints/implied_dependency.md`.

use std::collections::HashSet;

use pcl_diagnostics::{Code, Diagnostic, Span};
use pcl_model::expression::{ExprId, ExprKind};

use crate::binder::Binder;
use crate::program::{Node, NodeBody, NodeId};

/// Looks at the elements of every `dependsOn` that name a resource and nothing more.
pub(super) fn check(binder: &Binder<'_, '_, '_>, findings: &mut Vec<Diagnostic>) {
    for node in &binder.nodes {
        let NodeBody::Resource(body) = &node.body else {
            continue;
        };
        let Some(depends_on) = node.option("dependsOn") else {
            continue;
        };
        let ExprKind::Tuple(elements) = &binder.session.exprs[depends_on.value].kind else {
            continue;
        };
        let mut used = HashSet::new();
        for input in &body.inputs {
            used_values(binder, input.value, &mut used);
        }
        for &element in elements {
            let Some((target, false)) = reference(binder, element) else {
                continue;
            };
            if used.contains(&target) {
                findings.push(finding(binder, node, element, target));
            }
        }
    }
}

/// The resources whose outputs an expression uses: it waits for them.
fn used_values(binder: &Binder<'_, '_, '_>, value: ExprId, used: &mut HashSet<NodeId>) {
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        if let Some((target, true)) = reference(binder, value) {
            used.insert(target);
        }
        let expr = &binder.session.exprs[value];
        expr.kind.for_each_operand(|operand| open.push(operand));
    }
}

/// The resource that an expression refers to, and whether to a part of it.
fn reference(binder: &Binder<'_, '_, '_>, value: ExprId) -> Option<(NodeId, bool)> {
    let ExprKind::Traversal(traversal) = &binder.session.exprs[value].kind else {
        return None;
    };
    let definition = binder.session.scopes.definition(traversal.definition?);
    let node = NodeId(definition.kind.node()?);
    let target = binder.nodes.get(node.index())?;
    matches!(target.body, NodeBody::Resource(_)).then_some((node, !traversal.steps.is_empty()))
}

fn finding(
    binder: &Binder<'_, '_, '_>,
    node: &Node,
    element: ExprId,
    target: NodeId,
) -> Diagnostic {
    let expr = &binder.session.exprs[element];
    let name = &binder.nodes[target.index()].name;
    Diagnostic::warning(
        Code::ImpliedDependency,
        Span::new(expr.file, expr.range),
        format!(
            "`{}` waits for `{name}` anyway, since it uses its outputs",
            node.name
        ),
    )
    .help(format!("remove `{name}` from `dependsOn`"))
}
