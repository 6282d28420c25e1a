//! Layout of text on lines: a document of texts and possible line breaks, and the printer that
//! decides which of them break. The rules are those of Prettier.
//!
//! Parts are made before what contains them, so that no step recurses.

use std::ops::Range;

use rustc_hash::FxHashSet;

/// The number of columns of a line.
const WIDTH: usize = 80;

/// The number of spaces of a level.
const LEVEL: usize = 2;

/// The most spaces before a line, which Prettier does not limit. Deeper lines have no room anyway,
/// and without a limit the size of nested calls is quadratic: a program of 24 kB has 8,000 splats,
/// which were 900 MB.
const MAX_INDENT: usize = WIDTH;

/// A part of a document: a position in [`Layout`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Part(u32);

/// The range of a text or of a list of parts in a buffer of a [`Layout`].
#[derive(Clone, Copy, Debug)]
struct Span {
    start: u32,
    end: u32,
}

impl Span {
    fn new(range: Range<usize>) -> Self {
        let position = |at| u32::try_from(at).unwrap_or(u32::MAX);
        Self { start: position(range.start), end: position(range.end) }
    }

    fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

#[derive(Clone, Copy, Debug)]
enum Item {
    Text {
        text: Span,
        width: u32,
    },
    Parts(Span),
    Indent(Part),
    /// A line break, or a space where the group fits on the line.
    Line,
    /// A line break, or nothing.
    SoftLine,
    HardLine,
    /// A line break in text, which nothing indents.
    LiteralLine,
    /// Lays its contents out on one line if they fit.
    Group {
        contents: Part,
        breaks: bool,
    },
    /// The first form that fits, or the last one.
    Choice(Span),
    /// One text where the group around it breaks, and another where it does not.
    IfBreak {
        broken: Part,
        flat: Part,
    },
    /// The contents, indented if the group `after` is broken.
    IndentIfBreak {
        contents: Part,
        after: Part,
    },
    /// A line break where the next part does not fit on the line, or a space.
    LineBefore(Part),
    /// Text for the end of the line.
    Suffix(Part),
    /// Forces the groups around it to break.
    BreakParent,
}

/// A document that is being made. The texts and the lists of parts of all items are in one buffer
/// each: a string and a vector per item were a tenth of the instructions of a conversion.
#[derive(Debug)]
pub(crate) struct Layout {
    items: Vec<Item>,
    text: String,
    lists: Vec<Part>,
    /// Set for the items that contain a forced line break.
    broken: Vec<bool>,
}

impl Layout {
    pub const EMPTY: Part = Part(0);
    pub const LINE: Part = Part(1);
    pub const SOFT_LINE: Part = Part(2);
    pub const HARD_LINE: Part = Part(3);
    pub const BREAK_PARENT: Part = Part(4);
    pub const LITERAL_LINE: Part = Part(5);

    pub fn new() -> Self {
        let mut layout =
            Self { items: Vec::new(), text: String::new(), lists: Vec::new(), broken: Vec::new() };
        layout.clear();
        layout
    }

    /// Removes all parts, except for those that are always there.
    pub fn clear(&mut self) {
        self.items.clear();
        self.text.clear();
        self.lists.clear();
        self.broken.clear();
        self.text("");
        self.add(Item::Line, false);
        self.add(Item::SoftLine, false);
        self.add(Item::HardLine, true);
        self.add(Item::BreakParent, true);
        self.add(Item::LiteralLine, true);
    }

    fn add(&mut self, item: Item, broken: bool) -> Part {
        let part = Part(u32::try_from(self.items.len()).unwrap_or(u32::MAX));
        self.items.push(item);
        self.broken.push(broken);
        part
    }

    /// Returns true if the part contains a forced line break.
    pub fn breaks(&self, part: Part) -> bool {
        self.broken.get(part.0 as usize).copied().unwrap_or(false)
    }

    fn item(&self, part: Part) -> Option<Item> {
        self.items.get(part.0 as usize).copied()
    }

    fn text_at(&self, span: Span) -> &str {
        self.text.get(span.range()).unwrap_or_default()
    }

    fn list_at(&self, span: Span) -> &[Part] {
        self.lists.get(span.range()).unwrap_or_default()
    }

    fn list(&mut self, parts: &[Part]) -> Span {
        let start = self.lists.len();
        self.lists.extend_from_slice(parts);
        Span::new(start..self.lists.len())
    }

