//! A syntax error with its surroundings: the text that a message quotes, the tokens next to it, the
//! edits that fix it, and the parts of the message.

use std::borrow::Cow;
use std::cell::OnceCell;

use pcl_diagnostics::{Applicability, FileId, Fix, Span, TextEdit, TextRange};

use crate::error::SyntaxError;
use crate::kind::SyntaxKind;
use crate::lexer::ident;
use crate::tree::SyntaxTree;

/// A syntax error in the text where it occurred.
pub(crate) struct Site<'a> {
    pub(crate) error: &'a SyntaxError,
    file: FileId,
    pub(crate) tree: &'a SyntaxTree,
    /// Tells whether the error is in a block, once that is known.
    is_in_block: OnceCell<bool>,
}

/// The longest indentation that a fix repeats, in bytes: a line may hold many errors.
const LONGEST_INDENT: usize = 200;

impl<'a> Site<'a> {
    pub(crate) fn new(error: &'a SyntaxError, file: FileId, tree: &'a SyntaxTree) -> Self {
        Self { error, file, tree, is_in_block: OnceCell::new() }
    }

    /// Another error of the same body.
    pub(crate) fn beside(&self, error: &'a SyntaxError) -> Self {
        Self { error, is_in_block: self.is_in_block.clone(), ..*self }
    }

    /// Returns whether the error is in a block.
    pub(crate) fn is_in_block(&self) -> bool {
        *self.is_in_block.get_or_init(|| {
            let node = self.tree.token_at(self.error.range().start()).parent();
            node.ancestors().any(|node| node.kind() == SyntaxKind::Block)
        })
    }

    pub(crate) fn span(&self, range: TextRange) -> Span {
        Span::new(self.file, range)
    }

    /// The text of a range.
    pub(crate) fn text(&self, range: TextRange) -> &'a str {
        self.tree.text().get(range.to_usize()).unwrap_or_default()
    }

    /// The text of the place to blame.
    pub(crate) fn written(&self) -> &'a str {
        self.text(self.error.range())
    }

    /// The text at the place to blame, for a sentence.
    pub(crate) fn found(&self) -> String {
        let text = self.written();
        if self.error.range().end() as usize >= self.tree.text().len() && text.trim().is_empty() {
            return "the end of the file".to_owned();
        }
        if text.trim().is_empty() {
            return "the end of the line".to_owned();
        }
        match text {
            "\"" => "a string".to_owned(),
            _ => excerpt(text),
        }
    }

    /// The end of the last token before `offset` that is neither blank nor comment nor line
    /// ending.
    pub(crate) fn end_before(&self, offset: u32) -> u32 {
        let tokens = self.tree.tokens();
        let mut token = tokens.first_from(offset);
        while token > 0 {
            let kind = tokens.kind(token - 1);
            if !kind.is_trivia() && kind != SyntaxKind::Newline {
                break;
            }
            token -= 1;
        }
        tokens.start(token).min(offset)
    }

    /// The character before `offset`.
    pub(crate) fn char_before(&self, offset: u32) -> TextRange {
        let before = self.text(TextRange::new(0, offset)).chars().next_back();
        let length = before.map_or(0, char::len_utf8) as u32;
        TextRange::new(offset - length, offset)
    }

    /// The word that ends before `offset`; empty when something else does.
    pub(crate) fn word_before(&self, offset: u32) -> TextRange {
        let end = self.end_before(offset);
        let before = self.text(TextRange::new(0, end));
        let start = before.trim_end_matches(ident::is_continue).len() as u32;
        TextRange::new(start, end)
    }

    /// The first token at or after `offset` that is neither blank nor comment, with its kind.
    pub(crate) fn next_token(&self, offset: u32) -> (TextRange, SyntaxKind) {
        let tokens = self.tree.tokens();
        let mut token = tokens.first_from(offset);
        while tokens.kind(token).is_trivia() {
            token += 1;
        }
        (tokens.range(token), tokens.kind(token))
    }

    /// The text from `offset` to the end of its line.
    pub(crate) fn rest_of_line(&self, offset: u32) -> &'a str {
        let rest = self.tree.text().get(offset as usize..).unwrap_or_default();
        rest.split('\n').next().unwrap_or_default()
    }

    /// Returns true if the error is in a label of a block.
    pub(crate) fn is_in_label(&self) -> bool {
        self.tree.token_at(self.error.range().start()).parent().kind() == SyntaxKind::Label
    }

    /// The blanks that the line of `offset` begins with, as many as a fix repeats at most.
    pub(crate) fn indent_at(&self, offset: u32) -> &'a str {
        let lines = self.tree.line_index();
        let start = lines.line_start(lines.line_of(offset)).unwrap_or(offset);
        let line = self.tree.text().get(start as usize..).unwrap_or_default();
        let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t');
        let count = line.bytes().take(LONGEST_INDENT).take_while(is_blank).count();
        line.get(..count).unwrap_or_default()
    }
}

