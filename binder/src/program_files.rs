//! The files of a program, read and parsed: the `.pp` files directly in its directory. The text of
//! an open file counts instead of the one on disk.
//!
//! The rules, with examples: `tests/spec/programs/program_files.md`. The tests of open files:
//! `binder/tests/open_files.rs`.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::io::{Error, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pcl_diagnostics::{Code, Diagnostic, FileId, Setting, SourceMap, Span, TextRange};
use pcl_syntax::SyntaxTree;

/// The size of the largest file that is read, in bytes. The model of a dense text takes fifty times
/// its memory.
pub const MAX_FILE_BYTES: u64 = 256 << 20;

/// One parsed file of a program.
#[derive(Clone)]
pub struct Source {
    /// The file in the source map.
    pub file: FileId,
    /// Its base name: files of a program are ordered by it.
    pub name: String,
    /// Its tree.
    pub tree: Arc<SyntaxTree>,
}

/// The files of one program, by name.
#[derive(Clone, Default)]
pub struct Sources {
    /// The directory of the program; component sources are relative to it.
    pub directory: Option<PathBuf>,
    /// The directory as people wrote it: the prefix of the files' paths in the source map.
    pub display: String,
    /// The files, ordered by name.
    pub files: Vec<Source>,
}

impl Sources {
    /// Reads every `.pp` file directly in `path`. A file or directory that cannot be read is a
    /// diagnostic, as is a name that is not UTF-8; the others are read all the same. A directory
    /// without a `.pp` file gives an error marked as ours: Pulumi takes it for an empty program.
    /// Files in `open` are not read.
    pub fn read_directory(
        path: &Path,
        display: &str,
        open: &OpenFiles,
        map: &mut SourceMap,
    ) -> (Self, Vec<Diagnostic>) {
        let mut sources = Self {
            directory: Some(path.to_path_buf()),
            display: display.to_owned(),
            files: Vec::new(),
        };
        let mut unsaved: Vec<OsString> = open.names_in(display).map(OsString::from).collect();
        let on_disk = if open.is_without_disk() {
            Err(ErrorKind::NotFound.into())
        } else {
            program_files(path)
        };
        let names = match on_disk {
            Ok(names) => {
                unsaved.retain(|name| !names.contains(name));
                let mut all = [names, unsaved].concat();
                all.sort_unstable();
                all
            }
            Err(error) if !open.has_directory(display) => {
                let diagnostic = unreadable(map, path, display, &error, "directory");
                return (sources, vec![diagnostic]);
            }
            Err(_) => unsaved,
        };
        if names.is_empty() {
            let file = map.add(display, "");
            let span = Span::new(file, TextRange::empty(0));
            let diagnostic = no_program_files(span, display);
            return (sources, vec![diagnostic]);
        }
        let mut diagnostics = Vec::new();
        for name in names {
            let shown = join_display(display, &name.to_string_lossy());
            let place = path.join(&name);
            let tree = read_tree(&place, &shown, open);
            match tree.and_then(|tree| Ok((text_name(name)?, tree))) {
                Ok((name, tree)) => sources.push(name, shown, tree, map),
                Err(error) => diagnostics.push(unreadable(map, &place, &shown, &error, "file")),
            }
        }
        (sources, diagnostics)
    }

    /// Reads one file as a separate program; components are loaded from the directory that contains
    /// it. A file in `open` is not read.
    pub fn read_file(
        path: &Path,
        display: &str,
        open: &OpenFiles,
        map: &mut SourceMap,
    ) -> (Self, Vec<Diagnostic>) {
        let directory = pcl_system::directory_of(path).to_path_buf();
        let shown_directory = match display.rsplit_once('/') {
            Some((directory, _)) => directory.to_owned(),
            None => ".".to_owned(),
        };
        let mut sources =
            Self { directory: Some(directory), display: shown_directory, files: Vec::new() };
        let name = path.file_name().unwrap_or_default().to_owned();
        let tree = read_tree(path, display, open);
        match tree.and_then(|tree| Ok((text_name(name)?, tree))) {
            Ok((name, tree)) => {
                sources.push(name, display.to_owned(), tree, map);
                (sources, Vec::new())
            }
            Err(error) => {
                let diagnostic = unreadable(map, path, display, &error, "file");
                (sources, vec![diagnostic])
            }
        }
    }

