//! Heredocs that are closed by the end of another one, because the marker at their own end is
//! misspelled.

use pcl_diagnostics::{Code, TextRange};
use rustc_hash::FxHashMap;

use crate::error::SyntaxError;
use crate::lexer::ident;
use crate::lexer::recovery::{indent_of, is_item};

/// The misspelled ends of closed heredocs whose text holds the introducer of another heredoc with
/// the same marker: the end of that one closes both. The introducers come with the ends of texts.
///
/// Most hold no such introducer, which is found out first: to format 4,800 heredocs inside of each
/// other takes 17 million instructions, and 5,113 million where the ends of all are searched.
pub(crate) fn swallowing(source: &str, suspects: &[(TextRange, u32)]) -> Vec<SyntaxError> {
    if suspects.is_empty() {
        return Vec::new();
    }
    let others = introducers(source);
    let errors = suspects.iter().filter_map(|&(introducer, end)| {
        let marker = source.get(introducer.to_usize())?.trim_start_matches(['<', '-', ' ', '\t']);
        let others = others.get(marker)?;
        let next = others.partition_point(|&start| start < introducer.end());
        let holds = others.get(next).is_some_and(|&start| start < end);
        holds.then(|| swallowing_one(source, introducer, marker, end))?
    });
    errors.collect()
}

/// The places of the introducers that [`swallowed`] finds, by marker.
fn introducers(source: &str) -> FxHashMap<&str, Vec<u32>> {
    let mut introducers: FxHashMap<&str, Vec<u32>> = FxHashMap::default();
    for at in memchr::memmem::find_iter(source.as_bytes(), b"<<") {
        let Some((before, behind)) = source.split_at_checked(at) else { continue };
        let word = behind.strip_prefix("<<").unwrap_or(behind);
        let word = word.strip_prefix('-').unwrap_or(word);
        let length = word.find(|c| !ident::is_continue(c));
        let (marker, rest) = word.split_at(length.unwrap_or(word.len()));
        let rest = rest.trim_start_matches(|c: char| c != '\n' && c.is_whitespace());
        if !rest.is_empty() && !rest.starts_with('\n') {
            continue;
        }
        let start = memchr::memrchr(b'\n', before.as_bytes()).map_or(0, |at| at + 1);
        if before.get(start..).is_some_and(is_item) {
            introducers.entry(marker).or_default().push(at as u32);
        }
    }
    introducers
}

fn swallowing_one(
    source: &str,
    introducer: TextRange,
    marker: &str,
    end: u32,
) -> Option<SyntaxError> {
    let stop = introducer.end();
    let before = source.get(..introducer.start() as usize)?;
    let line = before.get(memchr::memrchr(b'\n', before.as_bytes()).map_or(0, |at| at + 1)..)?;
    let HeredocEnd::Wrong(range, edits) = heredoc_end(source, stop, marker, indent_of(line))?
    else {
        return None;
    };
    let (place, _) = edits.first()?;
    let is_word = place.start() < range.end();
    swallowed(source, TextRange::new(range.end(), end), marker).filter(|_| is_word)?;
    let word = TextRange::new(place.start(), range.end());
    Some(SyntaxError::new(Code::HeredocSwallowing, word).with_related(introducer))
}

/// The introducer of a heredoc with this marker at the end of an attribute's line in `part`.
pub(crate) fn swallowed(source: &str, part: TextRange, marker: &str) -> Option<TextRange> {
    let text = source.get(part.to_usize())?;
    let mut found = memchr::memmem::find_iter(text.as_bytes(), b"<<");
    found.find_map(|at| {
        let (before, behind) = text.split_at_checked(at)?;
        let line = before.get(memchr::memrchr(b'\n', before.as_bytes())? + 1..)?;
        let written = behind.lines().next()?;
        let word = written.strip_prefix("<<")?;
        let is_same = word.strip_prefix('-').unwrap_or(word).trim_end() == marker;
        let start = part.start() + at as u32;
        (is_same && is_item(line))
            .then(|| TextRange::new(start, start + written.trim_end().len() as u32))
    })
}

