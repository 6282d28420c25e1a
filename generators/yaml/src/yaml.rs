//! YAML as a tree of what Pulumi YAML is made of, and as text.

/// A value of a Pulumi YAML program.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Value {
    Null,
    Bool(bool),
    /// A number as it is written.
    Number(String),
    /// Text as Pulumi reads it: with interpolations, and with `$${` for what is none.
    Text(String),
    /// A reference: the text between `${` and `}`.
    Path(String),
    List(Vec<Value>),
    Map(Vec<Entry>),
    /// `fn::name: argument`.
    Call(&'static str, Box<Value>),
}

/// A key and its value.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Entry {
    /// Lines to write above, without `#`.
    pub comments: Vec<String>,
    pub key: String,
    pub value: Value,
}

impl Entry {
    pub fn new(key: impl Into<String>, value: Value) -> Self {
        Self {
            comments: Vec::new(),
            key: key.into(),
            value,
        }
    }
}

impl Value {
    /// Text that holds no interpolations.
    pub fn text(text: &str) -> Self {
        Self::Text(escape(text))
    }

    pub fn call(function: &'static str, argument: Self) -> Self {
        Self::Call(function, Box::new(argument))
    }
}

/// Text with what would be read as an interpolation written otherwise.
pub(crate) fn escape(text: &str) -> String {
    text.replace("${", "$${")
}

/// The text of a document.
pub(crate) fn write(entries: &[Entry]) -> String {
    let mut writer = Writer {
        out: String::new(),
        on_line: false,
    };
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
                self.begin(indent);
                self.out.push('#');
                self.out.push_str(comment);
                self.out.push('\n');
            }
            self.begin(indent);
            let key = scalar(&entry.key);
            if key.len() <= LONGEST_KEY {
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
            Value::Text(text) if is_block(text) => return self.block(text, indent + 2),
            Value::Text(text) => self.out.push_str(&scalar(text)),
            Value::List(_) => self.out.push_str("[]"),
            Value::Map(_) => self.out.push_str("{}"),
            Value::Null | Value::Call(..) => self.out.push_str("null"),
        }
        self.out.push('\n');
    }

    fn block(&mut self, text: &str, indent: usize) {
        self.out
            .push_str(if text.ends_with('\n') { "|\n" } else { "|-\n" });
        for line in text.lines() {
            if !line.is_empty() {
                self.begin(indent);
                self.out.push_str(line);
            }
            self.out.push('\n');
        }
    }
}

/// Longer keys need the explicit form: YAML looks for the colon no farther than this.
const LONGEST_KEY: usize = 1000;

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

/// Returns true if every YAML reader accepts the character unescaped.
fn is_printable(c: char) -> bool {
    let special = matches!(
        c,
        '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}'
    );
    !c.is_control() && !special
}
