//! The outline of a configuration file: the keys and the items of lists that are there, and what
//! may be written at a place. Nothing is an error, since a file is broken while it is written.

use std::collections::BTreeMap;

use pcl::diagnostics::TextRange;

use super::Language;
use super::lexer::{Lexer, Token, TokenKind, line, unquoted};

/// The most tables and lists in one another; those of settings are four. A deeper text is not read
/// on, since a path to each of its keys takes quadratic memory.
const MAX_DEPTH: usize = 16;

/// A step from a table or list to what is in it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Step {
    Key(String),
    /// An item of a list, by a place in it.
    Item(u32),
}

/// A key of a table or a value in a list.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Written {
    /// The table or list.
    pub path: Vec<Step>,
    /// The text without quotes.
    pub text: String,
    pub range: TextRange,
}

/// The kind of what comes next in a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Slot {
    /// The start of a line: in TOML a key or a header, in YAML a key or a value.
    Line,
    /// The header of a table of TOML.
    Header,
    Key,
    Separator,
    Value,
    /// Nothing but the end of the line or of what is in brackets.
    End,
}

/// A place where something may be written.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Place {
    /// The table that a key is for, or the thing that a value is for.
    pub path: Vec<Step>,
    pub slot: Slot,
    /// The word that is there; empty if there is none.
    pub word: TextRange,
    /// Set if the word is a key, and its separator follows.
    pub has_separator: bool,
}

/// The outline of a text, and a place in it.
#[derive(Default)]
pub(super) struct Outline {
    pub written: Vec<Written>,
    pub place: Option<Place>,
}

/// The outline of a text, and what may be written at an offset.
pub(super) fn outline(text: &str, language: Language, offset: u32) -> Outline {
    let mut scanner = Scanner {
        text,
        language,
        lexer: Lexer::new(text, language),
        offset,
        is_decided: false,
        line_start: 0,
        table: Vec::new(),
        last_items: BTreeMap::new(),
        blocks: Vec::new(),
        brackets: Vec::new(),
        bracket_column: 0,
        path: Vec::new(),
        slot: Slot::Line,
        outline: Outline::default(),
    };
    loop {
        let token = scanner.lexer.next();
        scanner.take(token);
        let depths = [scanner.path.len(), scanner.blocks.len(), scanner.brackets.len()];
        if token.kind == TokenKind::End || depths.iter().any(|depth| *depth > MAX_DEPTH) {
            return scanner.outline;
        }
    }
}

/// An open bracket: the list or table in it.
struct Bracket {
    path: Vec<Step>,
    is_list: bool,
}

struct Scanner<'t> {
    text: &'t str,
    language: Language,
    lexer: Lexer<'t>,
    /// The offset that is asked about, and whether the tokens have reached it.
    offset: u32,
    is_decided: bool,
    line_start: u32,
    /// The table of the last header of TOML.
    table: Vec<Step>,
    /// The last item of each list that headers of TOML add to.
    last_items: BTreeMap<Vec<Step>, u32>,
    /// The keys and dashes of YAML around a line, with their columns.
    blocks: Vec<(u32, Step)>,
    brackets: Vec<Bracket>,
    /// The column of the first token of the line with the first open bracket.
    bracket_column: u32,
    /// The table, list or value that the next token is in.
    path: Vec<Step>,
    slot: Slot,
    outline: Outline,
}

