//! The lines of a file: their tokens, indentation levels, and what can be aligned in them.

use pcl_syntax::{SyntaxKind, SyntaxTree};

use super::space::{Gap, Mark, Marks};

/// A token on its line.
#[derive(Debug)]
pub(super) struct Piece<'t> {
    pub kind: SyntaxKind,
    pub text: &'t str,
    mark: Mark,
    /// The spaces before it; ignored for the first token of a line, which is indented instead.
    pub blanks: usize,
}

/// The pieces between two line endings of code. The text of a template may go over several lines;
/// those are one.
#[derive(Default, Debug)]
pub(super) struct Line<'t> {
    pub pieces: Vec<Piece<'t>>,
    /// The number of steps that it is indented.
    pub level: usize,
    /// The line ending; empty at the end of the file.
    pub end: &'t str,
    /// The text as it was written, with its line ending.
    pub written: &'t str,
    /// Tells whether the line stays as it was written.
    pub is_kept: bool,
    /// The index of the `=`, if the line is one attribute or item.
    pub equals: Option<usize>,
}

impl Line<'_> {
    pub fn write(&self, out: &mut String) {
        if self.is_kept {
            return out.push_str(self.written);
        }
        for (at, piece) in self.pieces.iter().enumerate() {
            let blanks = if at == 0 { self.level * 2 } else { piece.blanks };
            out.extend(std::iter::repeat_n(' ', blanks));
            out.push_str(piece.text);
        }
        out.push_str(self.end);
    }

    /// Returns whether there is nothing on it.
    pub fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// Returns whether all of it is on one line.
    pub fn is_flat(&self) -> bool {
        self.pieces.iter().all(|piece| !piece.text.contains('\n'))
    }

    /// Returns true if everything except the text of heredocs is on one line.
    fn is_flat_but_for_heredocs(&self) -> bool {
        let mut heredocs = 0_usize;
        self.pieces.iter().all(|piece| {
            match piece.kind {
                SyntaxKind::HeredocOpen => heredocs += 1,
                SyntaxKind::HeredocClose => heredocs = heredocs.saturating_sub(1),
                _ => {}
            }
            heredocs > 0 || !piece.text.contains('\n')
        })
    }

    /// The number of characters that the first pieces take, without the indentation.
    pub fn width(&self, pieces: usize) -> usize {
        let width = |piece: &Piece<'_>| piece.blanks + piece.text.chars().count();
        let all: usize = self.pieces.iter().take(pieces).map(width).sum();
        all - self.pieces.first().map_or(0, |piece| piece.blanks)
    }
}

/// The lines of a file that parses, each token with the spaces before it.
pub(super) fn read(tree: &SyntaxTree) -> Vec<Line<'_>> {
    let mut reader = Reader {
        marks: Marks::of(tree),
        lines: Vec::new(),
        line: Line::default(),
        equals: None,
        written: false,
        sequences: Vec::new(),
        brackets: Vec::new(),
        source: tree.text(),
        start: 0,
    };
    let text: &str = tree.text();
    for (index, (kind, range)) in tree.tokens().iter().enumerate() {
        let text = text.get(range.to_usize()).unwrap_or_default();
        reader.token(index as u32, kind, text);
        if kind == SyntaxKind::Newline {
            reader.end_line(text, range.end() as usize);
        }
    }
    if reader.start < text.len() {
        reader.end_line("", text.len());
    }
    reader.lines
}

struct Reader<'t> {
    marks: Marks,
    lines: Vec<Line<'t>>,
    line: Line<'t>,
    /// The token that is the `=` of the item that the line begins with.
    equals: Option<u32>,
    /// True if there have been spaces since the last token.
    written: bool,
    /// Tells of each open sequence of a template whether it is a directive.
    sequences: Vec<bool>,
    /// The levels of the lines that opened the brackets that are open.
    brackets: Vec<usize>,
    source: &'t str,
    /// The offset at which the current line begins.
    start: usize,
}

impl<'t> Reader<'t> {
    fn token(&mut self, index: u32, kind: SyntaxKind, text: &'t str) {
        use SyntaxKind as K;
        let mut before = self.line.pieces.iter().rev();
        let (last, second_last) = (before.next(), before.next());
        match kind {
            K::EndOfFile => return,
            K::Whitespace => {
                self.written = true;
                return;
            }
            // The caller ends the line.
            K::Newline => return,
            K::InterpolationOpen => self.sequences.push(false),
            K::ControlOpen => self.sequences.push(true),
            _ => {}
        }
        let mark = self.marks.mark(index);
        let gap = last.map(|last| Gap {
            before: last.kind,
            mark_before: last.mark,
            after: kind,
            mark_after: mark,
            written: self.written,
            touches_number: last.blanks == 0
                && second_last.is_some_and(|piece| piece.kind == K::Number),
            in_directive: self.sequences.last().copied().unwrap_or_default(),
        });
        if gap.is_none() {
            self.equals = self.marks.equals(index);
        }
        if self.equals == Some(index) {
            self.line.equals = Some(self.line.pieces.len());
        }
        let blanks = usize::from(gap.is_some_and(|gap| gap.has_blank()));
        self.written = false;
        self.line.pieces.push(Piece { kind, text, mark, blanks });
        if kind == K::SequenceClose {
            self.sequences.pop();
        }
    }

    /// Ends the line, whose line ending is `end`, at the offset `stop`.
    fn end_line(&mut self, end: &'t str, stop: usize) {
        self.written = false;
        let mut line = std::mem::take(&mut self.line);
        line.end = end;
        line.written = self.source.get(self.start..stop).unwrap_or_default();
        self.start = stop;
        let is_balanced = self.indent(&mut line);
        if !is_balanced || !line.is_flat_but_for_heredocs() {
            line.equals = None;
        }
        self.lines.push(line);
    }

    /// Sets the level of a line: that of the line which opened the bracket that it closes first
    /// thing, or one more than that of the line which opened the innermost bracket. Whether every
    /// bracket of the line is opened and closed in it.
    fn indent(&mut self, line: &mut Line<'_>) -> bool {
        let is_closer = |kind| {
            use SyntaxKind as K;
            matches!(kind, K::RParen | K::RBracket | K::RBrace | K::SequenceClose)
        };
        let before = self.brackets.len();
        let mut lowest = before;
        let mut leading = true;
        line.level = self.brackets.last().map_or(0, |level| level + 1);
        for piece in &line.pieces {
            use SyntaxKind as K;
            match piece.kind {
                K::LParen | K::LBracket | K::LBrace | K::InterpolationOpen | K::ControlOpen => {
                    self.brackets.push(line.level)
                }
                kind if is_closer(kind) => {
                    let level = self.brackets.pop();
                    lowest = lowest.min(self.brackets.len());
                    if leading {
                        line.level = level.unwrap_or_default();
                    }
                }
                _ => {}
            }
            leading &= is_closer(piece.kind);
        }
        lowest == before && self.brackets.len() == before
    }
}
