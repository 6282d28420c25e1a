//! The file of `pcl check --baseline`: the diagnostics that a repository has already.
//!
//! A diagnostic is known by its file, its code and the text of its line, but not by the number of
//! the line. The fingerprints in documents depend on the project and on the repository, too; a
//! baseline has to be the same in a container that has neither. Of equal diagnostics, the number is
//! known: another one counts.
//!
//! A file that belongs to several programs has the same diagnostics in each, so that the number is
//! that of one program.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::output::many;
use crate::status::Failure;
use pcl::diagnostics::{Code, Diagnostic, Severity};
use pcl::render::{Report, line_fingerprint};

const FORMAT: &str = "1.0";

const MAX_BYTES: u64 = 64 << 20;

/// The content of the file.
#[derive(Serialize, Deserialize)]
struct Document {
    format_version: String,
    /// Sorted by file, code and fingerprint.
    diagnostics: Vec<Entry>,
}

/// A diagnostic that is known, once or several times.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Entry {
    #[serde(flatten)]
    key: Key,
    count: u32,
    /// For people who read the file.
    message: String,
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
struct Key {
    /// The path from the directory of the baseline, with slashes.
    file: String,
    code: String,
    fingerprint: String,
}

/// A baseline that was read.
pub(super) struct Baseline {
    path: PathBuf,
    /// The directory of the file, as a real path.
    directory: PathBuf,
    known: BTreeMap<Key, Entry>,
    is_updated: bool,
}

/// The diagnostics of programs, and the files that were read for them.
#[derive(Clone, Default)]
pub(super) struct Found {
    files: BTreeSet<String>,
    diagnostics: BTreeMap<Key, Entry>,
}

impl Baseline {
    /// Reads a baseline. One that is to be updated may be missing.
    pub fn open(path: &Path, is_updated: bool) -> Result<Self, Failure> {
        let known = match pcl_system::read(path, MAX_BYTES) {
            Ok(bytes) => parse(&bytes).map_err(|reason| {
                let path = pcl_system::shown(path);
                Failure::usage(format!("`{path}` is not a baseline: {reason}"))
            })?,
            Err(error) if error.kind() == ErrorKind::NotFound && is_updated => BTreeMap::new(),
            Err(error) if error.kind() == ErrorKind::NotFound => {
                let path = pcl_system::shown(path);
                return Err(Failure::usage(format!(
                    "there is no baseline `{path}`\n  help: `--update-baseline` writes it"
                )));
            }
            Err(error) => return Err(Failure::io("read", path, error)),
        };
        let directory = pcl_system::resolved(pcl_system::directory_of(path));
        Ok(Self { path: path.to_path_buf(), directory, known, is_updated })
    }

    /// Takes the known diagnostics out of the report of a program, and counts them. Before an
    /// update, all are known.
    pub fn take(&self, report: &mut Report) -> (Found, usize) {
        let mut found = Found::default();
        let mut known = 0;
        if !report.readable {
            return (found, known);
        }
        let Report { sources, diagnostics, .. } = report;
        let files: HashMap<_, _> =
            sources.files().map(|file| (file, self.file(sources.path(file)))).collect();
        found.files.extend(files.values().cloned());
        diagnostics.retain(|diagnostic| {
            let fingerprint = line_fingerprint(diagnostic, sources);
            let file = files.get(&diagnostic.primary.file).cloned().unwrap_or_default();
            if !is_eligible(diagnostic) {
                return true;
            }
            let key = Key { file, code: diagnostic.code.id().to_owned(), fingerprint };
            let limit = self.known.get(&key).map_or(0, |entry| entry.count);
            let entry = found.diagnostics.entry(key.clone()).or_insert_with(|| {
                let message = diagnostic.message.clone();
                Entry { key, count: 0, message }
            });
            entry.count += 1;
            let is_known = self.is_updated || entry.count <= limit;
            known += usize::from(is_known);
            !is_known
        });
        (found, known)
    }

    /// The path of a file from the directory of the baseline.
    fn file(&self, path: &str) -> String {
        let path = pcl_system::resolved(Path::new(path));
        pcl_system::shown(&path_from(&self.directory, &path))
    }

