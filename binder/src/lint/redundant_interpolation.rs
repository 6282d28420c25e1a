//! `"${x}"`, which is `x`: the quotes make no text of it.
//!
//! The rules, with examples: `tests/spec/lints/redundant_interpolation.md`.

use pcl_diagnostics::{Code, Diagnostic, Fix, Span, TextEdit, TextRange};
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
            let finding = Diagnostic::warning(
                Code::RedundantInterpolation,
                span,
                "a string that is one interpolation is the value itself, not a text",
            )
            .help("leave out the quotes and the `${}`");
            if node.contains_error() {
                findings.push(finding);
                continue;
            }
            let plain = match stands_alone(inner) && is_apart(source.tree.text(), node.range()) {
                true => text.to_owned(),
                false => format!("({text})"),
            };
            findings.push(finding.fix(Fix::safe(
                "write the value alone",
                vec![TextEdit::replace(span, plain)],
            )));
        }
    }
}

/// Returns whether a value needs no parentheses in any place. Between braces lines may break where they otherwise end.
fn stands_alone(value: ast::Expr<'_>) -> bool {
    let is_one = matches!(
        value,
        ast::Expr::Name(_)
            | ast::Expr::Traversal(_)
            | ast::Expr::Index(_)
            | ast::Expr::Call(_)
            | ast::Expr::Literal(_)
            | ast::Expr::Paren(_)
    );
    is_one && !value.syntax().text().contains('\n')
}

/// Returns whether nothing before or after a range could become one token with what replaces it.
fn is_apart(text: &str, range: TextRange) -> bool {
    let range = range.to_usize();
    let before = text[..range.start].chars().next_back();
    let after = text[range.end..].chars().next();
    let opens = |c: char| c.is_whitespace() || "([{,=".contains(c);
    let closes = |c: char| c.is_whitespace() || ")]},".contains(c);
    before.is_none_or(opens) && after.is_none_or(closes)
}
