//! Lists and mappings of YAML: a name, and below it lines that are indented more. The PCL for them
//! is laid out as `pcl fmt` does.

use pcl_diagnostics::{Code, TextRange};
use pcl_syntax::SyntaxKind as K;

use crate::habit::Habit;
use crate::view::{Line, View, indent_of};

/// The most lines of a list or mapping.
const LINES: usize = 1000;

/// The list or mapping that begins on this line.
pub(super) fn block(view: &View<'_>, line: &Line) -> Option<Habit> {
    let text = view.text_between(line.start, line.stop);
    let indent = indent_of(text);
    if let Some(habit) = bare_list(view, line, text, indent) {
        return Some(habit);
    }
    let header = before_comment(text).trim_end();
    let sign = header.chars().next_back().filter(|c| matches!(c, ':' | '='))?;
    let name = header.strip_suffix(sign)?.trim();
    let is_name = pcl_syntax::is_identifier(name.trim_matches(['"', '\'']));
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
        first.0 + before_comment(first.1).trim_end().len() as u32,
    );
    let written = rewrite(&lines, indent);
    let mut habit = worded(view, blamed)
        .related(name_range.cover(sign_range))
        .read(sign_range, K::Equals)
        .read(value, K::Foreign);
    if let Some(written) = written {
        let text = format!("{name} = {}", written.text, name = name.trim_matches(['"', '\'']));
        habit = habit.edit(TextRange::new(name_range.start(), end), text);
        if written.is_certain {
            habit = habit.safe();
        }
    }
    Some(habit)
}

/// The habit at `range` with its words.
fn worded(view: &View<'_>, range: TextRange) -> Habit {
    let habit = Habit::new(Code::YamlNotation, range);
    if view.slice(range).starts_with('-') {
        habit
            .message("a list is written in brackets in PCL, not with `-`")
            .label("the list belongs to this name")
            .help("write `name = [first, second]`")
            .title("write the list in brackets")
    } else {
        habit
            .message("an object is written in braces in PCL, not by indentation")
            .label("the object belongs to this name")
            .help("write `name = { key = value }`")
            .title("write the object in braces")
    }
}

/// `- item` lines that follow no name.
fn bare_list(view: &View<'_>, line: &Line, text: &str, indent: usize) -> Option<Habit> {
    let is_item = text.trim_start().starts_with("- ") && view.kind(line.first) == K::Minus;
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
    let end = lines.last().map_or(stop, |(start, text)| start + text.trim_end().len() as u32);
    let first = TextRange::new(
        view.start(line.first),
        line.start + before_comment(text).trim_end().len() as u32,
    );
    let whole = TextRange::new(first.start(), end);
    Some(worded(view, first).read(whole, K::Foreign))
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
    while let Some(rest) = view.source.get(start as usize..).filter(|rest| !rest.is_empty())
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
    mappings && key_of(text).is_some_and(|(_, value)| !value.starts_with('='))
}

/// A line without the comment behind it.
fn before_comment(line: &str) -> &str {
    match line.find(" #").or_else(|| line.find(" //")) {
        Some(at) => line.get(..at).unwrap_or(line),
        None => line,
    }
}

/// The PCL for some lines.
pub(super) struct Written {
    pub(super) text: String,
    /// Tells whether every value was one in PCL as well, or a string in quotes.
    pub(super) is_certain: bool,
}

/// The deepest nesting that is rewritten.
const DEEPEST: usize = 16;

/// A value of YAML.
enum Value {
    Scalar(String),
    List(Vec<Value>),
    Mapping(Vec<(String, Value)>),
}

/// The PCL for the lines below a name with this indentation; `None` where they hold more than
/// lists, mappings and plain values.
pub(super) fn rewrite(lines: &[(u32, &str)], indent: usize) -> Option<Written> {
    let lines: Option<Vec<(usize, String)>> = lines
        .iter()
        .filter(|(_, line)| !line.trim().is_empty())
        .map(|(_, line)| {
            let text = without_comment(line.trim_end())?;
            Some((indent_of(line), text.trim().to_owned()))
        })
        .collect();
    let mut reader = Reader { lines: lines?, at: 0, is_certain: true };
    let value = reader.block(0)?;
    if reader.at < reader.lines.len() {
        return None;
    }
    let mut text = String::new();
    write(&value, indent, &mut text);
    Some(Written { text, is_certain: reader.is_certain })
}

