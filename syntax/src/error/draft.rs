//! What the messages are made of.

use std::borrow::Cow;

use pcl_diagnostics::{
    Applicability, Diagnostic, FileId, Fix, Origin, Severity, Span, TextEdit, TextRange,
};

use super::{SyntaxError, trial};
use crate::kind::SyntaxKind;
use crate::lexer::ident;
use crate::tree::SyntaxTree;

/// The words of a finding.
pub(super) struct Draft {
    message: Cow<'static, str>,
    place: Option<TextRange>,
    related: Option<&'static str>,
    help: Option<Cow<'static, str>>,
    fix: Option<Fix>,
    labels: Vec<(TextRange, &'static str)>,
}

impl Draft {
    pub(super) fn new(message: impl Into<Cow<'static, str>>) -> Self {
        Self {
            message: message.into(),
            place: None,
            related: None,
            help: None,
            fix: None,
            labels: Vec::new(),
        }
    }

    /// Another place to blame than where it was noticed; the second place is not shown.
    pub(super) fn at(mut self, place: TextRange) -> Self {
        self.place = Some(place);
        self
    }

    /// What is to be seen at the second place.
    pub(super) fn related(mut self, text: &'static str) -> Self {
        self.related = Some(text);
        self
    }

    pub(super) fn help(mut self, help: impl Into<Cow<'static, str>>) -> Self {
        self.help = Some(help.into());
        self
    }

    pub(super) fn label(mut self, range: TextRange, text: &'static str) -> Self {
        self.labels.push((range, text));
        self
    }

    pub(super) fn fix(mut self, fix: impl Into<Option<Fix>>) -> Self {
        self.fix = fix.into();
        self
    }
}

/// A finding and where it was found.
pub(super) struct Context<'a> {
    pub(super) error: &'a SyntaxError,
    file: FileId,
    pub(super) tree: &'a SyntaxTree,
}

/// The longest text that is quoted in a message, in characters.
const QUOTED: usize = 24;

/// The longest indentation that a fix repeats, in bytes: a line may hold many mistakes.
const LONGEST_INDENT: usize = 200;

impl<'a> Context<'a> {
    pub(super) fn new(error: &'a SyntaxError, file: FileId, tree: &'a SyntaxTree) -> Self {
        Self { error, file, tree }
    }

    /// The diagnostic of a draft.
    pub(super) fn finish(&self, draft: Option<Draft>) -> Diagnostic {
        let code = self.error.code;
        let draft = draft.unwrap_or_else(|| Draft::new(code.summary().to_lowercase()));
        let place = draft.place.unwrap_or(self.error.range);
        let mut diagnostic = Diagnostic::error(code, self.span(place), draft.message);
        if self.error.severity() == Severity::Warning {
            diagnostic = diagnostic.with_severity(Severity::Warning);
        }
        debug_assert_eq!(diagnostic.origin, Origin::Reference);
        if let Some(range) = self.error.related
            && draft.place.is_none()
        {
            let text = draft.related.unwrap_or_else(|| self.end_label(range));
            diagnostic = diagnostic.label(self.span(range), text);
        }
        if let Some(range) = self.error.opener {
            diagnostic = diagnostic.label(self.span(range), "this is what it closes");
        }
        for (range, text) in draft.labels {
            diagnostic = diagnostic.label(self.span(range), text);
        }
        if let Some(help) = draft.help {
            diagnostic = diagnostic.help(help);
        }
        if let Some(fix) = draft.fix.and_then(|fix| trial::tried(self, fix)) {
            diagnostic = diagnostic.fix(fix);
        }
        diagnostic
    }

    fn span(&self, range: TextRange) -> Span {
        Span::new(self.file, range)
    }

    /// Whether the finding is that something is not closed: then its second place lies after it.
    pub(super) fn is_unclosed(&self) -> bool {
        let related = self.error.related;
        related.is_some_and(|related| related.start() >= self.error.range.end())
    }

