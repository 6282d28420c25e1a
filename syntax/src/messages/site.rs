//! A syntax error with its surroundings: the text that a message quotes and the tokens next to it.

use std::cell::OnceCell;

use pcl_diagnostics::{FileId, Span, TextRange};

use super::draft::excerpt;
use crate::error::SyntaxError;
use crate::kind::SyntaxKind;
use crate::lexer::ident;
use crate::tree::SyntaxTree;

/// A syntax error in the text where it occurred.
pub(super) struct Site<'a> {
    pub(super) error: &'a SyntaxError,
    file: FileId,
    pub(super) tree: &'a SyntaxTree,
    /// Tells whether the error is in a block, once that is known.
    is_in_block: OnceCell<bool>,
}

/// The longest indentation that a fix repeats, in bytes: a line may hold many errors.
const LONGEST_INDENT: usize = 200;

impl<'a> Site<'a> {
    pub(super) fn new(error: &'a SyntaxError, file: FileId, tree: &'a SyntaxTree) -> Self {
        Self {
            error,
            file,
            tree,
            is_in_block: OnceCell::new(),
        }
    }

    /// Another error of the same body.
    pub(super) fn beside(&self, error: &'a SyntaxError) -> Self {
        Self {
            error,
            is_in_block: self.is_in_block.clone(),
            ..*self
        }
    }

    /// Returns whether the error is in a block.
    pub(super) fn is_in_block(&self) -> bool {
        *self.is_in_block.get_or_init(|| {
            let node = self.tree.token_at(self.error.range().start()).parent();
            node.ancestors()
                .any(|node| node.kind() == SyntaxKind::Block)
        })
    }

    pub(super) fn span(&self, range: TextRange) -> Span {
        Span::new(self.file, range)
    }

    /// The text of a range.
    pub(super) fn text(&self, range: TextRange) -> &'a str {
        self.tree.text().get(range.to_usize()).unwrap_or_default()
    }

    /// The text of the place to blame.
    pub(super) fn written(&self) -> &'a str {
        self.text(self.error.range())
    }

    /// The text at the place to blame, for a sentence.
    pub(super) fn found(&self) -> String {
        let text = self.written();
        if self.error.range().end() as usize >= self.tree.text().len() && text.trim().is_empty() {
            return "the end of the file".to_owned();
        }
        if text.trim().is_empty() {
            return "the end of the line".to_owned();
        }
        match text {
            "\"" => "a string".to_owned(),
            _ => excerpt(text),
        }
    }

    /// The end of the last token before `offset` that is neither blank nor comment nor line
    /// ending.
    pub(super) fn end_before(&self, offset: u32) -> u32 {
        let tokens = self.tree.tokens();
        let mut token = tokens.first_from(offset);
        while token > 0 {
            let kind = tokens.kind(token - 1);
            if !kind.is_trivia() && kind != SyntaxKind::Newline {
                break;
            }
            token -= 1;
        }
        tokens.start(token).min(offset)
    }

    /// The character before `offset`.
    pub(super) fn char_before(&self, offset: u32) -> TextRange {
        let before = self.text(TextRange::new(0, offset)).chars().next_back();
        let length = before.map_or(0, char::len_utf8) as u32;
        TextRange::new(offset - length, offset)
    }

    /// The word that ends before `offset`; empty when something else does.
    pub(super) fn word_before(&self, offset: u32) -> TextRange {
        let end = self.end_before(offset);
        let before = self.text(TextRange::new(0, end));
        let start = before.trim_end_matches(ident::is_continue).len() as u32;
        TextRange::new(start, end)
    }

    /// The first token at or after `offset` that is neither blank nor comment, with its kind.
    pub(super) fn next_token(&self, offset: u32) -> (TextRange, SyntaxKind) {
        let tokens = self.tree.tokens();
        let mut token = tokens.first_from(offset);
        while tokens.kind(token).is_trivia() {
            token += 1;
        }
        (tokens.range(token), tokens.kind(token))
    }

    /// The text from `offset` to the end of its line.
    pub(super) fn rest_of_line(&self, offset: u32) -> &'a str {
        let rest = self.tree.text().get(offset as usize..).unwrap_or_default();
        rest.split('\n').next().unwrap_or_default()
    }

    /// Returns true if the error is in a label of a block.
    pub(super) fn is_in_label(&self) -> bool {
        let node = self.tree.token_at(self.error.range().start()).parent();
        node.kind() == SyntaxKind::Label
    }

    /// The blanks that the line of `offset` begins with, as many as a fix repeats at most.
    pub(super) fn indent_at(&self, offset: u32) -> &'a str {
        let lines = self.tree.line_index();
        let start = lines.line_start(lines.line_of(offset)).unwrap_or(offset);
        let line = self.tree.text().get(start as usize..).unwrap_or_default();
        let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t');
        let blanks = line.bytes().take(LONGEST_INDENT);
        let count = blanks.take_while(is_blank).count();
        line.get(..count).unwrap_or_default()
    }
}