    /// Writes the baseline if it is to be updated. Otherwise, says which entries are stale.
    pub fn finish(self, found: &Found, is_complete: bool) -> Result<Vec<String>, Failure> {
        let path = pcl_system::shown(&self.path);
        if !is_complete {
            let refused = format!("`{path}` is not updated, since a program could not be checked");
            return Ok(self.is_updated.then_some(refused).into_iter().collect());
        }
        // Nothing is known about files that were not read. Those that are gone have none.
        let is_kept =
            |key: &Key| !found.files.contains(&key.file) && self.directory.join(&key.file).exists();
        if !self.is_updated {
            let count = |key: &Key| found.diagnostics.get(key).map_or(0, |entry| entry.count);
            let stale = |entry: &&Entry| !is_kept(&entry.key) && count(&entry.key) < entry.count;
            let stale: Vec<&Entry> = self.known.values().filter(stale).collect();
            return Ok(say_stale(&stale, &path));
        }
        let mut entries: BTreeMap<Key, Entry> = self.known.clone();
        entries.retain(|key, _| is_kept(key));
        entries.extend(found.diagnostics.clone());
        let added = difference(&entries, &self.known);
        let removed = difference(&self.known, &entries);
        let total = many(total(&entries), "diagnostic");
        if added + removed > 0 || !self.path.exists() {
            let document = Document {
                format_version: FORMAT.to_owned(),
                diagnostics: entries.into_values().collect(),
            };
            let failed = |error| Failure::io("write", &self.path, error);
            let mut text = serde_json::to_vec_pretty(&document)
                .map_err(|error| failed(std::io::Error::other(error)))?;
            text.push(b'\n');
            pcl_system::replace(&self.path, &text).map_err(failed)?;
        }
        Ok(vec![format!("`{path}` has {total}: {added} added, {removed} removed")])
    }
}

impl Found {
    /// Adds the diagnostics of another program.
    pub fn merge(&mut self, other: &Self) {
        self.files.extend(other.files.iter().cloned());
        for (key, entry) in &other.diagnostics {
            let known = self.diagnostics.entry(key.clone()).or_insert_with(|| entry.clone());
            known.count = known.count.max(entry.count);
        }
    }
}

fn parse(bytes: &[u8]) -> Result<BTreeMap<Key, Entry>, String> {
    #[derive(Deserialize)]
    struct Header {
        format_version: String,
    }
    let header: Header = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
    if header.format_version != FORMAT {
        let found = header.format_version.escape_debug().to_string();
        return Err(format!("its format is `{found}`, and this is the format `{FORMAT}`"));
    }
    let document: Document = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
    let mut entries: BTreeMap<Key, Entry> = BTreeMap::new();
    for entry in document.diagnostics {
        // A merge of two branches may have left an entry twice.
        let known = entries.entry(entry.key.clone()).or_insert(Entry { count: 0, ..entry.clone() });
        known.count = known.count.max(entry.count);
    }
    Ok(entries)
}

/// Returns true if a diagnostic may be in a baseline. A configuration that is not valid, or a bug,
/// always counts.
fn is_eligible(diagnostic: &Diagnostic) -> bool {
    diagnostic.severity != Severity::Bug
        && !matches!(diagnostic.code, Code::InvalidConfiguration | Code::UnknownSetting)
}

/// The lines about entries that nothing matches any more.
fn say_stale(stale: &[&Entry], path: &str) -> Vec<String> {
    const SHOWN: usize = 5;
    if stale.is_empty() {
        return Vec::new();
    }
    let count = match stale.len() {
        1 => "an entry".to_owned(),
        count => format!("{count} entries"),
    };
    let mut lines = vec![format!("{count} of `{path}` is stale; `--update-baseline` removes it")];
    if stale.len() > 1 {
        lines = vec![format!("{count} of `{path}` are stale; `--update-baseline` removes them")];
    }
    let shown = stale.iter().take(SHOWN);
    lines.extend(shown.map(|it| format!("  {}: {} {}", it.key.file, it.key.code, it.message)));
    if stale.len() > SHOWN {
        lines.push(format!("  and {} more", stale.len() - SHOWN));
    }
    lines
}

/// The number of diagnostics in entries.
fn total(entries: &BTreeMap<Key, Entry>) -> usize {
    entries.values().map(|entry| entry.count as usize).sum()
}

/// The number of diagnostics that some entries have and others do not.
fn difference(some: &BTreeMap<Key, Entry>, others: &BTreeMap<Key, Entry>) -> usize {
    let other = |key: &Key| others.get(key).map_or(0, |entry| entry.count);
    some.iter().map(|(key, entry)| entry.count.saturating_sub(other(key)) as usize).sum()
}

/// A path relative to a directory, both absolute; as it is where they have no common beginning.
fn path_from(directory: &Path, path: &Path) -> PathBuf {
    let same =
        directory.components().zip(path.components()).take_while(|(one, other)| one == other);
    let same = same.count();
    if same == 0 {
        return path.to_path_buf();
    }
    let up = directory.components().skip(same).map(|_| Component::ParentDir);
    up.chain(path.components().skip(same)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_relative_to_the_baseline() {
        let from = |directory: &str, path: &str| {
            path_from(Path::new(directory), Path::new(path)).display().to_string()
        };
        assert_eq!(from("/repo", "/repo/web/main.pp"), "web/main.pp");
        assert_eq!(from("/repo/ci", "/repo/web/main.pp"), "../web/main.pp");
    }
}
