//! The search for the file that configures a program.

use std::collections::{BTreeMap, HashMap};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use pcl_diagnostics::{Code, Diagnostic, FileId, SourceMap, Span, TextRange};

use super::Configuration;
use super::node::{self, Malformed, Node};
use crate::project;

/// The name of a configuration file.
const NAME: &str = "pcl.toml";

/// The key of the configuration in a project file.
const KEY: &str = "pcl";

/// The size of the largest configuration file that is read.
const MAX_BYTES: u64 = 16 << 20;

/// The configurations of the programs of a run. The file of a directory is read once.
pub struct Discovery {
    /// The settings from outside of files.
    base: Arc<Configuration>,
    /// Set if files do not count.
    isolated: bool,
    /// The texts of files that are open in an editor, by absolute path.
    edited: Arc<BTreeMap<PathBuf, Arc<str>>>,
    /// The answers for directories, by absolute path.
    known: Mutex<HashMap<PathBuf, Arc<Configuration>>>,
    sources: Mutex<Sources>,
}

/// The files that were read, and what is wrong with them.
#[derive(Default)]
struct Sources {
    map: SourceMap,
    diagnostics: Vec<Diagnostic>,
    /// The directories of the files that are not valid.
    broken: Vec<PathBuf>,
}

impl Discovery {
    /// A search for files whose settings are weaker than those of `base`. If it is `isolated`, it
    /// finds none.
    #[must_use]
    pub fn new(base: Configuration, isolated: bool) -> Self {
        Self {
            base: Arc::new(base),
            isolated,
            edited: Arc::default(),
            known: Mutex::default(),
            sources: Mutex::default(),
        }
    }

    /// The same search with texts of files that are open in an editor, by absolute path. They count
    /// instead of those on disk.
    #[must_use]
    pub fn with_edited(self, edited: Arc<BTreeMap<PathBuf, Arc<str>>>) -> Self {
        Self { edited, ..self }
    }

    /// The configuration of a program in a directory: that of the nearest file at or above it.
    pub fn of(&self, directory: &Path) -> Arc<Configuration> {
        let absolute = if self.isolated { None } else { project::absolute(directory) };
        let Some(absolute) = absolute else {
            return Arc::clone(&self.base);
        };
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let mut unknown = Vec::new();
        let mut found = None;
        for place in absolute.ancestors() {
            if let Some(configuration) = known.get(place) {
                found = Some(Arc::clone(configuration));
                break;
            }
            unknown.push(place.to_path_buf());
            if let Some(configuration) = self.read(place) {
                found = Some(Arc::new(configuration));
                break;
            }
        }
        let found = found.unwrap_or_else(|| Arc::clone(&self.base));
        for place in unknown {
            known.insert(place, Arc::clone(&found));
        }
        found
    }

    /// Returns true if the files that were read for the configuration of a directory are valid.
    #[must_use]
    pub fn is_valid(&self, directory: &Path) -> bool {
        let configuration = self.of(directory);
        let sources = self.sources.lock().unwrap_or_else(PoisonError::into_inner);
        let found = configuration.file().map(pcl_system::directory_of);
        let Some(absolute) = project::absolute(directory).filter(|_| !self.isolated) else {
            return true;
        };
        // A file above the one that counts was read for another program.
        let mut broken = sources.broken.iter();
        broken.all(|place| {
            !absolute.starts_with(place) || found.is_some_and(|found| !place.starts_with(found))
        })
    }

    /// The settings from outside of files.
    #[must_use]
    pub fn base(&self) -> &Configuration {
        &self.base
    }

    /// Returns true if files do not count.
    #[must_use]
    pub const fn is_isolated(&self) -> bool {
        self.isolated
    }

    /// Passes the diagnostics about the files that were read so far to `show`, with those files.
    pub fn diagnostics<T>(&self, show: impl FnOnce(&SourceMap, &[Diagnostic]) -> T) -> T {
        let sources = self.sources.lock().unwrap_or_else(PoisonError::into_inner);
        show(&sources.map, &sources.diagnostics)
    }

    /// The configuration in the files of one directory.
    fn read(&self, directory: &Path) -> Option<Configuration> {
        self.read_toml(&directory.join(NAME)).or_else(|| {
            let files = project::FILES.iter();
            // A directory has one project file.
            let mut files = files.map(|name| directory.join(name));
            let file = files.find(|file| self.edited.contains_key(file) || file.is_file())?;
            self.read_project(&file)
        })
    }

