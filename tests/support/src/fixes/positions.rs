//! Positions by which diagnostics are known again after edits.

use std::collections::BTreeMap;

use pcl::Checked;
use pcl::diagnostics::{Diagnostic, FileId, TextEdit, TextRange};

/// A position by which a diagnostic is known again after an edit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Position {
    /// In text that stays, counted in bytes of the text before the edits.
    Kept(u32),
    /// In the text that this edit replaces, or in what replaces it.
    Edit(usize),
}

/// Edits of one file, in order.
#[derive(Default)]
pub(super) struct Edits(pub(super) Vec<(TextRange, u32)>);

impl Edits {
    pub(super) fn new(file: FileId, edits: &[TextEdit]) -> Self {
        let edits = edits.iter().filter(|edit| edit.span.file == file);
        let mut edits: Vec<_> =
            edits.map(|edit| (edit.span.range, edit.text.len() as u32)).collect();
        edits.sort_unstable();
        Self(edits)
    }

    pub(super) fn before(&self, offset: u32) -> Position {
        match self.0.iter().position(|(range, _)| range.contains(offset)) {
            Some(edit) => Position::Edit(edit),
            None => Position::Kept(offset),
        }
    }

    /// The ranges of the new texts.
    pub(super) fn new_ranges(&self) -> Vec<TextRange> {
        let (mut ranges, mut added, mut removed) = (Vec::new(), 0, 0);
        for &(range, len) in &self.0 {
            let start = range.start() + added - removed;
            ranges.push(TextRange::new(start, start + len));
            added += len;
            removed += range.len();
        }
        ranges
    }

    pub(super) fn after(&self, offset: u32) -> Position {
        let mut back = offset;
        for (edit, range) in self.new_ranges().into_iter().enumerate() {
            if range.contains(offset) {
                return Position::Edit(edit);
            }
            if range.end() <= offset {
                back = self.0[edit].0.end() + (offset - range.end());
            }
        }
        Position::Kept(back)
    }
}

pub(super) type Key = (FileId, &'static str, Position);
pub(super) type Counts = BTreeMap<Key, usize>;

/// The diagnostics by file, code and position.
pub(super) fn counts(checked: &Checked, position: impl Fn(FileId, u32) -> Position) -> Counts {
    let mut counts = Counts::new();
    for diagnostic in &checked.diagnostics {
        *counts.entry(key(diagnostic, &position)).or_default() += 1;
    }
    counts
}

pub(super) fn key(diagnostic: &Diagnostic, position: impl Fn(FileId, u32) -> Position) -> Key {
    let span = diagnostic.primary;
    let position = position(span.file, span.range.start());
    (span.file, diagnostic.code.id(), position)
}
