//! Layout of text on lines: a document of texts and possible line breaks, and the printer that
//! decides which of them break. The rules are those of Prettier, which the formatters of other
//! languages follow as well.
//!
//! Parts are made before what contains them, so that no step recurses.

mod measure;
mod print;

use std::ops::Range;

use print::Printer;

/// The measures of a formatter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Measures {
    /// The number of columns of a line. It is also the most spaces before a line, which formatters
    /// do not limit. Deeper lines have no room anyway, and without a limit the size of nested calls
    /// is quadratic: a program of 24 kB has 8,000 splats, which were 900 MB.
    pub width: usize,
    /// The number of spaces of a level.
    pub level: usize,
}

impl Measures {
    /// The spaces of the level below one with this many.
    fn deeper(self, indent: usize) -> usize {
        (indent + self.level).min(self.width)
    }
}

/// A part of a document: a position in [`Layout`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Part(u32);

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
    /// The first form if it fits on the line or, where that is allowed, up to its first bracket,
    /// which then breaks, or where the second one would not fit either; or else the second one,
    /// broken.
    Parenthesized {
        open: Part,
        broken: Part,
        may_break: bool,
    },
    /// Contents without possible breaks, in parentheses where they fit on a line of their own
    /// alone.
    Fitting(Part),
    /// Text for the end of the line.
    Suffix(Part),
    /// Forces the groups around it to break.
    BreakParent,
}

/// A document that is being made. The texts and the lists of parts of all items are in one buffer
/// each: a string and a vector per item were a tenth of the instructions of a conversion.
#[derive(Debug)]
pub struct Layout {
    measures: Measures,
    items: Vec<Item>,
    text: String,
    lists: Vec<Part>,
    /// Set for the items that contain a forced line break.
    broken: Vec<bool>,
}

impl Layout {
    /// Nothing.
    pub const EMPTY: Part = Part(0);
    /// A line break, or a space where the group fits on the line.
    pub const LINE: Part = Part(1);
    /// A line break, or nothing where the group fits on the line.
    pub const SOFT_LINE: Part = Part(2);
    /// A line break.
    pub const HARD_LINE: Part = Part(3);
    /// Forces the groups around it to break.
    pub const BREAK_PARENT: Part = Part(4);
    /// A line break in text, which nothing indents.
    pub const LITERAL_LINE: Part = Part(5);

    /// A document without parts.
    pub fn new(measures: Measures) -> Self {
        let mut layout = Self {
            measures,
            items: Vec::new(),
            text: String::new(),
            lists: Vec::new(),
            broken: Vec::new(),
        };
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

    /// A text without line breaks.
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

    /// Parts in a row.
    pub fn parts(&mut self, parts: impl AsRef<[Part]>) -> Part {
        let parts = parts.as_ref();
        let broken = parts.iter().any(|&part| self.breaks(part));
        let list = self.list(parts);
        self.add(Item::Parts(list), broken)
    }

    /// The contents, whose lines begin one level deeper.
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

    /// One text where the group around it breaks, and another where it does not.
    pub fn if_break(&mut self, broken: Part, flat: Part) -> Part {
        self.add(Item::IfBreak { broken, flat }, false)
    }

    /// The contents, indented if the group `after` is broken.
    pub fn indent_if_break(&mut self, contents: Part, after: Part) -> Part {
        let broken = self.breaks(contents);
        self.add(Item::IndentIfBreak { contents, after }, broken)
    }

    /// A line break where `next` does not fit on the line, or a space.
    pub fn line_before(&mut self, next: Part) -> Part {
        self.add(Item::LineBefore(next), false)
    }

    /// The form `open` if it fits on the line or, where it `may_break`, up to its first possible
    /// break; or else the form `broken`, unless one of its lines would still not fit.
    pub fn parenthesized(&mut self, open: Part, broken: Part, may_break: bool) -> Part {
        self.add(Item::Parenthesized { open, broken, may_break }, false)
    }

    /// Contents that cannot break. They are in parentheses, on a line of their own, where they fit
    /// there and nowhere else.
    pub fn fitting(&mut self, contents: Part) -> Part {
        self.add(Item::Fitting(contents), false)
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
        Printer::print_in(self, root, Mode::Flat)
    }

    /// The text of a document.
    pub fn print(&self, root: Part) -> String {
        Printer::print_in(self, root, Mode::Break)
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Flat,
    Break,
}

/// The number of columns that a text takes.
fn width(text: &str) -> usize {
    if text.is_ascii() { text.len() } else { text.chars().count() }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MEASURES: Measures = Measures { width: 80, level: 2 };

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
        let mut layout = Layout::new(MEASURES);
        let short = list(&mut layout, &["a", "b"]);
        let long = list(&mut layout, &[&"x".repeat(60), &"y".repeat(30)]);
        let both = layout.join(&[short, long], &[Layout::HARD_LINE]);
        let (x, y) = ("x".repeat(60), "y".repeat(30));
        assert_eq!(layout.print(both), format!("[a, b]\n[\n  {x},\n  {y},\n]"));
    }

    #[test]
    fn parentheses_are_added_where_they_help() {
        let text = |name: usize, item: usize| {
            let mut layout = Layout::new(MEASURES);
            let name = layout.text("x".repeat(name) + " = ");
            let callee = layout.text("f".repeat(40));
            let list = list(&mut layout, &[&"y".repeat(item), "z"]);
            let call = layout.parts([callee, list]);
            let inner = layout.parts([Layout::SOFT_LINE, call]);
            let inner = layout.indent(inner);
            let (open, close) = (layout.text("("), layout.text(")"));
            let enclosed = layout.parts([open, inner, Layout::SOFT_LINE, close]);
            let broken = layout.broken(enclosed);
            let value = layout.parenthesized(call, broken, true);
            let statement = layout.parts([name, value]);
            let lines = layout.print(statement);
            lines.lines().next().expect("a line").chars().last()
        };
        assert_eq!(text(10, 10), Some(']'), "all of it fits");
        assert_eq!(text(10, 40), Some('['), "the line fits up to the bracket");
        assert_eq!(text(40, 40), Some('('), "it does not");
        assert_eq!(text(40, 90), Some('['), "an item would not fit in parentheses either");
    }

    #[test]
    fn deep_nesting_needs_no_stack() {
        let mut layout = Layout::new(MEASURES);
        let mut part = layout.text("x");
        for _ in 0..200_000 {
            let group = layout.group(part);
            part = layout.parts([group]);
        }
        assert_eq!(layout.print(part), "x");
    }
}