    fn read_toml(&self, path: &Path) -> Option<Configuration> {
        let text = self.text(path, true)?;
        let node = node::from_toml(&text);
        Some(self.build(path, &text, "TOML", node))
    }

    fn read_project(&self, path: &Path) -> Option<Configuration> {
        let text = self.text(path, false)?;
        // Most project files have no such key; what is wrong with them is not reported here.
        if !text.contains(KEY) {
            return None;
        }
        let node = match node::from_yaml(&text, KEY) {
            Ok(found) => found.map(|(_, node)| Ok(node))?,
            Err(error) => {
                let has_key = text.lines().any(|line| line.starts_with("pcl:"));
                has_key.then_some(Err(error))?
            }
        };
        Some(self.build(path, &text, "YAML", node))
    }

    /// The text of a file; `None` if there is none. A file that cannot be read is an error, since
    /// it may configure something. Only a file of ours has to be UTF-8: Pulumi reads others too.
    fn text(&self, path: &Path, is_ours: bool) -> Option<String> {
        if let Some(text) = self.edited.get(path) {
            return Some(text.to_string());
        }
        let read = pcl_system::read(path, MAX_BYTES);
        let text = read.and_then(|bytes| {
            String::from_utf8(bytes)
                .map_err(|_| std::io::Error::new(ErrorKind::InvalidData, "it is not UTF-8"))
        });
        match text {
            Ok(text) => Some(text),
            Err(error)
                if !is_absent(path, &error)
                    && (is_ours || error.kind() != ErrorKind::InvalidData) =>
            {
                let shown = shown(path);
                self.report(path, "", |span| vec![unreadable(span, &shown, &error)]);
                None
            }
            Err(_) => None,
        }
    }

    fn build(
        &self,
        path: &Path,
        text: &str,
        language: &str,
        node: Result<Node, Malformed>,
    ) -> Configuration {
        let mut configuration = Configuration::clone(&self.base);
        configuration.file = Some(path.to_path_buf());
        let mut sources = self.sources.lock().unwrap_or_else(PoisonError::into_inner);
        let sources = &mut *sources;
        let file = sources.map.add(shown(path), text);
        let diagnostics = match node {
            Ok(table) => configuration.read_table(path, file, &sources.map, table),
            Err(Malformed { range, reason }) => {
                let span = Span::new(file, range);
                vec![malformed(span, language, &reason)]
            }
        };
        if !diagnostics.is_empty() {
            let directory = pcl_system::directory_of(path);
            sources.broken.push(directory.to_path_buf());
        }
        sources.diagnostics.extend(diagnostics);
        configuration
    }

    fn report(&self, path: &Path, text: &str, diagnostics: impl Fn(Span) -> Vec<Diagnostic>) {
        let mut sources = self.sources.lock().unwrap_or_else(PoisonError::into_inner);
        let file: FileId = sources.map.add(shown(path), text);
        let span = Span::new(file, TextRange::empty(0));
        sources.diagnostics.extend(diagnostics(span));
        let directory = pcl_system::directory_of(path);
        sources.broken.push(directory.to_path_buf());
    }
}

/// Returns true if an error of reading says that there is no such file, or that its directory may
/// not be searched.
fn is_absent(path: &Path, error: &std::io::Error) -> bool {
    let kinds = [ErrorKind::NotFound, ErrorKind::NotADirectory];
    kinds.contains(&error.kind()) || path.symlink_metadata().is_err()
}

/// A path as people would write it: relative to the current directory if it is below it.
fn shown(path: &Path) -> String {
    let current = std::env::current_dir().unwrap_or_default();
    let relative = path.strip_prefix(&current).unwrap_or(path);
    pcl_system::shown(relative)
}

/// A file that is not TOML or YAML.
fn malformed(span: Span, language: &str, reason: &str) -> Diagnostic {
    let message = format!("the configuration is not valid {language}: {reason}");
    Diagnostic::error(Code::InvalidConfiguration, span, message).ours()
}

/// A file that cannot be read.
fn unreadable(span: Span, path: &str, error: &std::io::Error) -> Diagnostic {
    let message = format!("`{path}` cannot be read: {error}");
    Diagnostic::error(Code::UnreadableSource, span, message)
        .help("correct or remove it, or run with `--isolated`")
        .ours()
}
