//! Edits that fix what a diagnostic reports.

use crate::source::SourceMap;
use crate::span::{FileId, Span, TextRange};
use crate::suggest::is_same_word;

/// The trust that an edit deserves.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Applicability {
    /// Shown only: it holds placeholders or is one of several ways.
    DisplayOnly,
    /// It fixes the error, but may change the meaning of the program.
    Unsafe,
    /// It fixes the error and keeps the meaning of the program.
    Safe,
}

impl Applicability {
    /// The word for it: `display-only`, `unsafe`, `safe`.
    #[must_use]
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
    #[must_use]
    pub fn replace(span: Span, text: impl Into<String>) -> Self {
        Self {
            span,
            text: text.into(),
        }
    }

    /// Inserts `text` at `offset` of `file`.
    #[must_use]
    pub fn insert(file: FileId, offset: u32, text: impl Into<String>) -> Self {
        Self::replace(Span::new(file, TextRange::empty(offset)), text)
    }

    /// An edit that leaves out the bytes of `span`.
    #[must_use]
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
    #[must_use]
    pub fn safe(title: impl Into<String>, edits: Vec<TextEdit>) -> Self {
        Self {
            title: title.into(),
            edits,
            applicability: Applicability::Safe,
        }
    }

    /// A fix that may change the meaning of the program.
    #[must_use]
    pub fn unsafe_(title: impl Into<String>, edits: Vec<TextEdit>) -> Self {
        Self {
            applicability: Applicability::Unsafe,
            ..Self::safe(title, edits)
        }
    }

    /// A fix that writes `meant` where `written` is: safe if both are one word in two spellings,
    /// unsafe if `meant` is a guess.
    #[must_use]
    pub fn respelled(
        written: &str,
        meant: &str,
        title: impl Into<String>,
        edits: Vec<TextEdit>,
    ) -> Self {
        match is_same_word(written, meant) {
            true => Self::safe(title, edits),
            false => Self::unsafe_(title, edits),
        }
    }

    /// A fix to look at only.
    #[must_use]
    pub fn display_only(title: impl Into<String>, edits: Vec<TextEdit>) -> Self {
        Self {
            applicability: Applicability::DisplayOnly,
            ..Self::safe(title, edits)
        }
    }
}

/// The text of `file` after `fixes`. A fix whose edits overlap an earlier fix's, or do not fit the
/// text, is left out whole; the number of fixes applied is returned with the text.
#[must_use]
pub fn apply(sources: &SourceMap, file: FileId, fixes: &[Fix]) -> (String, usize) {
    let text = sources.text(file);
    let mut accepted: Vec<&TextEdit> = Vec::new();
    let mut applied = 0;
    for fix in fixes {
        let mut edits: Vec<&TextEdit> = fix.edits.iter().filter(|e| e.span.file == file).collect();
        edits.sort_by_key(|e| e.span.range);
        let fits = edits
            .iter()
            .all(|e| text.get(e.span.range.to_usize()).is_some());
        let apart = |a: &TextEdit, b: &TextEdit| {
            let (a, b) = (a.span.range, b.span.range);
            (a.end() <= b.start() || b.end() <= a.start()) && a != b
        };
        let free = edits
            .iter()
            .all(|e| accepted.iter().all(|other| apart(e, other)))
            && edits
                .iter()
                .zip(edits.iter().skip(1))
                .all(|(a, b)| apart(a, b));
        if !edits.is_empty() && fits && free {
            accepted.extend(edits);
            applied += 1;
        }
    }
    accepted.sort_by_key(|e| e.span.range);
    let mut result = String::with_capacity(text.len());
    let mut at = 0;
    for edit in accepted {
        let range = edit.span.range.to_usize();
        result.push_str(text.get(at..range.start).unwrap_or_default());
        result.push_str(&edit.text);
        at = range.end;
    }
    result.push_str(text.get(at..).unwrap_or_default());
    (result, applied)
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
            vec![
                TextEdit::replace(span(0, 1), "x"),
                TextEdit::replace(span(5, 6), "y"),
            ],
        );
        let third = Fix::safe("insert", vec![TextEdit::insert(file, 0, "# hi\n")]);
        assert_eq!(
            apply(&sources, file, &[first, second, third]),
            ("# hi\na = ccc".to_owned(), 2)
        );
    }
}
