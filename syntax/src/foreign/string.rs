//! Strings of other languages: `f"{x}"`, `r"\d"`, `"""text"""`.

use pcl_diagnostics::{Code, TextRange};

use super::habit::Habit;
use super::view::{Line, View, indent_of};
use crate::kind::SyntaxKind as K;

/// The longest text between triple quotes.
const LONGEST: usize = 16 << 10;

/// A string with a prefix, or in triple quotes, that begins at `token`.
pub(super) fn quoted(view: &View<'_>, line: &Line, token: u32) -> Option<Habit> {
    let start = view.start(token);
    let rest = view.source.get(start as usize..).unwrap_or_default();
    if rest.starts_with("\"\"\"") || rest.starts_with("'''") {
        return if view.is_in_value(line, token) {
            triple(view, line, rest, start, None)
        } else {
            comment(view, rest, start)
        };
    }
    let quote = token + 1;
    if !view.touches(token, quote) || view.follows_operand(token) {
        return None;
    }
    let prefix = view.text(token);
    let is_prefix = matches!(
        prefix,
        "f" | "F" | "r" | "R" | "b" | "B" | "u" | "U" | "fr" | "rf" | "$" | "@" | "$@" | "L" | "s"
    );
    let after = view
        .source
        .get(view.start(quote) as usize..)
        .unwrap_or_default();
    if is_prefix && (after.starts_with("\"\"\"") || after.starts_with("'''")) {
        return triple(view, line, after, view.start(quote), Some(start));
    }
    if !is_prefix || !view.is_in_value(line, token) {
        return None;
    }
    let end = match view.kind(quote) {
        K::QuoteOpen => view.range(view.close_of(quote)?).end(),
        K::SingleQuote => view.range(quote).end(),
        _ => return None,
    };
    let range = TextRange::new(start, end);
    let text = view.text_between(view.start(quote) + 1, end - 1);
    let text = (!text.contains('"')).then(|| match prefix {
        "f" | "F" | "$" | "s" => interpolate(text),
        "r" | "R" | "@" => Some(text.replace('\\', "\\\\").replace("${", "$${")),
        "b" | "B" | "u" | "U" | "L" => Some(text.to_owned()),
        _ => None,
    })?;
    let text = text.map(|text| format!("\"{text}\""));
    Some(
        Habit::value(Code::PrefixedString, range)
            .related(view.range(token))
            .instead(text)
            .safe(),
    )
}

/// The text of a string whose interpolations are `{x}`; `None` where they have a format.
fn interpolate(text: &str) -> Option<String> {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(['{', '}']) {
        let (before, behind) = rest.split_at(at);
        out.push_str(before);
        if let Some(after) = behind.strip_prefix("{{") {
            out.push('{');
            rest = after;
        } else if let Some(after) = behind.strip_prefix("}}") {
            out.push('}');
            rest = after;
        } else {
            let (inner, after) = behind.strip_prefix('{')?.split_once('}')?;
            let is_simple = !inner.is_empty() && !inner.contains([':', '!', '{', '(', '=']);
            if !is_simple {
                return None;
            }
            if out.ends_with('$') {
                out.pop();
            }
            out.push_str("${");
            out.push_str(inner.trim());
            out.push('}');
            rest = after;
        }
    }
    out.push_str(rest);
    Some(out)
}

/// The text between triple quotes that `rest` begins with.
fn between(rest: &str) -> Option<&str> {
    let (quotes, inner) = rest.split_at_checked(3)?;
    let length = inner.find(quotes).filter(|&length| length <= LONGEST)?;
    inner.get(..length)
}

/// `"""text"""` where an item may begin: the comment of a Python program. `rest` begins at `start`.
fn comment(view: &View<'_>, rest: &str, start: u32) -> Option<Habit> {
    let text = between(rest)?;
    let range = TextRange::new(start, start + 6 + text.len() as u32);
    let behind = view.text_between(range.end(), view.line(view.line_start(range.end())).stop);
    if !behind.trim().is_empty() && !behind.trim_start().starts_with(['#', '/']) {
        return None;
    }
    let lines = text.trim().lines().map(|line| match line.trim() {
        "" => "#".to_owned(),
        line => format!("# {line}"),
    });
    let lines: Vec<String> = lines.collect();
    let first = TextRange::new(start, start + 3);
    let habit = Habit::new(Code::ForeignComment, first).read(range, K::Ignored);
    Some(habit.edit(range, lines.join("\n")).safe())
}

/// `"""text"""`, from `start` on, where `rest` begins; `prefix` is where a prefix begins.
fn triple(
    view: &View<'_>,
    line: &Line,
    rest: &str,
    start: u32,
    prefix: Option<u32>,
) -> Option<Habit> {
    let text = between(rest)?;
    let end = start + 6 + text.len() as u32;
    let range = TextRange::new(prefix.unwrap_or(start), end);
    let first = TextRange::new(range.start(), start + 3);
    let habit = Habit::new(Code::PrefixedString, first).read(range, K::Foreign);
    if prefix.is_some() {
        return Some(habit);
    }
    let is_line = !text.contains('\n');
    if is_line {
        let plain = !text.contains(['"', '\\']);
        return Some(if plain {
            habit.edit(range, format!("\"{text}\"")).safe()
        } else {
            habit
        });
    }
    // Nothing may follow the closing line of a heredoc.
    let behind = view.text_between(end, view.line(view.line_start(end)).stop);
    if !behind.trim().is_empty() || text.contains("EOT") || text.contains('\\') {
        return Some(habit);
    }
    let indent = " ".repeat(line.indent(view));
    let body = text
        .strip_prefix("\r\n")
        .or_else(|| text.strip_prefix('\n'))
        .unwrap_or(text);
    let (body, last) = body.rsplit_once('\n').unwrap_or(("", body));
    let mut lines: Vec<String> = body.lines().map(str::to_owned).collect();
    if !last.trim().is_empty() {
        lines.push(last.to_owned());
    }
    let least = lines
        .iter()
        .filter(|line| !line.trim().is_empty())
        .map(|line| indent_of(line))
        .min();
    let least = least.unwrap_or(0);
    let body: String = lines
        .iter()
        .map(|line| match line.get(least..) {
            Some(text) if !text.trim().is_empty() => format!("{indent}  {text}\n"),
            _ => "\n".to_owned(),
        })
        .collect();
    Some(habit.edit(range, format!("<<-EOT\n{body}{indent}EOT")))
}
