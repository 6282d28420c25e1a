//! The texts of values and files, as refactorings write them.

use pcl::diagnostics::{FileId, Span, TextRange};
use pcl::syntax::ast::{self, AstNode as _};
use pcl::syntax::{SyntaxKind, SyntaxNode};

use crate::{Analysis, FilePosition};

/// The nodes that have all of a selection, the innermost first. Spaces at its ends do not count.
pub(super) fn around(analysis: &Analysis, selection: Span) -> Vec<SyntaxNode<'_>> {
    let text = analysis.text(selection);
    let innermost = if text.trim().is_empty() {
        analysis.token_at(FilePosition::start_of(selection)).map(|token| token.parent())
    } else {
        let start = selection.range.start() + (text.len() - text.trim_start().len()) as u32;
        let inner = TextRange::new(start, start + text.trim().len() as u32);
        analysis.tree(selection.file).map(|tree| tree.covering(inner))
    };
    innermost.into_iter().flat_map(SyntaxNode::ancestors).collect()
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
