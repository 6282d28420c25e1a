//! Facts about written expressions that refactorings need.

use pcl::diagnostics::{FileId, TextRange};
use pcl::syntax::ast::{self, AstNode as _};
use pcl::syntax::{SyntaxKind, SyntaxNode};

use crate::Analysis;

/// The nodes that have all of a selection, the innermost first. Spaces at its ends do not count.
pub(super) fn around(analysis: &Analysis, file: FileId, range: TextRange) -> Vec<SyntaxNode<'_>> {
    let Some(tree) = analysis.tree(file) else {
        return Vec::new();
    };
    let text = tree.text().get(range.to_usize()).unwrap_or_default();
    let inner = if text.trim().is_empty() {
        match analysis.token_at(file, range.start()) {
            Some(token) => return token.parent().ancestors().collect(),
            None => return Vec::new(),
        }
    } else {
        let start = range.start() + (text.len() - text.trim_start().len()) as u32;
        TextRange::new(start, start + text.trim().len() as u32)
    };
    tree.covering(inner).ancestors().collect()
}

/// The line ending of a file.
pub(super) fn newline(analysis: &Analysis, file: FileId) -> &'static str {
    pcl::line_end(analysis.checked.sources.text(file))
}

/// Returns true if an expression is one term, which steps and operators can be put around as it is.
pub(super) fn is_term(node: SyntaxNode<'_>) -> bool {
    use SyntaxKind as K;
    matches!(
        node.kind(),
        K::Name | K::Traversal | K::Index | K::Call | K::Paren | K::Literal | K::Template
    )
}

/// Returns true if line endings in an expression are between brackets of its own.
pub(super) fn has_own_brackets(node: SyntaxNode<'_>) -> bool {
    use SyntaxKind as K;
    let text = node.text();
    !text.contains('\n')
        || matches!(
            node.kind(),
            K::Tuple | K::Object | K::ForTuple | K::ForObject | K::Call | K::Paren
        )
}

/// Returns true if a heredoc is in a node.
pub(super) fn has_heredoc(node: SyntaxNode<'_>) -> bool {
    let mut nodes = node.descendants();
    nodes.any(|node| node.kind() == SyntaxKind::Heredoc)
}

/// The names of the loop variables in a node.
pub(super) fn loop_names(node: SyntaxNode<'_>) -> impl Iterator<Item = &str> {
    node.descendants().flat_map(|node| {
        let variables = match node.kind() {
            SyntaxKind::ForTuple | SyntaxKind::ForObject => ast::Expr::cast(node),
            _ => None,
        };
        let of_expr = match variables {
            Some(ast::Expr::For(bound)) => [bound.key_variable(), bound.value_variable()],
            _ => [None, None],
        };
        let head = (node.kind() == SyntaxKind::ForHead).then_some(node);
        let of_head = head.into_iter().flat_map(|head| {
            let words = head.own_tokens();
            let words = words.filter(|token| token.kind() == SyntaxKind::Ident);
            words.take_while(|token| token.text() != "in").skip(1)
        });
        let all = of_expr.into_iter().flatten().chain(of_head);
        all.map(|token| token.text())
    })
}

/// The text of an expression where a new line would end it: in parentheses if it is on several
/// lines.
pub(super) fn on_its_own(node: SyntaxNode<'_>) -> String {
    if has_own_brackets(node) || node.kind() == SyntaxKind::Heredoc {
        node.text().to_owned()
    } else {
        format!("({})", node.text())
    }
}
