//! The maker of legal identifiers: how any name or text becomes one.

use crate::lexer::ident;

/// A text as a name: an underscore in place of each character that cannot be in one, and before one
/// that cannot be the first.
///
/// ```
/// use pcl_syntax::identifier;
///
/// assert_eq!(identifier("my site"), "my_site");
/// assert_eq!(identifier("2nd größe!"), "_2nd_größe_");
/// assert_eq!(identifier(""), "_");
/// ```
pub fn identifier(text: &str) -> String {
    identifier_of(text, ident::is_start, ident::is_continue)
}

/// A text as a name of a language in which names have these characters, as [`identifier`] makes one
/// of PCL.
pub fn identifier_of(
    text: &str,
    is_start: impl Fn(char) -> bool,
    is_continue: impl Fn(char) -> bool,
) -> String {
    let legal = |c| if is_continue(c) { c } else { '_' };
    let mut name: String = text.chars().map(legal).collect();
    if !name.starts_with(is_start) {
        name.insert(0, '_');
    }
    name
}

/// The text with a capital at its start.
pub fn capitalized(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().into_iter().flat_map(char::to_uppercase).chain(chars).collect()
}

/// Returns whether a text is one name, which is valid after a dot and as a key without quotes.
pub fn is_identifier(text: &str) -> bool {
    text.starts_with(ident::is_start) && text.chars().all(ident::is_continue)
}