    pub fn text(&mut self, text: impl AsRef<str>) -> Part {
        self.texts([text.as_ref()])
    }

    /// The texts in a row, as one part.
    pub fn texts<const N: usize>(&mut self, texts: [&str; N]) -> Part {
        let start = self.text.len();
        texts.iter().for_each(|text| self.text.push_str(text));
        let span = Span::new(start..self.text.len());
        let width = width(self.text_at(span));
        let width = u32::try_from(width).unwrap_or(u32::MAX);
        self.add(Item::Text { text: span, width }, false)
    }

    pub fn parts(&mut self, parts: impl AsRef<[Part]>) -> Part {
        let parts = parts.as_ref();
        let broken = parts.iter().any(|&part| self.breaks(part));
        let list = self.list(parts);
        self.add(Item::Parts(list), broken)
    }

    pub fn indent(&mut self, contents: Part) -> Part {
        let broken = self.breaks(contents);
        self.add(Item::Indent(contents), broken)
    }

    /// Lays its contents out on one line if they fit and nothing in them forces a break.
    pub fn group(&mut self, contents: Part) -> Part {
        let breaks = self.breaks(contents);
        self.add(Item::Group { contents, breaks }, breaks)
    }

    /// Like [`group`](Self::group), broken in any case.
    pub fn broken(&mut self, contents: Part) -> Part {
        let breaks = true;
        self.add(Item::Group { contents, breaks }, true)
    }

    /// The first of several forms that fits on the line, or else the last one. A forced break
    /// inside does not break what is around it.
    pub fn choice(&mut self, forms: &[Part]) -> Part {
        let forms = self.list(forms);
        self.add(Item::Choice(forms), false)
    }

    pub fn if_break(&mut self, broken: Part, flat: Part) -> Part {
        self.add(Item::IfBreak { broken, flat }, false)
    }

    pub fn indent_if_break(&mut self, contents: Part, after: Part) -> Part {
        let broken = self.breaks(contents);
        self.add(Item::IndentIfBreak { contents, after }, broken)
    }

    /// A line break where `next` does not fit on the line, or a space.
    pub fn line_before(&mut self, next: Part) -> Part {
        self.add(Item::LineBefore(next), false)
    }

    /// Text for the end of the line, such as a comment.
    pub fn suffix(&mut self, text: impl AsRef<str>) -> Part {
        let text = self.text(text);
        let suffix = self.add(Item::Suffix(text), false);
        self.parts([suffix, Self::BREAK_PARENT])
    }

    /// `parts` with `between` between them.
    pub fn join(&mut self, parts: &[Part], between: &[Part]) -> Part {
        let start = self.lists.len();
        for (at, &part) in parts.iter().enumerate() {
            if at > 0 {
                self.lists.extend_from_slice(between);
            }
            self.lists.push(part);
        }
        let joined = Span::new(start..self.lists.len());
        let broken = self.list_at(joined).iter().any(|&part| self.breaks(part));
        self.add(Item::Parts(joined), broken)
    }

    /// The text of a part on one line, whatever its length, except for forced breaks.
    pub fn on_one_line(&self, root: Part) -> String {
        self.print_in(root, Mode::Flat)
    }

    /// The text of a document.
    pub fn print(&self, root: Part) -> String {
        self.print_in(root, Mode::Break)
    }

    fn print_in(&self, root: Part, mode: Mode) -> String {
        let mut printer = Printer {
            layout: self,
            out: String::with_capacity(128),
            column: 0,
            commands: Vec::with_capacity(32),
            suffixes: Vec::new(),
            broken_groups: FxHashSet::default(),
            open: Vec::with_capacity(32),
            remeasure: false,
        };
        printer.commands.push(Command { indent: 0, mode, part: root });
        printer.run();
        printer.out
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Flat,
    Break,
}

#[derive(Clone, Copy)]
struct Command {
    indent: usize,
    mode: Mode,
    part: Part,
}

struct Printer<'l> {
    layout: &'l Layout,
    out: String,
    column: usize,
    /// The parts that are still to be printed, the next one last.
    commands: Vec<Command>,
    suffixes: Vec<Command>,
    /// The groups that were printed broken. A set, because most documents that are printed are
    /// small parts of one that is not.
    broken_groups: FxHashSet<Part>,
    /// A flat group had a line end, so that its width says nothing about what is behind it.
    remeasure: bool,
    /// The parts that are still to be measured, the next one last; kept for its memory.
    open: Vec<(Mode, Part)>,
}

/// The spaces of the level below one with this many.
fn deeper(indent: usize) -> usize {
    (indent + LEVEL).min(MAX_INDENT)
}

impl Printer<'_> {
    fn run(&mut self) {
        loop {
            match self.commands.pop() {
                Some(command) => self.print(command),
                None if self.suffixes.is_empty() => return,
                None => self.commands.extend(self.suffixes.drain(..).rev()),
            }
        }
    }

