//! `unsecret` in an output: a secret that everyone who sees the outputs can see.
//!
//! The rules, with examples: `tests/spec/lints/exposed_secret.md`.

use pcl_diagnostics::{Diagnostic, Span};
use pcl_model::expression::ExprKind;

use super::finished::Finished;
use crate::messages::lint;
use crate::node::NodeKind;

/// Looks for `unsecret` in the values of outputs. Anything else that is secret stays so on its way
/// out.
pub(super) fn check(bound: &Finished<'_>, diagnostics: &mut Vec<Diagnostic>) {
    let Some(unsecret) = bound.types.find_symbol("unsecret") else {
        return;
    };
    let outputs = bound.nodes().filter(|node| node.kind == NodeKind::Output);
    for node in outputs {
        for expr in bound.expressions(node) {
            let ExprKind::Call(call) = &expr.kind else {
                continue;
            };
            if call.name == unsecret {
                let span = Span::new(expr.file, call.name_range);
                diagnostics.push(lint::exposed_secret(span, &node.name));
            }
        }
    }
}
