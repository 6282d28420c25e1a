//! Records as text: the kind, the bytes and short fields on one line, children on their own lines.

use std::fmt::Write as _;

use super::{Field, View};

/// Beyond this depth lines are not indented any further: the output stays as long as the program.
const MAX_INDENT: usize = 40;

pub(super) fn write<V: View>(out: &mut String, root: V) {
    let mut open = vec![vec![("", Some(root))].into_iter()];
    while let Some(parts) = open.last_mut() {
        let Some((name, part)) = parts.next() else {
            open.pop();
            continue;
        };
        for _ in 1..open.len().min(MAX_INDENT) {
            out.push_str("  ");
        }
        if !name.is_empty() {
            out.push_str(name);
            out.push_str(": ");
        }
        let Some(part) = part else {
            out.push_str("missing\n");
            continue;
        };
        let record = part.record();
        let _ = write!(out, "{}@{:?}", record.kind, record.range);
        let mut below = Vec::new();
        for (name, field) in record.fields {
            match field {
                Field::Text(text) => {
                    let _ = write!(out, " {name}={text:?}");
                }
                Field::Flag(_) => {
                    let _ = write!(out, " {name}");
                }
                Field::Part(part) => below.push((name, part)),
                Field::Parts(parts) => below.extend(parts.into_iter().map(|p| (name, Some(p)))),
            }
        }
        out.push('\n');
        open.push(below.into_iter());
    }
}
