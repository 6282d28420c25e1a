//! The bytes of a document: in memory, or in a file or with somebody else and read on demand; and
//! their lines and columns, each byte counted once.

use std::borrow::Cow;
use std::fmt;
use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use pcl_diagnostics::LineColumn;

use crate::error::OpenError;
use crate::scan::{Bytes, Scanner};
use crate::yaml::{self, Rewritten};
use crate::{DocumentError, DocumentErrorKind};

/// Below this size a file is read into memory as a whole.
const KEEP_OPEN_FROM_BYTES: u64 = 1024 * 1024;

/// The limit for reading a file into memory, unpacked if it is packed; a larger one is not a
/// schema.
pub const MAX_FILE_BYTES: u64 = 1024 * 1024 * 1024;

/// The bytes of a document.
#[derive(Debug)]
pub(crate) enum SchemaSource {
    Memory(Vec<u8>),
    /// A document that was YAML.
    Rewritten(Rewritten),
    File(OpenFile),
    Distant(Box<dyn Distant>),
}

/// A document that somebody else keeps, such as the host of a WebAssembly module. Its bytes never
/// change.
pub trait Distant: fmt::Debug + Send + Sync {
    /// The number of bytes.
    fn length(&self) -> u64;

    /// Fills a buffer with the bytes from a place on.
    ///
    /// # Errors
    /// Returns an error if there are fewer bytes, or if they cannot be read.
    fn read_at(&self, into: &mut [u8], at: u64) -> io::Result<()>;
}

/// A file that stays open. It is not mapped: whoever writes into a mapped file, or cuts it off,
/// pulls the ground from under its readers. A file that is replaced by renaming another over it, as
/// Pulumi does, stays readable here; one that is written over is noticed.
#[derive(Debug)]
pub(crate) struct OpenFile {
    file: File,
    /// The state of the file when it was opened.
    stamp: Stamp,
}

impl SchemaSource {
    /// Opens a file; `.gz` ones are unpacked into memory, and YAML is rewritten there.
    pub fn open(path: &Path) -> Result<Self, OpenError> {
        let file = pcl_system::open(path)?;
        let metadata = file.metadata()?;
        let stays_open = cfg!(any(unix, windows))
            && metadata.len() >= KEEP_OPEN_FROM_BYTES
            && Syntax::of(path) == Syntax::Json
            && !is_packed(path);
        if stays_open {
            let stamp = Stamp::of(&metadata);
            return Ok(Self::File(OpenFile { file, stamp }));
        }
        let (bytes, syntax) = read_source(path)?;
        Ok(Self::of_source(bytes, syntax)?)
    }

    /// A document that is in memory.
    pub fn of_source(bytes: Vec<u8>, syntax: Syntax) -> Result<Self, DocumentError> {
        if syntax == Syntax::Json {
            return Ok(Self::Memory(bytes));
        }
        match std::str::from_utf8(&bytes) {
            Ok(text) => Ok(Self::Rewritten(yaml::to_json(text)?)),
            Err(error) => {
                let at = error.valid_up_to();
                let kind = DocumentErrorKind::Yaml(NOT_UTF8.to_owned());
                Err(Self::Memory(bytes).error(kind, at))
            }
        }
    }

    /// A document that somebody else keeps. It is read into memory if it is small, or YAML.
    pub fn of_distant(document: Box<dyn Distant>) -> Result<Self, OpenError> {
        let length = document.length();
        if length > MAX_FILE_BYTES {
            return Err(io::Error::from(io::ErrorKind::FileTooLarge).into());
        }
        let start = read_distant(&*document, 0..(length as usize).min(BLOCK))?;
        if length >= KEEP_OPEN_FROM_BYTES && Syntax::of_document(&start) == Syntax::Json {
            return Ok(Self::Distant(document));
        }
        let bytes = read_distant(&*document, 0..length as usize)?;
        let syntax = Syntax::of_document(&bytes);
        Ok(Self::of_source(bytes, syntax)?)
    }

    /// The number of bytes.
    pub fn len(&self) -> u64 {
        match self {
            Self::Memory(bytes) => bytes.len() as u64,
            Self::Rewritten(document) => document.json.len() as u64,
            Self::File(file) => file.stamp.length,
            Self::Distant(document) => document.length(),
        }
    }

    /// The state of the file when it was opened; `None` for a document that is no file.
    pub fn stamp(&self) -> Option<Stamp> {
        match self {
            Self::Memory(_) | Self::Rewritten(_) | Self::Distant(_) => None,
            Self::File(file) => Some(file.stamp),
        }
    }

