//! The parts of a text that editors fold.

use pcl::diagnostics::{FileId, TextRange};
use pcl::syntax::{SyntaxKind, SyntaxNode, SyntaxTree};

use crate::Analysis;

/// A part of a text that can be folded. It is longer than a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fold {
    /// The text that is hidden: what is between the brackets, or behind the first line.
    pub range: TextRange,
    /// Set if it is a comment.
    pub is_comment: bool,
    /// Set if the line at its end stays visible, as that of a closing bracket does.
    pub keeps_last_line: bool,
}

/// The parts of a file that can be folded: blocks, objects, lists, calls, templates and comments,
/// by place.
#[must_use]
pub fn folds(analysis: &Analysis, file: FileId) -> Vec<Fold> {
    let Some(tree) = analysis.tree(file) else {
        return Vec::new();
    };
    let nodes = tree.root().descendants();
    let mut folds: Vec<Fold> = nodes.filter_map(fold).collect();
    folds.extend(comments(tree));
    folds.retain(|fold| {
        let text = tree.text().get(fold.range.to_usize());
        text.is_some_and(|text| text.contains('\n'))
    });
    folds.sort_by_key(|fold| (fold.range.start(), std::cmp::Reverse(fold.range.end())));
    folds
}

fn fold(node: SyntaxNode<'_>) -> Option<Fold> {
    use SyntaxKind as K;
    let range = node.range();
    let own = |kind| node.own_token(kind);
    let (open, close) = match node.kind() {
        K::Body | K::Object | K::ForObject => (own(K::LBrace)?, own(K::RBrace)?),
        K::Tuple | K::ForTuple => (own(K::LBracket)?, own(K::RBracket)?),
        K::Call | K::Paren => (own(K::LParen)?, own(K::RParen)?),
        K::Template => (own(K::QuoteOpen)?, own(K::QuoteClose)?),
        K::Heredoc => {
            let open = own(K::HeredocOpen)?;
            // Its token has the line ending behind the marker.
            let start = open.range().start() + open.text().trim_end().len() as u32;
            let close = own(K::HeredocClose)?.range();
            return Some(Fold {
                range: TextRange::new(start, close.start()),
                is_comment: false,
                keeps_last_line: true,
            });
        }
        K::IfDirective | K::ForDirective => {
            let head = node.children().next()?;
            return Some(Fold {
                range: TextRange::new(head.range().end(), range.end()),
                is_comment: false,
                keeps_last_line: true,
            });
        }
        _ => return None,
    };
    Some(Fold {
        range: TextRange::new(open.range().end(), close.range().start()),
        is_comment: false,
        keeps_last_line: true,
    })
}

/// Block comments, and line comments on consecutive lines of their own.
fn comments(tree: &SyntaxTree) -> Vec<Fold> {
    let mut folds = Vec::new();
    let mut run: Option<TextRange> = None;
    // The tokens since the last line ending, without spaces.
    let mut line: Option<(SyntaxKind, TextRange, bool)> = None;
    let mut end_line = |line: &mut Option<(SyntaxKind, TextRange, bool)>| {
        match line.take() {
            Some((SyntaxKind::LineComment, range, true)) => {
                run = Some(run.map_or(range, |run| run.cover(range)));
            }
            _ => folds.extend(run.take()),
        };
    };
    let mut blocks = Vec::new();
    for (kind, range) in tree.tokens().iter() {
        match kind {
            SyntaxKind::Whitespace | SyntaxKind::EndOfFile => {}
            SyntaxKind::Newline => end_line(&mut line),
            _ => {
                if kind == SyntaxKind::BlockComment {
                    blocks.push(range);
                }
                line = Some((kind, range, line.is_none()));
            }
        }
    }
    end_line(&mut line);
    end_line(&mut None);
    folds.extend(blocks);
    let hidden = |range: TextRange| {
        let text = tree.text().get(range.to_usize()).unwrap_or_default();
        let first = text.lines().next().unwrap_or_default();
        Fold {
            range: TextRange::new(range.start() + first.len() as u32, range.end()),
            is_comment: true,
            keeps_last_line: false,
        }
    };
    folds.into_iter().map(hidden).collect()
}