impl Scanner<'_> {
    fn take(&mut self, token: Token) {
        if self.slot == Slot::Line {
            match self.language {
                Language::Toml if token.kind == TokenKind::OpenList => return self.header(token),
                Language::Toml => self.path.clone_from(&self.table),
                Language::Yaml => self.start_of_line(token),
            }
        }
        self.decide(token);
        self.advance(token);
        self.lexer.is_bracketed = !self.brackets.is_empty();
        self.lexer.is_line_start = self.slot == Slot::Line;
    }

    fn column(&self, offset: u32) -> u32 {
        offset.saturating_sub(self.line_start)
    }

    fn word(&self, range: TextRange) -> String {
        unquoted(self.text.get(range.to_usize()).unwrap_or_default()).to_owned()
    }

    /// Finds the blocks of YAML that the first token of a line, or the one after a dash, is in. A
    /// place on a line without one is in those that its column is right of.
    fn start_of_line(&mut self, token: Token) {
        let column = self.column(token.range.start());
        match token.kind {
            TokenKind::Newline | TokenKind::Comment | TokenKind::End => {
                let column = self.column(self.offset);
                self.path = self.path_at(column);
                return;
            }
            TokenKind::Dash => self.blocks.retain(|(own, step)| {
                *own < column || *own == column && matches!(step, Step::Key(_))
            }),
            _ => self.blocks.retain(|(own, _)| *own < column),
        }
        self.path = self.path_at(u32::MAX);
        if matches!(token.kind, TokenKind::OpenList | TokenKind::OpenTable) {
            self.slot = Slot::Value;
        }
    }

    fn path_at(&self, column: u32) -> Vec<Step> {
        let outer = self.blocks.iter().take_while(|(own, _)| *own < column);
        outer.map(|(_, step)| step.clone()).collect()
    }

    /// Takes down the place that was asked about once a token is at or after it.
    fn decide(&mut self, Token { kind, range }: Token) {
        let offset = self.offset;
        let is_touched = range.start() <= offset && offset <= range.end();
        let word = match kind {
            _ if self.is_decided => return,
            TokenKind::Word if is_touched => range,
            _ if offset <= range.start() => TextRange::empty(offset),
            // A comment goes on, and a dash needs a space.
            TokenKind::Comment | TokenKind::Dash if is_touched => {
                self.is_decided = true;
                return;
            }
            _ => return,
        };
        self.is_decided = true;
        if matches!(self.slot, Slot::Line | Slot::Key | Slot::Value) {
            let has_separator = kind == TokenKind::Word && self.is_followed_by_separator();
            let path = self.path.clone();
            self.outline.place = Some(Place { path, slot: self.slot, word, has_separator });
        }
    }

    fn is_followed_by_separator(&self) -> bool {
        let mut ahead = self.lexer;
        ahead.next().kind == TokenKind::Separator
    }

    fn advance(&mut self, token: Token) {
        match (token.kind, self.slot) {
            (TokenKind::Word, Slot::Line | Slot::Key) => self.key(token.range),
            (TokenKind::Word, Slot::Value) => {
                if let Some(Step::Item(_)) = self.path.last() {
                    self.item(token.range);
                }
                self.slot = Slot::End;
            }
            (TokenKind::Dot, Slot::Separator) => self.slot = Slot::Key,
            (TokenKind::Separator, Slot::Separator) => self.slot = Slot::Value,
            (TokenKind::Dash, Slot::Line) => {
                let step = Step::Item(token.range.start());
                self.blocks.push((self.column(token.range.start()), step));
            }
            (TokenKind::OpenList, Slot::Value) => self.open(token, true),
            (TokenKind::OpenTable, Slot::Value) => self.open(token, false),
            (TokenKind::CloseList | TokenKind::CloseTable, _) => {
                self.brackets.pop();
                self.slot = Slot::End;
            }
            (TokenKind::Comma, _) => self.continue_bracket(token.range.start()),
            (TokenKind::Newline, _) => self.newline(token.range.end()),
            _ => {}
        }
    }

    fn key(&mut self, range: TextRange) {
        let is_yaml_line = self.language == Language::Yaml && self.slot == Slot::Line;
        if is_yaml_line && !self.is_followed_by_separator() {
            // An item after a dash, a key without its colon, or a line of a long text.
            if let Some(Step::Item(_)) = self.path.last() {
                self.item(range);
            }
            self.slot = Slot::End;
            return;
        }
        let text = self.word(range);
        let step = Step::Key(text.clone());
        if is_yaml_line {
            self.blocks.push((self.column(range.start()), step.clone()));
        }
        self.outline.written.push(Written { path: self.path.clone(), text, range });
        self.path.push(step);
        self.slot = Slot::Separator;
    }

    /// Takes down the value that is an item of a list.
    fn item(&mut self, range: TextRange) {
        let list = self.path.len().saturating_sub(1);
        let path = self.path.iter().take(list).cloned().collect();
        self.outline.written.push(Written { path, text: self.word(range), range });
    }

    fn open(&mut self, token: Token, is_list: bool) {
        if self.brackets.is_empty() {
            let line = self.text.get(self.line_start as usize..).unwrap_or_default();
            self.bracket_column = indentation(line);
        }
        self.brackets.push(Bracket { path: self.path.clone(), is_list });
        self.continue_bracket(token.range.start());
    }

    /// Expects the next key or item in the innermost bracket.
    fn continue_bracket(&mut self, at: u32) {
        let Some(bracket) = self.brackets.last() else { return };
        self.path.clone_from(&bracket.path);
        self.slot = Slot::Key;
        if bracket.is_list {
            self.path.push(Step::Item(at));
            self.slot = Slot::Value;
        }
    }

    fn newline(&mut self, end: u32) {
        self.line_start = end;
        let next = line(self.lexer.rest());
        if self.brackets.is_empty() || self.is_after_brackets(next) {
            self.brackets.clear();
            self.slot = Slot::Line;
        }
    }

    /// Returns true if a line shows that the open brackets should have been closed before it: it
    /// has a key or a header, and is not right of the line with the first bracket.
    fn is_after_brackets(&self, line: &str) -> bool {
        let has_key = match self.language {
            Language::Toml => match line.trim_start().strip_prefix('[') {
                Some(rest) => rest.trim_start_matches('[').starts_with(char::is_alphabetic),
                None => line.split_once('=').is_some_and(|(key, _)| is_key(key)),
            },
            Language::Yaml => {
                let key = line.split_once(": ").map(|(key, _)| key);
                key.or_else(|| line.trim_end().strip_suffix(':')).is_some_and(is_key)
            }
        };
        has_key && indentation(line) <= self.bracket_column
    }

    /// Reads a header of TOML up to the end of its line.
    fn header(&mut self, open: Token) {
        let outer = std::mem::take(&mut self.table);
        let start = open.range.start();
        let mut end = open.range.end();
        let mut is_list = false;
        let last = loop {
            let token = self.lexer.next();
            match token.kind {
                TokenKind::Newline | TokenKind::Comment | TokenKind::End => break token,
                TokenKind::OpenList => is_list = true,
                TokenKind::Word if self.table.len() < MAX_DEPTH => self.header_key(token.range),
                _ => {}
            }
            end = token.range.end();
        };
        if is_list {
            self.last_items.insert(self.table.clone(), start);
            self.table.push(Step::Item(start));
        }
        if !self.is_decided && self.offset <= end {
            self.is_decided = true;
            let word = TextRange::new(start, end);
            let place = Place { path: outer, slot: Slot::Header, word, has_separator: false };
            self.outline.place = (start < self.offset).then_some(place);
        }
        self.slot = Slot::End;
        self.take(last);
    }

    fn header_key(&mut self, range: TextRange) {
        if let Some(item) = self.last_items.get(&self.table) {
            self.table.push(Step::Item(*item));
        }
        let text = self.word(range);
        self.outline.written.push(Written { path: self.table.clone(), text: text.clone(), range });
        self.table.push(Step::Key(text));
    }
}

fn indentation(line: &str) -> u32 {
    (line.len() - line.trim_start_matches([' ', '\t']).len()) as u32
}

/// Returns true if a text could be a key.
fn is_key(text: &str) -> bool {
    let text = text.trim();
    !text.is_empty() && text.chars().all(|it| it.is_alphanumeric() || "-_.\"'".contains(it))
}
