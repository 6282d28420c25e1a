//! The layout of text on lines by the rules of google-java-format: levels with breaks between their
//! parts. A level that fits on the line has no line break; in another one, breaks that belong
//! together all become line breaks, and the others where the part behind them does not fit.

/// The number of columns of a line.
const WIDTH: usize = 100;

/// More columns than any text has: a part with a line break that is forced.
const ENDLESS: usize = usize::MAX / 4;

/// A part of a text.
#[derive(Clone, Debug)]
pub(super) enum Doc {
    Text(String),
    Break(Break),
    Level(Level),
}

/// A place where a line may end.
#[derive(Clone, Copy, Debug)]
pub(super) struct Break {
    /// The text in the place of a line break.
    flat: &'static str,
    kind: Kind,
    /// The further columns of the next line.
    indent: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    /// All breaks of the level break together.
    Unified,
    /// The break is there if what follows does not fit.
    Independent,
    Forced,
}

/// Parts that belong together, with the further columns of the lines inside.
#[derive(Clone, Debug)]
pub(super) struct Level {
    indent: usize,
    width: usize,
    parts: Vec<Doc>,
}

/// Makes a document from left to right.
#[derive(Debug)]
pub(super) struct Builder {
    open: Vec<Level>,
}

impl Builder {
    pub fn new() -> Self {
        Self { open: vec![Level { indent: 0, width: 0, parts: Vec::new() }] }
    }

    fn add(&mut self, doc: Doc) {
        let width = match &doc {
            Doc::Text(text) => text.chars().count(),
            Doc::Break(at) if at.kind == Kind::Forced => ENDLESS,
            Doc::Break(at) => at.flat.len(),
            Doc::Level(level) => level.width,
        };
        if let Some(level) = self.open.last_mut() {
            level.width = (level.width + width).min(ENDLESS);
            level.parts.push(doc);
        }
    }

    pub fn open(&mut self, indent: usize) {
        self.open.push(Level { indent, width: 0, parts: Vec::new() });
    }

    pub fn close(&mut self) {
        if self.open.len() > 1
            && let Some(level) = self.open.pop()
        {
            self.add(Doc::Level(level));
        }
    }

    pub fn text(&mut self, text: impl Into<String>) {
        self.add(Doc::Text(text.into()));
    }

    pub fn unified(&mut self, flat: &'static str) {
        self.add(Doc::Break(Break { flat, kind: Kind::Unified, indent: 0 }));
    }

    pub fn independent(&mut self, flat: &'static str) {
        self.add(Doc::Break(Break { flat, kind: Kind::Independent, indent: 0 }));
    }

    /// A break that is of one kind or the other.
    pub fn fill(&mut self, is_independent: bool, flat: &'static str) {
        if is_independent { self.independent(flat) } else { self.unified(flat) }
    }

    pub fn forced(&mut self) {
        self.add(Doc::Break(Break { flat: "", kind: Kind::Forced, indent: 0 }));
    }

    /// The text of the document, for lines that start at a column.
    pub fn print(mut self, column: usize) -> String {
        while self.open.len() > 1 {
            self.close();
        }
        let mut printer = Printer { out: String::new() };
        let state = State { column, indent: column, last: column, must_break: false };
        if let Some(level) = self.open.pop() {
            printer.level(&level, state);
        }
        printer.out
    }
}

#[derive(Clone, Copy)]
struct State {
    column: usize,
    indent: usize,
    /// The column of the lines of the level around.
    last: usize,
    must_break: bool,
}

struct Printer {
    out: String,
}

impl Printer {
    fn level(&mut self, level: &Level, state: State) -> State {
        if state.column + level.width <= WIDTH {
            self.flat(level);
            return State { column: state.column + level.width, ..state };
        }
        let indent = state.indent + level.indent;
        let inner = State { column: state.column, indent, last: indent, must_break: false };
        let inner = self.broken(level, inner);
        State { column: inner.column, ..state }
    }

    fn flat(&mut self, level: &Level) {
        for part in &level.parts {
            match part {
                Doc::Text(text) => self.out.push_str(text),
                Doc::Break(at) => self.out.push_str(at.flat),
                Doc::Level(level) => self.flat(level),
            }
        }
    }

    fn broken(&mut self, level: &Level, mut state: State) -> State {
        let is_break = |part: &Doc| matches!(part, Doc::Break(_));
        let mut rest = &level.parts[..];
        let first = rest.iter().position(is_break).unwrap_or(rest.len());
        let (split, behind) = rest.split_at(first);
        state = self.split(None, split, state);
        rest = behind;
        while let Some((Doc::Break(at), behind)) = rest.split_first() {
            let next = behind.iter().position(is_break).unwrap_or(behind.len());
            let (split, behind) = behind.split_at(next);
            state = self.split(Some(*at), split, state);
            rest = behind;
        }
        state
    }

    fn split(&mut self, at: Option<Break>, split: &[Doc], mut state: State) -> State {
        let width = |doc: &Doc| match doc {
            Doc::Text(text) => text.chars().count(),
            Doc::Break(_) => 0,
            Doc::Level(level) => level.width,
        };
        let width: usize = split.iter().map(width).fold(0, |a, b| (a + b).min(ENDLESS));
        if let Some(at) = at {
            let breaks = at.kind != Kind::Independent
                || state.must_break
                || state.column + at.flat.len() + width > WIDTH;
            if breaks {
                let column = state.last + at.indent;
                while self.out.ends_with(' ') {
                    self.out.pop();
                }
                self.out.push('\n');
                self.out.extend(std::iter::repeat_n(' ', column));
                state.column = column;
            } else {
                self.out.push_str(at.flat);
                state.column += at.flat.len();
            }
        }
        let has_room = state.column + width <= WIDTH;
        state.must_break = false;
        for doc in split {
            state = match doc {
                Doc::Text(text) => {
                    self.out.push_str(text);
                    State { column: state.column + text.chars().count(), ..state }
                }
                Doc::Break(_) => state,
                Doc::Level(level) => self.level(level, state),
            };
        }
        state.must_break = !has_room;
        state
    }
}
