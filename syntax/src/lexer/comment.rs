//! The ends of comments.
//!
//! The rules, with examples: `tests/spec/syntax/comment.md`.

use pcl_diagnostics::Code;

use super::Lexer;
use crate::kind::SyntaxKind;

impl Lexer<'_> {
    /// Goes to the end of the line; the line ending is a separate token.
    pub(super) fn rest_of_line(&mut self) {
        let line = super::heredoc::line_at(self.source, self.at);
        self.seek(self.at + line.len());
    }

    /// Goes behind `*/`, or to the end of the file when there is none.
    pub(super) fn rest_of_block_comment(&mut self, start: usize) -> SyntaxKind {
        match memchr::memmem::find(self.rest().as_bytes(), b"*/") {
            Some(at) => {
                self.seek(self.at + at + 2);
                SyntaxKind::BlockComment
            }
            None => {
                // The opener is to blame, not the whole rest of the file.
                self.error(Code::LexUnterminatedComment, start, self.at);
                self.seek(self.source.len());
                SyntaxKind::UnterminatedComment
            }
        }
    }
}
