//! Parts of values that are set by a path: `sku.name = "x"`.

use pcl_diagnostics::{Code, TextRange};
use pcl_syntax::SyntaxKind as K;

use crate::habit::Habit;
use crate::value::Value;
use crate::view::{Line, View};

/// The most lines about one value.
const MOST: usize = 32;

/// A line that sets a part of a value.
struct Part<'a> {
    /// The path without its first name.
    path: Vec<&'a str>,
    value: &'a str,
    /// The path with its first name, and all of the item.
    shown: TextRange,
    whole: TextRange,
    /// The text between the first name and the sign.
    steps: TextRange,
    /// The text of the value.
    range: TextRange,
}

/// Lines of a body that set parts of one value.
pub(super) fn parts(view: &View<'_>, line: &Line) -> Option<Habit> {
    let opener = view.opener_of(line.first);
    let is_body = opener.is_none_or(|opener| {
        let before = view.kind_before(opener);
        view.kind(opener) == K::LBrace && matches!(before, K::Ident | K::QuoteClose)
    });
    if !is_body {
        return None;
    }
    let first = part(view, line)?;
    let root = view.text(line.first);
    // The whole value may be set beside it.
    let is_set = is_set(view, opener, root);
    let habit = Habit::new(Code::BodyItemIncomplete, first.shown);
    let habit = if is_set {
        habit.read(first.whole, K::Ignored)
    } else {
        habit.read(first.steps, K::Ignored).read(first.range, K::Foreign)
    };
    let (mut whole, mut habit) = (first.whole, habit);
    let mut parts = vec![first];
    // Those below it belong to the same value.
    while parts.len() < MOST {
        let end = view.token_at(whole.end());
        if view.kind(end) != K::Newline {
            break;
        }
        let next = view.line(view.range(end).end());
        let Some(other) = part(view, &next).filter(|_| view.text(next.first) == root) else {
            break;
        };
        habit = habit.read(other.whole, K::Ignored);
        whole = whole.cover(other.whole);
        parts.push(other);
    }
    let mut items = Vec::new();
    for part in &parts {
        set(&mut items, &part.path, part.value)?;
    }
    let text = Value::Object(items).laid_out(line.indent(view));
    let path = view.slice(parts.first()?.shown);
    let steps = parts.first()?.path.join(" = { ");
    let closers = " }".repeat(parts.first()?.path.len());
    let habit = habit.message(format!("a part of a value cannot be set, found `{path}`"));
    if is_set {
        return Some(habit.help(format!("write it into the value of `{root}`")));
    }
    Some(
        habit
            .help(format!("write an object: `{root} = {{ {steps} = ..{closers}`"))
            .title("write an object")
            .edit(whole, format!("{root} = {text}")),
    )
}

/// Returns whether the body that `opener` begins has an attribute of that name.
fn is_set(view: &View<'_>, opener: Option<u32>, name: &str) -> bool {
    let Some(opener) = opener else { return view.declares(name) };
    let start = view.range(opener).end();
    let end = view.close_of(opener).map_or(start, |closer| view.start(closer));
    view.text_between(start, end).lines().any(|line| {
        let rest = line.trim_start().strip_prefix(name);
        rest.is_some_and(|rest| rest.trim_start().starts_with('='))
    })
}

/// The line as one that sets a part of a value.
fn part<'a>(view: &View<'a>, line: &Line) -> Option<Part<'a>> {
    let first = line.first;
    let mut last = first;
    let mut path = Vec::new();
    while view.kind(last + 1) == K::Dot && view.kind(last + 2) == K::Ident {
        last += 2;
        path.push(view.text(last));
    }
    let sign = view.next(last);
    if view.kind(first) != K::Ident || path.is_empty() || view.kind(sign) != K::Equals {
        return None;
    }
    let begin = view.next(sign);
    let end = view.end_before(begin, |kind| kind == K::Semicolon)?;
    // The text of a heredoc cannot be moved.
    if (begin..=end).any(|at| view.kind(at) == K::HeredocOpen) {
        return None;
    }
    let range = view.span(begin, end);
    Some(Part {
        path,
        value: view.slice(range),
        shown: view.span(first, last),
        whole: view.span(first, end),
        steps: TextRange::new(view.range(first).end(), view.range(last).end()),
        range,
    })
}

/// Sets a value in an object at a path; `None` where the path leads into a value that is set.
fn set(items: &mut Vec<(String, Value)>, path: &[&str], value: &str) -> Option<()> {
    let (name, rest) = path.split_first()?;
    let known = items.iter_mut().find(|(key, _)| key == name);
    match (known, rest.is_empty()) {
        (None, true) => items.push(((*name).to_owned(), Value::Text(value.to_owned()))),
        (None, false) => {
            let mut inner = Vec::new();
            set(&mut inner, rest, value)?;
            items.push(((*name).to_owned(), Value::Object(inner)));
        }
        (Some((_, Value::Object(inner))), false) => set(inner, rest, value)?,
        (Some(_), _) => return None,
    }
    Some(())
}
