//! The reasons why a type does not convert, in words.

use super::count;
use super::words::compared;
use crate::relations::{Cause, PathStep, Reason};
use crate::types::TypeStore;

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
                "the value".to_owned()
            } else {
                format!("`{place}`")
            };
            let [wanted, found] = compared(self, reason.dst, reason.src);
            next = None;
            lines.push(match &reason.cause {
                Cause::Kind => format!("{at} must be {wanted}, found {found}"),
                Cause::Missing => format!("{at} is missing, it must be {wanted}"),
                Cause::Length { expected, found } => {
                    let expected = count(*expected, "element");
                    format!("{at} must have {expected}, found {found}")
                }
                Cause::NoMember(closest) => {
                    next = closest.as_deref();
                    if next.is_some() && reason.path.is_empty() {
                        continue;
                    }
                    format!("{at} must be {wanted}, found {found}")
                }
            });
        }
        lines
    }
}
