//! YAML as a tree of values with their places: what schemas, project files and the settings of
//! stacks are read from.
//!
//! An alias is a reference to the value that it stands for, so that a tree takes no more memory
//! than its text. Whoever walks over it meets that value again for each alias; so the size of a
//! tree is limited as if aliases were written out.

mod json;
mod scalar;

use std::rc::Rc;

use pcl_diagnostics::{LineColumn, TextRange};
use rustc_hash::{FxHashMap, FxHashSet};
use saphyr_parser::{Event, Marker, Parser, ScalarStyle, Tag};
use thiserror::Error;

pub use json::yaml_to_json;
pub(crate) use json::{Rewritten, place_of, to_json};
pub use scalar::{Scalar, Time};

/// The number of lists and mappings in one another that are read.
pub const MAX_DEPTH: usize = 256;

/// The bytes that aliases may repeat. A value counts as [`VALUE_BYTES`] more than its text.
const MAX_REPEATED: usize = 16 << 20;

const VALUE_BYTES: usize = 32;

/// The place of a key or value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// The bytes. Those of a list or mapping end with its last item.
    pub range: TextRange,
    /// The start as line and column.
    pub position: LineColumn,
}

/// A value and its place.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// The place; that of an alias, if the value is written as one.
    pub at: Place,
    /// Set if the value is written as an alias.
    pub is_alias: bool,
    /// The value.
    pub data: Rc<Data>,
}

/// The value of a node.
#[derive(Debug, PartialEq)]
pub enum Data {
    /// A scalar without quotes that is not a text, and how it is written.
    Scalar(Scalar, String),
    /// A text.
    Text(String),
    /// A list.
    List(Vec<Node>),
    /// A mapping, in the order of the file.
    Map(Vec<(Key, Node)>),
}

/// A key of a mapping and its place.
#[derive(Debug, Clone, PartialEq)]
pub struct Key {
    /// The place.
    pub at: Place,
    /// The key as it is written, without quotes.
    pub text: String,
    /// The value of a key that is not a text.
    pub scalar: Option<Scalar>,
}

/// The reason why a text cannot be read, and its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error {
    /// The place.
    pub at: Place,
    /// The reason.
    pub kind: ErrorKind,
}

/// The reasons why a text cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The text is not YAML.
    #[error("{0}")]
    Syntax(String),
    /// The file has a second document.
    #[error("expected one document, found a second")]
    SecondDocument,
    /// A mapping takes over the entries of another one.
    #[error("merge keys are not supported; write the keys out")]
    MergeKey,
    /// A tag other than `!!str` changes the type of a value.
    #[error("the tag `{0}` is not supported")]
    Tag(String),
    /// The key is a list or a mapping.
    #[error("the key must be a string")]
    Key,
    /// The key occurs twice in a mapping.
    #[error("the key `{0}` occurs twice")]
    KeyTwice(String),
    /// An alias refers to the value that it is part of.
    #[error("the alias is inside the value that it refers to")]
    Alias,
    /// The values nest too deeply.
    #[error("the value nests deeper than {MAX_DEPTH} levels")]
    TooDeep,
    /// Aliases repeat too much.
    #[error("the aliases expand to too large a document")]
    TooLarge,
}

impl Place {
    /// The error of this kind here.
    const fn error(self, kind: ErrorKind) -> Error {
        Error { at: self, kind }
    }
}

impl Node {
    /// Returns true for null.
    pub fn is_null(&self) -> bool {
        matches!(*self.data, Data::Scalar(Scalar::Null, _))
    }

