//! YAML as a tree of values with their places.
//!
//! A program receives `0777`, `1_000` and `2020-01-01` differently depending on whether they were
//! written between quotes, so scalars are resolved here ([`scalar`]), as Pulumi's reader resolves
//! them.

pub(crate) mod scalar;
pub(crate) mod time;

use std::collections::{HashMap, HashSet};

use saphyr_parser::{Event, Marker, Parser, ScalarStyle, Span, Tag};

use crate::error::{SettingsError, SettingsErrorKind as Kind};
use scalar::Scalar;

/// The number of collections in one another that are read.
pub(crate) const MAX_DEPTH: usize = 100;

/// The number of values that are read, aliases expanded.
pub(crate) const MAX_NODES: usize = 100_000;

/// The bytes of text that aliases may repeat.
pub(crate) const MAX_REPEATED: usize = 1 << 24;

/// A place in the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Place {
    pub line: u32,
    pub column: u32,
}

/// A value and its place.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Node {
    pub at: Place,
    pub data: Data,
}

/// The data of a value.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Data {
    Scalar {
        value: Scalar,
        /// The text that it was made from.
        text: String,
    },
    List(Vec<Node>),
    Map(Vec<(Key, Node)>),
}

/// A key of a mapping and its place.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Key {
    pub at: Place,
    pub text: String,
    /// Unset if the key is a number or a bool.
    pub is_text: bool,
}

impl Place {
    /// The beginning of a file.
    pub const START: Self = Self { line: 1, column: 1 };

    fn of(marker: &Marker) -> Self {
        let narrow = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Self { line: narrow(marker.line().max(1)), column: narrow(marker.col() + 1) }
    }

    pub fn error(self, kind: Kind) -> SettingsError {
        SettingsError { line: self.line, column: self.column, kind }
    }
}

impl Node {
    /// The error that the value is not what is expected.
    pub fn wrong(&self, name: &str, expected: &'static str) -> SettingsError {
        let name = name.to_owned();
        self.at.error(Kind::Expected { name, expected })
    }

    pub const fn is_null(&self) -> bool {
        matches!(self.data, Data::Scalar { value: Scalar::Null, .. })
    }

    pub fn entries(&self) -> Option<&[(Key, Self)]> {
        match &self.data {
            Data::Map(entries) => Some(entries),
            _ => None,
        }
    }
}

/// Reads the document of a file; `None` if there is none.
pub(crate) fn read(text: &str) -> Result<Option<Node>, SettingsError> {
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
    let mut builder =
        Builder { open: Vec::new(), anchors: HashMap::new(), count: 0, repeated: 0, done: None };
    let mut documents = 0;
    for event in Parser::new_from_str(text) {
        let (event, span) = event.map_err(|error| {
            let kind = Kind::Yaml(error.info().to_owned());
            Place::of(error.marker()).error(kind)
        })?;
        if matches!(event, Event::DocumentStart(_)) {
            documents += 1;
        }
        if documents > 1 {
            return Err(Place::of(&span.start).error(Kind::SecondDocument));
        }
        builder.event(event, span)?;
    }
    Ok(builder.done.map(|built| built.node))
}

/// A value that is complete.
#[derive(Clone)]
struct Built {
    node: Node,
    /// The number of values in it, and of collections in one another.
    count: usize,
    depth: usize,
    /// The bytes of text in it.
    bytes: usize,
}

/// A list or mapping that is not complete.
struct Open {
    at: Place,
    anchor: usize,
    count: usize,
    depth: usize,
    bytes: usize,
    items: Items,
}

enum Items {
    List(Vec<Node>),
    Map { entries: Vec<(Key, Node)>, known: HashSet<String>, key: Option<Key> },
}

struct Builder {
    open: Vec<Open>,
    anchors: HashMap<usize, Built>,
    /// The number of all values.
    count: usize,
    /// The bytes of text that aliases have repeated.
    repeated: usize,
    done: Option<Built>,
}

