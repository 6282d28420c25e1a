//! Quotes in the header of a block: which one is missing, too many, or of another kind.
//!
//! It is found by trying: of all texts that are one quote away from what is written, the first that is a header is what was meant.

use pcl_diagnostics::{Code, Fix, TextRange};

use super::draft::{Context, Draft};
use crate::lexer::ident;

/// Quotes that are none here.
const FOREIGN: &[char] = &['\'', '`', '“', '”', '‘', '’'];

/// Lines are looked at this far, in bytes.
const LONGEST: usize = 400;

/// What is wrong with the quotes of a header.
enum Fault {
    NoOpening,
    NoClosing,
    TooMany,
    Foreign,
}

/// What mends a header.
struct Mend {
    fault: Fault,
    /// The quote or the label to blame.
    place: TextRange,
    edit: TextRange,
    text: &'static str,
}

/// A string without end that is or follows a label.
pub(super) fn open_label(c: &Context<'_>) -> Option<Draft> {
    let opener = c.error.related?;
    let mend = Header::around(c, opener.start())?.mend()?;
    let (message, help, title) = match mend.fault {
        Fault::NoOpening => (
            "this label has no opening quote",
            "add `\"`, or remove the quote behind it",
            "add `\"`",
        ),
        Fault::NoClosing => ("this label has no closing quote", "add `\"`", "add `\"`"),
        Fault::TooMany => (
            "this quote is one too many",
            "remove it",
            "remove the quote",
        ),
        Fault::Foreign => (
            "this quote is of another kind than the one it belongs to",
            "use double quotes",
            "use double quotes",
        ),
    };
    let draft = Draft::new(message)
        .at(mend.place)
        .label(c.error.range, "so the line ends inside a string")
        .help(help);
    Some(draft.fix(c.likely(title, mend.edit, mend.text)))
}

/// A fix for a single foreign quote that belongs to a double one.
pub(super) fn requote_one(c: &Context<'_>) -> Option<Fix> {
    let mend = Header::around(c, c.error.range.start())?.mend()?;
    let is_it = mend.edit == c.error.range && matches!(mend.fault, Fault::Foreign);
    is_it.then(|| c.likely("use double quotes", mend.edit, mend.text))
}

/// A fix for a label that has to be quoted and is not, at or around the place to blame.
pub(super) fn quote_label(c: &Context<'_>) -> Option<Fix> {
    debug_assert_eq!(c.error.code, Code::BlockHeader);
    let header = Header::around(c, c.error.range.start())?;
    let at = c.error.range.start().checked_sub(header.start)? as usize;
    let (before, behind) = header.text.split_at_checked(at)?;
    let start = before.trim_end_matches(is_of_word).len();
    let end = at + behind.find(|c| !is_of_word(c)).unwrap_or(behind.len());
    let label = format!("\"{}\"", &header.text[start..end]);
    is_header(&header.with(start, end, &label))
        .then(|| c.likely("put the label in quotes", header.range(start, end), label))
}

/// The text of a header, without what follows its labels.
struct Header<'a> {
    text: &'a str,
    start: u32,
}

impl<'a> Header<'a> {
    /// What stands before the brace on the line of `offset`. `None` where the line has no brace, or a long way before it.
    fn around(c: &Context<'a>, offset: u32) -> Option<Self> {
        let text = c.tree.text();
        let (bytes, at) = (text.as_bytes(), offset as usize);
        let near = at.saturating_sub(LONGEST);
        let start = match memchr::memrchr(b'\n', bytes.get(near..at)?) {
            Some(before) => near + before + 1,
            None if near == 0 => 0,
            None => return None,
        };
        let far = bytes.len().min(start + LONGEST);
        let length = memchr::memchr2(b'{', b'\n', &bytes[start..far])?;
        let line = text.get(start..start + length)?;
        let header = line.trim_start_matches([' ', '\t']);
        (bytes[start + length] == b'{').then_some(Self {
            text: header.trim_end(),
            start: (start + line.len() - header.len()) as u32,
        })
    }

    fn range(&self, start: usize, end: usize) -> TextRange {
        TextRange::new(self.start + start as u32, self.start + end as u32)
    }

    /// Its text with `start..end` replaced.
    fn with(&self, start: usize, end: usize, text: &str) -> String {
        [&self.text[..start], text, &self.text[end..]].concat()
    }

    /// The quote that makes it a header. A missing one is likelier than one too many, where either would do.
    fn mend(&self) -> Option<Mend> {
        let foreign = self.text.match_indices(FOREIGN);
        if foreign.clone().nth(1).is_some() {
            // A header holds none of them, and one edit removes one.
            return None;
        }
        let foreign = foreign.map(|(at, quote)| (Fault::Foreign, at, at + quote.len(), "\""));
        let missing = (0..self.text.len() + 1).filter_map(|at| {
            let fault = self.missing_at(at)?;
            Some((fault, at, at, "\""))
        });
        let surplus = self.text.match_indices('"');
        let surplus = surplus.map(|(at, quote)| {
            let before = &self.text[..at];
            let behind = &self.text[at + quote.len()..];
            // One that stands alone goes with the blanks before it.
            let alone = behind.is_empty() || behind.starts_with(char::is_whitespace);
            let start = if alone { before.trim_end().len() } else { at };
            (Fault::TooMany, start, at + quote.len(), "")
        });
        let (fault, start, end, text) = foreign
            .chain(missing)
            .chain(surplus)
            .find(|(_, start, end, text)| is_header(&self.with(*start, *end, text)))?;
        let place = match fault {
            Fault::Foreign => self.range(start, end),
            Fault::TooMany => self.range(end - 1, end),
            Fault::NoOpening => {
                let length = self.text[start..].find('"');
                let closer = length.map_or(self.text.len(), |length| start + length + 1);
                self.range(start, closer)
            }
            Fault::NoClosing => {
                let opener = self.text[..start].rfind('"').unwrap_or(start);
                self.range(opener, start)
            }
        };
        Some(Mend {
            fault,
            place,
            edit: self.range(start, end),
            text,
        })
    }

    /// Which quote may be missing at an offset: one where a word begins or ends.
    fn missing_at(&self, at: usize) -> Option<Fault> {
        let (before, after) = self.text.split_at_checked(at)?;
        let ends = before.ends_with(is_of_word);
        let begins = after.starts_with(is_of_word);
        match (ends, begins) {
            (false, true) => Some(Fault::NoOpening),
            (true, false) => Some(Fault::NoClosing),
            _ => None,
        }
    }
}

fn is_of_word(c: char) -> bool {
    c != '"' && !c.is_whitespace() && !FOREIGN.contains(&c)
}

/// Whether `text` is a word and labels, each after a blank; a quoted label with text in it, without blanks outside of parentheses.
fn is_header(text: &str) -> bool {
    let word = |text: &str| text.find(|c| !ident::is_continue(c)).unwrap_or(text.len());
    if !text.starts_with(ident::is_start) {
        return false;
    }
    let mut rest = text[word(text)..].trim_end();
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
            None if label.starts_with(ident::is_start) => &label[word(label)..],
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
