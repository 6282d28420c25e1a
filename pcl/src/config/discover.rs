//! The search for the file that configures a program, and for those that it extends.

use std::collections::{HashMap, HashSet};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use pcl_diagnostics::{Code, Diagnostic, FileId, SourceMap, Span, TextRange};
use pcl_schema::EditedTexts;

use crate::config::key::{EXTEND, OVERRIDES};
use crate::config::node::{self, Data, Key as NodeKey, Malformed, Node};
use crate::config::value::{self, Context, wrong_kind};
use crate::config::{Configuration, Entry, FileSettings, Origin, extend, overrides};
use crate::project;

/// The key of the configuration in a project file.
const KEY: &str = "pcl";

/// The size of the largest configuration file that is read.
const MAX_BYTES: u64 = 16 << 20;

/// A file, and those that it extends; the weakest first.
type Files = Vec<Arc<FileSettings>>;

/// The configurations of the programs of a run. Each file is read once.
pub struct Discovery {
    /// The settings from outside of files.
    base: Arc<Configuration>,
    /// Set if files do not count.
    isolated: bool,
    /// The texts of files that are open in an editor, by absolute path.
    edited: Arc<EditedTexts>,
    /// The answers for directories, by absolute path.
    known: Mutex<HashMap<PathBuf, Arc<Configuration>>>,
    /// The files that were read. A link to one is another: paths in it are relative to the link.
    files: Mutex<HashMap<PathBuf, Files>>,
    sources: Mutex<Sources>,
}

/// The files that were read, and what is wrong with them.
#[derive(Default)]
struct Sources {
    map: SourceMap,
    diagnostics: Vec<Diagnostic>,
    /// The files that are not valid.
    broken: HashSet<PathBuf>,
}

impl Discovery {
    /// A search for files whose settings are weaker than those of `base`. If it is `isolated`, it
    /// finds none.
    pub fn new(base: Configuration, isolated: bool) -> Self {
        Self {
            base: Arc::new(base),
            isolated,
            edited: Arc::default(),
            known: Mutex::default(),
            files: Mutex::default(),
            sources: Mutex::default(),
        }
    }

    /// The same search with texts of files that are open in an editor, by absolute path. They count
    /// instead of those on disk.
    #[must_use]
    pub fn with_edited(self, edited: Arc<EditedTexts>) -> Self {
        Self { edited, ..self }
    }

    /// The configuration of a program in a directory: that of the nearest file at or above it.
    pub fn of(&self, directory: &Path) -> Arc<Configuration> {
        let absolute = if self.isolated { None } else { project::absolute(directory) };
        let Some(absolute) = absolute else { return Arc::clone(&self.base) };
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let mut unknown = Vec::new();
        let mut found = None;
        for place in absolute.ancestors() {
            if let Some(configuration) = known.get(place) {
                found = Some(Arc::clone(configuration));
                break;
            }
            unknown.push(place.to_path_buf());
            if let Some(files) = self.read(place) {
                let outside = self.base.outside.clone();
                found = Some(Arc::new(Configuration { files, outside }));
                break;
            }
        }
        let found = found.unwrap_or_else(|| Arc::clone(&self.base));
        for place in unknown {
            known.insert(place, Arc::clone(&found));
        }
        found
    }

    /// Returns true if the files that configure a directory are valid.
    pub fn is_valid(&self, directory: &Path) -> bool {
        let configuration = self.of(directory);
        let sources = self.sources.lock().unwrap_or_else(PoisonError::into_inner);
        !configuration.files().any(|file| sources.broken.contains(file))
    }

    /// The settings from outside of files.
    pub fn base(&self) -> &Configuration {
        &self.base
    }

    /// Returns true if files do not count.
    pub const fn is_isolated(&self) -> bool {
        self.isolated
    }

    /// Passes the diagnostics about the files that were read so far to `show`, with those files.
    pub fn diagnostics<T>(&self, show: impl FnOnce(&SourceMap, &[Diagnostic]) -> T) -> T {
        let sources = self.sources.lock().unwrap_or_else(PoisonError::into_inner);
        show(&sources.map, &sources.diagnostics)
    }

    /// The configuration in the files of one directory.
    fn read(&self, directory: &Path) -> Option<Files> {
        self.read_toml(&directory.join(extend::FILE), &[]).or_else(|| {
            let files = project::FILES.iter();
            // A directory has one project file.
            let mut files = files.map(|name| directory.join(name));
            let file = files.find(|file| self.exists(file))?;
            self.read_project(&file)
        })
    }

    fn exists(&self, file: &Path) -> bool {
        self.edited.contains_key(file) || file.is_file()
    }

    /// The settings of a file of ours. `extending` holds the files without links that extend one
    /// another up to this one.
    fn read_toml(&self, path: &Path, extending: &[PathBuf]) -> Option<Files> {
        let known = || self.files.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(files) = known().get(path) {
            return Some(files.clone());
        }
        let files = match self.text(path, true)? {
            Ok(text) => self.build(path, &text, "TOML", node::from_toml(&text), extending),
            Err(()) => unreadable_file(path),
        };
        known().insert(path.to_path_buf(), files.clone());
        Some(files)
    }

