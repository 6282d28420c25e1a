//! Parsing: from a text to its tree, by way of tokens; files that are not UTF-8; and the tree of a
//! text after edits.

use std::sync::Arc;

use pcl_diagnostics::{Code, SourceText, TextEdit, TextRange};

use crate::error::SyntaxError;
use crate::grammar;
use crate::hook::{Attempt, Found, Hook, Note, Reading};
use crate::kind::SyntaxKind;
use crate::lexer::recovery::is_balanced;
use crate::lexer::{self, Lexed};
use crate::parser::Parser;
use crate::swallowing::swallowing;
use crate::tree::{NodeId, Nodes, SyntaxTree};

/// Parses a file. Always gives a tree.
pub fn parse(source: impl Into<SourceText>) -> SyntaxTree {
    parse_as(source.into(), None, &[], Entry::File, None)
}

/// Parses a file that need not be UTF-8: in the text that the tree works on, each byte that does
/// not fit is a placeholder, so that offsets are those of the file. [`SyntaxTree::bytes`] gives the
/// file back.
pub fn parse_bytes(bytes: impl Into<Vec<u8>>) -> SyntaxTree {
    parse_bytes_as(bytes.into(), Entry::File, None)
}

/// Parses a stand-alone expression, such as the type in the second label of a `config` block.
pub fn parse_expression(source: impl Into<SourceText>) -> SyntaxTree {
    parse_as(source.into(), None, &[], Entry::Expression, None)
}

impl Hook {
    /// Parses a file as [`parse`] does, and what is written in other languages with this hook.
    pub fn parse(&'static self, source: impl Into<SourceText>) -> SyntaxTree {
        parse_as(source.into(), None, &[], Entry::File, Some(self))
    }

    /// Parses a file as [`parse_bytes`] does, and what is written in other languages with this
    /// hook.
    pub fn parse_bytes(&'static self, bytes: impl Into<Vec<u8>>) -> SyntaxTree {
        parse_bytes_as(bytes.into(), Entry::File, Some(self))
    }

    /// Parses an expression as [`parse_expression`] does, and what is written in other languages
    /// with this hook.
    pub fn parse_expression(&'static self, source: impl Into<SourceText>) -> SyntaxTree {
        parse_as(source.into(), None, &[], Entry::Expression, Some(self))
    }
}

/// Parses another text as that of a tree was.
pub(crate) fn parse_like(tree: &SyntaxTree, bytes: Vec<u8>) -> SyntaxTree {
    let entry = if tree.node(NodeId(1)).kind() == SyntaxKind::Body {
        Entry::File
    } else {
        Entry::Expression
    };
    parse_bytes_as(bytes, entry, tree.hook)
}

impl SyntaxTree {
    /// The tree of the same text if it is known to be in another language: it has the error of
    /// `reading` alone, and nothing in it is read as PCL.
    pub fn refused(&self, reading: Reading, note: Note) -> SyntaxTree {
        let source = self.text().clone();
        // There may be no text in it.
        let readings: &[Reading] =
            if reading.range.is_empty() { &[] } else { std::slice::from_ref(&reading) };
        let lexed = lexer::lex(&source, &[], readings);
        let output = run(&source, &lexed, Entry::File);
        SyntaxTree::new(
            source,
            self.original.clone(),
            lexed.tokens,
            output.nodes,
            Box::new([reading.error]),
        )
        .with_hook(self.hook, vec![note])
    }
}

/// The production that a text is parsed as.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Entry {
    File,
    Expression,
}

/// The most searches for the notation of other languages in a text.
const ROUNDS: usize = 3;

fn parse_bytes_as(bytes: Vec<u8>, entry: Entry, hook: Option<&'static Hook>) -> SyntaxTree {
    match String::from_utf8(bytes) {
        Ok(text) => parse_as(text.into(), None, &[], entry, hook),
        Err(error) => {
            let bytes = error.into_bytes();
            let (text, invalid) = replace_invalid(&bytes);
            parse_as(text.into(), Some(bytes.into()), &invalid, entry, hook)
        }
    }
}