    /// The text, if the value is one.
    pub fn text(&self) -> Option<&str> {
        match &*self.data {
            Data::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The items, if the value is a list.
    pub fn items(&self) -> Option<&[Self]> {
        match &*self.data {
            Data::List(items) => Some(items),
            _ => None,
        }
    }

    /// The entries, if the value is a mapping.
    pub fn entries(&self) -> Option<&[(Key, Self)]> {
        match &*self.data {
            Data::Map(entries) => Some(entries),
            _ => None,
        }
    }

    /// The entry of the first such key, if the value is a mapping.
    pub fn entry(&self, key: &str) -> Option<&(Key, Self)> {
        self.entries()?.iter().find(|(known, _)| known.text == key)
    }
}

/// Reads the first document of a text; `None` if there is none. What not every reader takes is
/// passed to `refuse`, in the order of the text: a second document, merge keys, tags, and keys that
/// are no scalars or occur twice. The first error that it returns is that of the whole text, as
/// with `&mut Err`.
///
/// # Errors
/// Returns an error if the text is not YAML, nests too deeply, or repeats too much by aliases.
pub fn read(
    text: &str,
    refuse: &mut dyn FnMut(Error) -> Result<(), Error>,
) -> Result<Option<Node>, Error> {
    let bytes = ByteTable::new(text);
    let mut builder = Builder {
        refuse,
        open: Vec::new(),
        anchors: FxHashMap::default(),
        repeated: 0,
        done: None,
    };
    for event in Parser::new_from_str(text) {
        let (event, span) = event.map_err(|error| {
            let at = bytes.place(error.marker(), error.marker());
            at.error(ErrorKind::Syntax(error.info().to_owned()))
        })?;
        let at = bytes.place(&span.start, &span.end);
        if matches!(event, Event::DocumentStart(_)) && builder.done.is_some() {
            (builder.refuse)(at.error(ErrorKind::SecondDocument))?;
            break;
        }
        builder.event(event, at)?;
    }
    Ok(builder.done)
}

/// A value that is complete.
#[derive(Clone)]
struct Built {
    node: Node,
    /// The number of collections in one another in it.
    depth: usize,
    /// Its bytes, as aliases count them.
    size: usize,
}

/// A list or mapping that is not complete.
struct Open {
    at: Place,
    anchor: usize,
    depth: usize,
    size: usize,
    items: Items,
}

enum Items {
    List(Vec<Node>),
    Map { entries: Vec<(Key, Node)>, known: FxHashSet<String>, key: Option<Key> },
}

struct Builder<'r> {
    refuse: &'r mut dyn FnMut(Error) -> Result<(), Error>,
    open: Vec<Open>,
    anchors: FxHashMap<usize, Built>,
    /// The bytes that aliases have repeated.
    repeated: usize,
    done: Option<Node>,
}

impl Builder<'_> {
    fn event(&mut self, event: Event<'_>, at: Place) -> Result<(), Error> {
        match event {
            Event::Scalar(text, style, anchor, tag) => {
                let is_plain = style == ScalarStyle::Plain;
                if is_plain && text == "<<" && self.expects_key() {
                    (self.refuse)(at.error(ErrorKind::MergeKey))?;
                }
                let is_text = self.makes_text(tag.as_deref(), at)?;
                let scalar = if is_plain && !is_text { Scalar::resolve(&text) } else { None };
                let text = text.into_owned();
                let size = VALUE_BYTES + text.len();
                let data = match scalar {
                    Some(scalar) => Data::Scalar(scalar, text),
                    None => Data::Text(text),
                };
                self.add(at, data, 0, size, anchor)
            }
            Event::SequenceStart(anchor, tag) => {
                self.begin(Items::List(Vec::new()), at, anchor, tag.as_deref())
            }
            Event::MappingStart(anchor, tag) => {
                let known = FxHashSet::default();
                let items = Items::Map { entries: Vec::new(), known, key: None };
                self.begin(items, at, anchor, tag.as_deref())
            }
            Event::SequenceEnd | Event::MappingEnd => self.end(at.range.end()),
            Event::Alias(anchor) => {
                let Some(meant) = self.anchors.get(&anchor) else {
                    return Err(at.error(ErrorKind::Alias));
                };
                self.repeated += meant.size;
                if self.repeated > MAX_REPEATED {
                    return Err(at.error(ErrorKind::TooLarge));
                }
                let node = Node { at, is_alias: true, data: Rc::clone(&meant.node.data) };
                let built = Built { node, ..*meant };
                self.add_built(built)
            }
            _ => Ok(()),
        }
    }

    fn expects_key(&self) -> bool {
        let last = self.open.last().map(|open| &open.items);
        matches!(last, Some(Items::Map { key: None, .. }))
    }

    /// Returns true if a tag makes a text of any scalar.
    fn makes_text(&mut self, tag: Option<&Tag>, at: Place) -> Result<bool, Error> {
        let Some(tag) = tag else { return Ok(false) };
        if tag.is_yaml_core_schema() && tag.suffix != "str" {
            (self.refuse)(at.error(ErrorKind::Tag(tag.to_string())))?;
        }
        Ok(true)
    }

    fn begin(
        &mut self,
        items: Items,
        at: Place,
        anchor: usize,
        tag: Option<&Tag>,
    ) -> Result<(), Error> {
        self.makes_text(tag, at)?;
        if self.open.len() >= MAX_DEPTH {
            return Err(at.error(ErrorKind::TooDeep));
        }
        self.open.push(Open { at, anchor, depth: 0, size: VALUE_BYTES, items });
        Ok(())
    }

