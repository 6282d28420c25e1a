//! Variables of loops, and `range`, that hide something of the program.
//!
//! The rules, with examples: `tests/spec/lints/shadowed_name.md`.

use pcl_diagnostics::{Code, Diagnostic, Span};
use pcl_model::expression::{Expr, ExprKind};
use pcl_syntax::SyntaxKind;

use crate::binder::Binder;
use crate::program::{Node, NodeBody};

/// Looks at the variables of every `for`, and at a declared `range` beside one of a resource.
pub(super) fn check(binder: &Binder<'_, '_, '_>, findings: &mut Vec<Diagnostic>) {
    for node in &binder.nodes {
        for expr in binder.expressions(node) {
            let ExprKind::For(each) = &expr.kind else {
                continue;
            };
            let variables = [each.key_variable, each.value_variable];
            for variable in variables.into_iter().flatten() {
                let name = binder.session.scopes.definition(variable).name;
                let name = binder.session.types.name(name);
                if let Some(span) = place(binder, expr, name) {
                    findings.extend(hidden(binder, name, span));
                }
            }
        }
        let (NodeBody::Resource(_) | NodeBody::Component(_)) = node.body else {
            continue;
        };
        if let Some(range) = node.option("range") {
            let span = Span::new(node.file, range.name_range);
            findings.extend(hidden(binder, "range", span));
        }
    }
}

/// Where a loop declares a variable.
fn place(binder: &Binder<'_, '_, '_>, expr: &Expr, name: &str) -> Option<Span> {
    let mut files = binder.sources.files.iter();
    let source = files.find(|source| source.file == expr.file)?;
    let node = source.tree.node(expr.node);
    let mut tokens = node.tokens();
    let token = tokens.find(|token| token.kind() == SyntaxKind::Ident && token.text() == name)?;
    Some(Span::new(expr.file, token.range()))
}

/// The finding, if the program declares that name.
fn hidden(binder: &Binder<'_, '_, '_>, name: &str, span: Span) -> Option<Diagnostic> {
    let symbol = binder.session.types.find_symbol(name)?;
    let definition = binder.session.scopes.lookup(binder.root, symbol)?;
    let declared: &Node = {
        let node = binder.session.scopes.definition(definition).kind.node()?;
        binder.nodes.get(node as usize)?
    };
    let message = format!("this `{name}` hides the one that the program declares");
    Some(
        Diagnostic::warning(Code::ShadowedName, span, message)
            .label(declared.name_span(), "hidden here")
            .help("give one of the two another name"),
    )
}
