//! The machine that the grammar runs on: a cursor over the tokens, a sink for nodes and errors, and recovery.

mod cursor;
mod recovery;
mod sink;

use std::ops::Range;
use std::sync::Arc;

use pcl_diagnostics::{Code, SourceText, TextRange};
use rustc_hash::FxHashMap;

use crate::error::SyntaxError;
use crate::grammar;
use crate::kind::SyntaxKind;
use crate::lexer::recovery::{Repairs, VirtualEnd, is_balanced};
use crate::lexer::{self, Lexed};
use crate::tree::{Node, SyntaxTree, Tokens};

pub(crate) use cursor::Opened;
pub(crate) use sink::Marker;

/// Where a text begins to be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Entry {
    File,
    Expression,
}

/// Parses `source`. `original` holds the bytes as they were read, when some of them, `invalid`, were not UTF-8.
pub(crate) fn parse(
    source: SourceText,
    original: Option<Arc<[u8]>>,
    invalid: &[TextRange],
    entry: Entry,
) -> SyntaxTree {
    if u32::try_from(source.len() + 1).is_err() {
        return too_large(source);
    }
    let mut lexed = lexer::lex(&source, invalid);
    let mut output = run(&source, &lexed, entry);
    if !output.errors.is_empty() && !is_balanced(&lexed.tokens.kinds) {
        // Only now is it known that indentation has to decide where brackets end.
        lexed = lexer::lex_again(&source, invalid);
        output = run(&source, &lexed, entry);
    }
    SyntaxTree::new(
        source,
        original,
        lexed.tokens,
        output.nodes.into_boxed_slice(),
        output.errors.into_boxed_slice(),
    )
}

/// A tree without text for a file whose offsets do not fit; its bytes are kept.
fn too_large(source: SourceText) -> SyntaxTree {
    let lexed = lexer::lex("", &[]);
    let mut output = run("", &lexed, Entry::File);
    let error = SyntaxError::new(Code::FileTooLarge, TextRange::empty(0));
    output.errors.push(error);
    SyntaxTree::new(
        SourceText::from(""),
        Some(Arc::from(source.as_bytes())),
        lexed.tokens,
        output.nodes.into_boxed_slice(),
        output.errors.into_boxed_slice(),
    )
}

/// What a run of the parser leaves.
struct Output {
    nodes: Vec<Node>,
    /// The lexer's too, in the order of the text.
    errors: Vec<SyntaxError>,
}

fn run(source: &str, lexed: &Lexed, entry: Entry) -> Output {
    let mut parser = Parser::new(source, lexed);
    match entry {
        Entry::File => grammar::file(&mut parser),
        Entry::Expression => grammar::expression_file(&mut parser),
    }
    let mut errors = lexed.errors.clone();
    errors.append(&mut parser.errors);
    errors.sort_by_key(|error| error.range().start());
    Output {
        nodes: parser.nodes,
        errors,
    }
}

/// The state of a run.
pub(crate) struct Parser<'s> {
    source: &'s str,
    tokens: &'s Tokens,
    /// Their kinds and starts.
    kinds: &'s [SyntaxKind],
    starts: &'s [u32],
    /// The current token: the next one that means something here.
    current: u32,
    /// Its kind; the end of the file at a virtual end.
    kind: SyntaxKind,
    /// The token after the last one that was taken.
    behind: u32,
    /// The last kind of token that is passed over: whether line endings mean something here.
    last_skipped: SyntaxKind,
    /// Tokens of the brackets, templates and directives that are open.
    openers: Vec<u32>,
    /// Ends that are yet to come, and the token of the first of them.
    ends: &'s [VirtualEnd],
    limit: u32,
    /// The kinds of the tokens before the limit.
    before_limit: &'s [SyntaxKind],
    repairs: &'s Repairs,
    /// In preorder; those that are not finished hold their places.
    nodes: Vec<Node>,
    /// Nodes that are to stand before what is already there.
    wraps: Vec<Node>,
    errors: Vec<SyntaxError>,
    /// Whether anything was wrong, for the lexer or here.
    is_damaged: bool,
    /// How often something was wrong here, reported or silent as a consequence.
    damage: u32,
    /// Damage up to here belongs to a finished node.
    claimed: u32,
    /// What the lexer found, in order.
    lexical: &'s [SyntaxError],
    /// The current token when the last error was reported, and the end of the line of that error.
    blamed: u32,
    blamed_line: u32,
    /// The tokens of the part of a line that was searched last for a string without end, and the
    /// last opening quote in it that has no closing one.
    searched_line: Range<u32>,
    last_open_quote: Option<u32>,
    depth: usize,
    /// Whether nesting too deep was reported.
    pub(crate) too_deep: bool,
    /// Directives that are open, innermost last: whether each is a `for`.
    pub(crate) directives: Vec<bool>,
    /// Names of the attributes in the bodies that are open, as tokens.
    pub(crate) names: Vec<u32>,
    /// The same as maps, for bodies of many attributes, with the index of their first name.
    pub(crate) large_bodies: Vec<(usize, FxHashMap<&'s str, u32>)>,
}

impl<'s> Parser<'s> {
    fn new(source: &'s str, lexed: &'s Lexed) -> Self {
        let mut parser = Self {
            source,
            tokens: &lexed.tokens,
            kinds: &lexed.tokens.kinds,
            starts: &lexed.tokens.starts,
            current: 0,
            kind: SyntaxKind::EndOfFile,
            behind: 0,
            last_skipped: SyntaxKind::LAST_TRIVIA,
            openers: Vec::new(),
            ends: &lexed.repairs.ends,
            limit: u32::MAX,
            before_limit: &[],
            repairs: &lexed.repairs,
            // Measured on formatted programs: 12 bytes a node; 7 on one of short lines. What is too much is given back.
            nodes: Vec::with_capacity(source.len() / 7 + 4),
            wraps: Vec::new(),
            errors: Vec::new(),
            is_damaged: !lexed.errors.is_empty(),
            damage: 0,
            claimed: 0,
            lexical: &lexed.errors,
            blamed: u32::MAX,
            blamed_line: 0,
            searched_line: 0..0,
            last_open_quote: None,
            depth: 0,
            too_deep: false,
            directives: Vec::new(),
            names: Vec::new(),
            large_bodies: Vec::new(),
        };
        parser.set_limit();
        parser.seek(0);
        parser
    }
}
