//! Strings of other languages: `f"{x}"`, `r"\d"`, `"""text"""`, those that go on in the next lines,
//! and those without quotes, such as `image = nginx:latest`.

use pcl_diagnostics::{Code, TextRange};
use pcl_syntax::{SyntaxError, SyntaxKind as K};

use crate::habit::Habit;
use crate::quote;
use crate::statement::comment_at;
use crate::view::{Line, View, indent_of};

/// The longest text between triple quotes.
const MAX_TRIPLE_LEN: usize = 16 << 10;

/// The longest string over several lines, in bytes.
const MAX_LEN: usize = 4 << 10;

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
    let after = view.source.get(view.start(quote) as usize..).unwrap_or_default();
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
    Some(with_prefix(prefix, range).related(view.range(token)).instead(text).safe())
}

/// The habit of a string with a prefix, with its words.
fn with_prefix(prefix: &str, range: TextRange) -> Habit {
    let help = match prefix {
        "f" | "F" | "$" | "s" => "every string has interpolations: write `\"${value}\"`",
        "r" | "R" | "@" => "in a string, a backslash is written `\\\\`",
        _ => "write the string without it",
    };
    Habit::value(Code::PrefixedString, range)
        .message(format!("a string has no prefix in PCL, found `{prefix}`"))
        .label("this is the prefix")
        .help(help)
        .title("write a plain string")
}

/// The text of a string whose interpolations are `{x}`; `None` where they have a format.
pub(super) fn interpolate(text: &str) -> Option<String> {
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
    let length = inner.find(quotes).filter(|&length| length <= MAX_TRIPLE_LEN)?;
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
    let habit = comment_at(view, first, range);
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
    let habit = Habit::new(Code::PrefixedString, first)
        .message("triple quotes do not quote in PCL")
        .help("write a string of several lines as a heredoc, from `<<-EOT` to `EOT`")
        .title("write it without triple quotes")
        .read(range, K::Foreign);
    if prefix.is_some() {
        return Some(habit);
    }
    let is_line = !text.contains('\n');
    if is_line {
        let plain = !text.contains(['"', '\\']);
        return Some(if plain { habit.edit(range, format!("\"{text}\"")).safe() } else { habit });
    }
    // Nothing may follow the closing line of a heredoc.
    let behind = view.text_between(end, view.line(view.line_start(end)).stop);
    if !behind.trim().is_empty() || text.contains("EOT") || text.contains('\\') {
        return Some(habit);
    }
    let indent = " ".repeat(line.indent(view));
    let body = text.strip_prefix("\r\n").or_else(|| text.strip_prefix('\n')).unwrap_or(text);
    let (body, last) = body.rsplit_once('\n').unwrap_or(("", body));
    let mut lines: Vec<String> = body.lines().map(str::to_owned).collect();
    if !last.trim().is_empty() {
        lines.push(last.to_owned());
    }
    let least =
        lines.iter().filter(|line| !line.trim().is_empty()).map(|line| indent_of(line)).min();
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

/// A string that begins with the quote `token` and ends on another line.
pub(super) fn over_lines(
    view: &View<'_>,
    line: &Line,
    token: u32,
    errors: &[SyntaxError],
) -> Option<Habit> {
    if view.kind(token) != K::QuoteOpen || !view.is_in_value(line, token) {
        return None;
    }
    let quote = view.range(token);
    let behind = errors.partition_point(|error| error.range().start() < quote.end());
    let errors = errors.get(behind..)?.iter();
    let mut errors = errors.take_while(|error| error.range().start() <= line.stop);
    let error = errors
        .find(|error| error.code() == Code::LexNewlineInQuoted && error.related() == Some(quote))?;
    let rest = view.source.get(quote.end() as usize..)?;
    let text = rest.get(..closing(rest)?)?;
    let end = quote.end() + text.len() as u32 + 1;
    let after = view.text_between(end, view.line(view.line_start(end)).stop).trim_start();
    let ends = after.is_empty() || after.starts_with([',', ')', ']', '}', ';', '#']);
    if !ends || !text.contains('\n') || text.lines().skip(1).any(is_item) {
        return None;
    }
    let whole = TextRange::new(quote.start(), end);
    let (text, is_continued) = on_one_line(text);
    let habit = Habit::new(Code::LexNewlineInQuoted, error.range())
        .related(quote)
        .message("this string is not closed on its line")
        .label("the string starts here");
    let habit = if is_continued {
        habit
            .help("a `\\` does not continue a string on the next line: write it on one line")
            .title("write it on one line")
    } else {
        habit
            .help("write `\\n` for each line ending, or a heredoc from `<<-EOT` to `EOT`")
            .title("write `\\n` for each line ending")
    };
    Some(habit.read(whole, K::Foreign).edit(whole, format!("\"{text}\"")))
}

/// The text of a string on one line, and whether a backslash ends one of its lines, as in languages
/// where the string goes on behind it.
fn on_one_line(text: &str) -> (String, bool) {
    let mut joined = String::with_capacity(text.len());
    let mut is_continued = false;
    let mut lines = text.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line)).peekable();
    while let Some(line) = lines.next() {
        let slashes = line.len() - line.trim_end_matches('\\').len();
        match line.strip_suffix('\\') {
            // Two of them are a backslash.
            Some(line) if slashes % 2 == 1 && lines.peek().is_some() => {
                is_continued = true;
                joined.push_str(line);
            }
            _ => {
                joined.push_str(line);
                joined.push_str(if lines.peek().is_some() { "\\n" } else { "" });
            }
        }
    }
    (joined, is_continued)
}

