//! The context: the constructs around the current token that a production has to know.

use std::collections::hash_map::Entry;

use pcl_diagnostics::Code;
use rustc_hash::FxHashMap;

use super::{Cursor, Parser};

/// The limit of nesting for brackets, templates, blocks and operators.
pub const MAX_DEPTH: usize = 256;

/// The constructs around the current token.
#[derive(Default)]
pub(crate) struct Context<'s> {
    depth: usize,
    /// Tells whether nesting too deep was reported.
    pub(crate) is_too_deep: bool,
    /// Directives that are open in the innermost template, innermost last: whether each is a `for`.
    pub(crate) directives: Vec<bool>,
    /// Names of the attributes in the bodies that are open, as tokens.
    names: Vec<u32>,
    /// The same as maps, for bodies of many attributes, with the index of their first name.
    large_bodies: Vec<(usize, FxHashMap<&'s str, u32>)>,
}

impl Parser<'_> {
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

    /// The names of a body that begins.
    pub(crate) fn names_of_body(&self) -> BodyNames {
        BodyNames { first: self.context.names.len(), seen: 0 }
    }

    /// Forgets the names of a body that is over.
    pub(crate) fn forget_names(&mut self, body: BodyNames) {
        self.context.forget_names(body);
    }

    /// Adds the name at a token to those of a body, or returns the token at which it was set
    /// before.
    #[inline]
    pub(crate) fn set_name(&mut self, body: &mut BodyNames, name: u32) -> Option<u32> {
        self.context.set_name(&self.cursor, body, name)
    }
}

/// The names that a body has set so far: those from `first` on of the context's.
pub(crate) struct BodyNames {
    first: usize,
    /// For each of them, one bit of these is set.
    seen: u64,
}

impl BodyNames {
    /// Notes a name; returns whether it is certainly a new one.
    fn is_new(&mut self, name: &[u8]) -> bool {
        let (Some(first), Some(last)) = (name.first(), name.last()) else {
            return false;
        };
        let length = (name.len() as u8).wrapping_mul(8);
        let bit = 1 << ((first.wrapping_mul(5) ^ last ^ length) % 64);
        let is_new = self.seen & bit == 0;
        self.seen |= bit;
        is_new
    }
}

/// From this many names on a body looks them up in a map.
const MANY: usize = 24;

impl<'s> Context<'s> {
    fn forget_names(&mut self, body: BodyNames) {
        self.names.truncate(body.first);
        while self.large_bodies.last().is_some_and(|(base, _)| *base >= body.first) {
            self.large_bodies.pop();
        }
    }

    #[inline]
    fn set_name(&mut self, cursor: &Cursor<'s>, body: &mut BodyNames, name: u32) -> Option<u32> {
        let first = self.first_of_name(cursor, body, name);
        if first.is_none() {
            self.names.push(name);
        }
        first
    }

    /// The token at which `name` was set before, if it is among the names of `body`.
    #[inline]
    fn first_of_name(
        &mut self,
        cursor: &Cursor<'s>,
        body: &mut BodyNames,
        name: u32,
    ) -> Option<u32> {
        let is_many = self.names.len() >= body.first + MANY;
        if !is_many && body.is_new(cursor.bytes_of(name)) {
            return None;
        }
        if is_many {
            return self.first_of_name_in_large(cursor, body.first, name);
        }
        let text = cursor.text_of(name);
        let mut known = self.names.iter().skip(body.first);
        known.find(|known| cursor.text_of(**known) == text).copied()
    }

    /// As `first_of_name`, for a body of many attributes.
    #[inline(never)]
    fn first_of_name_in_large(
        &mut self,
        cursor: &Cursor<'s>,
        first: usize,
        name: u32,
    ) -> Option<u32> {
        if self.large_bodies.last().is_none_or(|(base, _)| *base < first) {
            let body = self.names.iter().skip(first);
            let known = body.map(|&name| (cursor.text_of(name), name)).collect();
            self.large_bodies.push((first, known));
        }
        let text = cursor.text_of(name);
        let (_, known) = self.large_bodies.last_mut()?;
        match known.entry(text) {
            Entry::Occupied(first) => Some(*first.get()),
            Entry::Vacant(free) => {
                free.insert(name);
                None
            }
        }
    }
}