    fn print(&mut self, command: Command) {
        let layout = self.layout;
        let Command { indent, mode, part } = command;
        let mut push = |indent, part| self.commands.push(Command { indent, mode, part });
        match layout.item(part) {
            None | Some(Item::BreakParent) => {}
            Some(Item::Text { text, width }) => {
                self.out.push_str(layout.text_at(text));
                self.column += width as usize;
            }
            Some(Item::Parts(parts)) => {
                layout.list_at(parts).iter().rev().for_each(|&part| push(indent, part));
            }
            Some(Item::Indent(part)) => push(deeper(indent), part),
            Some(Item::Group { contents, breaks }) => self.group(command, contents, breaks),
            Some(Item::Choice(forms)) => self.choice(command, layout.list_at(forms)),
            Some(Item::IfBreak { broken, flat }) => {
                push(indent, if mode == Mode::Break { broken } else { flat });
            }
            Some(Item::IndentIfBreak { contents, after }) => {
                let indent =
                    if self.broken_groups.contains(&after) { deeper(indent) } else { indent };
                self.commands.push(Command { indent, mode, part: contents });
            }
            Some(Item::Suffix(text)) => self.suffixes.push(Command { part: text, ..command }),
            Some(Item::Line | Item::LineBefore(_)) if mode == Mode::Flat => {
                self.out.push(' ');
                self.column += 1;
            }
            Some(Item::SoftLine) if mode == Mode::Flat => {}
            Some(Item::LineBefore(next)) => {
                let is_flat = self.fits_alone(next);
                self.commands.push(Command {
                    mode: if is_flat { Mode::Flat } else { mode },
                    part: Layout::LINE,
                    ..command
                });
            }
            Some(Item::LiteralLine) => {
                self.out.push('\n');
                self.column = 0;
            }
            Some(Item::Line | Item::SoftLine | Item::HardLine) => self.line(command),
        }
    }

    fn group(&mut self, command: Command, contents: Part, breaks: bool) {
        let mode = if command.mode == Mode::Flat && !self.remeasure {
            flat_unless(breaks)
        } else {
            self.remeasure = false;
            let flat = Command { mode: Mode::Flat, part: contents, ..command };
            flat_unless(breaks || !self.fits(flat))
        };
        if mode == Mode::Break {
            self.broken_groups.insert(command.part);
        } else {
            self.broken_groups.remove(&command.part);
        }
        self.commands.push(Command { mode, part: contents, ..command });
    }

    /// The first form that fits, flat; the last one is broken if none does.
    fn choice(&mut self, command: Command, forms: &[Part]) {
        let Some((&last, others)) = forms.split_last() else { return };
        let form = |mode, part| Command { mode, part, ..command };
        let mut others = others.iter().map(|&part| form(Mode::Flat, part));
        let chosen = if command.mode == Mode::Flat && !self.remeasure {
            others.next()
        } else {
            self.remeasure = false;
            others.find(|&form| self.fits(form))
        };
        self.commands.push(chosen.unwrap_or(form(Mode::Break, last)));
    }

    /// The end of a line, behind the suffixes that belong to it.
    fn line(&mut self, command: Command) {
        // A line end in what was to be on one line: groups behind it are measured again.
        self.remeasure |= command.mode == Mode::Flat;
        if self.suffixes.is_empty() {
            self.new_line(command.indent);
        } else {
            self.commands.push(command);
            self.commands.extend(self.suffixes.drain(..).rev());
        }
    }

    fn new_line(&mut self, indent: usize) {
        let kept = self.out.trim_end_matches([' ', '\t']).len();
        self.out.truncate(kept);
        self.out.push('\n');
        self.out.extend(std::iter::repeat_n(' ', indent));
        self.column = indent;
    }