/// The offset of the quote that closes the string which `rest` is behind the opening quote of.
fn closing(rest: &str) -> Option<usize> {
    let bytes = rest.as_bytes();
    let (mut at, mut depth) = (0, 0_usize);
    while at < MAX_LEN {
        match (bytes.get(at)?, bytes.get(at + 1)) {
            (b'\\', _) => at += 1,
            (b'$' | b'%', Some(b'{')) => {
                depth += 1;
                at += 1;
            }
            (b'{', _) if depth > 0 => depth += 1,
            (b'}', _) => depth = depth.saturating_sub(1),
            (b'"', _) if depth == 0 => return Some(at),
            _ => {}
        }
        at += 1;
    }
    None
}

/// Returns whether a line looks like an item of a body, so that a quote was forgotten before it.
fn is_item(line: &str) -> bool {
    let line = line.trim();
    let name = line.split_once('=').map(|(name, _)| name.trim());
    name.is_some_and(pcl_syntax::is_identifier) || line.ends_with('{') || line == "}"
}

/// The value of the attribute or item on a line, if it is text without quotes.
pub(super) fn unquoted(view: &View<'_>, line: &Line, errors: &[SyntaxError]) -> Option<Habit> {
    let name = line.first;
    let sign = match view.kind(name) {
        K::Ident => view.next(name),
        K::QuoteOpen => view.next(view.close_of(name)?),
        _ => return None,
    };
    let behind = errors.partition_point(|error| error.range().start() < view.start(name));
    let first = errors.get(behind).filter(|error| error.range().start() <= line.stop)?;
    let is_mapping = view.kind(sign) == K::Colon
        && first.code() == Code::BodyItemIncomplete
        && first.range() == view.range(name);
    if !is_mapping && view.kind(sign) != K::Equals {
        return None;
    }
    // What looks like a comment may be the rest of an address.
    let start = view.range(sign).end();
    let rest = view.text_between(start, line.stop);
    let text = rest.split(" #").next().unwrap_or(rest).split(" //").next().unwrap_or(rest);
    let text = text.trim().trim_end_matches([',', ';']).trim_end();
    let (text, is_closed) = match text.strip_suffix('"') {
        Some(text) => (text, true),
        None => (text, false),
    };
    if !is_text(text) {
        return None;
    }
    if is_closed {
        let from = start + rest.find(text)? as u32;
        let range = TextRange::new(from, from + text.len() as u32 + 1);
        return Some(quote::without_opening(range, text));
    }
    let is_word = pcl_syntax::is_identifier(text);
    let is_known = is_word && (matches!(text, "true" | "false" | "null") || view.declares(text));
    // A word is a name, unless the sign is that of YAML and nothing has this name.
    if is_word && (!is_mapping || is_known) {
        return None;
    }
    let from = start + rest.find(text)? as u32;
    let range = TextRange::new(from, from + text.len() as u32);
    let quoted = format!("\"{}\"", text.replace('\\', "\\\\"));
    if is_mapping {
        let sign = view.range(sign);
        let habit = Habit::new(Code::BodyItemIncomplete, view.range(name)).related(sign);
        let habit = habit.title("write `=`");
        let equals = if view.touches(name, view.token_at(sign.start())) { " =" } else { "=" };
        let habit = habit.read(sign, K::Equals).read(range, K::Foreign);
        return Some(habit.edit(sign, equals).edit(range, quoted));
    }
    Some(
        Habit::value(Code::UnquotedString, range)
            .message("a string is written in double quotes")
            .help("put the text in double quotes")
            .title("put it in double quotes")
            .edit(range, quoted)
            .safe(),
    )
}

/// Returns whether a text can only be meant as a string: an address, a path, an image, words.
fn is_text(text: &str) -> bool {
    if text.is_empty()
        || text.contains([
            '"', '\'', '`', '(', ')', '[', ']', '{', '}', '$', '?', '=', '<', '>', '!', '&', '|',
            '*', ';', ',',
        ])
    {
        return false;
    }
    let words: Vec<&str> = text.split(' ').collect();
    if let [word] = &*words {
        let begins = word.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '/' | '_'))
            || ["./", "../", "~/"].iter().any(|start| word.starts_with(start));
        let ends =
            word.ends_with(|c: char| c.is_alphanumeric() || c == '/' || c == '*' || c == '_');
        let is_range = word.contains("..") && !word.starts_with("..");
        let is_name = word.contains("::") || word.contains('@') && !word.contains('.');
        // A number with a unit has a message of its own.
        let is_number =
            word.starts_with(|c: char| c.is_ascii_digit()) && !word.contains([':', '/']);
        return begins && ends && !is_range && !is_name && !is_number && !is_chain(word);
    }
    // Several words, none of which is an operator.
    let foreign =
        ["if", "else", "and", "or", "not", "for", "in", "is", "then", "new", "await", "typeof"];
    words.iter().all(|word| {
        let is_word = word
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | ':' | '/' | '%'));
        let is_whole = word.starts_with(char::is_alphanumeric)
            && word.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '.' | ':' | '%' | '/'));
        is_word && is_whole && !foreign.contains(word)
    }) && words.iter().any(|word| word.len() > 1)
}

/// Returns whether a word is a name with steps, such as `a.b.0`.
fn is_chain(word: &str) -> bool {
    let is_step = |part: &str| {
        pcl_syntax::is_identifier(part)
            || !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit())
    };
    word.contains('.') && word.split('.').all(is_step)
}
