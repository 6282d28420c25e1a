//! Lossless lexer, parser and syntax tree for PCL.

pub mod ast;
mod encoding;
mod error;
mod escape;
mod grammar;
mod kind;
mod lexer;
mod parser;
mod tree;

use std::sync::Arc;

use parser::Entry;

pub use error::SyntaxError;
pub use kind::SyntaxKind;
pub use tree::{
    Children, Descendants, Element, Elements, NodeId, SyntaxNode, SyntaxToken, SyntaxTree,
    TokenRange, Tokens, TreeFault, dump,
};

/// How deep brackets, templates, blocks and operators may nest.
pub const MAX_DEPTH: usize = 256;

/// Splits a text into tokens. Never fails: what fits nothing becomes a token of a kind that says so.
#[must_use]
pub fn tokenize(source: &str) -> Tokens {
    lexer::lex(source, &[]).tokens
}

/// Parses a file. Always gives a tree.
#[must_use]
pub fn parse(source: impl Into<Arc<str>>) -> SyntaxTree {
    parser::parse(source.into(), None, &[], Entry::File)
}

/// Parses a file that need not be UTF-8: in the text that the tree works on, each byte that does not fit is a placeholder, so that
/// offsets are those of the file. [`SyntaxTree::bytes`] gives the file back.
#[must_use]
pub fn parse_bytes(bytes: impl Into<Vec<u8>>) -> SyntaxTree {
    match String::from_utf8(bytes.into()) {
        Ok(text) => parse(text),
        Err(error) => {
            let bytes = error.into_bytes();
            let (text, invalid) = encoding::replace_invalid(&bytes);
            parser::parse(text.into(), Some(bytes.into()), &invalid, Entry::File)
        }
    }
}

/// Parses a stand-alone expression, such as the type in the second label of a `config` block.
#[must_use]
pub fn parse_expression(source: impl Into<Arc<str>>) -> SyntaxTree {
    parser::parse(source.into(), None, &[], Entry::Expression)
}
