//! The wording of every diagnostic about an expression.
//!
//! A rule reports what is wrong: it calls the function for its diagnostic with the places, types
//! and names that it is about. One file per area, one function per diagnostic; texts, labels, help,
//! notes and the edits of fixes are in no other folder.

pub(crate) mod calls;
pub(crate) mod collections;
pub(crate) mod functions;
pub(crate) mod mismatch;
pub(crate) mod names;
pub(crate) mod other_languages;
mod reasons;
pub(crate) mod remedies;
pub(crate) mod roles;
pub(crate) mod traversals;
pub(crate) mod words;

use crate::types::{TypeId, TypeStore};

/// The length in bytes up to which a message shows a type.
const LONGEST_TYPE: usize = 60;

/// A type for a message: its pretty form in backquotes, or a description in words where that is too
/// long to read.
pub fn shown(types: &mut TypeStore, ty: TypeId) -> String {
    let pretty = types.pretty_within(ty, LONGEST_TYPE);
    if pretty.len() <= LONGEST_TYPE {
        format!("`{pretty}`")
    } else {
        words::in_words(types, ty)
    }
}

/// A number of things, the first two in words: "no elements", "one element", "2 elements".
fn count(number: usize, noun: &str) -> String {
    match number {
        0 => format!("no {noun}s"),
        1 => format!("one {noun}"),
        _ => format!("{number} {noun}s"),
    }
}
