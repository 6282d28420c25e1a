//! The files of a program, read and parsed.

use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pcl_diagnostics::{Code, Diagnostic, FileId, SourceMap, Span, TextRange};
use pcl_syntax::SyntaxTree;

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
    /// Where the program lies on disk; component sources are relative to it.
    pub directory: Option<PathBuf>,
    /// The directory as people wrote it: the prefix of the files' paths in the source map.
    pub display: String,
    /// The files, ordered by name.
    pub files: Vec<Source>,
}

impl Sources {
    /// Reads every `.pp` file directly in `path`. A file or directory that cannot be read is a diagnostic; the others are read
    /// all the same. A directory without a `.pp` file gives an error marked as ours: Pulumi takes it for an empty program.
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
                let finding = unreadable(map, display, &error, "directory");
                return (sources, vec![finding]);
            }
        };
        if names.is_empty() {
            let file = map.add(display, "");
            let finding = Diagnostic::error(
                Code::NoProgramFiles,
                Span::new(file, TextRange::empty(0)),
                format!("there is no `.pp` file in `{display}`"),
            )
            .help("name a directory that holds `.pp` files, or use `-r` to look below it")
            .ours();
            return (sources, vec![finding]);
        }
        let mut findings = Vec::new();
        for name in names {
            let shown = join_display(display, &name);
            match read_file(&path.join(&name)) {
                Ok(bytes) => sources.push(name, shown, bytes, map),
                Err(fault) => findings.push(fault.report(map, &shown)),
            }
        }
        (sources, findings)
    }

    /// Reads one file as a program of its own; components are looked for beside it.
    pub fn read_file(path: &Path, display: &str, map: &mut SourceMap) -> (Self, Vec<Diagnostic>) {
        let directory = match path.parent() {
            Some(parent) if parent.as_os_str().is_empty() => Path::new(".").to_path_buf(),
            Some(parent) => parent.to_path_buf(),
            None => PathBuf::from("."),
        };
        let shown_directory = match display.rfind('/') {
            Some(at) => display[..at].to_owned(),
            None => ".".to_owned(),
        };
        let mut sources = Self {
            directory: Some(directory),
            display: shown_directory,
            files: Vec::new(),
        };
        match read_file(path) {
            Ok(bytes) => {
                let name = path
                    .file_name()
                    .map(|name| name.to_string_lossy().into_owned())
                    .unwrap_or_default();
                sources.push(name, display.to_owned(), bytes, map);
                (sources, Vec::new())
            }
            Err(fault) => {
                let finding = fault.report(map, display);
                (sources, vec![finding])
            }
        }
    }

    /// A program in memory: pairs of file name and text. It has no directory, hence no components with a source.
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

    fn push(&mut self, name: String, shown: String, bytes: Vec<u8>, map: &mut SourceMap) {
        let tree = Arc::new(pcl_syntax::parse_bytes(bytes));
        let file = map.add(shown, tree.text().clone());
        self.files.push(Source { file, name, tree });
    }
}

/// Why a file gives no text.
enum Fault {
    Io(std::io::Error),
    Device,
    TooLarge,
}

impl Fault {
    fn report(self, map: &mut SourceMap, display: &str) -> Diagnostic {
        let (code, message, help) = match self {
            Self::Io(error) => return unreadable(map, display, &error, "file"),
            Self::Device => (
                Code::UnreadableSource,
                format!("`{display}` is a device, not a file"),
                "name a file or directory, or `-` for standard input",
            ),
            Self::TooLarge => (
                Code::FileTooLarge,
                format!("`{display}` is larger than 4 GiB"),
                "split the program into several files",
            ),
        };
        let file = map.add(display, "");
        Diagnostic::error(code, Span::new(file, TextRange::empty(0)), message).help(help)
    }
}

/// The bytes of a file or pipe. Devices are refused, since some of them never end; offsets in a file have 32 bits.
fn read_file(path: &Path) -> Result<Vec<u8>, Fault> {
    let file = std::fs::File::open(path).map_err(Fault::Io)?;
    let metadata = file.metadata().map_err(Fault::Io)?;
    if is_device(&metadata) {
        return Err(Fault::Device);
    }
    let most = u64::from(u32::MAX);
    if metadata.len() >= most {
        return Err(Fault::TooLarge);
    }
    let mut bytes = Vec::with_capacity(metadata.len() as usize);
    file.take(most).read_to_end(&mut bytes).map_err(Fault::Io)?;
    if bytes.len() as u64 >= most {
        return Err(Fault::TooLarge);
    }
    Ok(bytes)
}

#[cfg(unix)]
fn is_device(metadata: &std::fs::Metadata) -> bool {
    use std::os::unix::fs::FileTypeExt as _;
    let kind = metadata.file_type();
    kind.is_char_device() || kind.is_block_device()
}

#[cfg(not(unix))]
fn is_device(_metadata: &std::fs::Metadata) -> bool {
    false
}

/// The names of the `.pp` files directly in `path`, in byte order. The extension is case-sensitive.
fn program_files(path: &Path) -> std::io::Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in std::fs::read_dir(path)? {
        let entry = entry?;
        let name = entry.file_name();
        let Some(text) = name.to_str() else { continue };
        // A link counts as what it leads to; only the rare name that fits costs a second question.
        if text.ends_with(".pp") && !path.join(&name).is_dir() {
            names.push(text.to_owned());
        }
    }
    names.sort_unstable();
    Ok(names)
}

/// `directory/name` as people would write it.
pub(crate) fn join_display(directory: &str, name: &str) -> String {
    match directory {
        "" | "." => name.to_owned(),
        _ if directory.ends_with('/') => format!("{directory}{name}"),
        _ => format!("{directory}/{name}"),
    }
}

fn unreadable(
    map: &mut SourceMap,
    display: &str,
    error: &std::io::Error,
    what: &str,
) -> Diagnostic {
    let file = map.add(display, "");
    let message = match error.kind() {
        std::io::ErrorKind::NotFound => format!("there is no {what} `{display}`"),
        std::io::ErrorKind::PermissionDenied => {
            format!("`{display}` may not be read with your permissions")
        }
        _ => format!("`{display}` cannot be read: {error}"),
    };
    Diagnostic::error(
        Code::UnreadableSource,
        Span::new(file, TextRange::empty(0)),
        message,
    )
    .help("check the path and its permissions")
}