/// Markers that people end a heredoc with out of habit.
const COMMON: &[&str] = &["EOT", "EOF", "END", "EOD", "EOL", "EOS", "EOH", "HERE", "HEREDOC"];

/// The most lines of a heredoc that are searched for its end.
const LINES: usize = 1000;

/// The offset behind the line ending at `stop`.
fn line_end(source: &str, stop: u32) -> u32 {
    let rest = source.get(stop as usize..).unwrap_or_default();
    stop + match rest.as_bytes() {
        [b'\n', ..] => 1,
        [b'\r', b'\n', ..] => 2,
        _ => 0,
    }
}

/// The line that closes a heredoc, or was meant to.
#[derive(Debug)]
pub enum HeredocEnd {
    /// It is its marker alone.
    Right,
    /// The text that is read as the closing line, and the edits that make it one.
    Wrong(TextRange, Vec<(TextRange, String)>),
}

/// The line after `stop` that closes the heredoc with this marker, whose introducer is on a line
/// with this indentation.
pub fn heredoc_end(source: &str, stop: u32, marker: &str, indent: usize) -> Option<HeredocEnd> {
    let mut start = line_end(source, stop);
    let mut wrong = None;
    for _ in 0..LINES {
        if start as usize >= source.len() {
            break;
        }
        let rest = source.get(start as usize..)?;
        let line = rest.split('\n').next().unwrap_or_default();
        if line.trim() == marker {
            return Some(HeredocEnd::Right);
        }
        let below = rest.get(line.len() + 1..).unwrap_or_default();
        let ends = ends_heredoc(below, indent);
        if wrong.is_none() {
            wrong = wrong_closing(line, start, marker, ends);
        }
        let is_past = is_item(line) && indent_of(line) <= indent;
        if is_past && wrong.is_some() {
            break;
        }
        start += line.len() as u32 + 1;
    }
    wrong
}

/// Returns whether a text begins like what follows a heredoc: an item or a closer that is indented
/// no more than its introducer, or nothing.
fn ends_heredoc(below: &str, indent: usize) -> bool {
    let line = below.lines().take(8).find(|line| !line.trim().is_empty());
    line.is_none_or(|line| {
        let closes = line.trim_start().starts_with(['}', ']', ')']);
        indent_of(line) <= indent && (closes || is_item(line) || line.trim_start().starts_with('#'))
    })
}

/// The closing of a line that is nearly the one with the marker. `ends` tells whether the lines
/// below look like what follows a heredoc.
fn wrong_closing(line: &str, start: u32, marker: &str, ends: bool) -> Option<HeredocEnd> {
    let line = line.strip_suffix('\r').unwrap_or(line);
    let text = line.trim_start();
    let from = start + (line.len() - text.len()) as u32;
    let length = text.find(|c| !ident::is_continue(c)).unwrap_or(text.len());
    let (word, behind) = text.split_at_checked(length)?;
    let stop = start + line.len() as u32;
    let range = TextRange::new(start, from + length as u32);
    if word == marker {
        // Something follows the marker.
        let rest = TextRange::new(from + length as u32, stop);
        let sign = behind.trim();
        let indent = line.get(..line.len() - text.len()).unwrap_or_default();
        let text = match sign {
            "," | ";" if ends => String::new(),
            _ if sign
                .starts_with(|c: char| !c.is_alphanumeric() && !matches!(c, '$' | '.' | '-')) =>
            {
                format!("\n{indent}{sign}")
            }
            _ => return None,
        };
        return Some(HeredocEnd::Wrong(range, vec![(rest, text)]));
    }
    let is_near = word.eq_ignore_ascii_case(marker)
        || (COMMON.contains(&word) && word.len() > 1)
        || pcl_diagnostics::suggest(word, [marker]).is_some();
    let is_word = word.len() > 1 && word.chars().all(|c| c.is_ascii_uppercase() || c == '_');
    let is_alone = matches!(behind.trim(), "" | "," | ";");
    let ending = is_alone && (is_near || is_word) && ends && word.starts_with(ident::is_start);
    if !ending {
        return None;
    }
    let whole = TextRange::new(from, stop);
    Some(HeredocEnd::Wrong(range, vec![(whole, marker.to_owned())]))
}
