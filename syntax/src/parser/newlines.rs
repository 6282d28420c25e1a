//! Newlines: a line ending ends the item on its line, except inside of brackets, where it is
//! skipped like a space. Braces of bodies and items turn it on again.
//!
//! The rules, with examples: `tests/spec/syntax/body.md` and `tests/spec/syntax/collection.md`.

use super::cursor::Cursor;
use crate::kind::SyntaxKind;

/// The state that [`Cursor::open`] saves for [`Cursor::close`].
#[derive(Clone, Copy)]
pub(crate) struct Opened {
    /// The token that opens.
    pub(crate) token: u32,
    last_skipped: SyntaxKind,
}

/// The last kind that is skipped, with significant line endings and without.
pub(super) fn last_skipped(newlines: bool) -> SyntaxKind {
    if newlines { SyntaxKind::LAST_TRIVIA } else { SyntaxKind::Newline }
}

impl Cursor<'_> {
    /// Returns whether line endings mean something here.
    pub(crate) fn newlines(&self) -> bool {
        self.last_skipped == SyntaxKind::LAST_TRIVIA
    }

    /// Takes the line endings that are here.
    #[inline]
    pub(crate) fn skip_newlines(&mut self) {
        while self.kind == SyntaxKind::Newline {
            self.behind = self.current + 1;
            self.seek(self.behind);
        }
    }

    /// Takes the current token as the opener of something within which line endings mean something
    /// or not.
    #[inline]
    pub(crate) fn open(&mut self, newlines: bool) -> Opened {
        let opened = Opened { token: self.current, last_skipped: self.last_skipped };
        self.openers.push(self.current);
        self.last_skipped = last_skipped(newlines);
        self.bump();
        opened
    }

    /// Takes the closer of `opened`, if it is here, and restores the state before it.
    #[inline]
    pub(crate) fn close(&mut self, opened: Opened, closer: SyntaxKind) -> bool {
        self.openers.pop();
        self.last_skipped = opened.last_skipped;
        let found = self.kind == closer;
        if found {
            self.bump();
        } else {
            self.seek(self.behind);
        }
        found
    }

    /// Sets whether line endings mean something, from the last token that was taken on; gives what
    /// was set before.
    pub(crate) fn set_newlines(&mut self, newlines: bool) -> bool {
        let before = self.newlines();
        self.last_skipped = last_skipped(newlines);
        if before != newlines {
            self.seek(self.behind);
        }
        before
    }
}
