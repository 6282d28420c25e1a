//! Quotes in the header of a block: which one is missing, surplus, or of another kind.

use pcl_diagnostics::{Code, Fix};

use super::draft::Draft;
use super::site::Site;
use crate::fixes::header_quotes::{Header, QuoteError};

/// A string without end that is or follows a label.
pub(super) fn open_label(c: &Site<'_>) -> Option<Draft> {
    let opener = c.error.related()?;
    let correction = Header::around(c.tree, opener.start())?.correction()?;
    let (message, help, title) = match correction.error {
        QuoteError::NoOpening => (
            "this label has no opening quote",
            "add `\"` before it, or remove the quote behind it",
            "add `\"`",
        ),
        QuoteError::NoClosing => ("this label has no closing quote", "add `\"`", "add `\"`"),
        QuoteError::TooMany => (
            "there is one quote too many here",
            "remove it",
            "remove the quote",
        ),
        QuoteError::Foreign => (
            "this quote does not match the other one",
            "use double quotes",
            "use double quotes",
        ),
    };
    let draft = Draft::new(message)
        .at(correction.place)
        .label(
            c.error.range(),
            "because of it, the line ends inside a string",
        )
        .help(help);
    Some(draft.fix(c.likely(title, correction.edit, correction.text)))
}

/// A fix for a single foreign quote that belongs to a double one.
pub(super) fn requote_one(c: &Site<'_>) -> Option<Fix> {
    let correction = Header::around(c.tree, c.error.range().start())?.correction()?;
    let is_it =
        correction.edit == c.error.range() && matches!(correction.error, QuoteError::Foreign);
    is_it.then(|| c.likely("use double quotes", correction.edit, correction.text))
}

/// A fix for a label that has to be quoted and is not, at or around the place to blame.
pub(super) fn quote_label(c: &Site<'_>) -> Option<Fix> {
    debug_assert_eq!(c.error.code(), Code::BlockHeader);
    let start = c.error.range().start();
    let (range, label) = Header::around(c.tree, start)?.quoted_label(start)?;
    Some(c.likely("put the label in quotes", range, label))
}
