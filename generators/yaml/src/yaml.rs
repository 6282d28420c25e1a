//! YAML as a tree of what Pulumi YAML is made of, and as text: of YAML, and of JSON.

use serde::ser::{Serialize, SerializeMap as _, Serializer};

/// A value of a Pulumi YAML program.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Value {
    Null,
    Bool(bool),
    /// A number as it is written.
    Number(String),
    /// Text that Pulumi YAML looks for interpolations in.
    Text(Text),
    /// Text that is read as it is: of files that are not programs.
    Plain(String),
    /// A reference: the text between `${` and `}`.
    Path(String),
    List(Vec<Value>),
    Map(Vec<Entry>),
    /// `fn::name: argument`.
    Call(String, Box<Value>),
}

/// Text with interpolations. Plain text and paths are apart until the text is written, because the
/// meaning of a dollar sign depends on what follows it.
#[derive(Clone, Default, PartialEq, Debug)]
pub(crate) struct Text(Vec<Piece>);

#[derive(Clone, PartialEq, Debug)]
enum Piece {
    Plain(String),
    /// The text between `${` and `}`.
    Path(String),
}

impl Text {
    pub fn plain(text: &str) -> Self {
        let mut whole = Self::default();
        whole.push(text);
        whole
    }

    pub fn push(&mut self, text: &str) {
        match self.0.last_mut() {
            Some(Piece::Plain(last)) => last.push_str(text),
            _ => self.0.push(Piece::Plain(text.to_owned())),
        }
    }

    /// Returns true if it holds no interpolations.
    pub fn is_plain(&self) -> bool {
        self.0.iter().all(|piece| matches!(piece, Piece::Plain(_)))
    }

    pub fn push_path(&mut self, path: String) {
        self.0.push(Piece::Path(path));
    }

    pub fn push_text(&mut self, text: Self) {
        for piece in text.0 {
            match piece {
                Piece::Plain(text) => self.push(&text),
                path @ Piece::Path(_) => self.0.push(path),
            }
        }
    }

    /// The text as Pulumi YAML reads it.
    pub fn written(&self) -> String {
        let mut written = String::new();
        let mut pieces = self.0.iter().peekable();
        while let Some(piece) = pieces.next() {
            match piece {
                Piece::Path(path) => written.extend(["${", path, "}"]),
                Piece::Plain(text) => escape(text, pieces.peek().is_some(), &mut written),
            }
        }
        written
    }
}

/// Writes plain text. From left to right, Pulumi YAML reads `$$` as a dollar sign, and `${` as the
/// beginning of an interpolation; any other dollar sign stands for itself.
fn escape(text: &str, before_path: bool, written: &mut String) {
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let is_read_with_next = match chars.peek() {
            Some(next) => matches!(next, '$' | '{'),
            None => before_path,
        };
        if c == '$' && is_read_with_next {
            written.push('$');
        }
        written.push(c);
    }
}

/// A key and its value.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Entry {
    /// Lines to write above, without `#`.
    pub comments: Vec<String>,
    /// The key as it is written.
    pub key: String,
    pub value: Value,
}

impl Entry {
    /// An entry whose key is read as it is: of a section, a record, or the properties of a
    /// resource.
    pub fn new(key: impl Into<String>, value: Value) -> Self {
        Self { comments: Vec::new(), key: key.into(), value }
    }

    /// An entry of an object, in whose keys Pulumi YAML looks for interpolations, too.
    pub fn of_object(key: &str, value: Value) -> Self {
        Self::new(Text::plain(key).written(), value)
    }
}

impl Value {
    /// Text that holds no interpolations.
    pub fn text(text: &str) -> Self {
        Self::Text(Text::plain(text))
    }

    /// The value as a secret, unless it is one or null.
    pub fn secret(self) -> Self {
        match self {
            Self::Null => self,
            Self::Call(function, argument) if function == "fn::secret" => {
                Self::Call(function, argument)
            }
            value => Self::call("fn::secret", value),
        }
    }

