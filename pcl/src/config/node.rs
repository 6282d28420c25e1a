//! A configuration file as a tree of values with their places, whether it is TOML or YAML.

use std::collections::HashSet;

use pcl_diagnostics::TextRange;
use pcl_schema::{YamlEvents, YamlSpan};
use saphyr_parser::{Event, ScalarStyle};
use toml::de::{DeTable, DeValue};

/// The number of collections in one another that are read; taking deeper ones apart needs a large
/// stack.
const DEEPEST: usize = 64;

/// A value and its place.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Node {
    pub range: TextRange,
    pub data: Data,
}

/// The value of a node.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Data {
    Bool(bool),
    Integer(i64),
    Text(String),
    List(Vec<Node>),
    Table(Vec<(Key, Node)>),
    /// No value, which YAML has for a key whose lines are comments.
    Null,
    /// A value that no setting takes, under its name: a date, a float.
    Other(&'static str),
}

/// A key of a table and its place.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Key {
    pub text: String,
    pub range: TextRange,
}

/// The reason why a file has no values, and its place.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Malformed {
    pub range: TextRange,
    pub reason: String,
}

impl Data {
    /// The kind of the value, with its article.
    pub(crate) const fn kind(&self) -> &'static str {
        match self {
            Self::Bool(_) => "a bool",
            Self::Integer(_) => "an integer",
            Self::Text(_) => "a string",
            Self::List(_) => "a list",
            Self::Table(_) => "a table",
            Self::Null => "null",
            Self::Other(kind) => kind,
        }
    }
}

/// Reads a TOML file. Its table is a node.
pub(crate) fn from_toml(text: &str) -> Result<Node, Malformed> {
    let table = DeTable::parse(text).map_err(|error| malformed_toml(&error))?;
    let range = range(table.span());
    let data = toml_table(table.into_inner());
    Ok(Node { range, data })
}

/// Reads one value as TOML writes it.
pub(crate) fn from_toml_value(text: &str) -> Result<Node, Malformed> {
    let value = DeValue::parse(text).map_err(|error| malformed_toml(&error))?;
    Ok(toml_node(value))
}

fn malformed_toml(error: &toml::de::Error) -> Malformed {
    Malformed {
        range: range(error.span().unwrap_or_default()),
        reason: error.message().trim_end().replace('\n', ", "),
    }
}

fn toml_table(table: DeTable<'_>) -> Data {
    let mut entries: Vec<(Key, Node)> = table
        .into_iter()
        .map(|(key, value)| {
            let key = Key { range: range(key.span()), text: key.into_inner().into_owned() };
            (key, toml_node(value))
        })
        .collect();
    entries.sort_by_key(|(key, _)| key.range);
    Data::Table(entries)
}

fn toml_node(value: toml::Spanned<DeValue<'_>>) -> Node {
    let range = range(value.span());
    let data = match value.into_inner() {
        DeValue::String(text) => Data::Text(text.into_owned()),
        DeValue::Integer(integer) => match i64::from_str_radix(integer.as_str(), integer.radix()) {
            Ok(integer) => Data::Integer(integer),
            Err(_) => Data::Other("a large integer"),
        },
        DeValue::Boolean(value) => Data::Bool(value),
        DeValue::Array(values) => Data::List(values.into_iter().map(toml_node).collect()),
        DeValue::Table(table) => toml_table(table),
        DeValue::Float(_) => Data::Other("a float"),
        DeValue::Datetime(_) => Data::Other("a date"),
    };
    Node { range, data }
}

fn range(bytes: std::ops::Range<usize>) -> TextRange {
    let [start, end] = [bytes.start, bytes.end].map(|at| u32::try_from(at).unwrap_or(u32::MAX));
    TextRange::new(start, end)
}

/// Reads the value of one key of the mapping at the top of a YAML file, and the place of the key.
/// `None` if there is no such key.
pub(crate) fn from_yaml(text: &str, key: &str) -> Result<Option<(Key, Node)>, Malformed> {
    let mut builder = Builder::default();
    for event in YamlEvents::new(text) {
        let (event, span) = event.map_err(|error| Malformed {
            range: TextRange::empty(error.at.start),
            reason: error.reason,
        })?;
        if matches!(event, Event::DocumentEnd) {
            // Pulumi reads the first document.
            break;
        }
        builder.event(event, span);
    }
    let Some(Node { data: Data::Table(entries), .. }) = builder.done else {
        return Ok(None);
    };
    let found = entries.into_iter().find(|(known, _)| known.text == key);
    let Some(found) = found else {
        return Ok(None);
    };
    let within = |malformed: &Malformed| {
        (found.1.range.start()..=found.1.range.end()).contains(&malformed.range.start())
    };
    match builder.unsupported.filter(within) {
        Some(malformed) => Err(malformed),
        None => Ok(Some(found)),
    }
}

/// Builds nodes from the events of the YAML parser.
#[derive(Default)]
struct Builder {
    open: Vec<Open>,
    done: Option<Node>,
    /// The first alias or complex key.
    unsupported: Option<Malformed>,
}