    /// A program in memory: pairs of file name and text. It has no directory, hence no components
    /// with a source.
    pub fn from_texts<N, T>(texts: impl IntoIterator<Item = (N, T)>, map: &mut SourceMap) -> Self
    where
        N: Into<String>,
        T: Into<Vec<u8>>,
    {
        let parse = |text: T| Arc::new(pcl_newcomers::parse_bytes(text.into()));
        let trees = texts.into_iter().map(|(name, text)| (name, parse(text)));
        Self::from_trees(trees, map)
    }

    /// As [`Sources::from_texts`], of texts that are parsed.
    pub fn from_trees<N: Into<String>>(
        trees: impl IntoIterator<Item = (N, Arc<SyntaxTree>)>,
        map: &mut SourceMap,
    ) -> Self {
        let mut sources = Self::default();
        for (name, tree) in trees {
            let name = name.into();
            sources.push(name.clone(), name, tree, map);
        }
        sources.files.sort_by(|a, b| a.name.cmp(&b.name));
        sources
    }

    /// Takes the files whose extension is that of another language, such as `.tf`, for what it
    /// says: each has one error, and none of its lines is PCL.
    pub fn refuse_foreign(&mut self) {
        for source in &mut self.files {
            if let Some(tree) = pcl_newcomers::foreign_file(&source.name, &source.tree) {
                source.tree = Arc::new(tree);
            }
        }
    }

    fn push(&mut self, name: String, shown: String, tree: Arc<SyntaxTree>, map: &mut SourceMap) {
        let file = map.add(shown, tree.text().clone());
        self.files.push(Source { file, name, tree });
    }
}

/// The tree of a file: the open one, or that of its text on disk.
fn read_tree(path: &Path, shown: &str, open: &OpenFiles) -> std::io::Result<Arc<SyntaxTree>> {
    match open.get(shown) {
        Some(tree) => Ok(Arc::clone(tree)),
        None if open.is_without_disk() => Err(ErrorKind::NotFound.into()),
        None => {
            let bytes = pcl_system::read(path, MAX_FILE_BYTES)?;
            Ok(Arc::new(pcl_newcomers::parse_bytes(bytes)))
        }
    }
}

/// The name of a file as text, which diagnostics, positions and models need.
fn text_name(name: OsString) -> std::io::Result<String> {
    name.into_string().map_err(|_| Error::new(ErrorKind::InvalidFilename, "its name is not UTF-8"))
}

/// `directory/name` as people would write it.
pub(crate) fn join_display(directory: &str, name: &str) -> String {
    match directory {
        "" | "." => name.to_owned(),
        _ if directory.ends_with('/') => format!("{directory}{name}"),
        _ => format!("{directory}/{name}"),
    }
}

/// Reports a file or directory that gives no text.
fn unreadable(
    map: &mut SourceMap,
    path: &Path,
    display: &str,
    error: &Error,
    what: &str,
) -> Diagnostic {
    let span = Span::new(map.add(display, ""), TextRange::empty(0));
    if pcl_system::is_dead_link(path) {
        dead_link(span, display)
    } else {
        without_text(span, display, error, what)
    }
}

/// A directory without a program file.
fn no_program_files(span: Span, directory: &str) -> Diagnostic {
    let message = format!("there is no `.pp` file in `{directory}`");
    Diagnostic::error(Code::NoProgramFiles, span, message)
        .help("name a directory that holds `.pp` files")
        .setting(Setting::Recursive)
        .ours()
}

/// A link to something that does not exist.
fn dead_link(span: Span, display: &str) -> Diagnostic {
    let message = format!("`{display}` is a link that leads nowhere");
    Diagnostic::error(Code::UnreadableSource, span, message)
        .help("make the file that it leads to, or remove the link")
}

