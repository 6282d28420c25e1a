//! The edits that fix a syntax error.

use pcl_diagnostics::{Applicability, Fix, TextEdit, TextRange};

use super::site::Site;
use crate::kind::SyntaxKind;

impl Site<'_> {
    /// A fix that makes one edit.
    pub(super) fn edit(
        &self,
        applicability: Applicability,
        title: impl Into<String>,
        range: TextRange,
        text: impl Into<String>,
    ) -> Fix {
        Fix {
            title: title.into(),
            edits: vec![TextEdit::replace(self.span(range), text)],
            applicability,
        }
    }

    /// A fix that keeps the meaning.
    pub(super) fn safe(
        &self,
        title: impl Into<String>,
        range: TextRange,
        text: impl Into<String>,
    ) -> Fix {
        self.edit(Applicability::Safe, title, range, text)
    }

    /// A fix that is likely, not certain.
    pub(super) fn likely(
        &self,
        title: impl Into<String>,
        range: TextRange,
        text: impl Into<String>,
    ) -> Fix {
        self.edit(Applicability::Unsafe, title, range, text)
    }

    /// A fix that replaces the first and the last character of the place to blame by a double
    /// quote.
    pub(super) fn requote(&self) -> Option<Fix> {
        let range = self.error.range();
        let width = self.written().chars().next()?.len_utf8() as u32;
        if range.len() < 2 * width {
            return None;
        }
        let inner = self.text(TextRange::new(range.start() + width, range.end() - width));
        let is_plain = !inner.contains(['"', '\\']);
        // YAML and SQL write a quote in a string twice, Python joins the two strings.
        if is_plain && self.written().starts_with('\'') && inner.contains("''") {
            let text = format!("\"{}\"", inner.replace("''", "'"));
            return Some(self.likely("use double quotes", range, text));
        }
        is_plain.then(|| self.safe("use double quotes", range, format!("\"{inner}\"")))
    }

    /// A fix that begins a new line at the place to blame, if an item or a closing brace stands
    /// there.
    pub(super) fn new_line(&self) -> Option<Fix> {
        let start = self.error.range().start();
        let (token, kind) = self.next_token(start);
        let (_, after) = self.next_token(token.end());
        use SyntaxKind as K;
        let begins = match kind {
            K::RBrace => true,
            K::Ident => matches!(after, K::Equals | K::QuoteOpen | K::LBrace),
            _ => false,
        };
        let fix = begins.then(|| self.break_line(TextRange::empty(start)))?;
        // A brace may also be one too many.
        let applicability = match kind {
            K::RBrace => Applicability::Unsafe,
            _ => fix.applicability,
        };
        Some(Fix {
            applicability,
            ..fix
        })
    }

    /// A fix that replaces `range` and the blanks around it by a line ending and the indentation of
    /// the line, or of the body that a brace before it opens.
    pub(super) fn break_line(&self, range: TextRange) -> Fix {
        let text = self.tree.text();
        let before = text.get(..range.start() as usize).unwrap_or_default();
        let after = text.get(range.end() as usize..).unwrap_or_default();
        let blanks = [' ', '\t'];
        let start = before.trim_end_matches(blanks).len() as u32;
        let end = range.end() + (after.len() - after.trim_start_matches(blanks).len()) as u32;
        let deeper = if before.trim_end_matches(blanks).ends_with('{') {
            "  "
        } else {
            ""
        };
        let line = format!("\n{}{deeper}", self.indent_at(range.start()));
        self.safe("start a new line", TextRange::new(start, end), line)
    }

    /// A fix that adds a comma before the place to blame. It is safe before a string, an object or
    /// a key: nothing but the next element can begin there.
    pub(super) fn add_comma(&self) -> Fix {
        let start = self.error.range().start();
        let at = TextRange::empty(self.end_before(start));
        let (token, kind) = self.next_token(start);
        let (_, after) = self.next_token(token.end());
        use SyntaxKind as K;
        match (kind, after) {
            (K::QuoteOpen | K::LBrace, _) | (K::Ident, K::Equals) => {
                self.safe("add a comma", at, ",")
            }
            _ => self.likely("add a comma", at, ","),
        }
    }
}
