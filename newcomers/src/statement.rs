//! Statements that PCL does not have: declarations with a keyword, imports, comments of another
//! kind.

use pcl_diagnostics::{Code, TextRange};
use pcl_syntax::{SyntaxError, SyntaxKind as K, excerpt};

use crate::habit::Habit;
use crate::view::{Line, View};

/// Words before a name that is set.
const KEYWORDS: &[&str] = &[
    "let", "var", "val", "const", "local", "def", "set", "export", "final", "mut", "auto", "my",
    "our", "static", "public", "private", "readonly", "define", "assign",
];

/// Types before a name that is set.
const TYPES: &[&str] = &[
    "string", "str", "String", "int", "integer", "number", "float", "bool", "boolean", "list",
    "map", "object", "any", "double",
];

/// A line that is an import or a comment.
pub(super) fn whole_line(view: &View<'_>, line: &Line) -> Option<Habit> {
    comment_line(view, line).or_else(|| import(view, line))
}

/// `-- text`, `; text`, `<!-- text -->`.
fn comment_line(view: &View<'_>, line: &Line) -> Option<Habit> {
    let start = view.start(line.first);
    let text = view.text_between(start, line.stop);
    let sign =
        ["<!--", "--", ";", "REM ", "%%", "'"].into_iter().find(|sign| text.starts_with(sign))?;
    let whole = TextRange::new(start, line.stop);
    let mark = TextRange::new(start, start + sign.trim_end().len() as u32);
    let rest = text.get(sign.len()..)?;
    match sign {
        "<!--" => {
            let inner = rest.split_once("-->").filter(|(_, after)| after.trim().is_empty())?.0;
            let text = format!("# {}", inner.trim());
            return Some(comment_at(view, mark, whole).edit(whole, text).safe());
        }
        "--" if rest.starts_with(|c: char| c != ' ' && c != '-' && !c.is_alphabetic()) => {
            return None;
        }
        // What one wrote in single quotes is a string.
        "'" if rest.contains('\'') => return None,
        ";" if rest.trim().is_empty() => return None,
        _ => {}
    }
    Some(comment_at(view, mark, whole).edit(mark, "#").safe())
}

/// The habit of a comment with its words.
pub(super) fn comment_at(view: &View<'_>, mark: TextRange, whole: TextRange) -> Habit {
    let found = excerpt(view.slice(mark));
    Habit::new(Code::ForeignComment, mark)
        .message(format!("{found} does not begin a comment"))
        .help("a comment begins with `#` or `//`")
        .title("begin the comment with `#`")
        .read(whole, K::Ignored)
}

/// `name = value -- text`, on a line that has an error there.
pub(super) fn comment(view: &View<'_>, line: &Line, errors: &[SyntaxError]) -> Option<Habit> {
    let first = (line.first..line.end).find(|&at| {
        view.kind(at) == K::Minus
            && view.kind(at + 1) == K::Minus
            && view.kind(at + 2) == K::Whitespace
            && at > line.first
            && view.kind(at - 1) == K::Whitespace
            && view.kind_before(at) != K::Equals
    })?;
    let start = view.start(first);
    let behind = errors.partition_point(|error| error.range().start() < start);
    let is_wrong = errors.get(behind).is_some_and(|error| error.range().start() <= line.stop);
    let mark = view.span(first, first + 1);
    let whole = TextRange::new(start, line.stop);
    is_wrong.then(|| comment_at(view, mark, whole).edit(mark, "#").safe())
}

/// `import x`, `from x import y`, `use x`: a line of its own.
fn import(view: &View<'_>, line: &Line) -> Option<Habit> {
    let word = view.text(line.first);
    let next = view.next(line.first);
    let text = view.text_between(line.start, line.stop);
    let is_import = match word {
        "import" | "require" | "include" | "using" | "use" | "from" | "load" => {
            matches!(
                view.kind(next),
                K::Ident | K::QuoteOpen | K::LBrace | K::Star | K::SingleQuote | K::Foreign
            ) && !text.trim_end().ends_with('{')
                && !text.contains(" = ")
        }
        // `const x = require("x")`
        _ => text.contains("= require("),
    };
    if !is_import || view.kind(line.first) != K::Ident {
        return None;
    }
    let range = TextRange::new(view.start(line.first), text_end(view, line));
    // The line goes with its line ending.
    let end = view.start(view.token_at(line.stop) + 1).max(line.stop);
    Some(
        Habit::new(Code::ForeignStatement, range)
            .message("files are not imported in PCL")
            .help("every `.pp` file of the directory belongs to the program, and a package is found by the type tokens that name it")
            .title("remove the line")
            .read(range, K::Ignored)
            .edit(TextRange::new(line.start, end), ""),
    )
}

