//! The context: the constructs around the current token that a production has to know.

use std::collections::hash_map::Entry;

use pcl_diagnostics::Code;
use rustc_hash::FxHashMap;

use super::Parser;

/// The limit of nesting for brackets, templates, blocks and operators.
pub const MAX_DEPTH: usize = 256;

/// The constructs around the current token.
#[derive(Default)]
pub(crate) struct Context {
    depth: usize,
    /// Tells whether nesting too deep was reported.
    pub(crate) is_too_deep: bool,
    /// Directives that are open in the innermost template, innermost last: whether each is a `for`.
    pub(crate) directives: Vec<bool>,
}

impl<'s> Parser<'s> {
    /// Enters a construct that may hold others of its kind. At the limit of nesting it gives
    /// `false`, and the caller passes over the construct as a `Bogus` node.
    pub(crate) fn enter(&mut self) -> bool {
        if self.context.depth < MAX_DEPTH {
            self.context.depth += 1;
            return true;
        }
        if self.context.is_too_deep {
            self.damage();
        } else {
            self.context.is_too_deep = true;
            self.unexpected(Code::NestingTooDeep, None);
        }
        false
    }

    /// Leaves what [`enter`](Self::enter) entered.
    pub(crate) fn leave(&mut self) {
        self.context.depth -= 1;
    }

    /// Notes the name of an attribute. Returns the token of an earlier one of that name in the
    /// body.
    pub(crate) fn set_name(&self, body: &mut BodyNames<'s>, name: u32) -> Option<u32> {
        match body.entry(self.text_of(name)) {
            Entry::Occupied(first) => Some(*first.get()),
            Entry::Vacant(free) => {
                free.insert(name);
                None
            }
        }
    }
}

/// The names of the attributes of a body so far, each with its first token.
pub(crate) type BodyNames<'s> = FxHashMap<&'s str, u32>;
