//! The lines that a diagnostic's snippet shows, as codespan wants to read them.
//!
//! Only these lines are copied, so that drawing costs the same in a file of any size. A line over
//! [`WIDEST`] columns is clipped around what is marked, a range over more than [`TALLEST`] lines is
//! cut to its first line, and characters that are unsafe to show are replaced; the marks are moved
//! accordingly.

#![expect(
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "files are numbered as they are collected, and all offsets are line starts or
    come from `floor` and `char_indices`: they are character boundaries of the text"
)]

use std::collections::BTreeMap;
use std::ops::Range;

use codespan_reporting::files::{Error, Files, Location};

use super::text::{is_unsafe, one_line, stand_in};
use pcl_diagnostics::{FileId, SourceMap, Span};

/// The byte order mark.
const MARK: char = '\u{feff}';

/// Columns that are shown of one line.
const WIDEST: usize = 240;
/// Columns that are kept before the marked place of a clipped line.
const LEAD: usize = 80;
/// Lines of one range that are shown.
const TALLEST: usize = 12;
const CLIPPED: char = '…';

/// A place to mark and what to say there.
#[derive(Clone, Copy)]
pub(super) struct Mark<'a> {
    pub(super) span: Span,
    pub(super) message: &'a str,
}

/// The lines that a diagnostic's snippet shows. Files are numbered in the order of their first
/// mark.
pub(super) struct Excerpt<'a> {
    files: Vec<File>,
    marks: Vec<(usize, Range<usize>, &'a str)>,
}

struct File {
    path: String,
    text: String,
    lines: Vec<Line>,
}

/// A line that is shown.
struct Line {
    /// Its number in the whole file, from 0.
    index: usize,
    /// Its part of the excerpt's text, the line end included.
    shown: Range<usize>,
    /// The column of its first character in the whole file, from 1.
    column: usize,
    /// The bytes of the whole file that are shown.
    original: Range<usize>,
}

