//! The layout of text on lines by the rules of google-java-format: levels with breaks between their
//! parts. A level that fits on the line has no line break; in another one, breaks that belong
//! together all become line breaks, and the others where the part behind them does not fit.

/// The number of columns of a line.
const WIDTH: usize = 100;

/// More columns than any text has: a part with a line break that is forced.
const ENDLESS: usize = usize::MAX / 4;

/// A part of a text.
#[derive(Clone, Debug)]
enum Doc {
    Text(String),
    /// A comment up to the end of a line, which is wrapped where it is too long.
    Comment(String),
    Break(Break),
    /// A level, by its position in the table.
    Level(usize),
}

/// A place where a line may end.
#[derive(Clone, Copy, Debug)]
struct Break {
    /// The text in the place of a line break.
    flat: &'static str,
    kind: Kind,
    /// The name of the break, for levels whose columns depend on it.
    tag: Option<Tag>,
}

/// The name of a break: its position among those that have one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tag(usize);

/// The further columns of the lines inside of a level.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Indent {
    columns: usize,
    /// Other columns, if the line ends at a break before the level.
    if_broken: Option<(Tag, usize)>,
}

impl From<usize> for Indent {
    fn from(columns: usize) -> Self {
        Self { columns, if_broken: None }
    }
}

impl Indent {
    /// So many columns if the line ends at a break before the level, and others if it does not.
    pub fn if_broken(tag: Tag, broken: usize, otherwise: usize) -> Self {
        Self { columns: otherwise, if_broken: Some((tag, broken)) }
    }
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
#[derive(Debug, Default)]
struct Level {
    indent: Indent,
    width: usize,
    parts: Vec<Doc>,
}

/// Makes a document from left to right. A text belongs to the level of the break before it, even if
/// that level is closed or others were opened since: so a level fits only if what follows it up to
/// the next break fits as well.
#[derive(Debug)]
pub(super) struct Builder {
    levels: Vec<Level>,
    /// The levels that are open, by their positions.
    open: Vec<usize>,
    /// The level that texts are added to.
    present: usize,
    /// The number of breaks that have names.
    tags: usize,
}

impl Builder {
    pub fn new() -> Self {
        Self { levels: vec![Level::default()], open: vec![0], present: 0, tags: 0 }
    }

    fn add(&mut self, at: usize, doc: Doc) {
        if let Some(level) = self.levels.get_mut(at) {
            level.parts.push(doc);
        }
    }

    pub fn open(&mut self, indent: impl Into<Indent>) {
        self.open.push(self.levels.len());
        self.levels.push(Level { indent: indent.into(), ..Level::default() });
    }

    pub fn close(&mut self) {
        if self.open.len() > 1
            && let Some(level) = self.open.pop()
            && let Some(&around) = self.open.last()
        {
            self.add(around, Doc::Level(level));
        }
    }

    pub fn text(&mut self, text: impl Into<String>) {
        self.add(self.present, Doc::Text(text.into()));
    }

    pub fn comment(&mut self, text: impl Into<String>) {
        self.add(self.present, Doc::Comment(text.into()));
    }

    fn line(&mut self, flat: &'static str, kind: Kind) {
        self.add_break(Break { flat, kind, tag: None });
    }

    fn add_break(&mut self, at: Break) {
        self.present = self.open.last().copied().unwrap_or_default();
        self.add(self.present, Doc::Break(at));
    }

    pub fn unified(&mut self, flat: &'static str) {
        self.line(flat, Kind::Unified);
    }

    pub fn independent(&mut self, flat: &'static str) {
        self.line(flat, Kind::Independent);
    }

    /// A break that is of one kind or the other.
    pub fn fill(&mut self, is_independent: bool, flat: &'static str) {
        if is_independent { self.independent(flat) } else { self.unified(flat) }
    }

    /// A break with a name that is of one kind or the other.
    pub fn named(&mut self, is_independent: bool, flat: &'static str) -> Tag {
        let tag = Tag(self.tags);
        self.tags += 1;
        let kind = if is_independent { Kind::Independent } else { Kind::Unified };
        self.add_break(Break { flat, kind, tag: Some(tag) });
        tag
    }

    pub fn forced(&mut self) {
        self.line("", Kind::Forced);
    }

