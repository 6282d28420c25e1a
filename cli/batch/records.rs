//! The records of a batch: a JSON object on a line for each program and language.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs::{File, OpenOptions};
use std::io::{BufRead as _, BufReader, ErrorKind, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use pcl_convert::Language;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::conversion::Converted;
use super::input::{Entry, hash};
use crate::output::Sink;
use crate::status::Failure;

/// The version of the form of records.
const FORMAT: &str = "1.0";

#[derive(Serialize)]
struct Line<'a> {
    format_version: &'a str,
    id: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
    language: Option<&'a str>,
    severity: &'a str,
    files: &'a BTreeMap<String, String>,
    diagnostics: &'a Value,
}

/// The parts of a record that tell which one it is.
#[derive(Deserialize)]
struct Known {
    format_version: String,
    id: Option<String>,
    line: Option<usize>,
    language: Option<String>,
}

/// The line and the hash of the id of a text that is no program.
type Unread = (Option<usize>, Option<u128>);

/// The languages of each id, and the texts that are no programs.
type Found = (HashMap<u128, Vec<Language>>, HashSet<Unread>);

/// Records on standard output, or in a file that grows: a run that is stopped keeps what it has.
pub(super) struct Records {
    sink: Place,
    /// The languages of each id that the file has already.
    known: HashMap<u128, Vec<Language>>,
    /// The texts that are no programs, of which the file has a record.
    unread: HashSet<Unread>,
}

enum Place {
    Output(Sink),
    File(PathBuf, File),
}

impl Records {
    pub(super) fn open(
        path: Option<&Path>,
        resume: bool,
        languages: &[Language],
    ) -> Result<Self, Failure> {
        let Some(path) = path else {
            let sink = Place::Output(Sink::stdout());
            return Ok(Self { sink, known: HashMap::new(), unread: HashSet::new() });
        };
        let mut options = OpenOptions::new();
        options.read(true).write(true);
        let options = if resume { options.create(true) } else { options.create_new(true) };
        let mut file = options.open(path).map_err(|error| match error.kind() {
            ErrorKind::AlreadyExists => {
                Failure::usage(format!("`{}` exists; `--resume` goes on with it", path.display()))
            }
            _ => Failure::io("create", path, error),
        })?;
        let (known, unread) =
            if resume { known(path, &mut file, languages)? } else { Found::default() };
        Ok(Self { sink: Place::File(path.to_owned(), file), known, unread })
    }

    /// The languages that a program was converted to before.
    pub(super) fn known(&self, entry: &Entry) -> Vec<Language> {
        let id = entry.id.as_deref().filter(|_| entry.program.is_ok());
        id.and_then(|id| self.known.get(&hash(id))).cloned().unwrap_or_default()
    }

    /// Returns true for a text that is no program, if the file says so already.
    pub(super) fn has_unread(&self, entry: &Entry) -> bool {
        let id = entry.id.as_deref().map(hash);
        entry.program.is_err() && self.unread.contains(&(entry.line, id))
    }

    /// Writes the records of a program.
    pub(super) fn write(&mut self, converted: &Converted) -> Result<(), Failure> {
        let mut text = Vec::new();
        for record in &converted.records {
            let line = Line {
                format_version: FORMAT,
                id: converted.id.as_deref(),
                line: converted.line.filter(|_| record.language.is_none()),
                language: record.language.map(Language::name),
                severity: record.severity.name(),
                files: &record.files,
                diagnostics: &record.diagnostics,
            };
            // The record is plain data, and the text is memory.
            let _ = serde_json::to_writer(&mut text, &line);
            text.push(b'\n');
        }
        match &mut self.sink {
            Place::Output(sink) => sink.write(&text),
            Place::File(path, file) => {
                file.write_all(&text).map_err(|error| Failure::io("write", path, error))
            }
        }
    }

    /// Completes the output.
    pub(super) fn finish(self) -> Result<(), Failure> {
        match self.sink {
            Place::Output(sink) => sink.finish(),
            Place::File(path, file) => {
                file.sync_all().map_err(|error| Failure::io("write", path, error))
            }
        }
    }
}

/// The records that a file has. What is behind the last complete line is cut off.
fn known(path: &Path, file: &mut File, languages: &[Language]) -> Result<Found, Failure> {
    let io = |error| Failure::io("read", path, error);
    let mut known: HashMap<u128, Vec<Language>> = HashMap::new();
    let mut unread = HashSet::new();
    let mut reader = BufReader::new(&*file);
    let (mut end, mut number) = (0, 0);
    loop {
        let mut line = Vec::new();
        let read = reader.read_until(b'\n', &mut line).map_err(io)?;
        if line.last() != Some(&b'\n') {
            break;
        }
        number += 1;
        let record: Option<Known> = serde_json::from_slice(&line).ok();
        let record = record.filter(|record| record.format_version == FORMAT).ok_or_else(|| {
            let path = path.display();
            Failure::usage(format!("line {number} of `{path}` is no record of a batch"))
        })?;
        end += read as u64;
        let id = record.id.as_deref().map(hash);
        match (id, record.language.as_deref().map(Language::parse)) {
            (Some(id), Some(Ok(language))) if languages.contains(&language) => {
                known.entry(id).or_default().push(language);
            }
            (id, None) => drop(unread.insert((record.line, id))),
            _ => {}
        }
    }
    file.set_len(end).map_err(|error| Failure::io("write", path, error))?;
    file.seek(SeekFrom::End(0)).map_err(io)?;
    Ok((known, unread))
}
