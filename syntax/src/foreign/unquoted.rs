//! Strings without quotes: `image = nginx:latest`, `cidr = 10.0.0.0/16`, `title = hello world`.

use pcl_diagnostics::{Code, TextRange};

use super::habit::Habit;
use super::view::{Line, View};
use crate::error::SyntaxError;
use crate::kind::SyntaxKind as K;

/// The value of the attribute or item on a line, if it is text without quotes.
pub(super) fn value(view: &View<'_>, line: &Line, errors: &[SyntaxError]) -> Option<Habit> {
    let name = line.first;
    let sign = match view.kind(name) {
        K::Ident => view.next(name),
        K::QuoteOpen => view.next(view.close_of(name)?),
        _ => return None,
    };
    let behind = errors.partition_point(|error| error.range().start() < view.start(name));
    let first = errors
        .get(behind)
        .filter(|error| error.range().start() <= line.stop)?;
    let is_mapping = view.kind(sign) == K::Colon
        && first.code() == Code::BodyItemIncomplete
        && first.range() == view.range(name);
    if !is_mapping && view.kind(sign) != K::Equals {
        return None;
    }
    // What looks like a comment may be the rest of an address.
    let start = view.range(sign).end();
    let rest = view.text_between(start, line.stop);
    let text = rest
        .split(" #")
        .next()
        .unwrap_or(rest)
        .split(" //")
        .next()
        .unwrap_or(rest);
    let text = text.trim().trim_end_matches([',', ';']).trim_end();
    if !is_text(text) {
        return None;
    }
    let is_word = crate::is_identifier(text);
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
        let habit = Habit {
            error: SyntaxError::new(Code::BodyItemIncomplete, view.range(name)).with_related(sign),
            ..Habit::new(Code::BodyItemIncomplete, sign)
        };
        let equals = if view.touches(name, view.token_at(sign.start())) {
            " ="
        } else {
            "="
        };
        let habit = habit.read(sign, K::Equals).read(range, K::Foreign);
        return Some(habit.edit(sign, equals).edit(range, quoted));
    }
    Some(
        Habit::value(Code::UnquotedString, range)
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
            || ["./", "../", "~/"]
                .iter()
                .any(|start| word.starts_with(start));
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
    let foreign = [
        "if", "else", "and", "or", "not", "for", "in", "is", "then", "new", "await", "typeof",
    ];
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
        crate::is_identifier(part)
            || !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit())
    };
    word.contains('.') && word.split('.').all(is_step)
}
