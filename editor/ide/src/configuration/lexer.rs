//! The tokens of TOML and YAML, however broken the text is: enough of them to know what is a key
//! and what is in which brackets.

use pcl::diagnostics::TextRange;

use super::Language;

/// A part of a text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub kind: TokenKind,
    pub range: TextRange,
}

/// The kind of a token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum TokenKind {
    /// A key or a value: a string, with its quotes, or a word.
    Word,
    /// `=` of TOML, `:` of YAML.
    Separator,
    Comma,
    /// `.` between the keys of TOML.
    Dot,
    /// `-` before an item of YAML.
    Dash,
    OpenList,
    CloseList,
    OpenTable,
    CloseTable,
    Comment,
    Newline,
    End,
}

/// The tokens of a text from a position on.
#[derive(Clone, Copy)]
pub(super) struct Lexer<'t> {
    text: &'t str,
    language: Language,
    at: usize,
    /// The end of a line on which a string does not end. No string is looked for before it: that
    /// would take quadratic time.
    unended: usize,
    /// Set within brackets, where words of YAML end at commas and brackets.
    pub is_bracketed: bool,
    /// Set if only spaces and dashes are before the next token on its line.
    pub is_line_start: bool,
}

impl<'t> Lexer<'t> {
    pub fn new(text: &'t str, language: Language) -> Self {
        Self { text, language, at: 0, unended: 0, is_bracketed: false, is_line_start: true }
    }

    /// The text that has not been read.
    pub fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// The next token. At the end of the text it is the end, again and again.
    pub fn next(&mut self) -> Token {
        let spaces = self.rest().find(|it| !matches!(it, ' ' | '\t' | '\r' | '\u{feff}'));
        self.at = spaces.map_or(self.text.len(), |spaces| self.at + spaces);
        let (kind, length) = self.token();
        let start = self.at;
        self.at = (start + length).min(self.text.len());
        let [start, end] = [start, self.at].map(|at| u32::try_from(at).unwrap_or(u32::MAX));
        Token { kind, range: TextRange::new(start, end) }
    }

    /// The kind and the length of the token here.
    fn token(&mut self) -> (TokenKind, usize) {
        let rest = self.rest();
        let Some(first) = rest.chars().next() else { return (TokenKind::End, 0) };
        let is_toml = self.language == Language::Toml;
        // A block of YAML has brackets and commas in its words.
        let has_brackets = is_toml || self.is_bracketed;
        let kind = match first {
            '\n' => TokenKind::Newline,
            '[' => TokenKind::OpenList,
            '{' => TokenKind::OpenTable,
            ']' if has_brackets => TokenKind::CloseList,
            '}' if has_brackets => TokenKind::CloseTable,
            ',' if has_brackets => TokenKind::Comma,
            '=' if is_toml => TokenKind::Separator,
            '.' if is_toml => TokenKind::Dot,
            ':' if !is_toml && self.ends_key(rest) => TokenKind::Separator,
            '-' if !is_toml && self.is_line_start && is_dash(rest) => TokenKind::Dash,
            '#' => return (TokenKind::Comment, line(rest).len()),
            '"' | '\'' => return (TokenKind::Word, self.quoted(rest, first)),
            _ => return (TokenKind::Word, self.word(rest)),
        };
        (kind, 1)
    }

    /// Returns true if the colon that a text of YAML starts with ends a key.
    fn ends_key(&self, text: &str) -> bool {
        match text.chars().nth(1) {
            None => true,
            Some(next) => {
                next.is_whitespace() || self.is_bracketed && matches!(next, ',' | ']' | '}')
            }
        }
    }

    /// The length of the string that a text starts with. One that does not end on its line is the
    /// word after the quote: brackets may follow it, which the author has not closed yet.
    fn quoted(&mut self, text: &str, quote: char) -> usize {
        if self.at >= self.unended {
            let long = [quote; 3].iter().collect::<String>();
            let inner = text.strip_prefix(&*long).and_then(|rest| rest.find(&*long));
            if let Some(inner) = inner {
                return inner + 2 * long.len();
            }
            let mut is_escaped = false;
            let end = text.char_indices().skip(1).find(|&(_, it)| {
                let is_end = it == quote && !is_escaped;
                is_escaped = it == '\\' && quote == '"' && !is_escaped;
                is_end || it == '\n'
            });
            match end {
                Some((end, it)) if it == quote => return end + 1,
                _ => self.unended = self.at + end.map_or(text.len(), |(end, _)| end),
            }
        }
        let is_part = |it: char| it.is_alphanumeric() || "-_.@/".contains(it);
        let word = text.get(1..).unwrap_or_default();
        1 + word.find(|it| !is_part(it)).unwrap_or(word.len())
    }

    /// The length of the word that a text starts with.
    fn word(&self, text: &str) -> usize {
        if self.language == Language::Toml {
            let is_end = |it: char| it.is_whitespace() || "=,[]{}#.\"'".contains(it);
            return text.find(is_end).unwrap_or(text.len()).max(1);
        }
        let mut was_space = false;
        let end = text.char_indices().find(|&(at, it)| {
            let is_end = match it {
                '\n' => true,
                ':' => text.get(at..).is_some_and(|rest| self.ends_key(rest)),
                '#' => was_space,
                ',' | '[' | ']' | '{' | '}' => self.is_bracketed,
                _ => false,
            };
            was_space = it.is_whitespace();
            is_end
        });
        let end = end.map_or(text.len(), |(at, _)| at);
        let word = text.get(..end).unwrap_or_default();
        // A word of a colon that ends no key, or the like, has to have a length.
        let least = word.chars().next().map_or(1, char::len_utf8);
        word.trim_end().len().max(least)
    }
}

/// Returns true if a text starts with the dash of an item of YAML.
fn is_dash(text: &str) -> bool {
    text.chars().nth(1).is_none_or(char::is_whitespace)
}

/// A text up to the end of its first line.
pub(super) fn line(text: &str) -> &str {
    let line = text.split('\n').next().unwrap_or_default();
    line.strip_suffix('\r').unwrap_or(line)
}

/// A word without its quotes.
pub(super) fn unquoted(word: &str) -> &str {
    match word.chars().next() {
        Some(quote @ ('"' | '\'')) => word.trim_matches(quote),
        _ => word,
    }
}