    fn read_project(&self, path: &Path) -> Option<Files> {
        let Ok(text) = self.text(path, false)? else { return Some(unreadable_file(path)) };
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
        Some(self.build(path, &text, "YAML", node, &[]))
    }

    /// The text of a file; `None` if there is none. A file that cannot be read is an error, since
    /// it may configure something. Only a file of ours has to be UTF-8: Pulumi reads others too.
    fn text(&self, path: &Path, is_ours: bool) -> Option<Result<String, ()>> {
        if let Some(text) = self.edited.get(path) {
            return Some(Ok(text.to_string()));
        }
        let read = pcl_system::read(path, MAX_BYTES);
        let text = read.and_then(|bytes| {
            String::from_utf8(bytes)
                .map_err(|_| std::io::Error::new(ErrorKind::InvalidData, "it is not UTF-8"))
        });
        match text {
            Ok(text) => Some(Ok(text)),
            Err(error)
                if !is_absent(path, &error)
                    && (is_ours || error.kind() != ErrorKind::InvalidData) =>
            {
                let shown = shown(path);
                let file = self.add(path, "");
                let span = Span::new(file, TextRange::empty(0));
                self.report(path, [unreadable(span, &shown, &error)]);
                Some(Err(()))
            }
            Err(_) => None,
        }
    }

    /// The settings of a file with this text, and of those that it extends.
    fn build(
        &self,
        path: &Path,
        text: &str,
        language: &str,
        node: Result<Node, Malformed>,
        extending: &[PathBuf],
    ) -> Files {
        let file = self.add(path, text);
        let place = |range| Span::new(file, range);
        let origin = |range: TextRange| {
            let sources = self.sources.lock().unwrap_or_else(PoisonError::into_inner);
            let line = sources.map.position(file, range.start()).line;
            Origin::File(sources.map.path(file).into(), line)
        };
        let directory = path.parent().unwrap_or(Path::new(""));
        let is_yaml = path.extension().is_some_and(|extension| extension != "toml");
        let context = Context { place: &place, directory, is_project: true, is_yaml };
        let mut settings = FileSettings { path: path.to_path_buf(), ..FileSettings::default() };
        let mut entries = match entries(&context, language, node) {
            Ok(entries) => entries,
            Err(diagnostics) => {
                self.report(path, diagnostics);
                return vec![Arc::new(settings)];
            }
        };
        let mut files = Vec::new();
        if let Some(node) = take(&mut entries, EXTEND) {
            let real = pcl_system::resolved(path);
            let extending = [extending, &[real]].concat();
            let target = extend::target(&context, &node, &extending, |it| self.exists(it));
            match target {
                Ok(target) => files = self.read_toml(&target, &extending).unwrap_or_default(),
                Err(diagnostics) => self.report(path, diagnostics),
            }
        }
        if let Some(node) = take(&mut entries, OVERRIDES) {
            let (found, diagnostics) = overrides::read(&context, node, &origin);
            settings.overrides = found;
            self.report(path, diagnostics);
        }
        let (found, diagnostics) = value::settings(&context, entries);
        self.report(path, diagnostics);
        for (key, value, range) in found {
            let directory = directory.to_path_buf();
            settings.settings.insert(key, Entry { value, origin: origin(range), directory });
        }
        files.push(Arc::new(settings));
        files
    }

    fn add(&self, path: &Path, text: &str) -> FileId {
        let mut sources = self.sources.lock().unwrap_or_else(PoisonError::into_inner);
        sources.map.add(shown(path), text)
    }

    /// Reports what is wrong with a file.
    fn report(&self, path: &Path, diagnostics: impl IntoIterator<Item = Diagnostic>) {
        let mut sources = self.sources.lock().unwrap_or_else(PoisonError::into_inner);
        let before = sources.diagnostics.len();
        sources.diagnostics.extend(diagnostics);
        if sources.diagnostics.len() > before {
            sources.broken.insert(path.to_path_buf());
        }
    }
}

/// The entries of the table of a file.
fn entries(
    context: &Context<'_>,
    language: &str,
    node: Result<Node, Malformed>,
) -> Result<Vec<(NodeKey, Node)>, Vec<Diagnostic>> {
    let table = node.map_err(|Malformed { range, reason }| {
        vec![malformed((context.place)(range), language, &reason)]
    })?;
    match table.data {
        Data::Table(entries) => Ok(entries),
        Data::Null => Ok(Vec::new()),
        other => Err(vec![wrong_kind(
            (context.place)(table.range),
            "pcl",
            "a table of settings",
            other.kind(),
            "pcl: { missing-schema: warn }",
        )]),
    }
}

/// Takes out the value of a setting that only files have. An empty value of YAML sets nothing.
fn take(entries: &mut Vec<(NodeKey, Node)>, name: &str) -> Option<Node> {
    let at = entries.iter().position(|(key, _)| key.text == name)?;
    let (_, node) = entries.remove(at);
    (node.data != Data::Null).then_some(node)
}

/// The settings of a file that cannot be read: none.
fn unreadable_file(path: &Path) -> Files {
    vec![Arc::new(FileSettings { path: path.to_path_buf(), ..FileSettings::default() })]
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
