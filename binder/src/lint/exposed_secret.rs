//! `unsecret` in an output: a secret shown to whoever sees the outputs.
//!
//! The rules, with examples: `tests/spec/lints/exposed_secret.md`.

use pcl_diagnostics::{Code, Diagnostic, Span};
use pcl_model::expression::ExprKind;

use crate::binder::Binder;
use crate::program::NodeKind;

/// Looks for `unsecret` in the values of outputs. Anything else that is secret stays so on its way out.
pub(super) fn check(binder: &Binder<'_, '_, '_>, findings: &mut Vec<Diagnostic>) {
    let Some(unsecret) = binder.session.types.find_symbol("unsecret") else {
        return;
    };
    let outputs = binder
        .nodes
        .iter()
        .filter(|node| node.kind == NodeKind::Output);
    for node in outputs {
        for expr in binder.expressions(node) {
            let ExprKind::Call(call) = &expr.kind else {
                continue;
            };
            if call.name == unsecret {
                let span = Span::new(expr.file, call.name_range);
                let message = format!("output `{}` shows a secret in the open", node.name);
                findings.push(
                    Diagnostic::warning(Code::ExposedSecret, span, message)
                        .help("leave out `unsecret`: an output may be secret"),
                );
            }
        }
    }
}
