//! The text of the program, and the places in the files that its parts come from.

use pcl::diagnostics::{FileId, SourceMap, Span, TextRange};

/// A program that is being written.
#[derive(Debug, Default)]
pub(crate) struct Output {
    text: String,
    marks: Vec<Mark>,
    /// The characters of the text that are not white space.
    solid: usize,
}

/// A stretch of the program, which begins with this number of characters before it that are not
/// white space, and its place in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Mark {
    solid: usize,
    place: Span,
}

impl Output {
    pub fn push(&mut self, text: &str) {
        self.text.push_str(text);
        self.solid += solid(text);
    }

    /// A line of its own.
    pub fn line(&mut self, text: &str) {
        self.push("\n");
        self.push(text);
    }

    /// An empty line, unless the text begins here.
    pub fn separate(&mut self) {
        if !self.text.is_empty() {
            self.push("\n");
        }
    }

    /// The end of a block.
    pub fn close(&mut self) {
        self.push(if self.text.ends_with('{') { "}" } else { "\n}" });
    }

    /// Notes the place that the next text comes from.
    pub fn mark(&mut self, place: Span) {
        self.marks.push(Mark { solid: self.solid, place });
    }

    /// Adds what is written elsewhere behind this.
    pub fn append(&mut self, other: Self) {
        if !other.text.is_empty() {
            self.separate();
        }
        let before = self.solid;
        self.marks
            .extend(other.marks.iter().map(|mark| Mark { solid: mark.solid + before, ..*mark }));
        self.push("\n");
        self.push(other.text.trim_start());
    }

    /// The program in the canonical layout; `None` if it does not parse.
    pub fn finish(mut self) -> Option<(String, Places)> {
        if !self.text.is_empty() {
            self.push("\n");
        }
        let text = self.text.trim_start().to_owned();
        let text = pcl::format::format(&pcl::syntax::parse(text))?;
        let lines = text.split_inclusive('\n').scan((0, 0), |(start, before), line| {
            let begins = (*start, *before);
            (*start, *before) = (*start + line.len(), *before + solid(line));
            Some(begins)
        });
        let lines = lines.collect();
        Some((text, Places { marks: self.marks, lines }))
    }
}

/// The places in files in YAML that the parts of a program come from.
#[derive(Clone, Debug, Default)]
pub struct Places {
    marks: Vec<Mark>,
    /// The start of each line of the program, and the number of characters before it that are not
    /// white space.
    lines: Vec<(usize, usize)>,
}

impl Places {
    /// The file that the program comes from.
    pub(crate) fn file(&self) -> Option<FileId> {
        self.marks.first().map(|mark| mark.place.file)
    }

    /// The place in one of the files that a part of the program comes from.
    pub fn of(&self, program: &str, files: &SourceMap, part: TextRange) -> Option<Span> {
        let start = part.start() as usize;
        let line = self.lines.partition_point(|(line, _)| *line <= start).checked_sub(1)?;
        let (line, before) = *self.lines.get(line)?;
        let solid = before + solid(program.get(line..start)?);
        let mark = self.marks.partition_point(|mark| mark.solid <= solid).checked_sub(1)?;
        let place = self.marks.get(mark)?.place;
        let words = program.get(part.start() as usize..part.end() as usize)?.trim_matches('"');
        // Within the place, the same words are meant if they are there once.
        let mut found = files.slice(place).match_indices(words).map(|(at, _)| at);
        let (Some(at), None, false) = (found.next(), found.next(), words.is_empty()) else {
            return Some(place);
        };
        let start = place.range.start() + u32::try_from(at).ok()?;
        let range = TextRange::new(start, start + u32::try_from(words.len()).ok()?);
        Some(Span::new(place.file, range))
    }
}

/// The number of characters that are not white space, which the layout does not change.
fn solid(text: &str) -> usize {
    text.chars().filter(|c| !c.is_whitespace()).count()
}
