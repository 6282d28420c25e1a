//! The reasons why a type does not convert, in words.

use crate::relations::{Cause, PathStep, Reason};
use crate::types::TypeStore;

/// The length in bytes up to which a reason shows a type whole.
const LONGEST_TYPE: usize = 200;

/// The largest number of lines for one reason.
const MOST_LINES: usize = 8;

impl TypeStore {
    /// The reason in words, for the notes of a diagnostic: one line for each union on the way in,
    /// eight at most.
    pub fn reason_lines(&mut self, reason: &Reason) -> Vec<String> {
        let mut lines = Vec::new();
        let mut place = String::new();
        let mut next = Some(reason);
        while let Some(reason) = next
            && lines.len() < MOST_LINES
        {
            for step in &reason.path {
                match step {
                    PathStep::Element => place.push_str("[*]"),
                    PathStep::Index(at) => place.push_str(&format!("[{at}]")),
                    PathStep::Property(name) => {
                        if !place.is_empty() {
                            place.push('.');
                        }
                        place.push_str(self.name(*name));
                    }
                }
            }
            let at = if place.is_empty() {
                String::new()
            } else {
                format!("`{place}`: ")
            };
            let (wanted, found) = (
                self.pretty_within(reason.dst, LONGEST_TYPE),
                self.pretty_within(reason.src, LONGEST_TYPE),
            );
            next = None;
            lines.push(match &reason.cause {
                Cause::Kind => format!("{at}`{found}` does not convert to `{wanted}`"),
                Cause::Missing => format!("{at}required, of type `{wanted}`, but missing"),
                Cause::Length { expected, found } => {
                    format!("{at}a tuple of {expected} elements is wanted, this one has {found}")
                }
                Cause::NoMember(closest) => {
                    next = closest.as_deref();
                    if next.is_some() && reason.path.is_empty() {
                        continue;
                    }
                    format!("{at}`{found}` does not convert to any of `{wanted}`")
                }
            });
        }
        lines
    }
}