    /// The bytes at that place. Of a file that changed since it was opened there are none.
    pub fn read(&self, place: Bytes) -> io::Result<Cow<'_, [u8]>> {
        match self {
            Self::Memory(bytes) | Self::Rewritten(Rewritten { json: bytes, .. }) => {
                Ok(Cow::Borrowed(bytes.get(place).unwrap_or_default()))
            }
            Self::File(file) => {
                let bytes = pcl_system::read_at(&file.file, place.start as u64, place.len());
                let bytes = bytes.map_err(|error| match error.kind() {
                    io::ErrorKind::UnexpectedEof => changed(),
                    _ => error,
                })?;
                file.check()?;
                Ok(Cow::Owned(bytes))
            }
            Self::Distant(document) => Ok(Cow::Owned(read_distant(&**document, place)?)),
        }
    }

    /// Walks over the whole document.
    pub fn scan<T>(&self, walk: impl FnOnce(Scanner<'_>) -> T) -> io::Result<T> {
        match self {
            Self::Memory(bytes) | Self::Rewritten(Rewritten { json: bytes, .. }) => {
                Ok(walk(Scanner::new(bytes)))
            }
            Self::File(file) => {
                let result = walk(Scanner::over(&mut file.reader()));
                file.check()?;
                Ok(result)
            }
            Self::Distant(document) => {
                Ok(walk(Scanner::over(&mut DistantReader { document: &**document, at: 0 })))
            }
        }
    }

    /// An error at a byte. Reads the document from its start: for documents that are not kept.
    pub fn error(&self, kind: DocumentErrorKind, at: usize) -> DocumentError {
        let narrow = |offset: usize| u32::try_from(offset).unwrap_or(u32::MAX);
        let end = usize::try_from(self.len()).unwrap_or(usize::MAX);
        let offset = match self {
            Self::Rewritten(document) => {
                let place = yaml::place_of(&document.places, at);
                place.map_or(0, |place| place.start)
            }
            Self::Memory(_) | Self::File(_) | Self::Distant(_) => narrow(at.min(end)),
        };
        DocumentError { kind, offset, position: Lines::default().position(self, at) }
    }
}

/// The syntax of a schema file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Syntax {
    /// `.json`, and everything else that is not YAML.
    Json,
    /// `.yaml` and `.yml`.
    Yaml,
}

impl Syntax {
    /// The syntax that the name of a file says, without `.gz`.
    pub fn of(path: &Path) -> Self {
        let inner = if is_packed(path) { path.file_stem().map_or(path, Path::new) } else { path };
        match inner.extension() {
            Some(extension) if extension == "yaml" || extension == "yml" => Self::Yaml,
            _ => Self::Json,
        }
    }

    /// The syntax of a document without a name: JSON begins with a brace, everything else is YAML.
    pub fn of_document(document: &[u8]) -> Self {
        let document = document.strip_prefix(b"\xef\xbb\xbf").unwrap_or(document);
        match document.trim_ascii_start().first() {
            Some(b'{') => Self::Json,
            _ => Self::Yaml,
        }
    }
}

fn is_packed(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "gz")
}

/// Reads a schema file of at most 1 GiB as its author wrote it: `.gz` is unpacked.
///
/// # Errors
/// Returns an error if the file is not a regular file, is larger, or cannot be read.
pub fn read_source(path: &Path) -> io::Result<(Vec<u8>, Syntax)> {
    let bytes = if is_packed(path) {
        let unpacked = flate2::read::MultiGzDecoder::new(pcl_system::open(path)?);
        pcl_system::read_stream(unpacked, MAX_FILE_BYTES)?
    } else {
        pcl_system::read(path, MAX_FILE_BYTES)?
    };
    Ok((bytes, Syntax::of(path)))
}

impl OpenFile {
    /// Fails when the file was written into since it was opened.
    fn check(&self) -> io::Result<()> {
        let now = Stamp::of(&self.file.metadata()?);
        if (now.length, now.modified) == (self.stamp.length, self.stamp.modified) {
            Ok(())
        } else {
            Err(changed())
        }
    }

    fn reader(&self) -> impl Read + '_ {
        FileReader { file: &self.file, at: 0 }
    }
}

fn changed() -> io::Error {
    io::Error::other(FILE_CHANGED)
}

/// Reads a file from its start, independent of other readers.
struct FileReader<'f> {
    file: &'f File,
    at: u64,
}