    /// Returns true if a space and a part that cannot break fit on the line.
    fn fits_alone(&mut self, part: Part) -> bool {
        self.fits_before(Mode::Flat, part, 0, 1)
    }

    /// Returns true if a part and what follows it up to the next possible break fit on the line.
    fn fits(&mut self, next: Command) -> bool {
        self.fits_before(next.mode, next.part, self.commands.len(), 0)
    }

    /// Returns true if a part fits on the line, and behind it those of the first `rest` commands,
    /// the last one first, up to the next possible break.
    fn fits_before(&mut self, mode: Mode, part: Part, rest: usize, mut space: usize) -> bool {
        let Some(mut left) = WIDTH.checked_sub(self.column) else { return false };
        let layout = self.layout;
        let mut rest = self.commands.get(..rest).unwrap_or_default().iter().rev();
        let open = &mut self.open;
        open.clear();
        open.push((mode, part));
        loop {
            let Some((mode, part)) = open.pop() else {
                match rest.next() {
                    Some(command) => open.push((command.mode, command.part)),
                    None => return true,
                }
                continue;
            };
            match layout.item(part) {
                None | Some(Item::BreakParent | Item::Suffix(_)) => {}
                Some(Item::Text { width: 0, .. }) => {}
                Some(Item::Text { width, .. }) => {
                    let taken = width as usize + std::mem::take(&mut space);
                    let Some(after) = left.checked_sub(taken) else { return false };
                    left = after;
                }
                Some(Item::Parts(parts)) => {
                    open.extend(layout.list_at(parts).iter().rev().map(|&part| (mode, part)));
                }
                Some(Item::Indent(part) | Item::IndentIfBreak { contents: part, .. }) => {
                    open.push((mode, part));
                }
                Some(Item::Group { contents, breaks }) => {
                    open.push((if breaks { Mode::Break } else { mode }, contents));
                }
                Some(Item::Choice(forms)) => {
                    let forms = layout.list_at(forms);
                    let form = match mode {
                        Mode::Break => forms.last(),
                        Mode::Flat => forms.first(),
                    };
                    open.extend(form.map(|&form| (mode, form)));
                }
                Some(Item::IfBreak { broken, flat }) => {
                    let part = if mode == Mode::Break { broken } else { flat };
                    open.push((mode, part));
                }
                Some(Item::HardLine | Item::LiteralLine) => return true,
                Some(Item::Line | Item::SoftLine | Item::LineBefore(_)) if mode == Mode::Break => {
                    return true;
                }
                Some(Item::Line | Item::LineBefore(_)) => space = 1,
                Some(Item::SoftLine) => {}
            }
        }
    }
}

fn flat_unless(breaks: bool) -> Mode {
    if breaks { Mode::Break } else { Mode::Flat }
}

/// The number of columns that a text takes.
fn width(text: &str) -> usize {
    if text.is_ascii() { text.len() } else { text.chars().count() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(layout: &mut Layout, texts: &[&str]) -> Part {
        let texts: Vec<Part> = texts.iter().map(|&text| layout.text(text)).collect();
        let comma = layout.text(",");
        let items = layout.join(&texts, &[comma, Layout::LINE]);
        let items = layout.parts([Layout::SOFT_LINE, items]);
        let items = layout.indent(items);
        let last = layout.if_break(comma, Layout::EMPTY);
        let (open, close) = (layout.text("["), layout.text("]"));
        let list = layout.parts([open, items, last, Layout::SOFT_LINE, close]);
        layout.group(list)
    }

    #[test]
    fn a_group_breaks_when_it_does_not_fit() {
        let mut layout = Layout::new();
        let short = list(&mut layout, &["a", "b"]);
        let long = list(&mut layout, &[&"x".repeat(60), &"y".repeat(30)]);
        let both = layout.join(&[short, long], &[Layout::HARD_LINE]);
        let (x, y) = ("x".repeat(60), "y".repeat(30));
        assert_eq!(layout.print(both), format!("[a, b]\n[\n  {x},\n  {y},\n]"));
    }

    #[test]
    fn deep_nesting_needs_no_stack() {
        let mut layout = Layout::new();
        let mut part = layout.text("x");
        for _ in 0..200_000 {
            let group = layout.group(part);
            part = layout.parts([group]);
        }
        assert_eq!(layout.print(part), "x");
    }
}
