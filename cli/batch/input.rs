//! The programs of a batch: a JSON map by id, or JSON lines.
//!
//! A map is told from lines by its first key: a line begins with a key of a program.

use std::collections::{BTreeMap, HashSet};
use std::fs::File;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io::{BufRead, BufReader, Cursor, Read, stdin};
use std::path::Path;
use std::sync::mpsc::{Receiver, sync_channel};

use serde::Deserialize;
use serde::de::{Deserializer as _, MapAccess, Visitor};
use serde_json::Value;

use crate::status::Failure;

/// The size of the largest line, in bytes. A longer one is no program.
const MAX_LINE: u64 = 64 << 20;

/// The number of bytes after which no key of an input is looked for.
const MAX_START: usize = 1 << 16;

/// The keys of a program.
const KEYS: [&str; 7] = ["id", "text", "pcl", "files", "schemas", "allow", "name"];

/// A program of the input, or what is wrong with its text.
pub(super) struct Entry {
    /// The number of its line; `None` in a map.
    pub line: Option<usize>,
    /// The name that its records have.
    pub id: Option<String>,
    /// The program, or the message and the text that it is about.
    pub program: Result<Program, Problem>,
}

/// A program as it is written.
#[derive(Deserialize, Debug, Default)]
#[serde(deny_unknown_fields)]
pub(super) struct Program {
    #[serde(default)]
    id: Option<String>,
    /// The text of `main.pp`; `pcl` is the name that converters give it.
    #[serde(default, alias = "pcl")]
    text: Option<String>,
    /// Texts by path, with slashes.
    #[serde(default)]
    pub files: BTreeMap<String, String>,
    /// Packages as `NAME@VERSION`, or documents.
    #[serde(default)]
    pub schemas: Vec<Value>,
    /// The leniencies, as `--allow` has them.
    #[serde(default)]
    pub allow: Vec<String>,
    /// The name of the project.
    #[serde(default)]
    pub name: Option<String>,
}

/// A text that is no program.
#[derive(Debug)]
pub(super) struct Problem {
    pub message: String,
    /// The text, and the byte in it that the message is about.
    pub text: String,
    pub at: usize,
}

impl Problem {
    fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), text: String::new(), at: 0 }
    }
}

impl Entry {
    /// The number of bytes of its texts.
    pub(super) fn size(&self) -> usize {
        match &self.program {
            Ok(program) => program.files.values().map(String::len).sum(),
            Err(problem) => problem.text.len(),
        }
    }
}

/// The programs of an input, one after the other.
pub(super) struct Entries {
    source: Source,
    /// The ids so far, as hashes: these alone are kept of programs.
    ids: HashSet<u128>,
}

enum Source {
    Lines(Box<dyn BufRead>, usize),
    /// The members of a map, from a thread that reads it.
    Map(Receiver<Result<(String, Value), String>>),
}

/// The hash of an id.
pub(super) fn hash(id: &str) -> u128 {
    let half = |salt: u8| {
        let mut hasher = DefaultHasher::new();
        (salt, id).hash(&mut hasher);
        u128::from(hasher.finish())
    };
    half(0) << 64 | half(1)
}

impl Entries {
    pub(super) fn open(path: &Path) -> Result<Self, Failure> {
        let reader: Box<dyn Read + Send> = if path == Path::new("-") {
            Box::new(stdin())
        } else {
            Box::new(File::open(path).map_err(|error| Failure::io("read", path, error))?)
        };
        let mut reader = BufReader::with_capacity(1 << 16, reader);
        let start = start(&mut reader).map_err(|error| Failure::io("read", path, error))?;
        let is_map = is_map(&start);
        let reader = BufReader::new(Cursor::new(start).chain(reader));
        let source =
            if is_map { Source::Map(members(reader)) } else { Source::Lines(Box::new(reader), 0) };
        Ok(Self { source, ids: HashSet::new() })
    }

    /// The next program; `None` at the end.
    pub(super) fn next(&mut self) -> Result<Option<Entry>, Failure> {
        let entry = match &mut self.source {
            Source::Lines(reader, line) => next_line(reader, line)?,
            Source::Map(members) => members.recv().ok().map(of_member),
        };
        Ok(entry.map(|entry| self.checked(entry)))
    }

    /// The program, unless another one has its id.
    fn checked(&mut self, mut entry: Entry) -> Entry {
        if entry.program.is_ok() {
            match &entry.id {
                None => entry.program = Err(Problem::new("the program has no `id`")),
                Some(id) if !self.ids.insert(hash(id)) => {
                    let message = format!("an earlier program has the id `{id}`, too");
                    entry.program = Err(Problem::new(message));
                }
                Some(_) => {}
            }
        }
        entry
    }
}

/// The start of an input, as far as it tells a map from lines: up to the first key. A pipe may give
/// it in small parts.
fn start(reader: &mut impl BufRead) -> std::io::Result<Vec<u8>> {
    let mut start = Vec::new();
    while start.len() < MAX_START && start.iter().filter(|&&it| it == b'"').count() < 2 {
        let part = reader.fill_buf()?;
        if part.is_empty() {
            break;
        }
        start.extend_from_slice(part);
        let read = part.len();
        reader.consume(read);
    }
    Ok(start)
}

