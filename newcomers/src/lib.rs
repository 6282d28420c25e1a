//! The notation of other languages: code of newcomers from Terraform, YAML, JSON, Python,
//! JavaScript or Go.
//!
//! Each rule is a file that recognises a habit, with the words for it. [`NEWCOMERS`] is the hook by
//! which the parser asks for them: parse with [`parse`], [`parse_bytes`] or [`parse_expression`].
//!
//! ```
//! let tree = pcl_newcomers::parse("size = 4 if big else 2\n");
//! let diagnostic = tree.diagnostics(pcl_diagnostics::FileId(0)).next().unwrap();
//! assert_eq!(diagnostic.message, "a conditional is written with `?` and `:` in PCL");
//! assert_eq!(diagnostic.fixes[0].edits[0].text, "big ? 4 : 2");
//! ```

#![cfg_attr(
    not(test),
    deny(
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::panic,
        clippy::string_slice,
        clippy::unreachable,
        clippy::unwrap_used
    )
)]

mod bracket;
mod character;
mod conditional;
mod conflict;
mod file;
mod foreign;
mod function;
mod habit;
mod heredoc;
mod interpolation;
mod library;
pub mod meaning;
mod nesting;
mod number;
mod program;
mod quote;
mod repetition;
mod sdk;
mod sign;
mod statement;
mod string;
pub mod terraform;
mod translate;
mod types;
mod value;
mod view;
mod yaml;

use pcl_diagnostics::SourceText;
use pcl_syntax::{Hook, SyntaxTree};

pub use file::foreign_file;
pub use types::{foreign_type, similar_type, simple_type};

/// The hook of the parser for the notation of other languages.
pub static NEWCOMERS: Hook = Hook { find: foreign::find, merge: repetition::merge };

/// Parses a file, and recognises other languages in it.
pub fn parse(source: impl Into<SourceText>) -> SyntaxTree {
    NEWCOMERS.parse(source)
}

/// Parses a file that need not be UTF-8, and recognises other languages in it.
pub fn parse_bytes(bytes: impl Into<Vec<u8>>) -> SyntaxTree {
    NEWCOMERS.parse_bytes(bytes)
}

/// Parses an expression, and recognises other languages in it.
pub fn parse_expression(source: impl Into<SourceText>) -> SyntaxTree {
    NEWCOMERS.parse_expression(source)
}
