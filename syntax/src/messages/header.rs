//! The header of a block: what is not a label, and which quote is missing, surplus, or of another
//! kind.

use pcl_diagnostics::{Code, Fix};

use super::draft::Draft;
use super::site::Site;
use crate::fixes::header_quotes::{Header, QuoteError};

/// Something in a header that is not a label.
pub(super) fn unexpected(c: &Site<'_>) -> Draft {
    let draft = Draft::new(format!("expected a label or `{{`, found {}", c.found()))
        .related("the block starts here");
    if let Some(draft) = no_statement(c) {
        return draft;
    }
    match quote_label(c) {
        Some(fix) => draft.help("put the label in quotes").fix(fix),
        None => draft.help("a block is a word, its labels, and a body in braces"),
    }
}

/// A statement of another language, which was read as a block.
fn no_statement(c: &Site<'_>) -> Option<Draft> {
    let keyword = c.text(c.error.related()?);
    let help = match keyword {
        "for" | "foreach" | "while" | "loop" => {
            "to declare several resources, write `options { range = .. }`; for a list, \
             `[for value in list : result]`"
        }
        "if" | "elif" | "else" | "switch" | "unless" => {
            "write `condition ? value : other`; to declare a resource or not, \
             `options { range = condition }`"
        }
        "def" | "func" | "function" | "fn" | "class" | "struct" | "interface" | "type" | "enum" => {
            "to use parts of a program several times, put them into a directory, and write \
             `component name \"./directory\" { .. }`"
        }
        "return" | "try" | "with" | "async" | "await" | "print" | "echo" => {
            "a program is made of attributes and blocks"
        }
        _ => return None,
    };
    Some(
        Draft::new(format!("there is no statement `{keyword}` in PCL"))
            .related("the statement starts here")
            .help(help),
    )
}

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
fn quote_label(c: &Site<'_>) -> Option<Fix> {
    debug_assert_eq!(c.error.code(), Code::BlockHeader);
    let start = c.error.range().start();
    let (range, label) = Header::around(c.tree, start)?.quoted_label(start)?;
    Some(c.likely("put the label in quotes", range, label))
}