    fn end(&mut self, end: u32) -> Result<(), Error> {
        let Some(Open { mut at, anchor, depth, size, items }) = self.open.pop() else {
            return Ok(());
        };
        let (data, last) = match items {
            Items::List(items) => {
                let last = items.last().map(|item| item.at);
                (Data::List(items), last)
            }
            Items::Map { entries, .. } => {
                let last = entries.last().map(|(_, value)| value.at);
                (Data::Map(entries), last)
            }
        };
        // The end of a block collection is the start of what follows it.
        let end = last.map_or(end, |last| end.min(last.range.end()));
        let start = at.range.start();
        at.range = TextRange::new(start, end.max(start));
        self.add(at, data, depth + 1, size, anchor)
    }

    /// Adds a value to the collection around it, and remembers it for aliases.
    fn add(
        &mut self,
        at: Place,
        data: Data,
        depth: usize,
        size: usize,
        anchor: usize,
    ) -> Result<(), Error> {
        let built = Built { node: Node { at, is_alias: false, data: Rc::new(data) }, depth, size };
        if anchor > 0 {
            self.anchors.insert(anchor, built.clone());
        }
        self.add_built(built)
    }

    fn add_built(&mut self, Built { node, depth, size }: Built) -> Result<(), Error> {
        if self.open.len() + depth > MAX_DEPTH {
            return Err(node.at.error(ErrorKind::TooDeep));
        }
        let Some(open) = self.open.last_mut() else {
            self.done.get_or_insert(node);
            return Ok(());
        };
        open.size += size;
        open.depth = open.depth.max(depth);
        match &mut open.items {
            Items::List(items) => items.push(node),
            Items::Map { entries, known, key } => match key.take() {
                Some(key) => entries.push((key, node)),
                None => {
                    let at = node.at;
                    let (text, scalar) = match &*node.data {
                        Data::Text(text) => (text.clone(), None),
                        Data::Scalar(scalar, text) => (text.clone(), Some(*scalar)),
                        Data::List(_) | Data::Map(_) => {
                            (self.refuse)(at.error(ErrorKind::Key))?;
                            (String::new(), None)
                        }
                    };
                    if !known.insert(text.clone()) {
                        (self.refuse)(at.error(ErrorKind::KeyTwice(text.clone())))?;
                    }
                    *key = Some(Key { at, text, scalar });
                }
            },
        }
        Ok(())
    }
}

/// The number of characters between two entries of a [`ByteTable`].
const STRIDE: usize = 64;

/// Finds the byte of a character, since the parser counts characters. Events are not in the order
/// of their places: a block mapping starts where its first key does, and ends where the next event
/// starts.
struct ByteTable<'t> {
    text: &'t str,
    /// The byte of each character whose number is a multiple of [`STRIDE`].
    bytes: Vec<u32>,
}

impl<'t> ByteTable<'t> {
    fn new(text: &'t str) -> Self {
        let places = text.char_indices().step_by(STRIDE);
        let bytes = places.map(|(byte, _)| narrow(byte)).collect();
        Self { text, bytes }
    }

    fn place(&self, start: &Marker, end: &Marker) -> Place {
        let position =
            LineColumn { line: narrow(start.line().max(1)), column: narrow(start.col() + 1) };
        let [start, end] = [start, end].map(|marker| self.of(marker.index()));
        Place { range: TextRange::new(start, end.max(start)), position }
    }

    fn of(&self, character: usize) -> u32 {
        let Some(&before) = self.bytes.get(character / STRIDE) else {
            return narrow(self.text.len());
        };
        let rest = self.text.get(before as usize..).unwrap_or_default();
        let mut rest = rest.char_indices();
        match rest.nth(character % STRIDE) {
            Some((more, _)) => before + narrow(more),
            None => narrow(self.text.len()),
        }
    }
}

fn narrow(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn nested(levels: usize) -> [String; 3] {
        let mappings = |i: usize| format!("{}a:\n", " ".repeat(i));
        [
            (0..levels).map(mappings).collect(),
            "- ".repeat(levels) + "1\n",
            "? ".repeat(levels) + "1\n",
        ]
    }

    #[test]
    fn nesting_has_a_limit() {
        for text in nested(MAX_DEPTH) {
            assert!(read(&text, &mut |_| Ok(())).is_ok(), "{text}");
        }
        for text in nested(MAX_DEPTH + 1) {
            let error = read(&text, &mut |_| Ok(())).unwrap_err();
            assert_eq!(error.kind.to_string(), "the value nests deeper than 256 levels");
        }
    }

    proptest! {
        #[test]
        fn bytes_of_characters(text in "[aé€𝄞\n]{0,300}") {
            let table = ByteTable::new(&text);
            for (character, (byte, _)) in text.char_indices().enumerate() {
                prop_assert_eq!(table.of(character) as usize, byte);
            }
            let end = text.chars().count();
            prop_assert_eq!(table.of(end) as usize, text.len());
        }
    }
}
