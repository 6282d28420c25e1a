//! A configuration file as a tree of values with their places, whether it is TOML or YAML.

use pcl_diagnostics::TextRange;
use pcl_schema::yaml::{self, Scalar};
use toml::de::{DeTable, DeValue};

/// The number of collections in one another that are read.
const MAX_DEPTH: usize = 64;

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
/// `None` if there is no such key. What is wrong elsewhere in the file is not reported here.
pub(crate) fn from_yaml(text: &str, key: &str) -> Result<Option<(Key, Node)>, Malformed> {
    let mut refused = Vec::new();
    let mut refuse = |error| {
        refused.push(malformed_yaml(error));
        Ok(())
    };
    let root = yaml::read(text, &mut refuse).map_err(malformed_yaml)?;
    let Some((key, value)) = root.as_ref().and_then(|root| root.entry(key)) else {
        return Ok(None);
    };
    let range = value.at.range;
    let mut within = refused.into_iter();
    match within.find(|it| (range.start()..=range.end()).contains(&it.range.start())) {
        Some(malformed) => Err(malformed),
        None => Ok(Some((yaml_key(key), yaml_node(value, 0)))),
    }
}

fn malformed_yaml(error: yaml::Error) -> Malformed {
    Malformed { range: error.at.range, reason: error.kind.to_string() }
}

fn yaml_key(key: &yaml::Key) -> Key {
    Key { text: key.text.clone(), range: key.at.range }
}

/// The node of a value at this depth. The scalars are those of the core schema of YAML 1.2.
fn yaml_node(node: &yaml::Node, depth: usize) -> Node {
    let data = match &*node.data {
        yaml::Data::Scalar(Scalar::Null, _) => Data::Null,
        yaml::Data::Scalar(Scalar::Bool(value), _) => Data::Bool(*value),
        yaml::Data::Scalar(Scalar::Int(integer), _) => Data::Integer(*integer),
        yaml::Data::Scalar(_, text) | yaml::Data::Text(text) => Data::Text(text.clone()),
        _ if depth >= MAX_DEPTH => Data::Other("a deeply nested value"),
        yaml::Data::List(items) => {
            Data::List(items.iter().map(|item| yaml_node(item, depth + 1)).collect())
        }
        yaml::Data::Map(entries) => {
            let entry = |(key, value): &_| (yaml_key(key), yaml_node(value, depth + 1));
            Data::Table(entries.iter().map(entry).collect())
        }
    };
    Node { range: node.at.range, data }
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
        assert_eq!(from_yaml("x: &a 1\nx: *a\n", "pcl"), Ok(None));
        let (_, aliased) = from_yaml("x: &a [1]\npcl: *a\n", "pcl").unwrap().unwrap();
        assert!(matches!(aliased.data, Data::List(_)) && aliased.range.start() == 15);
        assert!(from_yaml("pcl:\n  <<: {a: 1}\n", "pcl").is_err());
        assert!(from_yaml("pcl:\n  a: 1\n  a: 2\n", "pcl").is_err());
    }
}
