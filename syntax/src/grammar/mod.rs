//! The grammar, one file per area of the language.
//!
//! Conventions:
//! - A production is a function named after its node. It is called at its first token, unless its
//!   name begins with `opt_`: an `opt_` production returns whether it took anything, and reports
//!   nothing if it did not.
//! - A node is finished by the production that began it. Left-leaning nodes (operators, postfix
//!   steps) are finished around the existing node.
//! - `unexpected` reports the current token, `unclosed` an opener. Both are silent after an earlier
//!   error at the same place, so a production reports missing parts without checking for other
//!   reports.
//! - Every loop takes a token in each round or ends.
//! - Within `(`, `[`, a call, a `for` and the braces of a template, line endings have no meaning;
//!   within an object and a block they do.

mod attribute;
mod block;
pub(crate) mod body;
mod collection;
pub(crate) mod expression;
mod for_expr;
mod operator;
pub(crate) mod template;
mod traversal;

use pcl_diagnostics::Code;

use crate::kind::SyntaxKind;
use crate::parser::Parser;

/// `File = Body EndOfFile`
pub(crate) fn file(p: &mut Parser<'_>) {
    let root = p.start_at(0);
    // Blanks before the first token are outside the body; a comment line is not.
    let first = p.first_visible_token();
    let marker = p.start_at(first);
    body::items(p, None);
    p.finish_at(marker, SyntaxKind::Body, p.end_token());
    p.finish_at(root, SyntaxKind::File, p.end_token());
}

/// `Expr EndOfFile`
pub(crate) fn expression_file(p: &mut Parser<'_>) {
    let root = p.start_at(0);
    p.set_newlines(false);
    expression::expression(p);
    if !p.at(SyntaxKind::EndOfFile) {
        if !p.has_errors() {
            p.unexpected(Code::ExprTrailing, None);
        }
        while !p.at(SyntaxKind::EndOfFile) {
            p.bump();
        }
    }
    p.finish_at(root, SyntaxKind::File, p.end_token());
}
