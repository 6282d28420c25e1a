//! Java as a tree, and as text in the layout of google-java-format.

mod chain;
mod generics;
mod layout;
mod print;
mod reflow;
mod scan;
mod tree;

pub(crate) use print::{Class, Member, file};
pub(crate) use scan::uses;
pub(crate) use tree::{Body, Expr, Stmt, mentions};

/// The most bytes of a text that a class file may have as one constant.
const MAX_CONSTANT: usize = 60_000;

/// A text in quotes, as Java reads it; texts that are too long are joined.
pub(crate) fn quoted(text: &str) -> Expr {
    if text.len() <= MAX_CONSTANT {
        return Expr::Text(quote(text));
    }
    let mut parts = vec![String::new()];
    for c in text.chars() {
        if let Some(last) = parts.last_mut()
            && last.len() < MAX_CONSTANT / 2
        {
            last.push(c);
        } else {
            parts.push(c.to_string());
        }
    }
    let parts = parts.iter().map(|part| Expr::Text(quote(part)));
    Expr::text("String")
        .method("join", [Expr::text("\"\"")].into_iter().chain(parts).collect::<Vec<_>>())
}

/// A text in quotes.
pub(crate) fn quote(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            c if c.is_control() || matches!(c, '\u{feff}' | '\u{2028}' | '\u{2029}') => {
                out.push_str(&format!("\\u{:04x}", u32::from(c)));
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
