//! Variables of loops, and `range`, that hide something of the program.
//!
//! The rules, with examples: `tests/spec/lints/shadowed_name.md`.

use pcl_diagnostics::{Code, Diagnostic, Span};
use pcl_model::expression::{Expr, ExprKind};
use pcl_syntax::SyntaxKind;

use super::finished::{Finished, Lint, Scope};
use crate::node::{Node, NodeBody};

pub(super) static LINT: Lint = Lint { code: Code::ShadowedName, scope: Scope::Nodes, check };

/// Checks the variables of every `for`, and a declared `range` beside one of a resource.
fn check(bound: &Finished<'_>, diagnostics: &mut Vec<Diagnostic>) {
    for node in bound.nodes() {
        for expr in bound.expressions(node) {
            let ExprKind::For(each) = &expr.kind else { continue };
            let variables = [each.key_variable, each.value_variable];
            for variable in variables.into_iter().flatten() {
                let name = bound.scopes.definition(variable).name;
                let name = bound.types.name(name);
                if let Some(span) = place(bound, expr, name) {
                    diagnostics.extend(hidden(bound, name, span));
                }
            }
        }
        let (NodeBody::Resource(_) | NodeBody::Component(_)) = node.body else { continue };
        if let Some(range) = node.option("range") {
            let span = Span::new(node.file, range.name_range);
            diagnostics.extend(hidden(bound, "range", span));
        }
    }
}

/// The place where a loop declares a variable.
fn place(bound: &Finished<'_>, expr: &Expr, name: &str) -> Option<Span> {
    let module = bound.module;
    let file = module.files.iter().position(|&file| file == expr.file)?;
    let mut tokens = module.trees.get(file)?.node(expr.node).tokens();
    let token = tokens.find(|token| token.kind() == SyntaxKind::Ident && token.text() == name)?;
    Some(Span::new(expr.file, token.range()))
}

/// Reports a name that the program declares too.
fn hidden(bound: &Finished<'_>, name: &str, span: Span) -> Option<Diagnostic> {
    let symbol = bound.types.find_symbol(name)?;
    let definition = bound.scopes.lookup(bound.module.root, symbol)?;
    let declared: &Node = {
        let node = bound.scopes.definition(definition).kind.node()?;
        bound.module.nodes.get(node as usize)?
    };
    Some(shadowed_name(span, name, declared.name_span()))
}

/// A name that hides one of the program, `declared` there.
fn shadowed_name(span: Span, name: &str, declared: Span) -> Diagnostic {
    let message = format!("this `{name}` hides the one that the program declares");
    Diagnostic::warning(Code::ShadowedName, span, message)
        .label(declared, "hidden here")
        .help("give one of the two another name")
}