    pub fn call(function: &str, argument: Self) -> Self {
        Self::Call(function.to_owned(), Box::new(argument))
    }
}

/// The text of a document.
pub(crate) fn write(entries: &[Entry]) -> String {
    let mut writer = Writer { out: String::new(), on_line: false };
    writer.map(entries, 0);
    writer.out
}

struct Writer {
    out: String,
    /// True if the line has already begun: the first entry of a list item follows its dash.
    on_line: bool,
}

impl Writer {
    fn begin(&mut self, indent: usize) {
        if !std::mem::take(&mut self.on_line) {
            self.out.extend(std::iter::repeat_n(' ', indent));
        }
    }

    fn map(&mut self, entries: &[Entry], indent: usize) {
        for entry in entries {
            for comment in &entry.comments {
                for line in comment.split(is_break) {
                    self.begin(indent);
                    self.out.push('#');
                    self.out.extend(line.chars().map(shown));
                    self.out.push('\n');
                }
            }
            self.begin(indent);
            let key = scalar(&entry.key);
            if key.len() <= MAX_KEY {
                self.out.push_str(&key);
            } else {
                self.out.push_str(&format!("? {key}\n"));
                self.begin(indent);
            }
            self.out.push(':');
            self.value(&entry.value, indent);
        }
    }

    /// Writes the value of a key.
    fn value(&mut self, value: &Value, indent: usize) {
        match value {
            Value::Map(entries) if !entries.is_empty() => {
                self.out.push('\n');
                self.map(entries, indent + 2);
            }
            Value::List(values) if !values.is_empty() => {
                self.out.push('\n');
                self.list(values, indent + 2);
            }
            Value::Call(function, argument) => {
                self.out.push('\n');
                self.call(function, argument, indent + 2);
            }
            _ => {
                self.out.push(' ');
                self.leaf(value, indent);
            }
        }
    }

    fn list(&mut self, values: &[Value], indent: usize) {
        for value in values {
            self.begin(indent);
            self.out.push_str("- ");
            self.on_line = true;
            match value {
                Value::Map(entries) if !entries.is_empty() => self.map(entries, indent + 2),
                Value::List(values) if !values.is_empty() => self.list(values, indent + 2),
                Value::Call(function, argument) => self.call(function, argument, indent + 2),
                _ => {
                    self.on_line = false;
                    self.leaf(value, indent);
                }
            }
        }
    }

    fn call(&mut self, function: &str, argument: &Value, indent: usize) {
        self.begin(indent);
        self.out.push_str(function);
        self.out.push(':');
        self.value(argument, indent);
    }

    fn leaf(&mut self, value: &Value, indent: usize) {
        match value {
            Value::Bool(value) => self.out.push_str(if *value { "true" } else { "false" }),
            Value::Number(text) => self.out.push_str(text),
            Value::Path(path) => self.out.push_str(&scalar(&format!("${{{path}}}"))),
            Value::Text(text) => return self.text(&text.written(), indent),
            Value::Plain(text) => return self.text(text, indent),
            Value::List(_) => self.out.push_str("[]"),
            Value::Map(_) => self.out.push_str("{}"),
            Value::Null | Value::Call(..) => self.out.push_str("null"),
        }
        self.out.push('\n');
    }

    fn text(&mut self, text: &str, indent: usize) {
        if is_block(text) {
            return self.block(text, indent + 2);
        }
        self.out.push_str(&scalar(text));
        self.out.push('\n');
    }

    fn block(&mut self, text: &str, indent: usize) {
        self.out.push_str(if text.ends_with('\n') { "|\n" } else { "|-\n" });
        for line in text.lines() {
            if !line.is_empty() {
                self.begin(indent);
                self.out.push_str(line);
            }
            self.out.push('\n');
        }
    }
}

/// Longer keys need the explicit form, which JSON does not have: YAML looks for the colon no
/// further than this.
const MAX_KEY: usize = 1000;

/// Words that some YAML reader takes for something other than text.
const WORDS: &[&str] = &["true", "false", "yes", "no", "on", "off", "y", "n", "null"];