struct Reader {
    /// The indentation of each line, and its text.
    lines: Vec<(usize, String)>,
    at: usize,
    is_certain: bool,
}

impl Reader {
    fn block(&mut self, depth: usize) -> Option<Value> {
        let (indent, first) = self.lines.get(self.at)?.clone();
        if depth > DEEPEST {
            return None;
        }
        if first.starts_with("- ") || first == "-" {
            self.list(indent, depth)
        } else {
            self.mapping(indent, depth)
        }
    }

    fn list(&mut self, indent: usize, depth: usize) -> Option<Value> {
        let mut items = Vec::new();
        while let Some((own, text)) = self.lines.get(self.at)
            && *own == indent
            && (text.starts_with("- ") || text == "-")
        {
            let rest = text.get(1..)?.to_owned();
            let item = rest.trim_start().to_owned();
            let column = indent + 1 + (rest.len() - item.len());
            let is_block = key_of(&item).is_some() || item.starts_with("- ");
            if item.is_empty() {
                self.at += 1;
                items.push(self.block(depth + 1)?);
            } else if is_block {
                // The item is a block of its own, whose first line is this one.
                *self.lines.get_mut(self.at)? = (column, item);
                items.push(self.block(depth + 1)?);
            } else {
                self.at += 1;
                items.push(self.scalar(&item)?);
            }
        }
        let ends = self.lines.get(self.at).is_none_or(|(own, _)| *own < indent);
        (ends && !items.is_empty()).then_some(Value::List(items))
    }

    fn mapping(&mut self, indent: usize, depth: usize) -> Option<Value> {
        let mut items: Vec<(String, Value)> = Vec::new();
        while let Some((own, text)) = self.lines.get(self.at)
            && *own == indent
            && !text.starts_with("- ")
        {
            let (key, value) = key_of(text)?;
            let (key, value) = (key_text(key), value.to_owned());
            if items.iter().any(|(known, _)| *known == key) {
                return None;
            }
            self.at += 1;
            let value = if value.is_empty() {
                let below = self.lines.get(self.at);
                let has_block = below.is_some_and(|(own, text)| {
                    *own > indent || (*own == indent && text.starts_with("- "))
                });
                if has_block { self.block(depth + 1)? } else { Value::Scalar("null".to_owned()) }
            } else {
                self.scalar(&value)?
            };
            items.push((key, value));
        }
        let ends = self.lines.get(self.at).is_none_or(|(own, _)| *own < indent);
        let goes_on = self.lines.get(self.at).is_some_and(|(own, _)| *own == indent);
        (!items.is_empty() && (ends || goes_on)).then_some(Value::Mapping(items))
    }

    /// The expression for a value on one line.
    fn scalar(&mut self, text: &str) -> Option<Value> {
        let text = text.strip_suffix(',').unwrap_or(text).trim_end();
        let quoted = |quote: char| {
            let inner = text.strip_prefix(quote)?.strip_suffix(quote)?;
            (!inner.contains(['"', '\'', '\\'])).then_some(inner)
        };
        let expression = match text {
            "" => return None,
            "true" | "True" | "TRUE" => "true".to_owned(),
            "false" | "False" | "FALSE" => "false".to_owned(),
            "yes" | "Yes" | "on" | "On" => {
                self.is_certain = false;
                "true".to_owned()
            }
            "no" | "No" | "off" | "Off" => {
                self.is_certain = false;
                "false".to_owned()
            }
            "null" | "~" | "Null" | "NULL" => "null".to_owned(),
            _ if text.starts_with(['|', '>', '&', '*', '!', '@', '`', '%']) => return None,
            _ if text.starts_with(['[', '{']) => self.flow(text)?,
            _ if text.starts_with(['"', '\'']) => {
                let inner = quoted('"').or_else(|| quoted('\''))?;
                format!("\"{inner}\"")
            }
            _ if is_number(text) => text.to_owned(),
            _ if text.contains(['"', '\\', '\'', '`', '=']) || text.contains(": ") => return None,
            _ if text.contains("${") => format!("\"{text}\""),
            _ => {
                // A word may be meant as a name, too.
                self.is_certain &= !pcl_syntax::is_identifier(text);
                format!("\"{text}\"")
            }
        };
        Some(Value::Scalar(expression))
    }

