//! Lossless lexer, parser and syntax tree for PCL.
//!
//! Laws, for every text, however broken:
//! - [`parse`] gives a tree. Nothing panics, and the time it takes is linear.
//! - The tokens tile the text: put together they are the file again, byte for byte
//!   ([`SyntaxTree::bytes`]).
//! - A tree has an error if and only if the text is not PCL as Pulumi reads it. The few exceptions
//!   are documented where the vectors are tested.
//! - A node that does not [contain an error](SyntaxNode::contains_error) has every part of its
//!   production.
//! - One cause gives one error, and the rest of the text is parsed as if the error were not there.
//!
//! The way of a text: the `lexer` splits it into [`Tokens`]; the parser (`grammar` on `parser`)
//! makes the nodes of the `tree`; [`ast`] looks at the result through types. An error is a code and
//! a few places until someone wants to read it ([`SyntaxError::to_diagnostic`]). What people write
//! who come from other languages is recognised by a [`Hook`], that of `pcl-newcomers`.
//!
//! ```
//! use pcl_syntax::ast::{Expr, Item, TemplatePart};
//!
//! let tree = pcl_syntax::parse("resource \"pet\" \"random:index:RandomPet\" {\n  prefix = \"my-${name}\"\n}\n");
//! assert!(tree.errors().is_empty());
//!
//! // Typed views are copyable and lazy.
//! let Some(Item::Block(block)) = tree.file().body().items().next() else { unreachable!() };
//! assert_eq!(block.keyword().unwrap().text(), "resource");
//! let labels: Vec<_> = block.labels().map(|label| label.text()).collect();
//! assert_eq!(labels, ["pet", "random:index:RandomPet"]);
//!
//! let attribute = block.body().unwrap().attributes().next().unwrap();
//! let Some(Expr::Template(template)) = attribute.value() else { unreachable!() };
//! match &Vec::from_iter(template.parts())[..] {
//!     [TemplatePart::Literal { value, .. }, TemplatePart::Interpolation(Expr::Name(name))] => {
//!         assert_eq!((&**value, name.text()), ("my-", "name"));
//!     }
//!     parts => unreachable!("{parts:?}"),
//! }
//!
//! // Every node knows its bytes, and below the views there is the whole text.
//! assert_eq!(attribute.syntax().text(), "prefix = \"my-${name}\"");
//! let commented = pcl_syntax::parse("# why\na = 1\n");
//! let attribute = commented.file().body().attributes().next().unwrap();
//! assert_eq!(attribute.comments().leading[0].lines(), [" why"]);
//!
//! // Navigation from a place to its token, and to the nodes around it.
//! let name = commented.token_at(6).parent();
//! assert_eq!(name.ancestors().last(), Some(commented.root()));
//!
//! // A broken text has a tree too, and words for what is wrong.
//! let broken = pcl_syntax::parse("a = [1, 2\nb = 3\n");
//! assert_eq!(broken.file().body().attributes().count(), 2);
//! let error = broken.errors()[0].to_diagnostic(pcl_diagnostics::FileId(0), &broken);
//! assert_eq!(error.message, "this list is not closed");
//! assert_eq!(error.fixes[0].title, "add `]`");
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

pub mod ast;
pub mod build;
mod error;
mod grammar;
mod hook;
mod identifier;
mod kind;
mod lexer;
mod messages;
mod parse;
mod parser;
mod quote;
mod suppression;
mod swallowing;
mod tree;
mod trial;
mod unreadable;

pub use error::SyntaxError;
pub use hook::{Attempt, Found, Hook, Note, Reading, Repetition};
pub use identifier::{capitalized, identifier, identifier_of, is_identifier};
pub use kind::SyntaxKind;
pub use lexer::ident::{is_continue, is_start};
pub use lexer::recovery::{closes, is_item};
pub use messages::{excerpt, visible};
pub use parse::{PLACEHOLDER, parse, parse_bytes, parse_expression};
pub use parser::MAX_DEPTH;
pub use quote::{escaped, quoted, quoted_label};
pub use suppression::{Inexact, SuppressionComment, SuppressionForm, suppression_comments};
pub use swallowing::{HeredocEnd, heredoc_end};
pub use tree::{
    BrokenLaw, Children, Comment, Comments, Descendants, Element, Elements, NodeId, SyntaxNode,
    SyntaxToken, SyntaxTree, TokenRange, Tokens, dump,
};

// Trees are shared between threads.
const _: () = {
    const fn shared<T: Send + Sync>() {}
    shared::<SyntaxTree>();
};

/// Splits a text into tokens. Never fails: what fits nothing becomes a token of a kind that says
/// so.
pub fn tokenize(source: &str) -> Tokens {
    lexer::lex(source, &[], &[]).tokens
}
