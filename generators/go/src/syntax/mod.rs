//! Go as a tree, and as text in the layout of `gofmt`.

mod print;
mod scan;
mod tidy;
mod tree;

pub(crate) use print::file;
pub(crate) use scan::uses;
pub(crate) use tidy::{mentions, names_in, rename, tidy};
pub(crate) use tree::{Declaration, Expr, Field, Item, Stmt};

/// A text in quotes, as Go reads it.
pub(crate) fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            // A byte order mark is allowed at the start of a file alone.
            c if c.is_control() || matches!(c, '\u{feff}' | '\u{2028}' | '\u{2029}') => {
                out.push_str(&format!("\\u{:04x}", u32::from(c)));
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
