//! The PCL for a list or a mapping of YAML, as `pcl fmt` would lay it out.

use super::view::indent_of;

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
    let mut reader = Reader {
        lines: lines?,
        at: 0,
        is_certain: true,
    };
    let value = reader.block(0)?;
    if reader.at < reader.lines.len() {
        return None;
    }
    let mut text = String::new();
    write(&value, indent, &mut text);
    Some(Written {
        text,
        is_certain: reader.is_certain,
    })
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
                if has_block {
                    self.block(depth + 1)?
                } else {
                    Value::Scalar("null".to_owned())
                }
            } else {
                self.scalar(&value)?
            };
            items.push((key, value));
        }
        let ends = self.lines.get(self.at).is_none_or(|(own, _)| *own < indent);
        let goes_on = self
            .lines
            .get(self.at)
            .is_some_and(|(own, _)| *own == indent);
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
                self.is_certain &= !crate::is_identifier(text);
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
        for item in inner
            .split(',')
            .map(str::trim)
            .filter(|item| !item.is_empty())
        {
            let (key, item) = if is_mapping {
                let (key, value) = key_of(item)?;
                (format!("{} = ", key_text(key)), value)
            } else {
                (String::new(), item)
            };
            let Value::Scalar(value) = self.scalar(item)? else {
                return None;
            };
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
    if crate::is_identifier(key) {
        key.to_owned()
    } else {
        format!("\"{key}\"")
    }
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
                let widest = run
                    .iter()
                    .map(|(key, _)| key.chars().count())
                    .max()
                    .unwrap_or(0);
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
