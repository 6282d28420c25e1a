//! A string near to a value of an open enumeration, which takes any other string as well.
//!
//! The rules, with examples: `tests/spec/lints/near_value.md`.

use pcl_diagnostics::suggest;

/// The listed value that a string is a misspelling of. Newer values than those of the schema often
/// differ from listed ones in a digit or a capital, and are no misspellings.
pub(crate) fn misspelled<'v>(
    written: &str,
    values: impl Iterator<Item = &'v str> + Clone,
) -> Option<&'v str> {
    if written.len() < 4 || values.clone().any(|value| value == written) {
        return None;
    }
    let meant = suggest(written, values)?;
    let is_same_word = meant.eq_ignore_ascii_case(written);
    let marks = |text: &str| -> String {
        let is_mark = |c: &char| !c.is_lowercase();
        text.chars().filter(is_mark).collect()
    };
    let is_near = meant.len().abs_diff(written.len()) <= 1 && marks(meant) == marks(written);
    (is_same_word || is_near).then_some(meant)
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
    }
}
