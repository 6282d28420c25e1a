//! `unsecret` in an output: a secret that everyone who sees the outputs can see.
//!
//! The rules, with examples: `tests/spec/lints/exposed_secret.md`.

use pcl_diagnostics::{Code, Diagnostic, Span};
use pcl_language::Function;
use pcl_model::expression::ExprKind;

use super::finished::{Finished, Lint, Scope};
use crate::node::NodeKind;

pub(super) static LINT: Lint = Lint { code: Code::ExposedSecret, scope: Scope::Nodes, check };

/// Looks for `unsecret` in the values of outputs. Anything else that is secret stays so on its way
/// out.
fn check(bound: &Finished<'_>, diagnostics: &mut Vec<Diagnostic>) {
    let Some(unsecret) = bound.types.find_symbol(Function::Unsecret.name()) else { return };
    for node in bound.nodes().filter(|node| node.kind == NodeKind::Output) {
        for expr in bound.expressions(node) {
            let ExprKind::Call(call) = &expr.kind else { continue };
            if call.name == unsecret {
                let span = Span::new(expr.file, call.name_range);
                diagnostics.push(exposed_secret(span, &node.name));
            }
        }
    }
}

/// A secret that an output publishes.
fn exposed_secret(span: Span, output: &str) -> Diagnostic {
    let message = format!("output `{output}` exposes a secret");
    Diagnostic::warning(Code::ExposedSecret, span, message)
        .help("leave out `unsecret`: an output may be secret")
}
