//! The printer of a document, which decides what breaks.

use rustc_hash::FxHashSet;

use super::{Item, Layout, Mode, Part};

#[derive(Clone, Copy)]
pub(super) struct Command {
    pub(super) indent: usize,
    pub(super) mode: Mode,
    pub(super) part: Part,
}

pub(super) struct Printer<'l> {
    pub(super) layout: &'l Layout,
    out: String,
    pub(super) column: usize,
    /// The parts that are still to be printed, the next one last.
    pub(super) commands: Vec<Command>,
    suffixes: Vec<Command>,
    /// The groups that were printed broken. A set, because most documents that are printed are
    /// small parts of one that is not.
    broken_groups: FxHashSet<Part>,
    /// A flat group had a line end, so that its width says nothing about what is behind it.
    remeasure: bool,
    /// The parts that are still to be measured, the next one last; kept for its memory.
    pub(super) open: Vec<(Mode, Part)>,
}

impl<'l> Printer<'l> {
    /// The text of a document whose root is laid out in a mode.
    pub(super) fn print_in(layout: &'l Layout, root: Part, mode: Mode) -> String {
        let mut printer = Printer {
            layout,
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
            Some(Item::Indent(part)) => push(layout.measures.deeper(indent), part),
            Some(Item::Group { contents, breaks }) => self.group(command, contents, breaks),
            Some(Item::Choice(forms)) => self.choice(command, layout.list_at(forms)),
            Some(Item::IfBreak { broken, flat }) => {
                push(indent, if mode == Mode::Break { broken } else { flat });
            }
            Some(Item::IndentIfBreak { contents, after }) => {
                let is_broken = self.broken_groups.contains(&after);
                let indent = if is_broken { layout.measures.deeper(indent) } else { indent };
                self.commands.push(Command { indent, mode, part: contents });
            }
            Some(Item::Parenthesized { open, broken, may_break }) => {
                let form = |mode, part| Command { mode, part, ..command };
                let chosen = if !layout.breaks(open) && self.fits(form(Mode::Flat, open)) {
                    form(Mode::Flat, open)
                } else if may_break
                    // Where parentheses would not help, `ruff` adds none.
                    && (self.fits(form(Mode::Break, open)) || !self.lines_fit(form(Mode::Break, broken)))
                {
                    form(Mode::Break, open)
                } else {
                    form(Mode::Break, broken)
                };
                self.commands.push(chosen);
            }
            Some(Item::Fitting(contents)) => self.fitting(command, contents),
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

    /// Contents that cannot break, in parentheses if they fit there alone.
    fn fitting(&mut self, command: Command, contents: Part) {
        let layout = self.layout;
        let flat = Command { mode: Mode::Flat, part: contents, ..command };
        if self.fits(flat) {
            self.commands.push(flat);
            return;
        }
        let indent = layout.measures.deeper(command.indent);
        let column = std::mem::replace(&mut self.column, indent);
        let fits = self.fits_before(Mode::Flat, contents, 0, 0);
        self.column = column;
        if !fits {
            self.commands.push(flat);
            return;
        }
        self.out.push('(');
        self.new_line(indent);
        let text = layout.on_one_line(contents);
        self.out.push_str(&text);
        self.new_line(command.indent);
        self.out.push(')');
        self.column += 1;
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
}

fn flat_unless(breaks: bool) -> Mode {
    if breaks { Mode::Break } else { Mode::Flat }
}
