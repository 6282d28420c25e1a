//! The token that a comment belongs to.
//!
//! Every comment belongs to one token that is not trivia:
//! - a comment after a token on its line *trails* it;
//! - a comment on the lines directly above a token *leads* it, and so does one before it on its
//!   line, if it trails no token;
//! - a comment further above, with an empty line between, is *detached*, and belongs to the token
//!   that follows it.
//!
//! The comments of a node are those that lead its first token and those that trail its last one.
//! Comments inside belong to the tokens there: a comment after the `{` of a block trails the brace,
//! a comment before its `}` leads that.

use pcl_diagnostics::TextRange;

use super::{SyntaxNode, SyntaxToken};
use crate::kind::SyntaxKind;

/// A comment: `# ..` and `// ..` up to the end of the line, or `/* .. */`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Comment<'t>(SyntaxToken<'t>);

impl<'t> Comment<'t> {
    fn cast(token: SyntaxToken<'t>) -> Option<Self> {
        let kind = token.kind();
        matches!(kind, SyntaxKind::LineComment | SyntaxKind::BlockComment).then_some(Self(token))
    }

    /// Its token, whose text has the delimiters.
    pub fn syntax(self) -> SyntaxToken<'t> {
        self.0
    }

    /// Its bytes, delimiters included.
    pub fn range(self) -> TextRange {
        self.0.range()
    }

    /// The text, line by line, for printing it in another language.
    ///
    /// The delimiters are left out, with all the stars of `/***` and `***/` and the spaces before
    /// the latter; so is a first or last line that is then empty, and the column of stars if every
    /// line after the first has it at the same place.
    pub fn lines(self) -> Vec<&'t str> {
        let text = self.0.text();
        let line = text.strip_prefix('#').or_else(|| text.strip_prefix("//"));
        if let Some(line) = line {
            return vec![line];
        }
        let text = text.strip_prefix('/').unwrap_or(text);
        let inner = text.strip_suffix('/').unwrap_or(text).trim_start_matches('*');
        let inner = inner.trim_end_matches('*').trim_end_matches([' ', '\t']);
        // As `str::lines`, but an empty last line counts.
        let lines = inner.split('\n');
        let mut lines: Vec<&str> =
            lines.map(|line| line.strip_suffix('\r').unwrap_or(line)).collect();
        if lines.len() > 1 && lines.last().is_some_and(|last| last.is_empty()) {
            lines.pop();
        }
        let column = lines.get(1).map_or("", |line| star_column(line));
        if lines.iter().skip(1).all(|line| star_column(line) == column) {
            for line in lines.iter_mut().skip(1) {
                *line = line.strip_prefix(column).unwrap_or(line);
            }
        }
        if lines.first().is_some_and(|first| first.is_empty()) {
            lines.remove(0);
        }
        lines
    }
}

/// The spaces and the star at the beginning of a line of a block comment.
fn star_column(line: &str) -> &str {
    let star = line.trim_start_matches([' ', '\t']).strip_prefix('*');
    star.and_then(|rest| line.strip_suffix(rest)).unwrap_or_default()
}

/// The comments of a token or a node, each list in the order of the text.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Comments<'t> {
    /// Above, but separated by a blank line.
    pub detached: Vec<Comment<'t>>,
    /// On the lines directly above, and before it on its line.
    pub leading: Vec<Comment<'t>>,
    /// Behind it on its line.
    pub trailing: Vec<Comment<'t>>,
}

impl<'t> SyntaxToken<'t> {
    /// The comments that belong to this token, by the rules above. Of trivia and line endings there
    /// are none.
    pub fn comments(self) -> Comments<'t> {
        if is_gap(self.kind()) {
            return Comments::default();
        }
        let (detached, leading) = self.comments_before();
        Comments { detached, leading, trailing: self.comments_behind() }
    }

    /// Detached and leading comments.
    fn comments_before(self) -> (Vec<Comment<'t>>, Vec<Comment<'t>>) {
        let mut first = self;
        while let Some(token) = first.previous().filter(|token| is_gap(token.kind())) {
            first = token;
        }
        let mut gap = std::iter::successors(Some(first), |token| token.next())
            .take_while(|&token| token != self);
        if first.previous().is_some_and(|token| !ends_line(token)) {
            // The rest of that line belongs to the token before.
            gap.find(|token| token.kind() == SyntaxKind::Newline);
        }
        let (mut detached, mut leading) = (Vec::new(), Vec::new());
        let mut is_blank = true;
        for token in gap {
            if let Some(comment) = Comment::cast(token) {
                leading.push(comment);
                is_blank = false;
            } else if token.kind() == SyntaxKind::Newline {
                if is_blank {
                    detached.append(&mut leading);
                }
                is_blank = true;
            }
        }
        (detached, leading)
    }

    fn comments_behind(self) -> Vec<Comment<'t>> {
        if ends_line(self) {
            return Vec::new();
        }
        std::iter::successors(self.next(), |token| token.next())
            .take_while(|token| token.kind().is_trivia())
            .filter_map(Comment::cast)
            .collect()
    }
}

impl<'t> SyntaxNode<'t> {
    /// The comments before the first token of this node and behind its last one.
    pub fn comments(self) -> Comments<'t> {
        let before = self.first_token().map(SyntaxToken::comments);
        let behind = self.last_token().map(SyntaxToken::comments);
        Comments { trailing: behind.unwrap_or_default().trailing, ..before.unwrap_or_default() }
    }
}

/// Returns whether such a token may be between those that comments belong to.
fn is_gap(kind: SyntaxKind) -> bool {
    kind.is_trivia() || kind == SyntaxKind::Newline
}

/// Returns whether a token has the line ending after it in its own text, as the introducer of a
/// heredoc has.
fn ends_line(token: SyntaxToken<'_>) -> bool {
    token.text().ends_with('\n')
}
