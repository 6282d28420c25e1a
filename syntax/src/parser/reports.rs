//! Reports: the errors so far, and which others are their consequences.

use pcl_diagnostics::{Code, TextRange};

use super::Parser;
use crate::error::SyntaxError;
use crate::kind::SyntaxKind;
use crate::lexer::Lexed;
use crate::lexer::recovery::is_item;

/// The errors that were reported, and the places that they explain.
pub(super) struct Reports<'s> {
    source: &'s str,
    errors: Vec<SyntaxError>,
    /// The errors of the lexer, in order.
    lexical: &'s [SyntaxError],
    /// The current token when the last error was reported.
    token: u32,
    /// The end of the line of that error.
    line: u32,
}

impl<'s> Reports<'s> {
    pub(super) fn new(source: &'s str, lexed: &'s Lexed) -> Self {
        Self { source, errors: Vec::new(), lexical: &lexed.errors, token: u32::MAX, line: 0 }
    }

    pub(super) fn into_errors(self) -> Vec<SyntaxError> {
        self.errors
    }

    /// Notes the line of `offset` as one that was reported.
    fn blame_line(&mut self, offset: u32) {
        if offset >= self.line {
            let rest = self.source_from(offset).as_bytes();
            let end = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
            self.line = offset + end as u32;
        }
    }

    /// The text from `offset` on.
    fn source_from(&self, offset: u32) -> &'s str {
        self.source.get(offset as usize..).unwrap_or_default()
    }

    /// The last error of the lexer before `offset`, if it concerns a token that has no place in
    /// the grammar.
    fn bad_token_before(&self, offset: u32) -> Option<&'s SyntaxError> {
        let errors = self.lexical;
        let before = errors.partition_point(|error| error.range().start() < offset);
        let last = errors.get(before.checked_sub(1)?)?;
        is_bad_token(last.code()).then_some(last)
    }

    /// Returns whether the line of `offset` was reported, by the parser or as a bad token by the
    /// lexer.
    fn is_line_blamed(&mut self, offset: u32) -> bool {
        if offset <= self.line && self.line > 0 {
            return true;
        }
        if let Some(bad) = self.bad_token_before(offset + 1) {
            self.blame_line(bad.range().start());
        }
        offset <= self.line && self.line > 0
    }

    /// Returns whether the line of `offset` is likely to hold the end of a string that was reported
    /// as open at the end of the line before: it is no item, and has a quote too many as well.
    fn ends_open_string(&mut self, offset: u32) -> bool {
        let is_open = |error: &SyntaxError| error.code() == Code::LexNewlineInQuoted;
        let line = self.line + 1;
        if !self.errors.last().is_some_and(is_open) || offset < line {
            return false;
        }
        let rest = self.source_from(line);
        let (before, _) = rest.split_at_checked((offset - line) as usize).unwrap_or_default();
        if before.contains('\n') || is_item(rest) {
            return false;
        }
        let text = rest.split('\n').next().unwrap_or_default();
        let is_odd = memchr::memchr_iter(b'"', text.as_bytes()).count() % 2 == 1;
        if is_odd {
            self.blame_line(line);
        }
        is_odd
    }
}

impl Parser<'_> {
    /// Notes that something is missing whose absence another report will explain.
    pub(crate) fn damage(&mut self) {
        self.sink.damage();
    }

    /// Reports an error with its own place.
    pub(crate) fn report(&mut self, error: SyntaxError) {
        self.damage();
        self.reports.blame_line(error.range().start());
        self.reports.errors.push(error);
        self.reports.token = self.token();
    }

    /// Reports `range`; what follows is silent up to the next token.
    pub(crate) fn report_at(&mut self, code: Code, range: TextRange) {
        self.report(SyntaxError::new(code, range));
    }

    /// Reports that something else was expected than the current token. Of several such reports on
    /// one line only the first counts: the others are likely to be its consequences. So are all at
    /// and after a token that the lexer reported.
    pub(crate) fn unexpected(&mut self, code: Code, related: Option<TextRange>) {
        // A missing quote is never a consequence: it is what went wrong before.
        let is_cause = code == Code::LexNewlineInQuoted;
        let start = self.start_of(self.token());
        if self.is_blamed()
            || (!is_cause && self.reports.is_line_blamed(start))
            || self.reports.ends_open_string(start)
        {
            self.damage();
            return;
        }
        let error = SyntaxError::new(code, self.place());
        self.report(match related {
            Some(range) => error.with_related(range),
            None => error,
        });
    }

    /// Reports that the closer of what `opener` opened is missing before the current token.
    pub(crate) fn unclosed(&mut self, code: Code, opener: u32) {
        let range = self.range_of(opener);
        if self.reports.token == self.token() || self.explains_unclosed(range) {
            self.damage();
            return;
        }
        let mut place = self.range_of(self.token());
        if self.kind_of(self.token()) == SyntaxKind::Ident {
            // Where an item begins, what makes it one belongs to the place.
            let (next, _) = self.peek_from(self.token() + 1, true);
            place = place.cover(self.range_of(next));
        }
        let mut error = SyntaxError::new(code, range).with_related(place);
        if let Some(outer) = self.opener_of_virtual_closer() {
            error = error.with_opener(self.range_of(outer));
        }
        self.report(error);
    }

    /// Returns whether the last report explains why `opener` is not closed: something is wrong
    /// right before it, or where its closer should be.
    fn explains_unclosed(&self, opener: TextRange) -> bool {
        let bad = self.reports.bad_token_before(opener.start());
        if bad.is_some_and(|error| error.range().end() == opener.start()) {
            return true;
        }
        let mut behind = self.behind();
        while behind > 0 && self.kind_of(behind - 1) == SyntaxKind::Newline {
            behind -= 1;
        }
        let end = self.start_of(behind);
        self.reports.errors.last().is_some_and(|error| {
            error.code() == Code::BodyItemRequired
                && error.range().end() <= end
                && end - error.range().end() <= 2
        })
    }

    /// Returns whether anything was reported, also by the lexer.
    pub(crate) fn has_errors(&self) -> bool {
        !self.reports.errors.is_empty() || !self.reports.lexical.is_empty()
    }

    /// Returns whether the current token was reported already.
    pub(crate) fn is_blamed(&self) -> bool {
        self.reports.token == self.token() || self.kind().is_bad()
    }

    /// Ends the silence after the last report, whose construct is over: the current token may be
    /// blamed for an error of its own.
    pub(crate) fn forgive(&mut self) {
        self.reports.token = u32::MAX;
    }
}

/// Returns whether the lexer reports this code for tokens that have no place in the grammar.
fn is_bad_token(code: Code) -> bool {
    matches!(
        code,
        Code::LexInvalidChar
            | Code::LexBadUtf8
            | Code::LexBitwiseOp
            | Code::LexBacktick
            | Code::LexSingleQuote
            | Code::LexSemicolon
            | Code::LexCurlyQuote
            | Code::LexUnterminatedComment
            | Code::HeredocMarker
            | Code::BodyItemIncomplete
    ) || code.is_foreign()
}
