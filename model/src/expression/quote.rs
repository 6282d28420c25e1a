//! Text as a quoted string, and names as keys of objects.

use super::expr::ExprKind;

/// A text as a quoted string of PCL.
///
/// ```
/// assert_eq!(pcl_model::expression::quoted("a \"${b}\""), r#""a \"$${b}\"""#);
/// ```
#[must_use]
pub fn quoted(text: &str) -> String {
    format!("\"{}\"", escape(text, false))
}

/// A name in place of the key `key` of an object: without quotes if it is an identifier and `key`
/// has none.
#[must_use]
pub fn key_like(key: &ExprKind, name: &str) -> String {
    match key {
        ExprKind::Literal(_) if pcl_syntax::is_identifier(name) => name.to_owned(),
        _ => quoted(name),
    }
}

/// `text` as it is written between quotes. `followed` says that an interpolation or directive comes
/// next, which a `$` or `%` at the end would turn into text.
pub(super) fn escape(text: &str, followed: bool) -> String {
    let mut escaped = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '"' => escaped.push_str("\\\""),
            '\\' => escaped.push_str("\\\\"),
            '\n' => escaped.push_str("\\n"),
            '\r' => escaped.push_str("\\r"),
            '\t' => escaped.push_str("\\t"),
            '$' | '%' => match rest.peek() {
                Some('{') => escaped.extend([c, c]),
                Some(next) if *next == c => escaped.push_str(&format!("\\u{:04x}", c as u32)),
                None if followed => escaped.push_str(&format!("\\u{:04x}", c as u32)),
                _ => escaped.push(c),
            },
            _ if c.is_control() => escaped.push_str(&format!("\\u{:04x}", c as u32)),
            _ => escaped.push(c),
        }
    }
    escaped
}
