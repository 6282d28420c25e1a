//! Strings of other languages: `f"{x}"`, `r"\d"`, `"""text"""`, and interpolations without quotes.

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
        return triple(view, line, rest, start, None);
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

/// `"""text"""`, from `start` on, where `rest` begins; `prefix` is where a prefix begins.
fn triple(
    view: &View<'_>,
    line: &Line,
    rest: &str,
    start: u32,
    prefix: Option<u32>,
) -> Option<Habit> {
    let quotes = rest.get(..3)?;
    let inner = rest.get(3..)?;
    let length = inner.find(quotes).filter(|&length| length <= LONGEST)?;
    let text = inner.get(..length)?;
    let end = start + 6 + length as u32;
    let range = TextRange::new(prefix.unwrap_or(start), end);
    let first = TextRange::new(range.start(), start + 3);
    let habit = Habit::new(Code::PrefixedString, first).read(range, K::Foreign);
    if prefix.is_some() {
        return Some(habit);
    }
    let is_line = !text.contains('\n');
    if is_line {
        let plain = !text.contains(['"', '\\']);
        return Some(match plain {
            true => habit.edit(range, format!("\"{text}\"")).safe(),
            false => habit,
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

/// `${x}`, `$x`, `$(x)`, `{{ x }}` outside of quotes, at `token`.
pub(super) fn bare_interpolation(view: &View<'_>, line: &Line, token: u32) -> Option<Habit> {
    let next = token + 1;
    let (first, last) = match view.kind(token) {
        K::BadCharacter if view.text(token) == "$" && view.is_in_value(line, token) => {
            match view.kind(next) {
                K::LBrace | K::LParen => {
                    let last = view.close_of(next)?;
                    // One that ends on another line is not closed, and took another one's bracket.
                    if view.slice(view.span(token, last)).contains('\n') {
                        return None;
                    }
                    (view.next(next), last)
                }
                K::Ident => (next, next + 1),
                _ => return None,
            }
        }
        K::LBrace if view.kind(next) == K::LBrace && view.touches(token, next) => {
            let inner = view.close_of(next)?;
            let outer = view.close_of(token)?;
            if outer != inner + 1 || !view.is_in_value(line, token) {
                return None;
            }
            let first = view.next(next);
            let is_name = matches!(view.kind(first), K::Ident | K::Dot);
            if !is_name || view.next_kind(first) == K::Equals {
                return None;
            }
            return whole(view, token, first, inner, outer);
        }
        _ => return None,
    };
    let outer = match view.kind(next) {
        K::Ident => {
            // The steps belong to it.
            let mut end = next;
            while view.kind(end + 1) == K::Dot && view.kind(end + 2) == K::Ident {
                end += 2;
            }
            let text = view.slice(view.span(next, end));
            let range = view.span(token, end);
            let habit = Habit::value(Code::BareInterpolation, range);
            return Some(habit.instead(Some(text.to_owned())).safe());
        }
        _ => last,
    };
    whole(view, token, first, last, outer)
}

/// The interpolation from `token` to `outer`, whose expression is between `first` and `last`, with
/// what follows it directly.
fn whole(view: &View<'_>, token: u32, first: u32, last: u32, outer: u32) -> Option<Habit> {
    let inner = view
        .slice(view.span(first, view.before(last)?))
        .trim()
        .trim_start_matches('.');
    let mut end = outer;
    while !view.kind(end + 1).is_trivia()
        && !matches!(
            view.kind(end + 1),
            K::Newline
                | K::EndOfFile
                | K::Comma
                | K::RParen
                | K::RBracket
                | K::RBrace
                | K::SequenceClose
                | K::QuoteOpen
                | K::QuoteClose
        )
    {
        end = match view.kind(end + 1) {
            K::LBrace | K::LParen | K::LBracket => view.close_of(end + 1)?,
            _ => end + 1,
        };
    }
    let range = view.span(token, end);
    let rest = view.text_between(view.range(outer).end(), range.end());
    let is_steps = rest.starts_with(['.', '[']) && !rest.contains('$');
    let is_text = !rest.contains(['"', '\\', '\n']);
    let text = match rest {
        "" => Some(inner.to_owned()),
        _ if is_steps => Some(format!("{inner}{rest}")),
        _ if is_text => Some(format!("\"${{{inner}}}{rest}\"")),
        _ => None,
    };
    let habit = Habit::value(Code::BareInterpolation, range).instead(text);
    Some(if rest.is_empty() { habit.safe() } else { habit })
}