    /// `[a, b]` and `{a: b}` of plain values.
    fn flow(&mut self, text: &str) -> Option<String> {
        let inner = text.get(1..text.len().checked_sub(1)?)?;
        if inner.contains(['[', ']', '{', '}']) {
            return None;
        }
        let is_list = text.starts_with('[') && text.ends_with(']');
        let is_mapping = text.starts_with('{') && text.ends_with('}');
        if !is_list && !is_mapping {
            return None;
        }
        let mut items = Vec::new();
        for item in inner.split(',').map(str::trim).filter(|item| !item.is_empty()) {
            let (key, item) = if is_mapping {
                let (key, value) = key_of(item)?;
                (format!("{} = ", key_text(key)), value)
            } else {
                (String::new(), item)
            };
            let Value::Scalar(value) = self.scalar(item)? else { return None };
            items.push(key + &value);
        }
        let items = items.join(", ");
        Some(if is_list {
            format!("[{items}]")
        } else if items.is_empty() {
            "{}".to_owned()
        } else {
            format!("{{ {items} }}")
        })
    }
}

fn is_number(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let (whole, part) = digits.split_once('.').unwrap_or((digits, "0"));
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    is_digits(whole) && is_digits(part)
}

/// The key of a line and the text of its value.
pub(super) fn key_of(text: &str) -> Option<(&str, &str)> {
    let (key, value) = match text.chars().next()? {
        quote @ ('"' | '\'') => {
            let (key, rest) = text.get(1..)?.split_once(quote)?;
            (key, rest.trim_start().strip_prefix(':')?)
        }
        _ => {
            let end = text.find(|c: char| !is_of_key(c))?;
            let (key, rest) = text.split_at_checked(end)?;
            (key, rest.strip_prefix(':')?)
        }
    };
    let is_end = value.is_empty() || value.starts_with([' ', '\t']);
    (is_end && !key.is_empty()).then_some((key, value.trim()))
}

fn is_of_key(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/')
}

fn key_text(key: &str) -> String {
    if pcl_syntax::is_identifier(key) { key.to_owned() } else { format!("\"{key}\"") }
}

/// A line without the comment behind it; `None` where a sign in quotes may be one.
fn without_comment(line: &str) -> Option<&str> {
    match line.find(" #") {
        Some(at) if line.contains(['"', '\'']) => {
            let before = line.get(..at)?;
            let is_whole = before.matches(['"', '\'']).count() % 2 == 0;
            is_whole.then_some(before)
        }
        Some(at) => line.get(..at),
        None if line.trim_start().starts_with('#') => None,
        None => Some(line),
    }
}

/// Writes a value whose owner is on a line with this indentation.
fn write(value: &Value, indent: usize, out: &mut String) {
    let inner = " ".repeat(indent + 2);
    let outer = " ".repeat(indent);
    match value {
        Value::Scalar(text) => out.push_str(text),
        Value::List(items) => {
            let scalars: Option<Vec<&str>> = items
                .iter()
                .map(|item| match item {
                    Value::Scalar(text) => Some(&**text),
                    _ => None,
                })
                .collect();
            if let Some(items) = scalars {
                let line = items.join(", ");
                if line.chars().count() + indent <= 80 {
                    out.push('[');
                    out.push_str(&line);
                    out.push(']');
                    return;
                }
            }
            if let [only @ Value::Mapping(_)] = &**items {
                out.push('[');
                write(only, indent, out);
                out.push(']');
                return;
            }
            out.push_str("[\n");
            for item in items {
                out.push_str(&inner);
                write(item, indent + 2, out);
                out.push_str(",\n");
            }
            out.push_str(&outer);
            out.push(']');
        }
        Value::Mapping(items) => {
            out.push_str("{\n");
            let is_flat = |value: &Value| match value {
                Value::Scalar(_) => true,
                Value::List(items) => items.iter().all(|item| matches!(item, Value::Scalar(_))),
                Value::Mapping(_) => false,
            };
            // The `=` of lines that follow each other are aligned.
            for run in items.chunk_by(|(_, first), (_, second)| is_flat(first) && is_flat(second)) {
                let widest = run.iter().map(|(key, _)| key.chars().count()).max().unwrap_or(0);
                for (key, value) in run {
                    let gap = " ".repeat(widest - key.chars().count() + 1);
                    out.push_str(&inner);
                    out.push_str(key);
                    out.push_str(&gap);
                    out.push_str("= ");
                    write(value, indent + 2, out);
                    out.push('\n');
                }
            }
            out.push_str(&outer);
            out.push('}');
        }
    }
}
