//! The tokens around a place: their neighbours, the brackets around them, the ends of operands.

use std::cell::OnceCell;
use std::collections::HashSet;

use pcl_diagnostics::TextRange;
use pcl_syntax::{SyntaxKind as K, Tokens, closes};

/// The most tokens that a search passes over, so that the search of a file takes a time that grows
/// with its length alone.
const REACH: usize = 400;

/// The tokens of a text with errors.
pub(super) struct View<'a> {
    pub(super) source: &'a str,
    pub(super) tokens: &'a Tokens,
    declared: OnceCell<HashSet<&'a str>>,
    reads_config: OnceCell<bool>,
    uses: OnceCell<HashSet<&'a str>>,
    /// The strings that another one follows: the names in the headers of blocks.
    labels: OnceCell<HashSet<&'a str>>,
}

/// A line of a text.
pub(super) struct Line {
    /// The offset at which it begins, and that of its line ending.
    pub(super) start: u32,
    pub(super) stop: u32,
    /// The first token that is not trivia, and the one after the last.
    pub(super) first: u32,
    pub(super) end: u32,
}

impl Line {
    /// Returns whether the line begins within the text of a template.
    pub(super) fn is_text(&self, view: &View<'_>) -> bool {
        view.kind(self.first) == K::Text || view.start(self.first) < self.start
    }

    /// The indentation, in bytes.
    pub(super) fn indent(&self, view: &View<'_>) -> usize {
        indent_of(view.text_between(self.start, self.stop))
    }
}

/// The number of spaces and tabs that a line begins with.
pub(super) fn indent_of(line: &str) -> usize {
    line.len() - line.trim_start_matches([' ', '\t']).len()
}

/// The names that a line at the top level declares: the one before a sign, or the labels of a block
/// and what is behind a keyword.
fn names_of(line: &str) -> impl Iterator<Item = &str> {
    let word = line.find([' ', '\t', '=', ':', '"', '{']);
    let (first, rest) = line.split_at(word.unwrap_or(line.len()));
    let is_set = rest.trim_start().starts_with(['=', ':']);
    let labels = rest.split(['=', '{']).next().unwrap_or_default();
    let labels = labels.split([' ', '"', '\t']).filter(|word| !word.is_empty()).take(2);
    Some(first).filter(|_| is_set).into_iter().chain(labels.filter(move |_| !is_set))
}

impl<'a> View<'a> {
    pub(super) fn new(source: &'a str, tokens: &'a Tokens) -> Self {
        Self {
            source,
            tokens,
            declared: OnceCell::new(),
            reads_config: OnceCell::new(),
            uses: OnceCell::new(),
            labels: OnceCell::new(),
        }
    }

    /// Returns whether an attribute or a block of the file has this name, except for outputs, which
    /// nothing can refer to.
    pub(super) fn declares(&self, name: &str) -> bool {
        let declared = self.declared.get_or_init(|| {
            let lines = self
                .source
                .lines()
                .filter(|line| !line.starts_with([' ', '\t', '#', '}']))
                .filter(|line| !line.starts_with("output"));
            lines.flat_map(names_of).collect()
        });
        declared.contains(name)
    }

    /// Returns whether a name is declared in the file, or by a `for` before `token`.
    pub(super) fn knows(&self, name: &str, token: u32) -> bool {
        let near = token.saturating_sub(REACH as u32)..token;
        let is_bound = |at: u32| {
            let first = self.next(at);
            let second = self.next(self.next(first));
            self.is_word(at, &["for"])
                && (self.is_word(first, &[name]) || self.is_word(second, &[name]))
        };
        self.declares(name) || near.into_iter().any(is_bound)
    }

    /// Returns whether the file reads its configuration as Pulumi's libraries do.
    pub(super) fn reads_config(&self) -> bool {
        *self.reads_config.get_or_init(|| self.source.contains("Config("))
    }

    /// Returns whether the file has a name as a value: neither as a step nor before a sign.
    pub(super) fn uses(&self, name: &str) -> bool {
        let uses = self.uses.get_or_init(|| {
            let is_value = |token: &u32| {
                let is_step = *token > 0 && self.kind(*token - 1) == K::Dot;
                let is_set = matches!(self.next_kind(*token), K::Equals | K::Colon);
                self.kind(*token) == K::Ident && !is_step && !is_set
            };
            let tokens = 0..self.tokens.len() as u32;
            tokens.filter(is_value).map(|token| self.text(token)).collect()
        });
        uses.contains(name)
    }

