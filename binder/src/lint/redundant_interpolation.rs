//! `"${x}"`, which is `x`: the quotes make no text of it.
//!
//! The rules, with examples: `tests/spec/lints/redundant_interpolation.md`.

use pcl_diagnostics::{Code, Diagnostic, Fix, Span, TextEdit, TextRange};
use pcl_syntax::SyntaxKind;
use pcl_syntax::ast::{self, AstNode as _};

use super::finished::{Finished, Lint, Scope};

pub(super) static LINT: Lint =
    Lint { code: Code::RedundantInterpolation, scope: Scope::Declarations, check };

/// Looks at every quoted string that is one interpolation. As a key of an object it says that the
/// key is computed.
fn check(bound: &Finished<'_>, diagnostics: &mut Vec<Diagnostic>) {
    let module = bound.module;
    for (&file, tree) in module.files.iter().zip(&module.trees) {
        let mut keys = Vec::new();
        for node in tree.root().descendants() {
            if let Some(item) = ast::ObjectItem::cast(node) {
                keys.extend(item.key().map(|key| key.syntax().id()));
            }
            if node.kind() != SyntaxKind::Template || keys.last() == Some(&node.id()) {
                continue;
            }
            let Some(inner) = ast::Template::cast(node).and_then(ast::Template::wrapped) else {
                continue;
            };
            let span = Span::new(file, node.range());
            let text = inner.syntax().text();
            let plain = if stands_alone(inner) && is_apart(tree.text(), node.range()) {
                text.to_owned()
            } else {
                format!("({text})")
            };
            let plain = (!node.contains_error()).then_some(plain);
            diagnostics.push(redundant_interpolation(span, plain));
        }
    }
}

/// Returns whether a value needs no parentheses in any place. Between braces lines may break where
/// they otherwise end.
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
    let before = text.get(..range.start).and_then(|text| text.chars().next_back());
    let after = text.get(range.end..).and_then(|text| text.chars().next());
    let opens = |c: char| c.is_whitespace() || "([{,=".contains(c);
    let closes = |c: char| c.is_whitespace() || ")]},".contains(c);
    before.is_none_or(opens) && after.is_none_or(closes)
}

/// A string that is nothing but an interpolation of `value`; `None` where that cannot be read.
fn redundant_interpolation(span: Span, value: Option<String>) -> Diagnostic {
    let diagnostic = Diagnostic::warning(
        Code::RedundantInterpolation,
        span,
        "this string is only an interpolation: write the value itself",
    )
    .help("leave out the quotes and the `${}`");
    diagnostic.fix(
        value.map(|value| Fix::safe("write the value alone", vec![TextEdit::replace(span, value)])),
    )
}
