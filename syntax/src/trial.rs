//! Trials of fixes: the text around an error is parsed again with the edit in it.
//!
//! An edit may remove an error or not, depending on what follows it. The message of a single error
//! cannot see that far.

use std::collections::{HashMap, HashSet};

use pcl_diagnostics::{Applicability, Code, FileId, Fix, TextEdit, TextRange};

use crate::error::SyntaxError;
use crate::kind::SyntaxKind;
use crate::parse::parse_like;
use crate::tree::SyntaxTree;

/// The most errors of a file for which each fix is tried in the whole text.
const FEW: usize = 16;

/// The longest text, in bytes, that is parsed again as a whole.
const WHOLE: usize = 64 << 10;

/// The most text around an error and its edit that is parsed again otherwise, in bytes before and
/// after.
const REACH: u32 = 1024;

/// The most text from an error to its edit, in bytes.
const LONGEST: u32 = 16 << 10;

/// The most errors around one, so that the trials of a file take a time that grows with its length
/// alone.
const MOST: usize = 32;

impl SyntaxTree {
    /// Returns true if the edits of a fix in this tree, whose file is `file`, certainly lead to
    /// another syntax error. Only a short text with few errors is tried.
    pub fn breaks(&self, file: FileId, fix: &Fix) -> bool {
        let is_small = self.errors().len() <= FEW && self.text().len() <= WHOLE;
        let edits = Edits::in_file(fix, file).filter(|edits| is_small && !edits.0.is_empty());
        let Some(edits) = edits else { return false };
        let Some(text) = edits.apply(self.text(), 0) else { return false };
        let before = places(self).into_iter();
        let before: HashSet<(Code, Option<u32>)> =
            before.map(|(code, at)| (code, edits.old_place(at))).collect();
        let mut after = errors_in(self, text).into_iter();
        after.any(|(code, at)| !before.contains(&(code, edits.new_place(at))))
    }
}

/// The trials of the fixes of one tree.
pub(crate) struct Trials<'a> {
    tree: &'a SyntaxTree,
    /// The last part of the text that was parsed again, with its errors. Where errors are close
    /// together, the next one has the same part.
    part: Option<(TextRange, Vec<(Code, u32)>)>,
}

impl<'a> Trials<'a> {
    pub(crate) fn new(tree: &'a SyntaxTree) -> Self {
        Self { tree, part: None }
    }

    /// Returns the fix if its edits remove the error. It is applied only if no other error comes up
    /// instead, and stays safe only if the whole text was tried.
    pub(crate) fn tried(&mut self, error: &SyntaxError, fix: Fix) -> Option<Fix> {
        let tree = self.tree;
        let (source, own) = (tree.text(), error.range());
        let edits = Edits::of(&fix)?;
        let is_small = tree.errors().len() <= FEW && source.len() <= WHOLE;
        let part = if is_small {
            TextRange::new(0, source.len() as u32)
        } else {
            around(tree, own.cover(edits.extent()?))?
        };
        let start = part.start();
        let text = source.get(part.to_usize())?;
        let after = errors_in(tree, edits.apply(text, start)?);

        // A place is one of the old text; `None` is an edit itself.
        let old_place = |at: u32| edits.old_place(at + start);
        let new_place = |at: u32| edits.new_place(at + start);
        let own = (error.code(), edits.old_place(own.start()));
        let mut counts: HashMap<(Code, Option<u32>), i32> = HashMap::new();
        for &(code, at) in self.errors_before(part, is_small) {
            *counts.entry((code, old_place(at))).or_default() += 1;
        }
        for (code, at) in after {
            *counts.entry((code, new_place(at))).or_default() -= 1;
        }
        if counts.get(&own).is_none_or(|&gone| gone <= 0) {
            return None;
        }
        // The same mistake once more is in text that was skipped behind the first one.
        let is_next = |&(code, at): &(Code, Option<u32>)| {
            code == error.code() && at.is_some_and(|at| at > error.range().start())
        };
        let mut new = counts.iter().filter(|(_, gone)| **gone < 0).peekable();
        let is_followed = new.peek().is_some();
        // The type in a label is one short expression: half of it says nothing.
        let is_part = tree.expression().is_some() && is_followed;
        let applicability = match fix.applicability {
            _ if is_part || new.any(|(place, _)| !is_next(place)) => Applicability::DisplayOnly,
            Applicability::Safe if !is_small || is_followed => Applicability::Unsafe,
            applicability => applicability,
        };
        Some(Fix { applicability, ..fix })
    }

    /// The errors in a part of the text as it is, which may be the whole.
    fn errors_before(&mut self, part: TextRange, is_whole: bool) -> &[(Code, u32)] {
        let tree = self.tree;
        let last = self.part.take().filter(|(range, _)| *range == part);
        let (_, errors) = self.part.insert(last.unwrap_or_else(|| {
            let errors =
                if is_whole { places(tree) } else { errors_in(tree, tree.slice(part).to_owned()) };
            (part, errors)
        }));
        errors
    }
}