impl Read for FileReader<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let read = pcl_system::read_some_at(self.file, into, self.at)?;
        self.at += read as u64;
        Ok(read)
    }
}

/// The bytes at a place of a document that somebody else keeps.
fn read_distant(document: &dyn Distant, place: Bytes) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0; place.len()];
    document.read_at(&mut bytes, place.start as u64)?;
    Ok(bytes)
}

/// Reads a document that somebody else keeps from its start.
struct DistantReader<'d> {
    document: &'d dyn Distant,
    at: u64,
}

impl Read for DistantReader<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let left = self.document.length().saturating_sub(self.at);
        let length = usize::try_from(left).unwrap_or(usize::MAX).min(into.len());
        let Some(into) = into.get_mut(..length) else { return Ok(0) };
        self.document.read_at(into, self.at)?;
        self.at += length as u64;
        Ok(length)
    }
}

/// The state of a file, as far as the system knows it. Times are nanoseconds since 1970, 0 where
/// the system does not know.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stamp {
    pub length: u64,
    pub modified: u64,
    /// The time of the last change of any kind, which cannot be set back.
    pub changed: u64,
    pub device: u64,
    pub inode: u64,
}

impl Stamp {
    fn of(metadata: &Metadata) -> Self {
        let nanoseconds = |time: SystemTime| {
            let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
            u64::try_from(since.as_nanos()).unwrap_or(u64::MAX)
        };
        let stamp = Self {
            length: metadata.len(),
            modified: metadata.modified().map_or(0, nanoseconds),
            changed: metadata.created().map_or(0, nanoseconds),
            device: 0,
            inode: 0,
        };
        #[cfg(unix)]
        let stamp = {
            use std::os::unix::fs::MetadataExt as _;
            let seconds = u64::try_from(metadata.ctime()).unwrap_or(0);
            let fraction = u64::try_from(metadata.ctime_nsec()).unwrap_or(0);
            Self {
                changed: seconds.saturating_mul(1_000_000_000).saturating_add(fraction),
                device: metadata.dev(),
                inode: metadata.ino(),
                ..stamp
            }
        };
        stamp
    }
}

/// The text of the error about a file that is not what it was when it was opened.
const FILE_CHANGED: &str = "the file was changed while it was in use";

const NOT_UTF8: &str = "it is not UTF-8";

/// The distance of the offsets whose lines are remembered, in bytes.
const BLOCK: usize = 4 * 1024;

/// In a line of more bytes, a person cannot look up a column.
const LONGEST_LINE: usize = 1_000;

pub(crate) const FIRST: LineColumn = LineColumn { line: 1, column: 1 };

/// The lines of a document, as far as positions were asked for.
#[derive(Debug, Default)]
pub(crate) struct Lines {
    /// The positions of the starts of all blocks but the first.
    blocks: Mutex<Vec<LineColumn>>,
}

impl Lines {
    /// Line and column of a byte. Reads what of the document comes before it and was not read for
    /// another one.
    pub fn position(&self, document: &SchemaSource, offset: usize) -> LineColumn {
        if let SchemaSource::Rewritten(document) = document {
            let place = yaml::place_of(&document.places, offset);
            return place.map_or(FIRST, |place| place.position);
        }
        let offset = offset.min(usize::try_from(document.len()).unwrap_or(usize::MAX));
        let wanted = offset / BLOCK;
        let mut blocks = self.blocks.lock().unwrap_or_else(PoisonError::into_inner);
        let mut start = match wanted.min(blocks.len()).checked_sub(1) {
            Some(known) => blocks.get(known).copied().unwrap_or(FIRST),
            None => FIRST,
        };
        for block in blocks.len()..wanted {
            start = after(start, document, block * BLOCK..(block + 1) * BLOCK);
            blocks.push(start);
        }
        after(start, document, wanted * BLOCK..offset)
    }

    /// The position of a byte in a line that a person can read; `None` where a document has no such
    /// lines.
    pub fn readable_position(&self, document: &SchemaSource, offset: usize) -> Option<LineColumn> {
        let start = offset.saturating_sub(LONGEST_LINE);
        let is_readable = start == 0
            || matches!(document, SchemaSource::Rewritten(_))
            || document.read(start..offset).is_ok_and(|before| before.contains(&b'\n'));
        is_readable.then(|| self.position(document, offset))
    }
}

