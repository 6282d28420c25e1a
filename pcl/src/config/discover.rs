//! The search for the file that configures a program, and the levels of codes, from the weakest
//! source to the strongest.

use std::collections::HashMap;
use std::fmt;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use pcl_binder::Options;
use pcl_diagnostics::{
    Code, Diagnostic, FileId, Level, Selector, SourceMap, Span, TextRange, suggest,
};
use pcl_schema::EditedTexts;

use crate::config::Configuration;
use crate::config::node::{self, Malformed, Node};
use crate::config::value::listed;
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
    edited: Arc<EditedTexts>,
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

/// The reason why a text selects no codes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WrongSelector {
    /// The reason, in one line.
    pub message: String,
    /// The advice, in one line.
    pub help: String,
}

impl fmt::Display for WrongSelector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; {}", self.message, self.help)
    }
}

impl std::error::Error for WrongSelector {}

/// The codes that a text selects: a code, its name, or a group of lints.
///
/// # Errors
/// Returns the reason if there is no such name.
pub fn selector(text: &str) -> Result<Selector, WrongSelector> {
    Selector::parse(text).ok_or_else(|| no_selector(text, suggest(text, Selector::names())))
}

/// The lints that a text selects: a lint, its name, or a group.
///
/// # Errors
/// Returns the reason if there is no such name, or if it is that of another code.
pub fn selector_of_lints(text: &str) -> Result<Selector, WrongSelector> {
    let names = || Selector::names_of_lints();
    match Selector::parse(text) {
        Some(selector) if selector.codes.iter().all(|code| code.group().is_some()) => Ok(selector),
        Some(_) => Err(code_of_no_lint(text)),
        None => {
            // A prefix of several codes means none of them.
            let is_prefix = names().filter(|name| name.starts_with(text)).nth(1).is_some();
            let meant = suggest(text, names()).filter(|_| !is_prefix);
            Err(no_selector_of_lints(text, meant))
        }
    }
}

/// Makes these the lints that run.
pub fn select(options: &mut Options, selectors: &[Selector]) {
    for code in Code::lints() {
        if selectors.iter().any(|selector| selector.codes.contains(&code)) {
            options.lints.set(code, true);
            if options.policy.levels.get(code) == Some(Level::Ignore) {
                options.policy.levels.clear(code);
            }
        } else {
            set_level(options, code, Level::Ignore);
        }
    }
}

/// Chooses the level of the selected codes. A single code outweighs the groups that contain it,
/// whatever their order.
pub fn set_levels(options: &mut Options, mut levels: Vec<(Selector, Level)>) {
    levels.sort_by_key(|(selector, _)| !selector.is_group);
    for (selector, level) in levels {
        for code in selector.codes {
            set_level(options, code, level);
        }
    }
}

fn set_level(options: &mut Options, code: Code, level: Level) {
    options.policy.levels.set(code, level);
    options.lints.set(code, level != Level::Ignore);
}

/// A name that is not one of a code or group.
fn no_selector(text: &str, meant: Option<&str>) -> WrongSelector {
    WrongSelector {
        message: format!("`{text}` is not a code, the name of one, or a group of lints"),
        help: meant.map_or_else(
            || "`pcl explain --all` lists the codes".to_owned(),
            |meant| format!("did you mean `{meant}`?"),
        ),
    }
}

/// A name that is not one of a lint or group, where only lints are selected.
fn no_selector_of_lints(text: &str, meant: Option<&str>) -> WrongSelector {
    let groups: Vec<String> = Selector::groups().map(|name| format!("`{name}`")).collect();
    WrongSelector {
        message: format!("`{text}` is not a lint or a group of lints"),
        help: meant.map_or_else(
            || format!("the groups are {}", listed(&groups, "and")),
            |meant| format!("did you mean `{meant}`?"),
        ),
    }
}

/// A code that is no lint, where only lints are selected.
fn code_of_no_lint(text: &str) -> WrongSelector {
    WrongSelector {
        message: format!("`{text}` is not a lint"),
        help: "`levels`, `--error`, `--warn` and `--ignore` set the level of any code".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn selector(text: &str) -> Selector {
        Selector::parse(text).unwrap()
    }

    #[test]
    fn a_code_outweighs_its_group() {
        let mut options = Options::default();
        set_levels(
            &mut options,
            vec![(selector("unused-local"), Level::Error), (selector("unused"), Level::Ignore)],
        );
        let levels = &options.policy.levels;
        assert_eq!(levels.get(Code::UnusedLocal), Some(Level::Error));
        assert_eq!(levels.get(Code::UnusedConfig), Some(Level::Ignore));
    }

    #[test]
    fn a_stronger_selection_replaces_weaker_levels() {
        let mut options = Options::default();
        set_levels(&mut options, vec![(selector("unused"), Level::Ignore)]);
        select(&mut options, &[selector("unused-config")]);
        let levels = &options.policy.levels;
        assert_eq!(levels.get(Code::UnusedConfig), None);
        assert_eq!(levels.get(Code::UnusedLocal), Some(Level::Ignore));
        assert_eq!(levels.get(Code::NearValue), Some(Level::Ignore));
        assert!(options.lints.contains(Code::UnusedConfig));
        assert!(!options.lints.contains(Code::Deprecated));
    }
}