    /// The text of the document, for lines that start at a column.
    pub fn print(mut self, column: usize) -> String {
        while self.open.len() > 1 {
            self.close();
        }
        self.measure();
        let broken = vec![false; self.tags];
        let mut printer = Printer { out: String::new(), levels: &self.levels, broken };
        let state = State { column, indent: column, last: column, must_break: false };
        if let Some(level) = self.levels.first() {
            printer.level(level, state);
        }
        printer.out
    }

    /// Finds the widths of all levels: a level is opened before those inside of it.
    fn measure(&mut self) {
        for at in (0..self.levels.len()).rev() {
            let Some(level) = self.levels.get(at) else { continue };
            let width = level.parts.iter().map(|part| width(part, &self.levels));
            let width = width.fold(0, |sum, part| (sum + part).min(ENDLESS));
            if let Some(level) = self.levels.get_mut(at) {
                level.width = width;
            }
        }
    }
}

fn width(doc: &Doc, levels: &[Level]) -> usize {
    match doc {
        Doc::Text(text) | Doc::Comment(text) => text.chars().count(),
        Doc::Break(at) if at.kind == Kind::Forced => ENDLESS,
        Doc::Break(at) => at.flat.len(),
        Doc::Level(level) => levels.get(*level).map_or(0, |level| level.width),
    }
}

/// The lines of a comment that starts at a column.
fn wrapped(comment: &str, column: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut rest: Vec<char> = comment.chars().collect();
    while rest.len() + column > WIDTH {
        let last = WIDTH.saturating_sub(column);
        let mut at = last;
        while at >= 2 && !rest.get(at).is_some_and(|c| c.is_whitespace()) {
            at -= 1;
        }
        if at <= 2 {
            break;
        }
        let (line, behind) = rest.split_at(at);
        lines.push(line.iter().collect());
        rest = "//".chars().chain(behind.iter().copied()).collect();
    }
    lines.push(rest.into_iter().collect());
    lines
}

#[derive(Clone, Copy)]
struct State {
    column: usize,
    indent: usize,
    /// The column of the lines of the level around.
    last: usize,
    must_break: bool,
}

struct Printer<'b> {
    out: String,
    levels: &'b [Level],
    /// The breaks with names at which lines end.
    broken: Vec<bool>,
}

impl Printer<'_> {
    fn level(&mut self, level: &Level, state: State) -> State {
        if state.column + level.width <= WIDTH {
            self.flat(level);
            return State { column: state.column + level.width, ..state };
        }
        let indent = state.indent + self.columns(level.indent);
        let inner = State { column: state.column, indent, last: indent, must_break: false };
        let inner = self.broken(level, inner);
        State { column: inner.column, ..state }
    }

    fn columns(&self, indent: Indent) -> usize {
        match indent.if_broken {
            Some((Tag(tag), columns)) if self.broken.get(tag) == Some(&true) => columns,
            _ => indent.columns,
        }
    }

    fn flat(&mut self, level: &Level) {
        for part in &level.parts {
            match part {
                Doc::Text(text) | Doc::Comment(text) => self.out.push_str(text),
                Doc::Break(at) => self.out.push_str(at.flat),
                Doc::Level(level) => {
                    if let Some(level) = self.levels.get(*level) {
                        self.flat(level);
                    }
                }
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
        let width = split.iter().map(|doc| width(doc, self.levels));
        let width: usize = width.fold(0, |sum, part| (sum + part).min(ENDLESS));
        if let Some(at) = at {
            let breaks = at.kind != Kind::Independent
                || state.must_break
                || state.column + at.flat.len() + width > WIDTH;
            if breaks {
                let column = state.last;
                while self.out.ends_with(' ') {
                    self.out.pop();
                }
                self.out.push('\n');
                self.out.extend(std::iter::repeat_n(' ', column));
                state.column = column;
                if let Some(broken) = at.tag.and_then(|Tag(tag)| self.broken.get_mut(tag)) {
                    *broken = true;
                }
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
                Doc::Comment(text) => {
                    let lines = wrapped(text, state.column);
                    let indent = " ".repeat(state.column);
                    self.out.push_str(&lines.join(&format!("\n{indent}")));
                    state
                }
                Doc::Break(_) => state,
                Doc::Level(level) => match self.levels.get(*level) {
                    Some(level) => self.level(level, state),
                    None => state,
                },
            };
        }
        state.must_break = !has_room;
        state
    }
}