/// The position after these bytes, which begin at `start`. Bytes that can no longer be read have no
/// lines.
fn after(start: LineColumn, document: &SchemaSource, bytes: Bytes) -> LineColumn {
    let narrow = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    let bytes = document.read(bytes).unwrap_or_default();
    let is_start = |byte: &&u8| **byte & 0xC0 != 0x80;
    let columns = |bytes: &[u8]| narrow(bytes.iter().filter(is_start).count());
    let mut from_end = bytes.rsplitn(2, |byte| *byte == b'\n');
    let last_line = from_end.next().unwrap_or_default();
    match from_end.next() {
        Some(before) => LineColumn {
            line: start
                .line
                .saturating_add(narrow(memchr::memchr_iter(b'\n', before).count()))
                .saturating_add(1),
            column: columns(last_line).saturating_add(1),
        },
        None => {
            LineColumn { line: start.line, column: start.column.saturating_add(columns(last_line)) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_those_of_a_plain_count() {
        const STEP: usize = 7_919;
        let line = |at: usize| format!("{:1$}é\n", "", at * 37 % 2_000);
        let text: String = (0..500).map(line).collect();
        let document = SchemaSource::Memory(text.clone().into_bytes());
        let lines = Lines::default();
        for offset in (0..text.len()).step_by(STEP).rev() {
            let before = String::from_utf8_lossy(&text.as_bytes()[..offset]);
            let last = before.rsplit('\n').next().unwrap_or_default();
            let place = lines.position(&document, offset);
            assert_eq!(place.line as usize, before.matches('\n').count() + 1);
            assert_eq!(place.column as usize, last.chars().count() + 1);
            let readable = lines.readable_position(&document, offset);
            assert_eq!(readable.is_some(), last.len() < LONGEST_LINE);
        }
        let blocks = lines.blocks.lock().unwrap();
        let furthest = (text.len() - 1) / STEP * STEP;
        assert_eq!(blocks.len(), furthest / BLOCK);
    }

    #[test]
    fn a_document_of_one_line_is_not_counted() {
        let document = SchemaSource::Memory(vec![b' '; 10 * BLOCK]);
        let lines = Lines::default();
        assert_eq!(lines.readable_position(&document, 9 * BLOCK), None);
        assert_eq!(lines.blocks.lock().unwrap().len(), 0);
    }

    /// A text that counts how much of it is read.
    #[derive(Debug)]
    struct Counted(Vec<u8>, std::sync::Arc<std::sync::atomic::AtomicUsize>);

    impl Distant for Counted {
        fn length(&self) -> u64 {
            self.0.len() as u64
        }

        fn read_at(&self, into: &mut [u8], at: u64) -> io::Result<()> {
            let start = usize::try_from(at).unwrap();
            let bytes = self.0.get(start..start + into.len());
            into.copy_from_slice(bytes.ok_or(io::ErrorKind::UnexpectedEof)?);
            self.1.fetch_add(into.len(), std::sync::atomic::Ordering::Relaxed);
            Ok(())
        }
    }

    #[test]
    fn a_large_document_stays_where_it_is() {
        let filler = " ".repeat(2 * KEEP_OPEN_FROM_BYTES as usize);
        let zoo = r#""name": "zoo", "types": { "zoo:index:Cat": { "type": "object" } }"#;
        for (text, is_distant) in [
            (format!("{{ {zoo}, {filler} \"version\": \"1.0.0\" }}"), true),
            (format!("{{ {zoo} }}"), false),
            ("name: zoo\n".to_owned(), false),
        ] {
            let count = std::sync::Arc::default();
            let counted = Counted(text.clone().into_bytes(), std::sync::Arc::clone(&count));
            let document = SchemaSource::of_distant(Box::new(counted)).unwrap();
            assert_eq!(matches!(document, SchemaSource::Distant(_)), is_distant);
            let read = || count.load(std::sync::atomic::Ordering::Relaxed);
            if is_distant {
                assert!(read() <= BLOCK);
                assert_eq!(document.len(), text.len() as u64);
                let end = text.len() - 20..text.len();
                assert_eq!(document.read(end.clone()).unwrap(), text.as_bytes()[end].to_vec());
                let beyond = text.len()..text.len() + 1;
                assert!(document.read(beyond).is_err());
            }
            let before = read();
            let counted = Counted(text.clone().into_bytes(), std::sync::Arc::clone(&count));
            let package =
                crate::Package::from_distant(Path::new("zoo.json"), Box::new(counted)).unwrap();
            assert_eq!(package.name(), "zoo");
            // Once for the index, and a little more for the header.
            assert!(read() - before <= text.len() + 4 * BLOCK);
        }
    }
}