/// A list or mapping that is not complete.
struct Open {
    is_mapping: bool,
    start: u32,
    items: Vec<Node>,
}

impl Builder {
    fn add(&mut self, node: Node) {
        match self.open.last_mut() {
            Some(open) => open.items.push(node),
            None => {
                self.done.get_or_insert(node);
            }
        }
    }

    fn close(&mut self, end: u32) {
        let Some(open) = self.open.pop() else { return };
        // The end of a block collection is the start of what follows it.
        let last = open.items.last().map_or(end, |item| item.range.end());
        let range = TextRange::new(open.start, end.min(last).max(open.start));
        let data = match open.is_mapping {
            _ if self.open.len() >= DEEPEST => Data::Other("a deeply nested value"),
            false => Data::List(open.items),
            true => self.table(open.items),
        };
        self.add(Node { range, data });
    }

    fn table(&mut self, items: Vec<Node>) -> Data {
        let mut entries = Vec::with_capacity(items.len() / 2);
        let mut known = HashSet::new();
        let mut items = items.into_iter();
        while let (Some(key), Some(value)) = (items.next(), items.next()) {
            let range = key.range;
            let text = match key.data {
                Data::Text(text) => text,
                Data::Bool(value) => value.to_string(),
                Data::Integer(value) => value.to_string(),
                _ => {
                    self.refuse(range, "a key must be a string");
                    continue;
                }
            };
            if !known.insert(text.clone()) {
                self.refuse(range, "duplicate key");
            }
            entries.push((Key { text, range }, value));
        }
        Data::Table(entries)
    }

    fn refuse(&mut self, range: TextRange, reason: &str) {
        self.unsupported.get_or_insert(Malformed { range, reason: reason.to_owned() });
    }

    fn event(&mut self, event: Event<'_>, span: YamlSpan) {
        let YamlSpan { start, end, .. } = span;
        let range = TextRange::new(start, end);
        match event {
            Event::Scalar(text, style, _, tag) => {
                let is_plain = style == ScalarStyle::Plain && tag.is_none();
                let data = if is_plain { plain(&text) } else { Data::Text(text.into_owned()) };
                self.add(Node { range, data });
            }
            Event::SequenceStart(..) | Event::MappingStart(..) => self.open.push(Open {
                is_mapping: matches!(event, Event::MappingStart(..)),
                start,
                items: Vec::new(),
            }),
            Event::SequenceEnd | Event::MappingEnd => self.close(end),
            Event::Alias(_) => {
                self.refuse(range, "aliases are not supported here");
                let data = Data::Other("an alias");
                self.add(Node { range, data });
            }
            _ => {}
        }
    }
}

/// The value of a plain scalar, by the core schema of YAML 1.2.
fn plain(text: &str) -> Data {
    match text {
        "true" | "True" | "TRUE" => Data::Bool(true),
        "false" | "False" | "FALSE" => Data::Bool(false),
        "" | "~" | "null" | "Null" | "NULL" => Data::Null,
        _ => match text.parse() {
            Ok(integer) => Data::Integer(integer),
            Err(_) => Data::Text(text.to_owned()),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slice(text: &str, range: TextRange) -> &str {
        &text[range.to_usize()]
    }

    #[test]
    fn toml_values_have_places() {
        let text = "ignore = [\"unused\"]\n[levels]\nunused-local = \"warn\"\n";
        let Data::Table(entries) = from_toml(text).unwrap().data else {
            panic!("a file is a table");
        };
        let keys: Vec<&str> = entries.iter().map(|(key, _)| key.text.as_str()).collect();
        assert_eq!(keys, ["ignore", "levels"]);
        let Data::List(items) = &entries[0].1.data else {
            panic!("a list");
        };
        assert_eq!(slice(text, items[0].range), "\"unused\"");
    }

    #[test]
    fn yaml_values_have_places() {
        let text =
            "name: é\npcl:\n  ignore: [unused]\n  levels:\n    unused-local: warn\nruntime: pcl\n";
        let (key, node) = from_yaml(text, "pcl").unwrap().unwrap();
        assert_eq!(slice(text, key.range), "pcl");
        let Data::Table(entries) = node.data else {
            panic!("a mapping");
        };
        assert_eq!(slice(text, entries[1].0.range), "levels");
        assert_eq!(entries[1].1.data.kind(), "a table");
        assert_eq!(slice(text, entries[1].1.range), "unused-local: warn");
    }

    #[test]
    fn malformed_files_have_a_place() {
        assert_eq!(from_toml("a = \n").unwrap_err().range.start(), 4);
        assert!(from_yaml("a: [\n", "pcl").is_err());
        assert_eq!(from_yaml("a: 1\n", "pcl"), Ok(None));
        assert!(from_yaml("x: &a 1\npcl: *a\n", "pcl").is_err());
        assert_eq!(from_yaml("x: &a 1\ny: *a\n", "pcl"), Ok(None));
        assert!(from_yaml("pcl:\n  a: 1\n  a: 2\n", "pcl").is_err());
    }
}