/// Returns true if a text begins as a map of programs: its first key is none of a program's.
fn is_map(start: &[u8]) -> bool {
    let start = String::from_utf8_lossy(start);
    let inside = start.trim_start_matches(['\u{feff}', ' ', '\t', '\r', '\n']).strip_prefix('{');
    let key = inside.map(str::trim_start).and_then(|inside| inside.strip_prefix('"'));
    let key = key.and_then(|rest| rest.split('"').next());
    match (key, inside) {
        (Some(key), _) => !KEYS.contains(&key),
        // An empty map.
        (None, Some(inside)) => inside.trim_start().is_empty() || inside.trim() == "}",
        (None, None) => false,
    }
}

fn next_line(reader: &mut dyn BufRead, line: &mut usize) -> Result<Option<Entry>, Failure> {
    loop {
        let mut bytes = Vec::new();
        let read = Read::take(&mut *reader, MAX_LINE).read_until(b'\n', &mut bytes);
        let read = read.map_err(|error| Failure::io("read", "the batch", error))?;
        if read == 0 {
            return Ok(None);
        }
        *line += 1;
        let is_cut = read as u64 == MAX_LINE && bytes.last() != Some(&b'\n');
        if is_cut {
            let skipped = reader.skip_until(b'\n');
            skipped.map_err(|error| Failure::io("read", "the batch", error))?;
            let message = format!("the line has more than {MAX_LINE} bytes");
            return Ok(Some(Entry {
                line: Some(*line),
                id: None,
                program: Err(Problem::new(message)),
            }));
        }
        let text = String::from_utf8_lossy(&bytes);
        let text = text.trim_start_matches('\u{feff}').trim();
        if !text.is_empty() {
            return Ok(Some(of_line(text, *line)));
        }
    }
}

fn of_line(text: &str, line: usize) -> Entry {
    let parsed = serde_json::from_str::<Value>(text);
    let (id, program) = match parsed {
        Ok(value) => {
            let id = value.get("id").and_then(Value::as_str).map(str::to_owned);
            let program = read(value);
            (id, program.map_err(|message| Problem { message, text: text.to_owned(), at: 0 }))
        }
        Err(error) => {
            // The error names a place in a line that is not that of the batch.
            let message = error.to_string();
            let message = message.split(" at line").next().unwrap_or_default();
            let message = format!("the line is not JSON: {message}");
            let at = error.column().saturating_sub(1).min(text.len());
            (None, Err(Problem { message, text: text.to_owned(), at }))
        }
    };
    Entry { line: Some(line), id, program }
}

fn of_member(member: Result<(String, Value), String>) -> Entry {
    match member {
        Ok((id, value)) => {
            let program = match value {
                Value::String(text) => {
                    Ok(Program { text: Some(text), ..Program::default() }.complete())
                }
                value => read(value),
            };
            Entry { line: None, id: Some(id), program: program.map_err(Problem::new) }
        }
        Err(message) => Entry { line: None, id: None, program: Err(Problem::new(message)) },
    }
}

/// Reads a program. What other tools write beside its text does not count.
fn read(mut value: Value) -> Result<Program, String> {
    if let Some(object) = value.as_object_mut()
        && object.contains_key("pcl")
    {
        object.retain(|key, _| KEYS.contains(&key.as_str()));
    }
    let program: Program = serde_json::from_value(value).map_err(|error| error.to_string())?;
    if program.text.is_some() != program.files.is_empty() {
        let found = if program.text.is_some() { "both" } else { "neither" };
        return Err(format!("expected either `text` or `files`, found {found}"));
    }
    let is_outside = |path: &&String| {
        let mut parts = path.split('/');
        path.starts_with('/')
            || path.contains(['\\', ':', '\0'])
            || parts.any(|part| part == ".." || part.is_empty())
    };
    if let Some(path) = program.files.keys().find(is_outside) {
        return Err(format!(
            "`{}` in `files` leads out of the program; expected a path such as `web/main.pp`",
            path.escape_debug()
        ));
    }
    Ok(program.complete())
}

impl Program {
    /// The program with its text among the files.
    fn complete(mut self) -> Self {
        if let Some(text) = self.text.take() {
            self.files.insert("main.pp".to_owned(), text);
        }
        self.id = None;
        self
    }
}

/// The members of a map, which a thread reads as they are asked for.
fn members(reader: impl Read + Send + 'static) -> Receiver<Result<(String, Value), String>> {
    struct Members<F>(F);
    impl<'de, F: FnMut(String, Value) -> bool> Visitor<'de> for Members<F> {
        type Value = ();
        fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            formatter.write_str("a map of programs")
        }
        fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<(), A::Error> {
            while let Some((id, value)) = map.next_entry()? {
                if !(self.0)(id, value) {
                    break;
                }
            }
            Ok(())
        }
    }
    let (sender, receiver) = sync_channel(16);
    std::thread::spawn(move || {
        let mut deserializer = serde_json::Deserializer::from_reader(reader);
        let members = Members(|id, value| sender.send(Ok((id, value))).is_ok());
        let read = deserializer.deserialize_map(members).and_then(|()| deserializer.end());
        if let Err(error) = read {
            let _ = sender.send(Err(format!("the rest of the batch cannot be read: {error}")));
        }
    });
    receiver
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn maps_are_told_from_lines() {
        for (text, expected) in [
            ("{\"e0\": \"a = 1\"}", true),
            ("{\n  \"e0\": \"a = 1\"", true),
            ("{}", true),
            ("{\"id\": \"e0\", \"text\": \"\"}\n", false),
            (" {\"text\": \"\", \"id\": \"e0\"}\n", false),
            ("no JSON\n", false),
            ("", false),
        ] {
            assert_eq!(is_map(text.as_bytes()), expected, "{text}");
        }
    }
}