/// Text as a scalar: bare where every reader sees text in it, quoted otherwise.
fn scalar(text: &str) -> String {
    let starts_well = |first: char| first.is_ascii_alphabetic() || matches!(first, '_' | '/' | '$');
    let is_bare = text.chars().next().is_some_and(starts_well)
        && text.bytes().all(|byte| matches!(byte, b' '..=b'~'))
        && !text.ends_with([' ', ':'])
        && !text.contains(": ")
        && !text.contains(" #")
        && !WORDS.iter().any(|word| text.eq_ignore_ascii_case(word));
    if is_bare {
        return text.to_owned();
    }
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            '\n' => quoted.push_str("\\n"),
            '\t' => quoted.push_str("\\t"),
            '\r' => quoted.push_str("\\r"),
            c if is_printable(c) => quoted.push(c),
            c => quoted.push_str(&format!("\\U{:08X}", u32::from(c))),
        }
    }
    quoted + "\""
}

/// Returns true if text is readable as a block scalar and survives the round trip unchanged.
fn is_block(text: &str) -> bool {
    let good_line = |line: &str| !line.ends_with(' ') && line.chars().all(is_printable);
    text.contains('\n')
        && !text.starts_with([' ', '\n'])
        && !text.ends_with("\n\n")
        && text.split('\n').all(good_line)
}

/// Returns true if a YAML reader ends a line, and with it a comment, at the character.
fn is_break(c: char) -> bool {
    matches!(c, '\r' | '\n' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// The character in a comment, which cannot have escapes.
fn shown(c: char) -> char {
    match c {
        '\t' => c,
        c if is_printable(c) => c,
        _ => char::REPLACEMENT_CHARACTER,
    }
}

/// Returns true if every YAML reader accepts the character unescaped.
fn is_printable(c: char) -> bool {
    let special = matches!(c, '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}');
    !c.is_control() && !special
}

/// The text of a document. Comments are lost.
pub(crate) fn write_json(entries: &[Entry]) -> String {
    // Writing to memory fails only if a key is no text.
    let text = serde_json::to_string_pretty(&JsonMap(entries)).unwrap_or_default();
    escape_json(&text) + "\n"
}

/// Returns true if a key is too long for Pulumi, which reads JSON as YAML.
pub(crate) fn is_long_in_json(key: &str) -> bool {
    let written = serde_json::to_string(key).unwrap_or_default();
    escape_json(&written).len() > MAX_KEY
}

fn escape_json(text: &str) -> String {
    let mut written = String::with_capacity(text.len() + 1);
    for c in text.chars() {
        // Pulumi reads JSON as YAML, which refuses characters in strings that JSON accepts, or
        // takes them for ends of lines. Outside of strings there are only line feeds.
        match c {
            '\n' => written.push(c),
            c if is_printable(c) => written.push(c),
            c => written.push_str(&format!("\\u{:04x}", u32::from(c))),
        }
    }
    written
}

struct JsonMap<'e>(&'e [Entry]);

impl Serialize for JsonMap<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for entry in self.0 {
            map.serialize_entry(&entry.key, &entry.value)?;
        }
        map.end()
    }
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Bool(value) => serializer.serialize_bool(*value),
            // Pulumi reads the number of a YAML file as one of these, too.
            Self::Number(text) => match (text.parse::<i64>(), text.parse::<f64>()) {
                (Ok(number), _) => serializer.serialize_i64(number),
                (_, Ok(number)) => serializer.serialize_f64(number),
                _ => serializer.serialize_str(text),
            },
            Self::Text(text) => serializer.serialize_str(&text.written()),
            Self::Plain(text) => serializer.serialize_str(text),
            Self::Path(path) => serializer.collect_str(&format_args!("${{{path}}}")),
            Self::List(values) => serializer.collect_seq(values),
            Self::Map(entries) => JsonMap(entries).serialize(serializer),
            Self::Call(function, argument) => {
                let mut map = serializer.serialize_map(Some(1))?;
                map.serialize_entry(function, argument)?;
                map.end()
            }
        }
    }
}