/// Parses `source`. `original` holds the bytes as they were read, when some of them, `invalid`,
/// were not UTF-8.
fn parse_as(
    source: SourceText,
    original: Option<Arc<[u8]>>,
    mut invalid: &[TextRange],
    entry: Entry,
    hook: Option<&'static Hook>,
) -> SyntaxTree {
    if u32::try_from(source.len() + 1).is_err() {
        return too_large(source);
    }
    let mut lexed = lexer::lex(&source, invalid, &[]);
    let mut output = run(&source, &lexed, entry);
    let mut found = Found::default();
    if output.errors.iter().any(SyntaxError::is_error) {
        // What is understood may uncover more.
        for _ in 0..ROUNDS {
            let attempt = Attempt {
                source: &source,
                tokens: &lexed.tokens,
                errors: &output.errors,
                is_file: entry == Entry::File,
            };
            if !hook.is_some_and(|hook| (hook.find)(&attempt, &mut found)) {
                break;
            }
            if found.is_whole {
                // It gets no other diagnostic.
                invalid = &[];
            }
            lexed = lexer::lex(&source, invalid, &found.readings);
            output = run(&source, &lexed, entry);
        }
        if !output.errors.is_empty() && !is_balanced(&lexed.tokens.kinds) {
            // Only now is it known that indentation has to decide where brackets end.
            lexed = lexer::lex_again(&source, invalid, &found.readings);
            output = run(&source, &lexed, entry);
        }
    }
    SyntaxTree::new(source, original, lexed.tokens, output.nodes, output.errors.into_boxed_slice())
        .with_hook(hook, found.notes)
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

impl SyntaxTree {
    /// The tree of the text after `edits`, each of which replaces a range of this text; the same
    /// tree as of parsing that text.
    ///
    /// Several insertions at one place are applied in the given order. `None` if edits overlap or
    /// do not fit the text. The file of the edits is not checked.
    pub fn edit(&self, edits: &[TextEdit]) -> Option<SyntaxTree> {
        let mut edits: Vec<&TextEdit> = edits.iter().collect();
        edits.sort_by_key(|edit| edit.span.range);
        let mut bytes = Vec::with_capacity(self.bytes().len());
        let mut at = 0;
        for edit in edits {
            let range = edit.span.range.to_usize();
            // A range that ends within a character does not fit.
            self.source.get(range.clone())?;
            bytes.extend(self.bytes().get(at..range.start)?);
            bytes.extend(edit.text.as_bytes());
            at = range.end;
        }
        bytes.extend(self.bytes().get(at..)?);
        Some(parse_like(self, bytes))
    }
}

/// Stands for one byte that is not UTF-8. It is a control character that means nothing in code.
pub const PLACEHOLDER: char = '\u{1A}';

/// The text of `bytes` with a placeholder for every byte that is not UTF-8, and where these are,
/// neighbours as one range.
pub(crate) fn replace_invalid(bytes: &[u8]) -> (String, Vec<TextRange>) {
    let mut text = String::with_capacity(bytes.len());
    let mut invalid: Vec<TextRange> = Vec::new();
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        let start = text.len() as u32;
        text.extend(chunk.invalid().iter().map(|_| PLACEHOLDER));
        let range = TextRange::new(start, text.len() as u32);
        match invalid.last_mut() {
            _ if range.is_empty() => {}
            Some(last) if last.end() == range.start() => *last = last.cover(range),
            _ => invalid.push(range),
        }
    }
    (text, invalid)
}

#[cfg(test)]
mod tests {
    use pcl_diagnostics::{FileId, Span, TextRange};

    use super::*;
    use crate::parse::{parse, parse_bytes, parse_expression};

    fn edit(start: u32, end: u32, text: &str) -> TextEdit {
        TextEdit::replace(Span::new(FileId(0), TextRange::new(start, end)), text)
    }

    #[test]
    fn edits_are_applied_in_the_order_of_the_text() {
        let edits = [edit(4, 5, "2"), edit(0, 0, "b"), edit(0, 0, "c")];
        let tree = parse("a = 1\nd = 3\n").edit(&edits);
        assert_eq!(tree, Some(parse("bca = 2\nd = 3\n")));
    }

    #[test]
    fn edits_that_do_not_fit_are_refused() {
        let tree = parse("a = \"é\"\n");
        assert_eq!(tree.edit(&[edit(6, 6, "x")]), None);
        assert_eq!(tree.edit(&[edit(4, 90, "x")]), None);
        assert_eq!(tree.edit(&[edit(0, 4, "x"), edit(3, 4, "")]), None);
    }

    #[test]
    fn other_entries_and_other_bytes() {
        let tree = parse_expression("1 + x").edit(&[edit(4, 5, "y")]);
        assert_eq!(tree, Some(parse_expression("1 + y")));
        let tree = parse_bytes(*b"a = \"\xFF\"\nb = 1\n").edit(&[edit(8, 8, "# c\n")]);
        assert_eq!(tree, Some(parse_bytes(*b"a = \"\xFF\"\n# c\nb = 1\n")));
    }

    #[test]
    fn offsets_stay() {
        let (text, invalid) = replace_invalid(b"a\xFF\xFEb\xE2\x82");
        assert_eq!(text, "a\u{1A}\u{1A}b\u{1A}\u{1A}");
        assert_eq!(invalid, [TextRange::new(1, 3), TextRange::new(4, 6)]);
    }
}
