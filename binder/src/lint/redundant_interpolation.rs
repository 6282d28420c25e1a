//! `"${x}"`, which is `x`: the quotes make no text of it.

use pcl_diagnostics::{Applicability, Code, Diagnostic, Fix, Span, TextEdit};
use pcl_syntax::SyntaxKind;
use pcl_syntax::ast::{self, AstNode as _};

use crate::binder::Binder;

/// Looks at every quoted string that is one interpolation. As a key of an object it says that the key is computed.
pub(super) fn check(binder: &Binder<'_, '_, '_>, findings: &mut Vec<Diagnostic>) {
    for source in &binder.sources.files {
        let mut keys = Vec::new();
        for node in source.tree.root().descendants() {
            if let Some(item) = ast::ObjectItem::cast(node) {
                keys.extend(item.key().map(|key| key.syntax().id()));
            }
            if node.kind() != SyntaxKind::Template || keys.last() == Some(&node.id()) {
                continue;
            }
            let Some(inner) = ast::Template::cast(node).and_then(ast::Template::wrapped) else {
                continue;
            };
            let span = Span::new(source.file, node.range());
            let text = inner.syntax().text();
            let stands_alone = matches!(
                inner,
                ast::Expr::Name(_)
                    | ast::Expr::Traversal(_)
                    | ast::Expr::Index(_)
                    | ast::Expr::Call(_)
                    | ast::Expr::Literal(_)
                    | ast::Expr::Paren(_)
            );
            let plain = match stands_alone {
                true => text.to_owned(),
                false => format!("({text})"),
            };
            let mut fix = Fix::safe(
                "write the value alone",
                vec![TextEdit::replace(span, plain)],
            );
            if matches!(inner, ast::Expr::Bogus(_)) {
                fix.applicability = Applicability::DisplayOnly;
            }
            findings.push(
                Diagnostic::warning(
                    Code::RedundantInterpolation,
                    span,
                    "a string that is one interpolation is the value itself, not a text",
                )
                .help("leave out the quotes and the `${}`")
                .fix(fix),
            );
        }
    }
}