/// The end of the last token of a line that is not trivia.
pub(super) fn text_end(view: &View<'_>, line: &Line) -> u32 {
    view.before(line.end).map_or(line.stop, |last| view.range(last).end())
}

/// Words that begin a block with labels.
const BLOCKS: &[&str] = &["resource", "config", "output", "component", "package", "hook", "read"];

/// Commas, colons and parentheses in the header of a block: `resource "a", "b" {`.
pub(super) fn header(view: &View<'_>, line: &Line) -> Option<Habit> {
    let brace = view.before(line.end)?;
    if !view.is_word(line.first, BLOCKS) || view.kind(brace) != K::LBrace {
        return None;
    }
    let mut found: Option<Habit> = None;
    let mut labels = 0;
    let mut token = view.next(line.first);
    while token < brace {
        let range = view.range(token);
        let next = view.next(token);
        match view.kind(token) {
            K::Comma | K::Colon | K::LParen | K::RParen => {
                let habit = found.unwrap_or_else(|| {
                    Habit::new(Code::BlockHeader, range)
                        .related(view.range(line.first))
                        .help("the labels of a block are separated by spaces alone")
                        .title("separate the labels with spaces")
                        .safe()
                });
                let is_spaced =
                    view.kind(token - 1).is_trivia() || view.kind(token + 1).is_trivia();
                let text = if is_spaced { "" } else { " " };
                found = Some(habit.read(range, K::Ignored).edit(range, text));
            }
            K::Ident => {
                labels += 1;
                if let Some((ty, text)) = crate::types::unquoted_type(view, token)
                    && let Some(habit) = found.take()
                {
                    found = Some(habit.read(ty, K::Foreign).edit(ty, text));
                    token = view.next(view.token_at(ty.end()) - 1);
                    continue;
                }
            }
            K::QuoteOpen => {
                labels += 1;
                token = view.close_of(token)?;
                token = view.next(token);
                continue;
            }
            _ => return None,
        }
        token = next;
    }
    found.filter(|_| labels <= 2)
}

/// `let x = 3`, `const x: string = "a"`, `string x = "a"`, `var x := 1`.
pub(super) fn declaration(view: &View<'_>, line: &Line) -> Option<Habit> {
    let mut name = line.first;
    while view.is_word(name, KEYWORDS) && view.next_kind(name) == K::Ident {
        name = view.next(name);
    }
    let has_keyword = name > line.first;
    if view.is_word(name, TYPES) && view.next_kind(name) == K::Ident {
        name = view.next(name);
    } else if !has_keyword {
        return None;
    }
    if view.kind(name) != K::Ident {
        return None;
    }
    let after = view.next(name);
    let equals = match view.kind(after) {
        K::Equals => after,
        // A type, or the sign of Go.
        K::Colon => (after..line.end).find(|&at| view.kind(at) == K::Equals)?,
        _ => return None,
    };
    let last = view.before(name)?;
    let keyword = view.span(line.first, last);
    let start = TextRange::new(keyword.start(), view.start(name));
    let written = excerpt(view.slice(keyword));
    let mut habit = Habit::new(Code::ForeignStatement, keyword)
        .related(view.range(name))
        .message(format!("an attribute is set without {written}"))
        .label("the attribute starts with its name")
        .help("write `name = value`")
        .title(format!("remove {written}"))
        .edit(start, "")
        .read(start, K::Ignored);
    // What is exported is an output; without the word it is a local.
    if !view.is_word(line.first, &["export"]) {
        habit = habit.safe();
    }
    // The end of the statement belongs to it.
    let end = view.end_of_value(view.next(equals));
    if let Some(end) = end.filter(|&end| view.kind(end) == K::Semicolon) {
        let range = view.range(end);
        habit = habit.read(range, K::Ignored).edit(range, "");
    }
    if equals > after {
        // The gap before the sign stays.
        let end = match view.kind(equals - 1) {
            K::Whitespace => view.start(equals - 1),
            _ => view.start(equals),
        };
        let kind = TextRange::new(view.start(after), end);
        let text = if view.touches(name, after) && end == view.start(equals) { " " } else { "" };
        let text = if view.touches(name, after) { text } else { "" };
        habit = habit.read(kind, K::Ignored).edit(kind, text);
    }
    Some(habit)
}