impl<'a> Excerpt<'a> {
    /// The lines that `marks` need. The first mark decides where its line is clipped.
    pub(super) fn new(sources: &SourceMap, marks: &[Mark<'a>]) -> Self {
        let mut order: Vec<FileId> = Vec::new();
        let mut ranges = Vec::with_capacity(marks.len());
        for mark in marks {
            let file = mark.span.file;
            let nth = order.iter().position(|&known| known == file).unwrap_or_else(|| {
                order.push(file);
                order.len() - 1
            });
            ranges.push((nth, fit(mark.span, sources), mark.message));
        }
        let files: Vec<File> = order
            .iter()
            .enumerate()
            .map(|(nth, &file)| {
                let own = ranges.iter().filter(|(of, ..)| *of == nth).map(|(_, range, _)| range);
                File::new(sources, file, own)
            })
            .collect();
        let marks = ranges
            .into_iter()
            .map(|(nth, range, message)| {
                (nth, files[nth].shown(sources.text(order[nth]), range), message)
            })
            .collect();
        Self { files, marks }
    }

    /// The marks in the excerpt's own offsets, in the order given.
    pub(super) fn marks(&self) -> impl Iterator<Item = (usize, Range<usize>, &'a str)> {
        self.marks.iter().cloned()
    }
}

/// A range as it is to be shown: inside the text, between characters, not ending with a line end,
/// not too tall.
fn fit(span: Span, sources: &SourceMap) -> Range<usize> {
    let text = sources.text(span.file);
    let index = sources.line_index(span.file);
    let range = span.range.to_usize();
    let start = floor(text, range.start);
    let mut end = floor(text, range.end).max(start);
    let first = index.line_of(start as u32);
    if index.line_of(end as u32) - first >= TALLEST {
        end = index.line_start(first + 1).map_or(text.len(), |next| next as usize);
    }
    let marked = text[start..end].trim_end_matches(['\r', '\n']);
    start..start + marked.len()
}

fn floor(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

impl File {
    fn new<'r>(
        sources: &SourceMap,
        file: FileId,
        ranges: impl Iterator<Item = &'r Range<usize>>,
    ) -> Self {
        let text = sources.text(file);
        let index = sources.line_index(file);
        // For every line, the first offset that is marked on it.
        let mut wanted: BTreeMap<usize, usize> = BTreeMap::new();
        for range in ranges {
            let first = index.line_of(range.start as u32);
            let last = index.line_of(range.end as u32);
            wanted.entry(first).or_insert(range.start);
            for line in first + 1..=last {
                let start = index.line_start(line).map_or(text.len(), |at| at as usize);
                wanted.entry(line).or_insert(if line == last { range.end } else { start });
            }
        }
        // codespan fills a gap of one line.
        let gaps: Vec<usize> = wanted
            .keys()
            .zip(wanted.keys().skip(1))
            .filter(|(a, b)| *b - *a == 2)
            .map(|(a, _)| a + 1)
            .collect();
        for line in gaps {
            let start = index.line_start(line).map_or(text.len(), |at| at as usize);
            wanted.insert(line, start);
        }

        let mut result = Self {
            path: one_line(sources.path(file)).into_owned(),
            text: String::new(),
            lines: Vec::new(),
        };
        for (line, focus) in wanted {
            let start = index.line_start(line).map_or(text.len(), |at| at as usize);
            let end = index.line_start(line + 1).map_or(text.len(), |at| at as usize);
            let end = start + text[start..end].trim_end_matches(['\r', '\n']).len();
            // A byte order mark is not shown.
            let has_mark = line == 0 && text.starts_with(MARK);
            let start = if has_mark { start + MARK.len_utf8() } else { start };
            let column = |at: usize| sources.position(file, at as u32).column as usize;
            result.push(text, line, start..end, focus.clamp(start, end), column);
        }
        result
    }

    /// Adds the line `whole`, clipped around `focus`.
    fn push(
        &mut self,
        text: &str,
        index: usize,
        whole: Range<usize>,
        focus: usize,
        column: impl Fn(usize) -> usize,
    ) {
        let back = |from: usize, columns: usize| {
            text[whole.start..from]
                .char_indices()
                .rev()
                .nth(columns - 1)
                .map_or(whole.start, |(at, _)| whole.start + at)
        };
        let forth = |from: usize, columns: usize| {
            text[from..whole.end].char_indices().nth(columns).map_or(whole.end, |(at, _)| from + at)
        };
        let mut original = whole.clone();
        if forth(whole.start, WIDEST) < whole.end {
            original.start = back(focus, LEAD);
            original.end = forth(original.start, WIDEST);
        }
        let start = self.text.len();
        let mut first = 1;
        if original.start > whole.start {
            self.text.push(CLIPPED);
            first = column(original.start) - 1;
        }
        self.text.extend(text[original.clone()].chars().map(safe));
        if original.end < whole.end {
            self.text.push(CLIPPED);
        }
        self.text.push('\n');
        self.lines.push(Line { index, shown: start..self.text.len(), column: first, original });
    }

    /// A fitted range of the whole text, in offsets of the excerpt.
    fn shown(&self, text: &str, range: Range<usize>) -> Range<usize> {
        let start = self.offset(text, range.start);
        start..self.offset(text, range.end).max(start)
    }

    fn offset(&self, text: &str, at: usize) -> usize {
        // The last line that starts at or before `at`; a clipped line reaches to its real start.
        let nth = self.lines.partition_point(|line| line.original.start <= at);
        let clipped_before = self.lines.get(nth).filter(|line| {
            line.original.start > at && !text[at..line.original.start].contains('\n')
        });
        if let Some(line) = clipped_before {
            return line.shown.start;
        }
        let Some(line) = nth.checked_sub(1).and_then(|nth| self.lines.get(nth)) else { return 0 };
        let lead = if line.column > 1 { CLIPPED.len_utf8() } else { 0 };
        let upto = at.min(line.original.end);
        let width: usize =
            text[line.original.start..upto].chars().map(|c| safe(c).len_utf8()).sum();
        line.shown.start + lead + width
    }

    fn line(&self, index: usize) -> Result<&Line, Error> {
        let found = self.lines.binary_search_by_key(&index, |line| line.index);
        let max = self.lines.last().map_or(0, |line| line.index);
        found.map(|nth| &self.lines[nth]).map_err(|_| Error::LineTooLarge { given: index, max })
    }
}

fn safe(c: char) -> char {
    if is_unsafe(c) { stand_in(c) } else { c }
}

impl<'a> Files<'a> for Excerpt<'_> {
    type FileId = usize;
    type Name = &'a str;
    type Source = &'a str;

    fn name(&'a self, id: usize) -> Result<&'a str, Error> {
        self.files.get(id).map(|file| file.path.as_str()).ok_or(Error::FileMissing)
    }

    fn source(&'a self, id: usize) -> Result<&'a str, Error> {
        self.files.get(id).map(|file| file.text.as_str()).ok_or(Error::FileMissing)
    }

    fn line_index(&'a self, id: usize, byte_index: usize) -> Result<usize, Error> {
        let file = self.files.get(id).ok_or(Error::FileMissing)?;
        let nth = file.lines.partition_point(|line| line.shown.start <= byte_index);
        let line = nth
            .checked_sub(1)
            .and_then(|nth| file.lines.get(nth))
            .ok_or(Error::IndexTooLarge { given: byte_index, max: file.text.len() })?;
        Ok(line.index)
    }

    fn line_range(&'a self, id: usize, line_index: usize) -> Result<Range<usize>, Error> {
        let file = self.files.get(id).ok_or(Error::FileMissing)?;
        file.line(line_index).map(|line| line.shown.clone())
    }

    fn location(&'a self, id: usize, byte_index: usize) -> Result<Location, Error> {
        let file = self.files.get(id).ok_or(Error::FileMissing)?;
        let index = self.line_index(id, byte_index)?;
        let line = file.line(index)?;
        let before = file.text.get(line.shown.start..byte_index).unwrap_or_default();
        Ok(Location { line_number: index + 1, column_number: line.column + before.chars().count() })
    }
}
