//! Edits that fix what a diagnostic reports.

use std::collections::BTreeMap;

use crate::source::SourceMap;
use crate::span::{FileId, Span, TextRange};
use crate::suggest::is_same_word;

/// The trust that an edit deserves.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Applicability {
    /// Shown only: it holds placeholders, is one of several ways, or leads to another error.
    DisplayOnly,
    /// It fixes the error, but may change the meaning of the program.
    Unsafe,
    /// It fixes the error and keeps the meaning of the program.
    Safe,
}

impl Applicability {
    /// The word for it: `display-only`, `unsafe`, `safe`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::DisplayOnly => "display-only",
            Self::Unsafe => "unsafe",
            Self::Safe => "safe",
        }
    }
}

/// Replaces a span by a text; an empty span inserts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TextEdit {
    /// The text that is replaced.
    pub span: Span,
    /// The text that takes its place.
    pub text: String,
}

impl TextEdit {
    /// Replaces `span` by `text`.
    pub fn replace(span: Span, text: impl Into<String>) -> Self {
        Self { span, text: text.into() }
    }

    /// Inserts `text` at `offset` of `file`.
    pub fn insert(file: FileId, offset: u32, text: impl Into<String>) -> Self {
        Self::replace(Span::new(file, TextRange::empty(offset)), text)
    }

    /// An edit that leaves out the bytes of `span`.
    pub fn delete(span: Span) -> Self {
        Self::replace(span, "")
    }
}

/// Edits that belong together, with a title in the imperative.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fix {
    /// The effect of the edits, such as "rename to `length`".
    pub title: String,
    /// The edits; they do not overlap.
    pub edits: Vec<TextEdit>,
    /// The trust that they deserve.
    pub applicability: Applicability,
}

impl Fix {
    /// A fix that keeps the meaning of the program.
    pub fn safe(title: impl Into<String>, edits: Vec<TextEdit>) -> Self {
        Self { title: title.into(), edits, applicability: Applicability::Safe }
    }

    /// A fix that is safe if it is certain what was meant.
    pub fn safe_if(is_certain: bool, title: impl Into<String>, edits: Vec<TextEdit>) -> Self {
        if is_certain { Self::safe(title, edits) } else { Self::unsafe_(title, edits) }
    }

    /// A fix that may change the meaning of the program.
    pub fn unsafe_(title: impl Into<String>, edits: Vec<TextEdit>) -> Self {
        Self { applicability: Applicability::Unsafe, ..Self::safe(title, edits) }
    }

    /// A fix that writes `meant` where `written` is: safe if both are one word in two spellings,
    /// unsafe if `meant` is a guess.
    pub fn respelled(
        written: &str,
        meant: &str,
        title: impl Into<String>,
        edits: Vec<TextEdit>,
    ) -> Self {
        if is_same_word(written, meant) {
            Self::safe(title, edits)
        } else {
            Self::unsafe_(title, edits)
        }
    }

    /// A fix to look at only.
    pub fn display_only(title: impl Into<String>, edits: Vec<TextEdit>) -> Self {
        Self { applicability: Applicability::DisplayOnly, ..Self::safe(title, edits) }
    }
}

/// Edits of several fixes to the files of a program, which do not overlap.
#[derive(Clone, Default, Debug)]
pub struct Patch<'a> {
    files: BTreeMap<FileId, BTreeMap<TextRange, &'a str>>,
}

impl<'a> Patch<'a> {
    /// Adds the edits of a fix. Returns false, and adds nothing, if there are none, if one does not
    /// fit the text of its file, or if one overlaps another or an earlier one.
    pub fn add(
        &mut self,
        sources: &SourceMap,
        edits: impl IntoIterator<Item = &'a TextEdit>,
    ) -> bool {
        let mut added: Vec<Span> = Vec::new();
        let mut fits = true;
        for edit in edits {
            let TextEdit { span, text } = edit;
            fits &= sources.text(span.file).get(span.range.to_usize()).is_some();
            fits &= self.is_free(*span);
            if !fits {
                break;
            }
            let file = self.files.entry(span.file).or_default();
            file.insert(span.range, text);
            added.push(*span);
        }
        if !fits {
            for span in &added {
                if let Some(file) = self.files.get_mut(&span.file) {
                    file.remove(&span.range);
                }
            }
        }
        fits && !added.is_empty()
    }

    /// Returns true if no edit overlaps a span; insertions at one place overlap.
    fn is_free(&self, span: Span) -> bool {
        let Some(file) = self.files.get(&span.file) else { return true };
        let range = span.range;
        let apart = |other: &TextRange| {
            (range.end() <= other.start() || other.end() <= range.start()) && range != *other
        };
        let start = TextRange::empty(range.start());
        let before = file.range(..start).next_back();
        let mut after = file.range(start..).take_while(|(other, _)| other.start() <= range.end());
        before.is_none_or(|(other, _)| apart(other)) && after.all(|(other, _)| apart(other))
    }

    /// The files with edits.
    pub fn files(&self) -> impl Iterator<Item = FileId> {
        let edited = self.files.iter().filter(|(_, edits)| !edits.is_empty());
        edited.map(|(&file, _)| file)
    }

    /// The text of a file after the edits.
    pub fn text(&self, sources: &SourceMap, file: FileId) -> String {
        let text = sources.text(file);
        let mut result = String::with_capacity(text.len());
        let mut at = 0;
        for (range, new) in self.files.get(&file).into_iter().flatten() {
            let range = range.to_usize();
            result.push_str(text.get(at..range.start).unwrap_or_default());
            result.push_str(new);
            at = range.end;
        }
        result.push_str(text.get(at..).unwrap_or_default());
        result
    }
}

/// The text of `file` after `fixes`, of which only the edits of this file count. A fix whose edits
/// overlap an earlier fix's, or do not fit the text, is left out whole; the number of fixes applied
/// is returned with the text.
pub fn apply(sources: &SourceMap, file: FileId, fixes: &[Fix]) -> (String, usize) {
    let mut patch = Patch::default();
    let mut applied = 0;
    for fix in fixes {
        let edits = fix.edits.iter().filter(|edit| edit.span.file == file);
        applied += usize::from(patch.add(sources, edits));
    }
    (patch.text(sources, file), applied)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overlapping_fixes_are_left_out_whole() {
        let mut sources = SourceMap::new();
        let file = sources.add("main.pp", "a = bb");
        let span = |start, end| Span::new(file, TextRange::new(start, end));
        let first = Fix::safe("rename", vec![TextEdit::replace(span(4, 6), "ccc")]);
        let second = Fix::safe(
            "clash",
            vec![TextEdit::replace(span(0, 1), "x"), TextEdit::replace(span(5, 6), "y")],
        );
        let third = Fix::safe("insert", vec![TextEdit::insert(file, 0, "# hi\n")]);
        assert_eq!(apply(&sources, file, &[first, second, third]), ("# hi\na = ccc".to_owned(), 2));
    }
}
