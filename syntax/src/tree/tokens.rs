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
    #[must_use]
    #[expect(
        clippy::len_without_is_empty,
        reason = "there is always an end of file"
    )]
    pub fn len(&self) -> usize {
        self.kinds.len()
    }

    /// The kind of token `index`; the end of the file beyond the last one.
    #[must_use]
    #[inline]
    pub fn kind(&self, index: u32) -> SyntaxKind {
        self.kinds
            .get(index as usize)
            .copied()
            .unwrap_or(SyntaxKind::EndOfFile)
    }

    /// The offset at which token `index` begins; the end of the text beyond the last one.
    #[must_use]
    #[inline]
    pub fn start(&self, index: u32) -> u32 {
        let start = self.starts.get(index as usize).or(self.starts.last());
        start.copied().unwrap_or_default()
    }

    /// The bytes of token `index`.
    #[must_use]
    #[inline]
    pub fn range(&self, index: u32) -> TextRange {
        self.between(index, index.saturating_add(1))
    }

    /// The bytes from token `first` up to token `end`.
    #[inline]
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
    pub(crate) fn first_from(&self, offset: u32) -> u32 {
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
}

/// The tokens of a text that were read so far.
pub(crate) struct TokensWriter {
    kinds: Vec<SyntaxKind>,
    starts: Vec<u32>,
}

impl TokensWriter {
    /// No tokens, with room for this number.
    pub(crate) fn with_capacity(tokens: usize) -> Self {
        Self {
            kinds: Vec::with_capacity(tokens),
            starts: Vec::with_capacity(tokens),
        }
    }

    /// The number of tokens.
    pub(crate) fn len(&self) -> u32 {
        self.kinds.len() as u32
    }

    /// The kinds of the tokens, the last one first.
    pub(crate) fn last_kinds(&self) -> impl Iterator<Item = SyntaxKind> + '_ {
        self.kinds.iter().rev().copied()
    }

    /// The offset at which a token begins.
    pub(crate) fn start(&self, token: u32) -> Option<u32> {
        self.starts.get(token as usize).copied()
    }

    /// Appends a token that begins at `start`.
    #[inline]
    pub(crate) fn push(&mut self, kind: SyntaxKind, start: usize) {
        self.kinds.push(kind);
        self.starts.push(start as u32);
    }

    /// Forgets all but the first `len` tokens.
    pub(crate) fn truncate(&mut self, len: u32) {
        self.kinds.truncate(len as usize);
        self.starts.truncate(len as usize);
    }

    /// All tokens, the last of which is the end of the file.
    pub(crate) fn finish(mut self) -> Tokens {
        self.kinds.shrink_to_fit();
        self.starts.shrink_to_fit();
        Tokens {
            kinds: self.kinds,
            starts: self.starts,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(starts: impl IntoIterator<Item = usize>) -> TokensWriter {
        let mut writer = TokensWriter::with_capacity(0);
        for start in starts {
            writer.push(SyntaxKind::Ident, start);
        }
        writer
    }

    #[test]
    fn a_truncated_text_is_a_shorter_one() {
        let starts = |token: usize| token * 30;
        for len in 0..50 {
            let mut writer = written((0..50).map(starts));
            writer.truncate(len);
            assert_eq!((writer.len(), writer.start(len)), (len, None));
            assert_eq!(writer.last_kinds().count(), len as usize);
            let expected = written((0..len as usize).map(starts));
            assert_eq!(writer.finish(), expected.finish());
        }
    }

    #[test]
    fn beyond_the_last_token_is_the_end() {
        let tokens = written([0, 1, 5]).finish();
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