/// A file or directory (`what`) that gives no text.
fn without_text(span: Span, display: &str, error: &Error, what: &str) -> Diagnostic {
    let message = match error.kind() {
        ErrorKind::NotFound => format!("there is no {what} `{display}`"),
        ErrorKind::PermissionDenied => {
            format!("`{display}` may not be read with your permissions")
        }
        ErrorKind::FileTooLarge => format!("`{display}` is not read: {error}"),
        _ => format!("`{display}` cannot be read: {error}"),
    };
    let (code, help) = match error.kind() {
        ErrorKind::FileTooLarge => (Code::FileTooLarge, "split the program into several files"),
        ErrorKind::InvalidFilename => (Code::UnreadableSource, "rename the file"),
        ErrorKind::InvalidInput => {
            (Code::UnreadableSource, "programs are regular files; `-` reads standard input")
        }
        _ => (Code::UnreadableSource, "check the path and its permissions"),
    };
    Diagnostic::error(code, span, message).help(help)
}

/// The `.pp` files directly in `path`, in byte order of their names.
pub(crate) fn program_files(path: &Path) -> std::io::Result<Vec<OsString>> {
    let mut names = Vec::new();
    for entry in std::fs::read_dir(path)? {
        let name = entry?.file_name();
        if is_program_file(path, &name) {
            names.push(name);
        }
    }
    names.sort_unstable();
    Ok(names)
}

/// Returns whether an entry of a directory is a file of its program: its name ends in `.pp`, in
/// lower case, and it is not a directory. A link counts as what it leads to.
pub fn is_program_file(directory: &Path, name: &OsStr) -> bool {
    // Only the rare name that fits costs a system call.
    name.as_encoded_bytes().ends_with(b".pp") && !directory.join(name).is_dir()
}

/// Parsed files by the path that is shown, as it is in the source map. A file need not exist on
/// disk: it is then a file of the program whose directory it is in.
#[derive(Clone, Default, Debug)]
pub struct OpenFiles {
    trees: BTreeMap<String, Arc<SyntaxTree>>,
    is_without_disk: bool,
    directories: BTreeSet<String>,
}

impl OpenFiles {
    /// The files as all there are: no program file is read from a disk, and no directory or project
    /// is looked for there.
    #[must_use]
    pub fn without_disk(mut self) -> Self {
        self.is_without_disk = true;
        self
    }

    /// Returns true if there are no other files.
    pub const fn is_without_disk(&self) -> bool {
        self.is_without_disk
    }

    /// Adds a file, or replaces its text.
    pub fn insert(&mut self, path: impl Into<String>, tree: Arc<SyntaxTree>) {
        self.trees.insert(path.into(), tree);
    }

    /// Removes a file. Its text on disk counts again.
    pub fn remove(&mut self, path: &str) {
        self.trees.remove(path);
    }

    /// Names the directories that exist without program files, instead of those named before. They
    /// need not exist on disk.
    pub fn set_directories(&mut self, paths: impl IntoIterator<Item = String>) {
        self.directories = paths.into_iter().collect();
    }

    /// Names further directories that exist without program files.
    pub fn add_directories(&mut self, paths: impl IntoIterator<Item = String>) {
        self.directories.extend(paths);
    }

    /// Returns whether a directory exists, whatever the disk has.
    pub fn has_directory(&self, path: &str) -> bool {
        self.directories.contains(path) || self.names_in(path).next().is_some()
    }

    /// The tree of a file.
    pub fn get(&self, path: &str) -> Option<&Arc<SyntaxTree>> {
        self.trees.get(path)
    }

    /// The files, by path.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Arc<SyntaxTree>)> {
        self.trees.iter().map(|(path, tree)| (&**path, tree))
    }

    /// The names of the program files directly in a directory, which is named as it is shown.
    pub(crate) fn names_in(&self, directory: &str) -> impl Iterator<Item = &str> {
        self.paths_below(directory).filter(|name| !name.contains('/'))
    }

    /// The names of the directories in a directory that have program files, some of them several
    /// times.
    pub(crate) fn directories_in(&self, directory: &str) -> impl Iterator<Item = &str> {
        let split = self.paths_below(directory).filter_map(|path| path.split_once('/'));
        split.filter_map(|(name, rest)| (!rest.contains('/')).then_some(name))
    }

    /// The paths of the program files in and below a directory, relative to it.
    fn paths_below(&self, directory: &str) -> impl Iterator<Item = &str> {
        let prefix = join_display(directory, "");
        let from = self.trees.range(prefix.clone()..);
        let paths = from.map_while(move |(path, _)| path.strip_prefix(&*prefix));
        paths.filter(|name| name.ends_with(".pp"))
    }
}
