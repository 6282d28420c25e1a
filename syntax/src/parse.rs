//! Parsing: from a text to its tree, by way of tokens.

use std::sync::Arc;

use pcl_diagnostics::{Code, SourceText, TextRange};

use crate::encoding::replace_invalid;
use crate::error::SyntaxError;
use crate::foreign::{Foreign, swallowing};
use crate::grammar;
use crate::language::language_of_name;
use crate::lexer::recovery::is_balanced;
use crate::lexer::{self, Lexed};
use crate::parser::Parser;
use crate::repetition;
use crate::tree::{Nodes, SyntaxTree};

/// Parses a file. Always gives a tree.
#[must_use]
pub fn parse(source: impl Into<SourceText>) -> SyntaxTree {
    parse_as(source.into(), None, &[], Entry::File)
}

/// Parses a file that need not be UTF-8: in the text that the tree works on, each byte that does
/// not fit is a placeholder, so that offsets are those of the file. [`SyntaxTree::bytes`] gives the
/// file back.
#[must_use]
pub fn parse_bytes(bytes: impl Into<Vec<u8>>) -> SyntaxTree {
    match String::from_utf8(bytes.into()) {
        Ok(text) => parse(text),
        Err(error) => {
            let bytes = error.into_bytes();
            let (text, invalid) = replace_invalid(&bytes);
            parse_as(text.into(), Some(bytes.into()), &invalid, Entry::File)
        }
    }
}

/// The tree of a file with this name if the extension says that it is in another language: it has
/// one error, and nothing in it is read as PCL. `tree` is that of its text; what is recognised by
/// its text already, or is not text at all, stays as it is.
#[must_use]
pub fn foreign_file(name: &str, tree: &SyntaxTree) -> Option<SyntaxTree> {
    let language = language_of_name(name)?;
    let is_known = |error: &SyntaxError| {
        matches!(
            error.code(),
            Code::ForeignFile | Code::ForeignEncoding | Code::FileTooLarge
        )
    };
    if tree.errors().iter().any(is_known) {
        return None;
    }
    let source = tree.text().clone();
    let foreign = Foreign::whole_file(&source);
    let lexed = lexer::lex(&source, &[], &foreign.readings);
    let mut output = run(&source, &lexed, Entry::File);
    if output.errors.is_empty() {
        // There is no text in it.
        let error = SyntaxError::new(Code::ForeignFile, TextRange::empty(0));
        output.errors.push(error);
    }
    let mut tree = SyntaxTree::new(
        source,
        tree.original.clone(),
        lexed.tokens,
        output.nodes,
        output.errors.into_boxed_slice(),
    );
    tree.language = Some(language);
    Some(tree)
}

/// Parses a stand-alone expression, such as the type in the second label of a `config` block.
#[must_use]
pub fn parse_expression(source: impl Into<SourceText>) -> SyntaxTree {
    parse_as(source.into(), None, &[], Entry::Expression)
}

/// The production that a text is parsed as.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Entry {
    File,
    Expression,
}

/// The most searches for the notation of other languages in a text.
const ROUNDS: usize = 3;

/// Parses `source`. `original` holds the bytes as they were read, when some of them, `invalid`,
/// were not UTF-8.
fn parse_as(
    source: SourceText,
    original: Option<Arc<[u8]>>,
    mut invalid: &[TextRange],
    entry: Entry,
) -> SyntaxTree {
    if u32::try_from(source.len() + 1).is_err() {
        return too_large(source);
    }
    let mut lexed = lexer::lex(&source, invalid, &[]);
    let mut output = run(&source, &lexed, entry);
    let mut rewrites = Vec::new();
    if output.errors.iter().any(SyntaxError::is_error) {
        let mut foreign = Foreign::default();
        // What is understood may uncover more.
        for _ in 0..ROUNDS {
            let is_file = entry == Entry::File;
            if !foreign.find(&source, &lexed.tokens, &output.errors, is_file) {
                break;
            }
            if foreign.is_whole_file() {
                // It gets no other diagnostic.
                invalid = &[];
            }
            lexed = lexer::lex(&source, invalid, &foreign.readings);
            output = run(&source, &lexed, entry);
        }
        if !output.errors.is_empty() && !is_balanced(&lexed.tokens.kinds) {
            // Only now is it known that indentation has to decide where brackets end.
            lexed = lexer::lex_again(&source, invalid, &foreign.readings);
            output = run(&source, &lexed, entry);
        }
        rewrites = foreign.rewrites;
    }
    let (errors, repetitions) =
        repetition::merge(&source, &lexed.tokens, &output.nodes, output.errors);
    SyntaxTree::new(
        source,
        original,
        lexed.tokens,
        output.nodes,
        errors.into_boxed_slice(),
    )
    .with_rewrites(rewrites)
    .with_repetitions(repetitions)
}

/// A tree without text for a file whose offsets do not fit; its bytes are kept.
fn too_large(source: SourceText) -> SyntaxTree {
    let lexed = lexer::lex("", &[], &[]);
    let mut output = run("", &lexed, Entry::File);
    let error = SyntaxError::new(Code::FileTooLarge, TextRange::empty(0));
    output.errors.push(error);
    SyntaxTree::new(
        SourceText::from(""),
        Some(Arc::from(source.as_bytes())),
        lexed.tokens,
        output.nodes,
        output.errors.into_boxed_slice(),
    )
}

/// The result of a run of the parser.
struct Output {
    nodes: Nodes,
    /// Those of the lexer too, in the order of the text.
    errors: Vec<SyntaxError>,
}

fn run(source: &str, lexed: &Lexed, entry: Entry) -> Output {
    let mut parser = Parser::new(source, lexed);
    match entry {
        Entry::File => grammar::file(&mut parser),
        Entry::Expression => grammar::expression_file(&mut parser),
    }
    let (nodes, reported) = parser.finish_run();
    let mut errors = lexed.errors.clone();
    errors.extend(reported);
    errors.extend(swallowing(source, &lexed.suspects));
    errors.sort_by_key(|error| error.range().start());
    Output { nodes, errors }
}
