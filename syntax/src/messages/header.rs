//! The header of a block: what is not a label, and which quote is missing, surplus, or of another
//! kind.
//!
//! The wrong quote is found by trial: of all texts that are one quote away from what is written,
//! the first that is a header is what was meant.

use pcl_diagnostics::{Code, Fix, TextRange};

use crate::lexer::ident;
use crate::messages::site::{Draft, Site};
use crate::tree::SyntaxTree;

/// Something in a header that is not a label.
pub(crate) fn unexpected(c: &Site<'_>) -> Draft {
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
pub(crate) fn open_label(c: &Site<'_>) -> Option<Draft> {
    let opener = c.error.related()?;
    let correction = Header::around(c.tree, opener.start())?.correction()?;
    let (message, help, title) = match correction.error {
        QuoteError::NoOpening => (
            "this label has no opening quote",
            "add `\"` before it, or remove the quote behind it",
            "add `\"`",
        ),
        QuoteError::NoClosing => ("this label has no closing quote", "add `\"`", "add `\"`"),
        QuoteError::TooMany => {
            ("there is one quote too many here", "remove it", "remove the quote")
        }
        QuoteError::Foreign => {
            ("this quote does not match the other one", "use double quotes", "use double quotes")
        }
    };
    let draft = Draft::new(message)
        .at(correction.place)
        .label(c.error.range(), "because of it, the line ends inside a string")
        .help(help);
    Some(draft.fix(c.likely(title, correction.edit, correction.text)))
}

/// A fix for a single foreign quote that belongs to a double one.
pub(crate) fn requote_one(c: &Site<'_>) -> Option<Fix> {
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

/// Quotes that are none here.
const FOREIGN: &[char] = &['\'', '`', '“', '”', '‘', '’'];

/// The most bytes of a line that are searched in each direction.
const LONGEST: usize = 400;

/// The ways in which the quotes of a header are wrong.
enum QuoteError {
    NoOpening,
    NoClosing,
    TooMany,
    Foreign,
}

/// The edit that corrects the quotes of a header.
struct Correction {
    error: QuoteError,
    /// The quote or the label to blame.
    place: TextRange,
    edit: TextRange,
    text: &'static str,
}

/// The text of a header, without what follows its labels.
struct Header<'a> {
    text: &'a str,
    start: u32,
}

impl<'a> Header<'a> {
    /// The text before the brace on the line of `offset`. `None` where the line has no brace, or a
    /// long text before it.
    fn around(tree: &'a SyntaxTree, offset: u32) -> Option<Self> {
        let text = &**tree.text();
        let (bytes, at) = (text.as_bytes(), offset as usize);
        let near = at.saturating_sub(LONGEST);
        let start = match memchr::memrchr(b'\n', bytes.get(near..at)?) {
            Some(before) => near + before + 1,
            None if near == 0 => 0,
            None => return None,
        };
        let far = bytes.len().min(start + LONGEST);
        let length = memchr::memchr2(b'{', b'\n', bytes.get(start..far)?)?;
        let line = text.get(start..start + length)?;
        let header = line.trim_start_matches([' ', '\t']);
        (bytes.get(start + length) == Some(&b'{')).then_some(Self {
            text: header.trim_end(),
            start: (start + line.len() - header.len()) as u32,
        })
    }

    fn range(&self, start: usize, end: usize) -> TextRange {
        TextRange::new(self.start + start as u32, self.start + end as u32)
    }

    /// Its text before `at`, and from there on; empty where no character begins there.
    fn split(&self, at: usize) -> (&'a str, &'a str) {
        self.text.split_at_checked(at).unwrap_or_default()
    }

    /// Its text with `start..end` replaced.
    fn with(&self, start: usize, end: usize, text: &str) -> String {
        [self.split(start).0, text, self.split(end).1].concat()
    }

    /// The word at the file's `offset` in quotes and its place, if that makes it a header.
    fn quoted_label(&self, offset: u32) -> Option<(TextRange, String)> {
        let at = offset.checked_sub(self.start)? as usize;
        let (before, behind) = self.text.split_at_checked(at)?;
        let start = before.trim_end_matches(is_of_word).len();
        let end = at + behind.find(|c| !is_of_word(c)).unwrap_or(behind.len());
        let label = format!("\"{}\"", self.text.get(start..end)?);
        is_header(&self.with(start, end, &label)).then(|| (self.range(start, end), label))
    }

    /// The edit of one quote that makes it a header. A missing quote is likelier than a surplus
    /// one, where either would do.
    fn correction(&self) -> Option<Correction> {
        let foreign = self.text.match_indices(FOREIGN);
        if foreign.clone().nth(1).is_some() {
            // A header holds none of them, and one edit removes one.
            return None;
        }
        let foreign = foreign.map(|(at, quote)| (QuoteError::Foreign, at, at + quote.len(), "\""));
        let missing = (0..self.text.len() + 1).filter_map(|at| {
            let error = self.missing_at(at)?;
            Some((error, at, at, "\""))
        });
        let surplus = self.text.match_indices('"');
        let surplus = surplus.map(|(at, quote)| {
            let (before, behind) = (self.split(at).0, self.split(at + quote.len()).1);
            // A separate one is removed with the spaces before it.
            let alone = behind.is_empty() || behind.starts_with(char::is_whitespace);
            let start = if alone { before.trim_end().len() } else { at };
            (QuoteError::TooMany, start, at + quote.len(), "")
        });
        let (error, start, end, text) = foreign
            .chain(missing)
            .chain(surplus)
            .find(|(_, start, end, text)| is_header(&self.with(*start, *end, text)))?;
        let (before, behind) = self.split(start);
        let place = match error {
            QuoteError::Foreign => self.range(start, end),
            QuoteError::TooMany => self.range(end - 1, end),
            QuoteError::NoOpening => {
                let length = behind.find('"');
                let closer = length.map_or(self.text.len(), |length| start + length + 1);
                self.range(start, closer)
            }
            QuoteError::NoClosing => self.range(before.rfind('"').unwrap_or(start), start),
        };
        Some(Correction { error, place, edit: self.range(start, end), text })
    }

    /// The quote that may be missing at an offset: one where a word begins or ends.
    fn missing_at(&self, at: usize) -> Option<QuoteError> {
        let (before, after) = self.text.split_at_checked(at)?;
        let ends = before.ends_with(is_of_word);
        let begins = after.starts_with(is_of_word);
        match (ends, begins) {
            (false, true) => Some(QuoteError::NoOpening),
            (true, false) => Some(QuoteError::NoClosing),
            _ => None,
        }
    }
}

fn is_of_word(c: char) -> bool {
    c != '"' && !c.is_whitespace() && !FOREIGN.contains(&c)
}

/// Returns whether `text` is a word and labels, each after a blank; a quoted label has text in it,
/// without blanks outside of parentheses.
fn is_header(text: &str) -> bool {
    if !text.starts_with(ident::is_start) {
        return false;
    }
    let mut rest = text.trim_start_matches(ident::is_continue).trim_end();
    while !rest.is_empty() {
        let label = rest.trim_start();
        if label.len() == rest.len() {
            return false;
        }
        rest = match label.strip_prefix('"') {
            Some(label) => match label.split_once('"') {
                Some((label, rest)) if is_label(label) => rest,
                _ => return false,
            },
            None if label.starts_with(ident::is_start) => {
                label.trim_start_matches(ident::is_continue)
            }
            None => return false,
        };
    }
    true
}

fn is_label(text: &str) -> bool {
    let mut depth = 0_usize;
    for c in text.chars() {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            c if FOREIGN.contains(&c) || depth == 0 && c.is_whitespace() => return false,
            _ => {}
        }
    }
    !text.is_empty()
}
