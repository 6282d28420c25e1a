//! The bytes of a document: mapped, unpacked or given.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use memmap2::Mmap;

use crate::Position;

/// Below this size a file is read: a mapping costs more than it saves.
const MAP_FROM_BYTES: u64 = 64 * 1024;

/// Unpacked documents may not be larger; a file that claims to be is no schema.
const UNPACK_LIMIT: u64 = 4 * 1024 * 1024 * 1024 - 1;

/// The bytes of a document.
#[derive(Debug)]
pub(crate) enum Document {
    Mapped(Mmap),
    Owned(Vec<u8>),
}

impl Document {
    /// Opens a file: large ones are mapped, `.gz` ones are unpacked into memory.
    pub fn open(path: &Path) -> io::Result<Self> {
        let mut file = File::open(path)?;
        let size = file.metadata()?.len();
        let mut bytes = Vec::new();
        if path.extension().is_some_and(|extension| extension == "gz") {
            flate2::read::MultiGzDecoder::new(file)
                .take(UNPACK_LIMIT)
                .read_to_end(&mut bytes)?;
        } else if size >= MAP_FROM_BYTES {
            return map(&file).map(Self::Mapped);
        } else {
            file.read_to_end(&mut bytes)?;
        }
        Ok(Self::Owned(bytes))
    }

    pub fn bytes(&self) -> &[u8] {
        match self {
            Self::Mapped(map) => map,
            Self::Owned(bytes) => bytes,
        }
    }
}

/// Maps a file read-only.
///
/// The bytes of a mapping change when somebody writes into the file meanwhile. They are used as bytes alone, checked on every reading (text is
/// validated where it is taken), so such a change gives a wrong answer or an error, as a change during reading would; whoever replaces a schema by
/// renaming a new file over it, as Pulumi does, disturbs nothing.
#[allow(unsafe_code)]
fn map(file: &File) -> io::Result<Mmap> {
    // SAFETY: the mapping is read-only and private to this module; see above for files that change.
    unsafe { Mmap::map(file) }
}

/// Line and column of a byte.
pub(crate) fn position(document: &[u8], offset: usize) -> Position {
    let offset = offset.min(document.len());
    let before = &document[..offset];
    let line_start = memchr::memrchr(b'\n', before).map_or(0, |newline| newline + 1);
    let column = before[line_start..]
        .iter()
        .filter(|byte| **byte & 0xC0 != 0x80)
        .count()
        + 1;
    let line = memchr::memchr_iter(b'\n', before).count() + 1;
    let narrow = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    Position {
        offset: narrow(offset),
        line: narrow(line),
        column: narrow(column),
    }
}
