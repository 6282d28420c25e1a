//! Names as keys of objects.

use pcl_syntax::quoted;

use super::expr::ExprKind;

/// A name in place of the key `key` of an object: without quotes if it is an identifier and `key`
/// has none.
#[must_use]
pub fn key_like(key: &ExprKind, name: &str) -> String {
    match key {
        ExprKind::Literal(_) if pcl_syntax::is_identifier(name) => name.to_owned(),
        _ => quoted(name),
    }
}