/// The edits of a fix, in order.
struct Edits<'a>(Vec<(TextRange, &'a str)>);

impl<'a> Edits<'a> {
    /// The edits, if none overlaps another.
    fn of(fix: &'a Fix) -> Option<Self> {
        Self::new(fix.edits.iter())
    }

    /// Those in one file.
    fn in_file(fix: &'a Fix, file: FileId) -> Option<Self> {
        Self::new(fix.edits.iter().filter(|edit| edit.span.file == file))
    }

    fn new(edits: impl Iterator<Item = &'a TextEdit>) -> Option<Self> {
        let mut edits: Vec<_> = edits.map(|edit| (edit.span.range, &*edit.text)).collect();
        edits.sort_by_key(|(range, _)| range.start());
        let is_apart = edits.windows(2).all(|pair| match pair {
            [(first, _), (second, _)] => first.end() <= second.start(),
            _ => true,
        });
        is_apart.then_some(Self(edits))
    }

    fn extent(&self) -> Option<TextRange> {
        self.0.iter().map(|(range, _)| *range).reduce(TextRange::cover)
    }

    /// A part of the text, which begins at `start`, after the edits.
    fn apply(&self, part: &str, start: u32) -> Option<String> {
        let mut text = String::with_capacity(part.len());
        let mut at = 0;
        for (range, new) in &self.0 {
            let range = range.start().checked_sub(start)?..range.end().checked_sub(start)?;
            text.push_str(part.get(at as usize..range.start as usize)?);
            text.push_str(new);
            at = range.end;
        }
        text.push_str(part.get(at as usize..)?);
        Some(text)
    }

    /// A place of the old text; `None` for one in what is replaced.
    fn old_place(&self, at: u32) -> Option<u32> {
        let is_edited = self.0.iter().any(|(range, _)| range.contains(at));
        (!is_edited).then_some(at)
    }

    /// A place of the new text, as one of the old text.
    fn new_place(&self, at: u32) -> Option<u32> {
        let mut moved = at;
        for (range, text) in &self.0 {
            let len = text.len() as u32;
            if moved < range.start() {
                break;
            }
            if moved < range.start() + len {
                return None;
            }
            moved = moved - len + range.len();
        }
        Some(moved)
    }
}

/// The errors in a part of the text of a tree, parsed as the whole was.
fn errors_in(tree: &SyntaxTree, part: String) -> Vec<(Code, u32)> {
    places(&parse_like(tree, part.into_bytes()))
}

fn places(tree: &SyntaxTree) -> Vec<(Code, u32)> {
    tree.errors().iter().map(|error| (error.code(), error.range().start())).collect()
}

/// The lines around a place from its declaration on. Where errors are close together, the lines end
/// before the next declaration.
fn around(tree: &SyntaxTree, place: TextRange) -> Option<TextRange> {
    if place.len() > LONGEST {
        return None;
    }
    let start = start_before(tree, place.start())?;
    let is_crowded = |end: u32| {
        let upto = |at: u32| tree.errors().partition_point(|error| error.range().start() < at);
        upto(end) - upto(start) > MOST
    };
    let mut end = end_after(tree, place.end())?;
    if is_crowded(end) {
        let tokens = tree.tokens();
        let first = tokens.first_from(place.end());
        let mut rest = (first..tokens.len() as u32).take_while(|&token| tokens.start(token) < end);
        let next = rest.find(|&token| is_declaration(tree, token))?;
        end = tokens.start(next);
    }
    (!is_crowded(end)).then(|| TextRange::new(start, end))
}

/// Returns whether a token is a name that begins a line. None of these is in a heredoc.
fn is_declaration(tree: &SyntaxTree, token: u32) -> bool {
    let start = tree.tokens().start(token) as usize;
    let begins_line = match start.checked_sub(1) {
        Some(last) => tree.text().as_bytes().get(last) == Some(&b'\n'),
        None => true,
    };
    begins_line && tree.tokens().kind(token) == SyntaxKind::Ident
}

/// The start of the nearest declaration before `at`, or of the text.
fn start_before(tree: &SyntaxTree, at: u32) -> Option<u32> {
    let tokens = tree.tokens();
    let near = at.saturating_sub(REACH);
    let next = tokens.first_from(at + 1);
    for token in (0..next).rev() {
        let start = tokens.start(token);
        if start < near {
            return None;
        }
        if is_declaration(tree, token) {
            return Some(start);
        }
    }
    Some(0)
}

/// The end of the last line that is near enough behind `at`.
fn end_after(tree: &SyntaxTree, at: u32) -> Option<u32> {
    let bytes = tree.text().as_bytes();
    let after = bytes.get(at as usize..)?;
    match after.get(..REACH as usize) {
        None => Some(bytes.len() as u32),
        Some(near) => Some(at + memchr::memrchr(b'\n', near)? as u32 + 1),
    }
}
