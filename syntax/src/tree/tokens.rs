//! The tokens of a text.

use pcl_diagnostics::TextRange;

use crate::kind::SyntaxKind;

/// The tokens of a text: token `i` covers `start(i)..start(i + 1)`, so that they tile it. The last
/// one is the end of the file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tokens {
    pub(crate) kinds: Vec<SyntaxKind>,
    starts: Vec<u32>,
}

impl Tokens {
    /// The number of tokens, the end of the file included; at least 1.
    #[expect(clippy::len_without_is_empty, reason = "there is always an end of file")]
    pub fn len(&self) -> usize {
        self.kinds.len()
    }

    /// The kind of token `index`; the end of the file beyond the last one.
    pub fn kind(&self, index: u32) -> SyntaxKind {
        self.kinds.get(index as usize).copied().unwrap_or(SyntaxKind::EndOfFile)
    }

    /// The offset at which token `index` begins; the end of the text beyond the last one.
    pub fn start(&self, index: u32) -> u32 {
        self.starts.get(index as usize).or(self.starts.last()).copied().unwrap_or_default()
    }

    /// The bytes of token `index`.
    pub fn range(&self, index: u32) -> TextRange {
        self.between(index, index.saturating_add(1))
    }

    /// The bytes from token `first` up to token `end`.
    pub(crate) fn between(&self, first: u32, end: u32) -> TextRange {
        TextRange::new(self.start(first), self.start(end))
    }

    /// Kinds and ranges in order.
    pub fn iter(&self) -> impl Iterator<Item = (SyntaxKind, TextRange)> + '_ {
        (0..self.len() as u32).map(|index| (self.kind(index), self.range(index)))
    }

    /// The index of the end of the file.
    pub(crate) fn end(&self) -> u32 {
        self.kinds.len() as u32 - 1
    }

    /// The first token that begins at or after `offset`; the number of tokens when none does.
    pub fn first_from(&self, offset: u32) -> u32 {
        self.starts.partition_point(|&start| start < offset) as u32
    }

    /// The first token that is neither blank nor comment within a line: where the body of a file
    /// begins.
    pub(crate) fn first_visible(&self) -> u32 {
        let hidden = |kind: &SyntaxKind| kind.is_trivia() && *kind != SyntaxKind::LineComment;
        let first = self.kinds.iter().take_while(|kind| hidden(kind)).count() as u32;
        // A comment line that ends with the file counts as a space.
        let is_last = first + 1 == self.end();
        first + u32::from(is_last && self.kind(first) == SyntaxKind::LineComment)
    }

    /// No tokens, with room for this number.
    pub(crate) fn with_capacity(tokens: usize) -> Self {
        Self { kinds: Vec::with_capacity(tokens), starts: Vec::with_capacity(tokens) }
    }

    /// Appends a token that begins at `start`. The last one has to be the end of the file.
    pub(crate) fn push(&mut self, kind: SyntaxKind, start: usize) {
        self.kinds.push(kind);
        self.starts.push(start as u32);
    }

    /// Forgets all but the first `len` tokens.
    pub(crate) fn truncate(&mut self, len: u32) {
        self.kinds.truncate(len as usize);
        self.starts.truncate(len as usize);
    }

    /// Gives back the memory that is not used.
    pub(crate) fn shrink_to_fit(&mut self) {
        self.kinds.shrink_to_fit();
        self.starts.shrink_to_fit();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn beyond_the_last_token_is_the_end() {
        let mut tokens = Tokens::with_capacity(0);
        for start in [0, 1, 5, 9] {
            tokens.push(SyntaxKind::Ident, start);
        }
        tokens.truncate(3);
        assert_eq!(tokens.range(1), TextRange::new(1, 5));
        for beyond in [2, 3, 15, 16, u32::MAX] {
            assert_eq!(tokens.start(beyond), 5);
            assert_eq!(tokens.range(beyond), TextRange::empty(5));
        }
        let offsets = [(0, 0), (1, 1), (2, 2), (5, 2), (6, 3)];
        for (offset, token) in offsets {
            assert_eq!(tokens.first_from(offset), token);
        }
    }
}
