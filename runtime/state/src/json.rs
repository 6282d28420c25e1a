//! A JSON text with an index of its values.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use pcl_diagnostics::{SourceText, TextRange};
use pcl_schema::json::{JsonError, Visitor, walk};

/// The levels to which values nest.
pub const MAX_DEPTH: usize = 256;

/// A value or key of the text.
#[derive(Clone, Copy)]
struct Node {
    start: u32,
    end: u32,
    /// The number of the first node after this one and its parts.
    next: u32,
}

/// A JSON text with an index of its values. The values of an object are behind their keys.
#[derive(Clone)]
pub struct Tree {
    text: SourceText,
    nodes: Vec<Node>,
    is_secret: bool,
}

impl Tree {
    /// Reads a text.
    ///
    /// # Errors
    /// Returns an error if the text is not JSON, is 4 GiB or larger, or nests deeper than
    /// [`MAX_DEPTH`] levels.
    pub fn read(text: SourceText) -> Result<Self, Box<JsonError>> {
        if u32::try_from(text.len()).is_err() {
            return Err(Box::new(JsonError {
                at: 0,
                message: "the text is larger than 4 GiB".into(),
            }));
        }
        let mut builder = Builder::default();
        walk(text.as_bytes(), MAX_DEPTH, &mut builder)?;
        let mut nodes = builder.nodes;
        nodes.shrink_to_fit();
        Ok(Self { text, nodes, is_secret: false })
    }

    /// The same as the content of a secret.
    pub(crate) fn secret(self) -> Self {
        Self { is_secret: true, ..self }
    }

    /// The value that the text is.
    pub fn root(&self) -> Value<'_> {
        self.at(0)
    }

    /// The text.
    pub fn text(&self) -> &SourceText {
        &self.text
    }

    /// The value of a number that [`Value::index`] gave.
    pub fn at(&self, index: u32) -> Value<'_> {
        Value { tree: self, index }
    }
}

/// Prints the number of values alone: values may be secret.
impl fmt::Debug for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Tree({} values)", self.nodes.len())
    }
}

#[derive(Default)]
struct Builder {
    nodes: Vec<Node>,
    open: Vec<u32>,
}

impl Builder {
    fn push(&mut self, at: Range<usize>) {
        // The text is smaller than 4 GiB, and so is the number of its values.
        self.nodes.push(Node {
            start: at.start as u32,
            end: at.end as u32,
            next: self.nodes.len() as u32 + 1,
        });
    }
}

impl Visitor for Builder {
    fn open(&mut self, at: usize) {
        self.open.push(self.nodes.len() as u32);
        self.push(at..at);
    }

    fn close(&mut self, end: usize) {
        let next = self.nodes.len() as u32;
        if let Some(opened) = self.open.pop()
            && let Some(node) = self.nodes.get_mut(opened as usize)
        {
            node.end = end as u32;
            node.next = next;
        }
    }

    fn key(&mut self, at: Range<usize>) {
        self.push(at);
    }

    fn scalar(&mut self, at: Range<usize>) {
        self.push(at);
    }
}

/// The kinds of JSON values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// `null`
    Null,
    /// `true` or `false`
    Bool,
    /// A number.
    Number,
    /// A string.
    String,
    /// A list.
    List,
    /// An object.
    Object,
}

impl Kind {
    /// The kind with its article, for messages.
    pub const fn described(self) -> &'static str {
        match self {
            Self::Null => "`null`",
            Self::Bool => "a truth value",
            Self::Number => "a number",
            Self::String => "a string",
            Self::List => "a list",
            Self::Object => "an object",
        }
    }
}

/// A value in a [`Tree`].
#[derive(Clone, Copy)]
pub struct Value<'t> {
    tree: &'t Tree,
    index: u32,
}

impl<'t> Value<'t> {
    fn node(self) -> Node {
        let node = self.tree.nodes.get(self.index as usize).copied();
        // A tree has at least one node, and a view is made for nodes only.
        node.unwrap_or(Node { start: 0, end: 0, next: self.index + 1 })
    }

    /// The number of the value in its tree. Values rise in the order of the text.
    pub fn index(self) -> u32 {
        self.index
    }

    /// The bytes of the value in the text.
    pub fn range(self) -> TextRange {
        let node = self.node();
        TextRange::new(node.start, node.end)
    }

    /// The value as it is written.
    pub fn raw(self) -> &'t str {
        let range = self.range().to_usize();
        self.tree.text.get(range).unwrap_or_default()
    }

    /// The kind.
    pub fn kind(self) -> Kind {
        match self.tree.text.as_bytes().get(self.node().start as usize) {
            Some(b'{') => Kind::Object,
            Some(b'[') => Kind::List,
            Some(b'"') => Kind::String,
            Some(b't' | b'f') => Kind::Bool,
            Some(b'-' | b'0'..=b'9') => Kind::Number,
            _ => Kind::Null,
        }
    }

    /// Returns true for `null`.
    pub fn is_null(self) -> bool {
        self.kind() == Kind::Null
    }

    /// The truth value.
    pub fn boolean(self) -> Option<bool> {
        (self.kind() == Kind::Bool).then(|| self.raw() == "true")
    }

    /// The number. Numbers that are too large are infinite.
    pub fn number(self) -> Option<f64> {
        match self.kind() {
            Kind::Number => self.raw().parse().ok(),
            _ => None,
        }
    }

    /// The text of a string. Escapes that are no character become U+FFFD.
    pub fn string(self) -> Option<Cow<'t, str>> {
        (self.kind() == Kind::String).then(|| unquoted(self.raw()))
    }

    /// The elements of a list; none of another value.
    pub fn elements(self) -> impl Iterator<Item = Value<'t>> + use<'t> {
        let mut parts = self.parts(Kind::List);
        std::iter::from_fn(move || parts.next())
    }

    /// The entries of an object; none of another value.
    pub fn entries(self) -> impl Iterator<Item = (Key<'t>, Value<'t>)> + use<'t> {
        let mut parts = self.parts(Kind::Object);
        std::iter::from_fn(move || {
            let key = parts.next()?;
            Some((Key(key), parts.next()?))
        })
    }

    fn parts(self, of: Kind) -> Parts<'t> {
        let next = if self.kind() == of { self.index + 1 } else { self.node().next };
        Parts { tree: self.tree, next, end: self.node().next }
    }

    /// The value of a key. Of several the last one counts, as for Pulumi.
    pub fn get(self, name: &str) -> Option<Value<'t>> {
        let entries = self.entries().filter(|(key, _)| key.is(name));
        entries.map(|(_, value)| value).last()
    }

    /// The value of a key, unless it is null.
    pub fn present(self, name: &str) -> Option<Value<'t>> {
        self.get(name).filter(|value| !value.is_null())
    }
}