    fn end_label(&self, place: TextRange) -> &'static str {
        let closes_heredoc = |opener| self.text(opener).starts_with("<<");
        if self
            .error
            .opener
            .is_some_and(|opener| !closes_heredoc(opener))
        {
            "by its indentation, this closes something else"
        } else if place.start() as usize >= self.tree.text().len() {
            "the file ends here"
        } else {
            "it has to be closed before this"
        }
    }

    /// The text of a range.
    pub(super) fn text(&self, range: TextRange) -> &'a str {
        self.tree.text().get(range.to_usize()).unwrap_or_default()
    }

    /// The text of the place to blame.
    pub(super) fn written(&self) -> &'a str {
        self.text(self.error.range)
    }

    /// What stands at the place to blame, for a sentence.
    pub(super) fn found(&self) -> String {
        let text = self.written();
        if self.error.range.end() as usize >= self.tree.text().len() && text.trim().is_empty() {
            return "the end of the file".to_owned();
        }
        if text.trim().is_empty() {
            return "the end of the line".to_owned();
        }
        match text {
            "\"" => "a string".to_owned(),
            _ => quoted(text),
        }
    }

    /// The end of the last token before `offset` that is neither blank nor comment nor line ending.
    pub(super) fn end_before(&self, offset: u32) -> u32 {
        let tokens = self.tree.tokens();
        let mut token = tokens.starts.partition_point(|&start| start < offset);
        while token > 0 {
            let kind = tokens.kind(token as u32 - 1);
            if !kind.is_trivia() && kind != SyntaxKind::Newline {
                break;
            }
            token -= 1;
        }
        tokens.start(token as u32).min(offset)
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
        let mut token = tokens.starts.partition_point(|&start| start < offset) as u32;
        while tokens.kind(token).is_trivia() {
            token += 1;
        }
        (tokens.range(token), tokens.kind(token))
    }

    /// The blanks that the line of `offset` begins with, as many as a fix repeats at most.
    pub(super) fn indent_at(&self, offset: u32) -> &'a str {
        let lines = self.tree.line_index();
        let start = lines.line_start(lines.line_of(offset)).unwrap_or(offset);
        let line = self.tree.text().get(start as usize..).unwrap_or_default();
        let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t');
        let blanks = line.bytes().take(LONGEST_INDENT);
        &line[..blanks.take_while(is_blank).count()]
    }

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

    /// A fix that replaces the first and the last character of the place to blame by a double quote.
    pub(super) fn requote(&self) -> Option<Fix> {
        let range = self.error.range;
        let width = self.written().chars().next()?.len_utf8() as u32;
        if range.len() < 2 * width {
            return None;
        }
        let inner = self.text(TextRange::new(range.start() + width, range.end() - width));
        let is_plain = !inner.contains(['"', '\\']);
        is_plain.then(|| self.safe("use double quotes", range, format!("\"{inner}\"")))
    }

    /// Something that is not closed: says so, and adds `closer` where the last thing in it ends.
    pub(super) fn unclosed(&self, what: &'static str, closer: &'static str) -> Draft {
        let place = self.error.related.unwrap_or(self.error.range);
        let at = TextRange::empty(self.end_before(place.start()));
        Draft::new(format!("{what} is not closed"))
            .help(format!("add `{closer}`"))
            .fix(self.likely(format!("add `{closer}`"), at, closer))
    }

    /// A fix that begins a new line at the place to blame, if an item or a closing brace stands there.
    pub(super) fn new_line(&self) -> Option<Fix> {
        let start = self.error.range.start();
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

    /// A fix that replaces `range` and the blanks around it by a line ending and the indentation of the line, or of what a brace before
    /// it opens.
    pub(super) fn break_line(&self, range: TextRange) -> Fix {
        let text = self.tree.text();
        let before = text.get(..range.start() as usize).unwrap_or_default();
        let after = text.get(range.end() as usize..).unwrap_or_default();
        let blanks = [' ', '\t'];
        let start = before.trim_end_matches(blanks).len() as u32;
        let end = range.end() + (after.len() - after.trim_start_matches(blanks).len()) as u32;
        let deeper = match before.trim_end_matches(blanks).ends_with('{') {
            true => "  ",
            false => "",
        };
        let line = format!("\n{}{deeper}", self.indent_at(range.start()));
        self.safe("begin a new line", TextRange::new(start, end), line)
    }

    /// A comma that is missing before the place to blame.
    pub(super) fn add_comma(&self) -> Fix {
        let at = TextRange::empty(self.end_before(self.error.range.start()));
        self.likely("add a comma", at, ",")
    }
}

/// `text` in backticks, cut at the end of its first line and at a sensible length.
pub(super) fn quoted(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    match line.char_indices().nth(QUOTED) {
        Some((at, _)) => format!("`{}..`", &line[..at]),
        None => format!("`{line}`"),
    }
}
