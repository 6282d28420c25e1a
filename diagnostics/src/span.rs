//! Positions in text: byte ranges, files, and the two together.

use std::fmt;

/// A half-open range of bytes in one text, counted from 0.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct TextRange {
    start: u32,
    end: u32,
}

impl TextRange {
    /// The range `start..end`. An `end` before `start` is read as an empty range at `start`.
    pub const fn new(start: u32, end: u32) -> Self {
        Self { start, end: if end < start { start } else { end } }
    }

    /// The empty range at `offset`.
    pub const fn empty(offset: u32) -> Self {
        Self::new(offset, offset)
    }

    /// Offset of the first byte.
    pub const fn start(self) -> u32 {
        self.start
    }

    /// Offset after the last byte.
    pub const fn end(self) -> u32 {
        self.end
    }

    /// Length in bytes.
    pub const fn len(self) -> u32 {
        self.end - self.start
    }

    /// Returns whether the range holds no byte.
    pub const fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// Returns whether the byte at `offset` is in the range.
    pub const fn contains(self, offset: u32) -> bool {
        self.start <= offset && offset < self.end
    }

    /// Returns whether every byte of `other` is in the range.
    pub const fn contains_range(self, other: Self) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    /// Returns whether the ranges have a byte in common, or one begins where the other ends.
    pub const fn touches(self, other: Self) -> bool {
        self.start <= other.end && other.start <= self.end
    }

    /// The smallest range that holds both.
    #[must_use]
    pub fn cover(self, other: Self) -> Self {
        Self::new(self.start.min(other.start), self.end.max(other.end))
    }

    /// The range as indexes into a string. Slicing is safe only in the text that the range was made
    /// for.
    pub const fn to_usize(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

impl fmt::Debug for TextRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}..{}", self.start, self.end)
    }
}

impl From<std::ops::Range<u32>> for TextRange {
    fn from(range: std::ops::Range<u32>) -> Self {
        Self::new(range.start, range.end)
    }
}

/// A file of a [`SourceMap`](crate::SourceMap).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct FileId(pub u32);

/// A range in a file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// The bytes in it.
    pub range: TextRange,
}

impl Span {
    /// The bytes `range` of `file`.
    pub const fn new(file: FileId, range: TextRange) -> Self {
        Self { file, range }
    }

    /// Returns true if one of the spans holds the other.
    pub const fn nests_with(self, other: Self) -> bool {
        let (one, two) = (self.range, other.range);
        self.file.0 == other.file.0 && (one.contains_range(two) || two.contains_range(one))
    }
}

impl fmt::Debug for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{:?}", self.file.0, self.range)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_never_ends_before_it_starts() {
        assert_eq!(TextRange::new(5, 2), TextRange::empty(5));
    }

    #[test]
    fn cover_holds_both() {
        let a = TextRange::new(2, 4);
        let b = TextRange::new(7, 9);
        assert!(a.cover(b).contains_range(a) && a.cover(b).contains_range(b));
        assert!(!a.contains(4) && a.contains(3));
    }
}