impl Site<'_> {
    /// A fix that makes one edit.
    pub(crate) fn edit(
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
    pub(crate) fn safe(
        &self,
        title: impl Into<String>,
        range: TextRange,
        text: impl Into<String>,
    ) -> Fix {
        self.edit(Applicability::Safe, title, range, text)
    }

    /// A fix that is likely, not certain.
    pub(crate) fn likely(
        &self,
        title: impl Into<String>,
        range: TextRange,
        text: impl Into<String>,
    ) -> Fix {
        self.edit(Applicability::Unsafe, title, range, text)
    }

    /// A fix that replaces the first and the last character of the place to blame by a double
    /// quote.
    pub(crate) fn requote(&self) -> Option<Fix> {
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
    pub(crate) fn new_line(&self) -> Option<Fix> {
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
        Some(Fix { applicability, ..fix })
    }

    /// A fix that replaces `range` and the blanks around it by a line ending and the indentation of
    /// the line, or of the body that a brace before it opens.
    pub(crate) fn break_line(&self, range: TextRange) -> Fix {
        let text = self.tree.text();
        let before = text.get(..range.start() as usize).unwrap_or_default();
        let after = text.get(range.end() as usize..).unwrap_or_default();
        let blanks = [' ', '\t'];
        let start = before.trim_end_matches(blanks).len() as u32;
        let end = range.end() + (after.len() - after.trim_start_matches(blanks).len()) as u32;
        let deeper = if before.trim_end_matches(blanks).ends_with('{') { "  " } else { "" };
        let line = format!("\n{}{deeper}", self.indent_at(range.start()));
        self.safe("start a new line", TextRange::new(start, end), line)
    }

    /// A fix that adds a comma before the place to blame. It is safe before a string, an object or
    /// a key: nothing but the next element can begin there.
    pub(crate) fn add_comma(&self) -> Fix {
        let start = self.error.range().start();
        let at = TextRange::empty(self.end_before(start));
        let (token, kind) = self.next_token(start);
        let (_, after) = self.next_token(token.end());
        use SyntaxKind as K;
        match (kind, after) {
            // A quote that is joined to an element may be one too many.
            (K::QuoteOpen, _) if token.start() == at.start() => self.likely("add a comma", at, ","),
            (K::QuoteOpen | K::LBrace, _) | (K::Ident, K::Equals) => {
                self.safe("add a comma", at, ",")
            }
            _ => self.likely("add a comma", at, ","),
        }
    }
}

/// The message for a construct that is not closed, with a fix that adds `closer` at its end.
pub(crate) fn unclosed(c: &Site<'_>, what: &'static str, closer: &'static str) -> Draft {
    let place = c.error.related().unwrap_or(c.error.range());
    let at = TextRange::empty(c.end_before(place.start()));
    let opener = c.error.range();
    // What starts at the end of a line ends on a line of its own.
    let ends_line = c.next_token(opener.end()).1 == SyntaxKind::Newline;
    let text = if ends_line && at.start() > opener.end() {
        format!("\n{}{closer}", c.indent_at(opener.start()))
    } else {
        closer.to_owned()
    };
    Draft::new(format!("{what} is not closed")).help(format!("add `{closer}`")).fix(c.likely(
        format!("add `{closer}`"),
        at,
        text,
    ))
}

/// The longest text that is quoted in a message, in characters.
const QUOTED: usize = 24;

/// The words of a diagnostic, with the places that differ from those of the error, and its fix.
pub(crate) struct Draft {
    pub(crate) message: Cow<'static, str>,
    pub(crate) place: Option<TextRange>,
    pub(crate) related: Option<&'static str>,
    pub(crate) help: Option<Cow<'static, str>>,
    pub(crate) fix: Option<Fix>,
    pub(crate) labels: Vec<(TextRange, &'static str)>,
    pub(crate) note: Option<String>,
}

impl Draft {
    pub(crate) fn new(message: impl Into<Cow<'static, str>>) -> Self {
        Self {
            message: message.into(),
            place: None,
            related: None,
            help: None,
            fix: None,
            labels: Vec::new(),
            note: None,
        }
    }

    /// Blames `place` instead of the place of the error, whose second place is not shown then.
    pub(crate) fn at(mut self, place: TextRange) -> Self {
        self.place = Some(place);
        self
    }

    /// Sets the label of the second place.
    pub(crate) fn related(mut self, text: &'static str) -> Self {
        self.related = Some(text);
        self
    }

    pub(crate) fn help(mut self, help: impl Into<Cow<'static, str>>) -> Self {
        self.help = Some(help.into());
        self
    }

    pub(crate) fn label(mut self, range: TextRange, text: &'static str) -> Self {
        self.labels.push((range, text));
        self
    }

    pub(crate) fn fix(mut self, fix: impl Into<Option<Fix>>) -> Self {
        self.fix = fix.into();
        self
    }
}

/// Returns `text` in backticks, cut at the end of its first line and at a sensible length.
pub fn excerpt(text: &str) -> String {
    let mut rest = text.lines().next().unwrap_or_default().chars();
    let shown: String = rest.by_ref().take(QUOTED).collect();
    let dots = match rest.next() {
        Some(_) => "..",
        None => "",
    };
    format!("`{shown}{dots}`")
}

/// The bytes of the word around `range`, so that what is blamed can be seen.
pub fn visible(source: &str, range: TextRange) -> TextRange {
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
    let before = source.get(..range.start() as usize).unwrap_or_default();
    let after = source.get(range.end() as usize..).unwrap_or_default();
    let start = before.trim_end_matches(is_word).len() as u32;
    let end = range.end() + (after.len() - after.trim_start_matches(is_word).len()) as u32;
    TextRange::new(start, end)
}