    /// Returns whether a string is the first of two labels.
    pub(super) fn is_label(&self, name: &str) -> bool {
        let labels = self.labels.get_or_init(|| {
            let is_label = |open: &u32| {
                let kinds = [0, 1, 2].map(|at| self.kind(open + at));
                kinds == [K::QuoteOpen, K::Text, K::QuoteClose]
                    && self.next_kind(open + 2) == K::QuoteOpen
            };
            let tokens = 0..(self.tokens.len() as u32).saturating_sub(3);
            tokens.filter(is_label).map(|open| self.text(open + 1)).collect()
        });
        labels.contains(name)
    }

    pub(super) fn kind(&self, token: u32) -> K {
        self.tokens.kind(token)
    }

    pub(super) fn range(&self, token: u32) -> TextRange {
        self.tokens.range(token)
    }

    pub(super) fn start(&self, token: u32) -> u32 {
        self.tokens.start(token)
    }

    pub(super) fn text(&self, token: u32) -> &'a str {
        self.slice(self.range(token))
    }

    pub(super) fn slice(&self, range: TextRange) -> &'a str {
        self.source.get(range.to_usize()).unwrap_or_default()
    }

    pub(super) fn text_between(&self, start: u32, end: u32) -> &'a str {
        self.slice(TextRange::new(start, end.max(start)))
    }

    /// The bytes from the start of `first` to the end of `last`.
    pub(super) fn span(&self, first: u32, last: u32) -> TextRange {
        self.range(first).cover(self.range(last))
    }

    /// The first token at or after `offset`.
    pub(super) fn token_at(&self, offset: u32) -> u32 {
        self.tokens.first_from(offset)
    }

    /// The start of the line of `offset`.
    pub(super) fn line_start(&self, offset: u32) -> u32 {
        let before = self.source.as_bytes().get(..offset as usize);
        let before = before.unwrap_or(self.source.as_bytes());
        memchr::memrchr(b'\n', before).map_or(0, |at| at as u32 + 1)
    }

    /// The line that begins at `start`.
    pub(super) fn line(&self, start: u32) -> Line {
        let rest = self.source.as_bytes().get(start as usize..).unwrap_or_default();
        let length = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
        let mut stop = start + length as u32;
        if self.text_between(start, stop).ends_with('\r') {
            stop -= 1;
        }
        let mut first = self.token_at(start);
        if self.start(first) > start && first > 0 {
            // The line begins within a token, such as the text of a heredoc.
            first -= 1;
        }
        while self.kind(first).is_trivia() && self.start(first) < stop {
            first += 1;
        }
        Line { start, stop, first, end: self.token_at(stop).max(first) }
    }

    /// The first token after `token` that is not trivia.
    pub(super) fn next(&self, token: u32) -> u32 {
        let mut at = token + 1;
        while self.kind(at).is_trivia() {
            at += 1;
        }
        at
    }

    /// The kind of the first token after `token` that is not trivia.
    pub(super) fn next_kind(&self, token: u32) -> K {
        self.kind(self.next(token))
    }

    /// The last token before `token` that is not trivia.
    pub(super) fn before(&self, token: u32) -> Option<u32> {
        let mut at = token.checked_sub(1)?;
        while self.kind(at).is_trivia() {
            at = at.checked_sub(1)?;
        }
        Some(at)
    }

    /// The kind of the last token before `token` that is not trivia; a line ending at the start.
    pub(super) fn kind_before(&self, token: u32) -> K {
        self.before(token).map_or(K::Newline, |at| self.kind(at))
    }

    /// Returns whether nothing is between two tokens.
    pub(super) fn touches(&self, first: u32, second: u32) -> bool {
        self.range(first).end() == self.start(second)
    }

    /// Returns whether an operand may end with the token before `token`.
    pub(super) fn follows_operand(&self, token: u32) -> bool {
        use K as T;
        matches!(
            self.kind_before(token),
            T::Ident | T::Number | T::QuoteClose | T::RParen | T::RBracket | T::RBrace
        )
    }

    /// Returns whether an operand may begin with `token`.
    pub(super) fn begins_operand(&self, token: u32) -> bool {
        self.kind(token).starts_expression()
    }

    /// Returns whether something on the line before `token` shows that a value is there, not the
    /// header of a block.
    pub(super) fn is_in_value(&self, line: &Line, token: u32) -> bool {
        let near = token.saturating_sub(REACH as u32).max(line.first);
        let signs = near > line.first
            || (near..token).any(|at| {
                use K as T;
                matches!(
                    self.kind(at),
                    T::Equals
                        | T::EqualEqual
                        | T::LParen
                        | T::LBracket
                        | T::LBrace
                        | T::InterpolationOpen
                        | T::Comma
                        | T::Question
                        | T::Colon
                        | T::FatArrow
                )
            });
        signs || self.opener_of(line.first).is_some_and(|opener| self.kind(opener) != K::LBrace)
    }

    /// The starts of the lines from the one of `offset` to that of the closer of the bracket around
    /// it.
    pub(super) fn lines_to_closer(&self, offset: u32) -> impl Iterator<Item = u32> + '_ {
        let opener = self.opener_of(self.token_at(offset));
        let closer = opener.and_then(|opener| self.close_of(opener));
        let end = closer.map_or(offset, |closer| self.start(closer));
        let inside = self.source.get(offset as usize..end as usize).unwrap_or_default();
        memchr::memchr_iter(b'\n', inside.as_bytes()).map(move |at| offset + at as u32 + 1)
    }

    /// The token that closes what `opener` opens, if it is near.
    pub(super) fn close_of(&self, opener: u32) -> Option<u32> {
        let mut open = vec![self.kind(opener)];
        for at in (opener + 1..self.tokens.len() as u32).take(REACH) {
            let kind = self.kind(at);
            if kind.is_opener() {
                open.push(kind);
            } else if kind.is_closer() {
                if !closes(open.pop()?, kind) {
                    return None;
                }
                if open.is_empty() {
                    return Some(at);
                }
            }
        }
        None
    }

    /// The opener of the bracket or quote `closer`.
    pub(super) fn open_of(&self, closer: u32) -> Option<u32> {
        let mut depth = 0_usize;
        for at in (0..=closer).rev().take(REACH) {
            if self.kind(at).is_closer() {
                depth += 1;
            } else if self.kind(at).is_opener() {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return closes(self.kind(at), self.kind(closer)).then_some(at);
                }
            }
        }
        None
    }

    /// The innermost bracket that is open before `token`.
    pub(super) fn opener_of(&self, token: u32) -> Option<u32> {
        let mut depth = 0_usize;
        for at in (0..token).rev().take(REACH) {
            if self.kind(at).is_closer() {
                depth += 1;
            } else if self.kind(at).is_opener() {
                match depth.checked_sub(1) {
                    Some(outer) => depth = outer,
                    None => return Some(at),
                }
            }
        }
        None
    }

    /// The first token of the expression that ends before `token`: the one after the sign, comma,
    /// bracket or line ending before it.
    pub(super) fn start_of_value(&self, token: u32) -> Option<u32> {
        let mut first = None;
        let mut at = token;
        for _ in 0..REACH {
            let Some(before) = self.before(at) else { return first };
            use K as T;
            match self.kind(before) {
                T::Equals | T::Comma | T::Colon | T::FatArrow | T::Newline | T::Semicolon => {
                    return first;
                }
                kind if kind.is_closer() => at = self.open_of(before)?,
                kind if kind.is_opener() => return first,
                _ => at = before,
            }
            first = Some(at);
        }
        None
    }

    /// The last token of the expression that begins with `token`: the one before the comma, bracket
    /// or line ending behind it.
    pub(super) fn end_of_value(&self, token: u32) -> Option<u32> {
        self.end_before(token, |kind| matches!(kind, K::Comma | K::Colon | K::FatArrow))
    }

    /// The last token before one that `stops`, a closing bracket, or a line ending, from `token`
    /// on.
    pub(super) fn end_before(&self, token: u32, stops: impl Fn(K) -> bool) -> Option<u32> {
        let mut last = None;
        let mut at = token;
        for _ in 0..REACH {
            let kind = self.kind(at);
            if matches!(kind, K::Newline | K::EndOfFile) || kind.is_closer() || stops(kind) {
                return last;
            }
            if kind.is_opener() {
                at = self.close_of(at)?;
            }
            last = Some(at);
            at = self.next(at);
        }
        None
    }

    /// The first token of the operand that ends with `last`: a name, number, string, call or
    /// bracket, with its steps.
    pub(super) fn start_of_operand(&self, last: u32) -> Option<u32> {
        let mut at = last;
        for _ in 0..REACH {
            use K as T;
            let first = match self.kind(at) {
                T::Ident | T::Number => at,
                T::QuoteClose | T::RParen | T::RBracket | T::RBrace => self.open_of(at)?,
                _ => return None,
            };
            let Some(before) = first.checked_sub(1) else { return Some(first) };
            at = match (self.kind(before), self.kind(first)) {
                (T::Dot, _) => before.checked_sub(1)?,
                (T::Ident | T::RParen | T::RBracket | T::RBrace, T::LParen | T::LBracket) => before,
                _ => return Some(first),
            };
        }
        None
    }

    /// Returns whether a token is one of these words.
    pub(super) fn is_word(&self, token: u32, words: &[&str]) -> bool {
        self.kind(token) == K::Ident && words.contains(&self.text(token))
    }
}
