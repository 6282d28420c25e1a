//! The files of a program, read and parsed.
//!
//! The rules, with examples: `tests/spec/programs/program_files.md`.

use std::ffi::OsString;
use std::io::{Error, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pcl_diagnostics::{Diagnostic, FileId, SourceMap, Span, TextRange};
use pcl_syntax::SyntaxTree;

use crate::messages;
use crate::program_files::program_files;

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
    pub fn read_directory(
        path: &Path,
        display: &str,
        map: &mut SourceMap,
    ) -> (Self, Vec<Diagnostic>) {
        let mut sources = Self {
            directory: Some(path.to_path_buf()),
            display: display.to_owned(),
            files: Vec::new(),
        };
        let names = match program_files(path) {
            Ok(names) => names,
            Err(error) => {
                let diagnostic = unreadable(map, path, display, &error, "directory");
                return (sources, vec![diagnostic]);
            }
        };
        if names.is_empty() {
            let file = map.add(display, "");
            let span = Span::new(file, TextRange::empty(0));
            let diagnostic = messages::source::no_program_files(span, display);
            return (sources, vec![diagnostic]);
        }
        let mut diagnostics = Vec::new();
        for name in names {
            let shown = join_display(display, &name.to_string_lossy());
            let place = path.join(&name);
            let bytes = pcl_system::read(&place, MAX_FILE_BYTES);
            match bytes.and_then(|bytes| Ok((text_name(name)?, bytes))) {
                Ok((name, bytes)) => sources.push(name, shown, bytes, map),
                Err(error) => diagnostics.push(unreadable(map, &place, &shown, &error, "file")),
            }
        }
        (sources, diagnostics)
    }

    /// Reads one file as a separate program; components are loaded from the directory that contains
    /// it.
    pub fn read_file(path: &Path, display: &str, map: &mut SourceMap) -> (Self, Vec<Diagnostic>) {
        let directory = pcl_system::directory_of(path).to_path_buf();
        let shown_directory = match display.rsplit_once('/') {
            Some((directory, _)) => directory.to_owned(),
            None => ".".to_owned(),
        };
        let mut sources = Self {
            directory: Some(directory),
            display: shown_directory,
            files: Vec::new(),
        };
        let name = path.file_name().unwrap_or_default().to_owned();
        let bytes = pcl_system::read(path, MAX_FILE_BYTES);
        match bytes.and_then(|bytes| Ok((text_name(name)?, bytes))) {
            Ok((name, bytes)) => {
                sources.push(name, display.to_owned(), bytes, map);
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
        let mut sources = Self::default();
        for (name, text) in texts {
            let name = name.into();
            sources.push(name.clone(), name, text.into(), map);
        }
        sources.files.sort_by(|a, b| a.name.cmp(&b.name));
        sources
    }

    /// Takes the files whose extension is that of another language, such as `.tf`, for what it
    /// says: each has one error, and none of its lines is PCL.
    pub fn refuse_foreign(&mut self) {
        for source in &mut self.files {
            if let Some(tree) = pcl_syntax::foreign_file(&source.name, &source.tree) {
                source.tree = Arc::new(tree);
            }
        }
    }

    fn push(&mut self, name: String, shown: String, bytes: Vec<u8>, map: &mut SourceMap) {
        let tree = Arc::new(pcl_syntax::parse_bytes(bytes));
        let file = map.add(shown, tree.text().clone());
        self.files.push(Source { file, name, tree });
    }
}

/// The name of a file as text, which diagnostics, positions and models need.
fn text_name(name: OsString) -> std::io::Result<String> {
    name.into_string()
        .map_err(|_| Error::new(ErrorKind::InvalidFilename, "its name is not UTF-8"))
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
    match pcl_system::is_dead_link(path) {
        true => messages::source::dead_link(span, display),
        false => messages::source::unreadable(span, display, error, what),
    }
}
