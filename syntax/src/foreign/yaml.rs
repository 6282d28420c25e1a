//! Lists and mappings of YAML: a name, and below it lines that are indented more.

use pcl_diagnostics::{Code, TextRange};

use super::habit::Habit;
use super::view::{Line, View, indent_of};
use super::yaml_value;
use crate::kind::SyntaxKind as K;

/// The most lines of a list or mapping.
const LINES: usize = 1000;

/// The list or mapping that begins on this line.
pub(super) fn block(view: &View<'_>, line: &Line) -> Option<Habit> {
    let text = view.text_between(line.start, line.stop);
    let indent = indent_of(text);
    if let Some(habit) = bare_list(view, line, text, indent) {
        return Some(habit);
    }
    let header = without_comment(text).trim_end();
    let sign = header
        .chars()
        .next_back()
        .filter(|c| matches!(c, ':' | '='))?;
    let name = header.strip_suffix(sign)?.trim();
    let is_name = crate::is_identifier(name.trim_matches(['"', '\'']));
    if !is_name || view.kind(line.first) == K::SingleQuote {
        return None;
    }
    let lines = lines_below(view, line.stop, indent);
    let last = lines.last()?;
    let is_yaml = lines.iter().any(|(_, text)| is_entry(text, sign == ':'));
    if !is_yaml {
        return None;
    }
    let at = line.start + (header.len() - sign.len_utf8()) as u32;
    let sign_range = TextRange::new(at, at + 1);
    let end = last.0 + last.1.trim_end().len() as u32;
    let name_range = TextRange::new(line.start + indent as u32, at);
    let value = TextRange::new(at + 1, end);
    let first = lines.first()?;
    let blamed = TextRange::new(
        first.0 + indent_of(first.1) as u32,
        first.0 + without_comment(first.1).trim_end().len() as u32,
    );
    let written = yaml_value::rewrite(&lines, indent);
    let mut habit = Habit::new(Code::YamlNotation, blamed)
        .related(name_range.cover(sign_range))
        .read(sign_range, K::Equals)
        .read(value, K::Foreign);
    if let Some(written) = written {
        let text = format!(
            "{name} = {}",
            written.text,
            name = name.trim_matches(['"', '\''])
        );
        habit = habit.edit(TextRange::new(name_range.start(), end), text);
        if written.is_certain {
            habit = habit.safe();
        }
    }
    Some(habit)
}

/// `- item` lines that follow no name.
fn bare_list(view: &View<'_>, line: &Line, text: &str, indent: usize) -> Option<Habit> {
    let trimmed = text.trim_start();
    let is_item = trimmed.starts_with("- ") && view.kind(line.first) == K::Minus;
    if !is_item || view.kind_before(line.first) != K::Newline {
        return None;
    }
    let after_sign = view.before(line.first).and_then(|at| view.before(at));
    if after_sign.is_some_and(|at| {
        !matches!(
            view.kind(at),
            K::LBrace | K::RBrace | K::Ident | K::QuoteClose | K::Newline | K::Number
        )
    }) {
        return None;
    }
    let mut lines = vec![(line.start, text)];
    let mut stop = line.stop;
    for (start, text) in lines_below(view, stop, indent) {
        lines.push((start, text));
        stop = start + text.len() as u32;
    }
    let end = lines
        .last()
        .map_or(stop, |(start, text)| start + text.trim_end().len() as u32);
    let first = TextRange::new(
        view.start(line.first),
        line.start + without_comment(text).trim_end().len() as u32,
    );
    let whole = TextRange::new(first.start(), end);
    Some(Habit::new(Code::YamlNotation, first).read(whole, K::Foreign))
}

/// The lines after `stop` that belong to a block whose header has this indentation: those that are
/// indented more, and list items that are indented as much; as far as they are YAML.
fn lines_below<'a>(view: &View<'a>, stop: u32, indent: usize) -> Vec<(u32, &'a str)> {
    let mut lines: Vec<(u32, &str)> = Vec::new();
    let mut pending = 0;
    let mut start = stop + 1;
    if view.source.as_bytes().get(stop as usize) == Some(&b'\r') {
        start += 1;
    }
    while let Some(rest) = view
        .source
        .get(start as usize..)
        .filter(|rest| !rest.is_empty())
        && lines.len() < LINES
    {
        let line = rest.split('\n').next().unwrap_or_default();
        let text = line.trim();
        let own = indent_of(line);
        if text.is_empty() || text.starts_with('#') {
            pending += 1;
        } else {
            let is_inside = own > indent || (own == indent && text.starts_with("- "));
            if !is_inside || !(is_entry(text, true) || is_continued(&lines, text, own)) {
                break;
            }
            pending = 0;
        }
        lines.push((start, line));
        start += line.len() as u32 + 1;
    }
    lines.truncate(lines.len() - pending);
    lines
}

/// Returns whether a line goes on with a block scalar of YAML that a line before began.
fn is_continued(lines: &[(u32, &str)], text: &str, indent: usize) -> bool {
    let begins = |line: &str| {
        let line = line.trim_end();
        line.ends_with(": |")
            || line.ends_with(": >")
            || line.ends_with(": |-")
            || line.ends_with(": >-")
    };
    let scalar = lines.iter().rev().take(40).find(|(_, line)| begins(line));
    scalar.is_some_and(|(_, line)| indent > indent_of(line)) && !text.is_empty()
}

/// Returns whether a line is an item of a list, or, where `mappings` count, a key with its value.
fn is_entry(text: &str, mappings: bool) -> bool {
    let text = text.trim();
    if text == "-" || text.starts_with("- ") {
        return !text.ends_with(['{', '(']);
    }
    mappings && yaml_value::key_of(text).is_some_and(|(_, value)| !value.starts_with('='))
}

/// A line without the comment behind it.
fn without_comment(line: &str) -> &str {
    match line.find(" #").or_else(|| line.find(" //")) {
        Some(at) => line.get(..at).unwrap_or(line),
        None => line,
    }
}