/// Prints the kind alone: the value may be secret.
impl fmt::Debug for Value<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}@{:?}", self.kind(), self.range())
    }
}

/// The key of an entry.
#[derive(Clone, Copy)]
pub struct Key<'t>(Value<'t>);

impl<'t> Key<'t> {
    /// The text.
    pub fn text(self) -> Cow<'t, str> {
        unquoted(self.0.raw())
    }

    /// Returns true if the key has this text.
    pub fn is(self, name: &str) -> bool {
        let raw = self.0.raw();
        let content = raw.strip_prefix('"').and_then(|raw| raw.strip_suffix('"'));
        match content {
            Some(content) if !content.contains('\\') => content == name,
            _ => unquoted(raw) == name,
        }
    }

    /// Returns true for a key of an object in a secret, which no message names.
    pub fn is_secret(self) -> bool {
        self.0.tree.is_secret
    }

    /// The key as it is written, quotes included.
    pub fn raw(self) -> &'t str {
        self.0.raw()
    }

    /// The bytes of the key in the text, quotes included.
    pub fn range(self) -> TextRange {
        self.0.range()
    }
}

/// The parts of a value, without parts of parts.
struct Parts<'t> {
    tree: &'t Tree,
    next: u32,
    end: u32,
}

impl<'t> Parts<'t> {
    fn next(&mut self) -> Option<Value<'t>> {
        if self.next >= self.end {
            return None;
        }
        let value = self.tree.at(self.next);
        self.next = value.node().next;
        Some(value)
    }
}

/// The text of a string in quotes.
fn unquoted(raw: &str) -> Cow<'_, str> {
    let content = raw.strip_prefix('"').and_then(|raw| raw.strip_suffix('"'));
    let content = content.unwrap_or_default();
    if !content.contains('\\') {
        return Cow::Borrowed(content);
    }
    match serde_json::from_str(raw) {
        Ok(text) => Cow::Owned(text),
        Err(_) => Cow::Owned(with_replacements(content)),
    }
}

/// The text of a string that has escapes of half a character.
fn with_replacements(content: &str) -> String {
    let mut text = String::with_capacity(content.len());
    let mut rest = content;
    while let Some((before, after)) = rest.split_once('\\') {
        text.push_str(before);
        // `\uXXXX\uXXXX` may be one character; all other escapes are shorter.
        let lengths = [11, 5, 1];
        let decoded = lengths.into_iter().find_map(|length| {
            let (escape, tail) = after.split_at_checked(length)?;
            let json = format!("\"\\{escape}\"");
            let decoded: String = serde_json::from_str(&json).ok()?;
            (length != 11 || decoded.chars().count() == 1).then_some((decoded, tail))
        });
        match decoded {
            Some((decoded, tail)) => {
                text.push_str(&decoded);
                rest = tail;
            }
            None => {
                text.push('\u{fffd}');
                rest = after.get(5..).unwrap_or_default();
            }
        }
    }
    text.push_str(rest);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_know_their_places() {
        let tree = Tree::read(r#"{ "a": [1, {"b": null}], "c\n": "x\ty" }"#.into()).unwrap();
        let root = tree.root();
        let keys: Vec<_> = root.entries().map(|(key, _)| key.text()).collect();
        assert_eq!(keys, ["a", "c\n"]);
        let list = root.get("a").unwrap();
        assert_eq!(list.raw(), r#"[1, {"b": null}]"#);
        let kinds: Vec<_> = list.elements().map(Value::kind).collect();
        assert_eq!(kinds, [Kind::Number, Kind::Object]);
        assert_eq!(root.get("c\n").unwrap().string().unwrap(), "x\ty");
        assert!(list.get("a").is_none() && root.elements().next().is_none());
    }

    #[test]
    fn half_characters_are_replaced() {
        for (json, text) in [
            (r#""a\ud800b""#, "a\u{fffd}b"),
            (r#""\ud83d\ude00\udead\n""#, "\u{1f600}\u{fffd}\n"),
            (r#""\udead\ud83d\ude00\u00e9é""#, "\u{fffd}\u{1f600}éé"),
        ] {
            let tree = Tree::read(json.into()).unwrap();
            assert_eq!(tree.root().string().unwrap(), text, "{json}");
        }
    }

    #[test]
    fn what_is_no_json_is_refused() {
        for (text, at) in [("{\"a\" 1}", 5), ("[1", 2), ("", 0), ("1 2", 2)] {
            assert_eq!(Tree::read(text.into()).unwrap_err().at, at, "{text}");
        }
        let deep = "[".repeat(MAX_DEPTH + 1);
        assert_eq!(Tree::read(deep.into()).unwrap_err().at, MAX_DEPTH);
    }
}
