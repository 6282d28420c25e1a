//! Mistakes that a body repeats: `key: value` on each of its lines is one habit, not many errors.
//!
//! The first of them is the error; the others are further places of it, and its fix corrects all.
//! Only texts with errors are searched.
//!
//! The rules, with examples: `tests/spec/habits/repetition.md`.

use std::collections::HashMap;

use pcl_diagnostics::{Code, TextRange};
use pcl_syntax::{NodeId, Repetition, SyntaxError, SyntaxKind as K, SyntaxTree, Tokens};

/// Moves the errors that repeat another one of their body to its repetition.
pub(crate) fn merge(tree: &SyntaxTree) -> (Vec<SyntaxError>, Vec<Repetition>) {
    let errors = tree.errors();
    let mut bodies = Bodies::new(tree);
    let mut kept = Vec::with_capacity(errors.len());
    let mut repetitions: Vec<Repetition> = Vec::new();
    let mut known: HashMap<(u32, Code, &str), usize> = HashMap::new();
    for &error in errors {
        bodies.advance(error.range().start());
        let Some(habit) = habit(tree.text(), tree.tokens(), &error) else {
            kept.push(error);
            continue;
        };
        let body = if is_quote(error.code()) { bodies.body() } else { bodies.innermost() };
        let index = *known.entry((body, error.code(), habit)).or_insert_with(|| {
            repetitions.push(Repetition {
                code: error.code(),
                at: error.range().start(),
                errors: Vec::new(),
            });
            repetitions.len() - 1
        });
        match repetitions.get_mut(index) {
            Some(repetition) if repetition.at < error.range().start() => {
                repetition.errors.push(error);
            }
            _ => kept.push(error),
        }
    }
    repetitions.retain(|repetition| !repetition.errors.is_empty());
    (kept, repetitions)
}

/// The notation that an error is about, if it is one that is the same on every line.
fn habit<'s>(source: &'s str, tokens: &Tokens, error: &SyntaxError) -> Option<&'s str> {
    let text = |range: TextRange| source.get(range.to_usize()).unwrap_or_default();
    let ends_line = || matches!(next_kind(tokens, error), K::Newline | K::EndOfFile);
    match error.code() {
        // Without a sign the value is the second place.
        Code::BodyItemIncomplete => {
            let written = text(error.related()?);
            let is_sign = written.starts_with([':', '=', '-', '<', '+', '?']);
            Some(if is_sign { written } else { "" })
        }
        Code::BodyQuotedArgName => match next_kind(tokens, error) {
            K::Colon => Some(":"),
            K::Equals => Some("="),
            _ => None,
        },
        Code::AttrComma | Code::LexSemicolon => ends_line().then_some(""),
        // The keyword of a declaration, or that of an import. What `new` makes is not the same.
        Code::ForeignStatement => {
            text(error.range()).split_whitespace().next().filter(|word| *word != "new")
        }
        // Two quotes that match: what a lone one belongs to is a question of its own.
        code if is_quote(code) => {
            let written = text(error.range());
            let quote = written.get(..written.chars().next()?.len_utf8())?;
            let is_pair = written.len() > quote.len() && written.ends_with(['\'', '`', '”', '’']);
            is_pair.then_some(quote)
        }
        Code::ForeignComment => Some(text(error.range())),
        _ => None,
    }
}

/// Returns whether this code is about the quotes of a string, which may be anywhere in a body.
fn is_quote(code: Code) -> bool {
    matches!(code, Code::LexSingleQuote | Code::LexBacktick | Code::LexCurlyQuote)
}

/// The kind of the token behind an error.
fn next_kind(tokens: &Tokens, error: &SyntaxError) -> K {
    let end = error.range().end();
    let mut token = tokens.first_from(end);
    while tokens.kind(token).is_trivia() {
        token += 1;
    }
    tokens.kind(token)
}

/// The bodies, lists and objects of a tree, for questions in the order of the text.
struct Bodies<'a> {
    tree: &'a SyntaxTree,
    /// The first node that begins behind the last place.
    next: u32,
    /// Those around the last place, innermost last: each with its node and its end.
    open: Vec<(u32, u32)>,
}

impl<'a> Bodies<'a> {
    fn new(tree: &'a SyntaxTree) -> Self {
        Self { tree, next: 0, open: Vec::new() }
    }

    /// Goes on to `offset`, which is no less than the one before.
    fn advance(&mut self, offset: u32) {
        while self.next < self.tree.node_count() {
            let node = self.tree.node(NodeId(self.next));
            let range = node.range();
            if range.start() > offset {
                break;
            }
            if matches!(node.kind(), K::File | K::Body | K::Tuple | K::Object | K::Call) {
                self.close_before(range.start());
                self.open.push((self.next, range.end()));
            }
            self.next += 1;
        }
        self.close_before(offset);
    }

    /// The innermost one around the last place.
    fn innermost(&self) -> u32 {
        self.open.last().map_or(0, |&(node, _)| node)
    }

    /// The innermost of these that is a body.
    fn body(&self) -> u32 {
        let kind = |node: u32| self.tree.node(NodeId(node)).kind();
        let mut nodes = self.open.iter().rev().map(|&(node, _)| node);
        nodes.find(|&node| matches!(kind(node), K::File | K::Body)).unwrap_or(0)
    }

    /// Leaves those that end at or before `offset`.
    fn close_before(&mut self, offset: u32) {
        while self.open.last().is_some_and(|&(_, end)| end <= offset) {
            self.open.pop();
        }
    }
}
