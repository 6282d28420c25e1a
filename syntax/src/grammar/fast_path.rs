//! A fast path for expressions that begin with a name, a number, or a string without parts.
//!
//! Most expressions are such a term and nothing else. Their productions would be entered all the
//! same, from the conditional down to the term, and left again: lexing and parsing a generated
//! program of 2.9 MB takes 129.9 million instructions with this path and 134.7 million without it
//! (callgrind, release profile).
//!
//! The path makes the nodes that the productions make, and is not part of the grammar:
//! [`expression::expression`] means the same without it.

use super::{expression, operator, traversal};
use crate::kind::SyntaxKind as K;
use crate::parser::Parser;

/// Takes an expression whose first term is a leaf; leaves others, and returns `false`.
#[inline]
pub(super) fn expression(p: &mut Parser<'_>) -> bool {
    if !p.has_room() {
        return false;
    }
    let first = p.token();
    let (kind, last) = match p.kind() {
        K::QuoteOpen => match p.end_of_plain_template() {
            Some(close) => (K::Template, close),
            None => return false,
        },
        K::Ident => (p.kind_of_word(first), first),
        K::Number => (K::Literal, first),
        _ => return false,
    };
    p.take_to(last);
    if expression::goes_on(p.kind()) {
        longer(p, first, kind);
    } else {
        p.finish_leaf(first, kind);
    }
    true
}

/// An expression that goes on after its first term, which was taken: a leaf of this kind, unless it
/// is the name of a call.
#[inline(never)]
fn longer(p: &mut Parser<'_>, first: u32, kind: K) {
    p.enter();
    let marker = p.here_from(first);
    expression::word_or_call(p, first, kind);
    traversal::steps(p, marker);
    operator::operations(p, marker, operator::LOOSEST);
    expression::branches(p, marker);
    p.leave();
}
