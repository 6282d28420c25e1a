//! A string near to a value of an open enumeration, which takes any other string as well.
//!
//! The rules, with examples: `tests/spec/lints/near_value.md`.

use pcl_diagnostics::{Code, Diagnostic, Span, is_same_word, suggest};

use crate::wording::with_meant_value;

/// The listed value that a string is a misspelling of. Newer values than those of the schema often
/// differ from listed ones in a digit or a capital, and are no misspellings.
pub(crate) fn misspelled<'v>(
    written: &str,
    values: impl Iterator<Item = &'v str> + Clone,
) -> Option<&'v str> {
    if written.len() < 4 || values.clone().any(|value| value == written) {
        return None;
    }
    let mut alike = values.clone().filter(|value| in_words(value) == in_words(written));
    if let (Some(meant), None) = (alike.next(), alike.next()) {
        return Some(meant);
    }
    let meant = suggest(written, values)?;
    let is_same_word = meant.eq_ignore_ascii_case(written);
    let marks = |text: &str| -> String {
        let is_mark = |c: &char| !c.is_lowercase();
        text.chars().filter(is_mark).collect()
    };
    let is_near = is_slip(written, meant) && marks(meant) == marks(written);
    (is_same_word || is_near).then_some(meant)
}

/// A text in lower case with one sign for all punctuation, as in `TLS1_2` and `TLS1.2`.
fn in_words(text: &str) -> String {
    let letter = |c: char| if c.is_alphanumeric() { c.to_ascii_lowercase() } else { '-' };
    text.chars().map(letter).collect()
}

/// Returns true if two texts differ in one place: by a letter, by two neighbours that are swapped,
/// or, if they are long, by two letters. More of a difference makes another word, as in `Online`
/// and `Offline`.
fn is_slip(one: &str, other: &str) -> bool {
    const LONG: usize = 10;
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    let same = |(a, b): &(&char, &char)| a == b;
    let start = one.iter().zip(&other).take_while(same).count();
    let (one, other) = (one.split_at(start).1, other.split_at(start).1);
    let end = one.iter().rev().zip(other.iter().rev()).take_while(same).count();
    let (one, other) = (one.split_at(one.len() - end).0, other.split_at(other.len() - end).0);
    let is_swap = matches!((one, other), ([a, b], [c, d]) if a == d && b == c);
    let most = if start + end >= LONG { 2 } else { 1 };
    is_swap || one.len().max(other.len()) <= most
}

/// A string near to the listed value `meant`, which `text` writes, where others are taken too.
pub(crate) fn near_value(
    span: Span,
    written: &str,
    role: &str,
    meant: &str,
    text: String,
) -> Diagnostic {
    let message = format!("\"{written}\" is not a listed value of {role}");
    let diagnostic = Diagnostic::warning(Code::NearValue, span, message).ours();
    let is_certain = is_same_word(written, meant);
    with_meant_value(diagnostic, span, &format!("\"{meant}\""), text, is_certain)
}

#[cfg(test)]
mod tests {
    use super::misspelled;

    #[test]
    fn digits_and_capitals_make_another_value() {
        let values = ["Standard_LRS", "Premium_LRS", "t2.nano"];
        let meant = |written| misspelled(written, values.into_iter());
        assert_eq!(meant("Standart_LRS"), Some("Standard_LRS"));
        assert_eq!(meant("standard_lrs"), Some("Standard_LRS"));
        assert_eq!(meant("Standard_GRS"), None);
        assert_eq!(meant("t3.nano"), None);
        assert_eq!(meant("t2.nano"), None);
        assert_eq!(meant("Standard-LRS"), Some("Standard_LRS"));
        assert_eq!(meant("t2_nano"), Some("t2.nano"));
        let other = |written, value| misspelled(written, [value].into_iter());
        assert_eq!(other("Online", "Offline"), None);
        assert_eq!(other("v1.10", "v11.0"), None);
        assert_eq!(other("swagger-link", "swagger-json"), None);
        assert_eq!(other("Pubilc", "Public"), Some("Public"));
        assert_eq!(other("Puplic", "Public"), Some("Public"));
    }
}