impl Builder {
    fn event(&mut self, event: Event<'_>, span: Span) -> Result<(), SettingsError> {
        let at = Place::of(&span.start);
        match event {
            Event::Scalar(text, style, anchor, tag) => {
                let is_plain = style == ScalarStyle::Plain;
                let is_tagged = makes_text(tag.as_deref(), at)?;
                let value = if is_plain && !is_tagged {
                    Scalar::resolve(&text)
                } else {
                    Scalar::Text(text.clone().into_owned())
                };
                if is_plain && text == "<<" && self.expects_key() {
                    return Err(at.error(Kind::MergeKey));
                }
                let text = text.into_owned();
                let bytes = text.len();
                let node = Node { at, data: Data::Scalar { value, text } };
                let built = Built { node, count: 1, depth: 0, bytes };
                self.add(built, anchor)
            }
            Event::SequenceStart(anchor, tag) => {
                makes_text(tag.as_deref(), at)?;
                self.begin(at, anchor, Items::List(Vec::new()))
            }
            Event::MappingStart(anchor, tag) => {
                makes_text(tag.as_deref(), at)?;
                let items = Items::Map { entries: Vec::new(), known: HashSet::new(), key: None };
                self.begin(at, anchor, items)
            }
            Event::SequenceEnd | Event::MappingEnd => self.end(),
            Event::Alias(anchor) => {
                let Some(built) = self.anchors.get(&anchor) else {
                    return Err(at.error(Kind::Alias));
                };
                self.repeated += built.bytes;
                if self.repeated > MAX_REPEATED {
                    return Err(at.error(Kind::TooLong));
                }
                let mut built = built.clone();
                built.node.at = at;
                self.add(built, 0)
            }
            _ => Ok(()),
        }
    }

    fn expects_key(&self) -> bool {
        let last = self.open.last().map(|open| &open.items);
        matches!(last, Some(Items::Map { key: None, .. }))
    }

    fn begin(&mut self, at: Place, anchor: usize, items: Items) -> Result<(), SettingsError> {
        if self.expects_key() {
            return Err(at.error(Kind::Key));
        }
        if self.open.len() >= MAX_DEPTH {
            return Err(at.error(Kind::TooDeep));
        }
        self.open.push(Open { at, anchor, count: 1, depth: 0, bytes: 0, items });
        Ok(())
    }

    fn end(&mut self) -> Result<(), SettingsError> {
        let Some(open) = self.open.pop() else {
            return Ok(());
        };
        let data = match open.items {
            Items::List(items) => Data::List(items),
            Items::Map { entries, .. } => Data::Map(entries),
        };
        let built = Built {
            node: Node { at: open.at, data },
            count: open.count,
            depth: open.depth + 1,
            bytes: open.bytes,
        };
        // Its parts have been counted.
        self.count = self.count.saturating_sub(open.count - 1);
        self.add(built, open.anchor)
    }

    /// Adds a value to the collection around it, and remembers it for aliases.
    fn add(&mut self, built: Built, anchor: usize) -> Result<(), SettingsError> {
        let at = built.node.at;
        self.count += built.count;
        if self.count > MAX_NODES {
            return Err(at.error(Kind::TooLarge));
        }
        if self.open.len() + built.depth > MAX_DEPTH {
            return Err(at.error(Kind::TooDeep));
        }
        if anchor > 0 {
            self.anchors.insert(anchor, built.clone());
        }
        let Some(open) = self.open.last_mut() else {
            self.done.get_or_insert(built);
            return Ok(());
        };
        open.count += built.count;
        open.bytes += built.bytes;
        open.depth = open.depth.max(built.depth);
        match &mut open.items {
            Items::List(items) => items.push(built.node),
            Items::Map { entries, known, key } => match key.take() {
                Some(key) => entries.push((key, built.node)),
                None => {
                    let new = as_key(built.node)?;
                    if !known.insert(new.text.clone()) {
                        return Err(at.error(Kind::KeyTwice(new.text)));
                    }
                    *key = Some(new);
                }
            },
        }
        Ok(())
    }
}

/// Returns true if a tag makes a text of any scalar.
fn makes_text(tag: Option<&Tag>, at: Place) -> Result<bool, SettingsError> {
    match tag {
        None => Ok(false),
        Some(tag) if tag.is_yaml_core_schema() && tag.suffix != "str" => {
            Err(at.error(Kind::Tag(tag.to_string())))
        }
        Some(_) => Ok(true),
    }
}

/// The key that a value makes up.
fn as_key(node: Node) -> Result<Key, SettingsError> {
    let at = node.at;
    let (text, is_text) = match node.data {
        Data::Scalar { value: Scalar::Text(text), .. } => (text, true),
        Data::Scalar {
            value: value @ (Scalar::Bool(_) | Scalar::Int(_) | Scalar::Uint(_)),
            ..
        } => (value.to_string(), false),
        _ => return Err(at.error(Kind::Key)),
    };
    Ok(Key { at, text, is_text })
}
