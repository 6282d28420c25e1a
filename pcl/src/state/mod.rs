//! States of stacks: what `pulumi stack export` prints and backends keep, checked and shown.
//!
//! The format itself is in [`pcl_state`], which is re-exported here.
//!
//! ```
//! use pcl::render::Format;
//! use pcl::state::{CheckedState, tree_text};
//!
//! let text = r#"{ "version": 3, "deployment": { "resources": [
//!     { "urn": "urn:pulumi:dev::shop::zoo:index:Cage::lions", "custom": true, "id": "c-1",
//!       "type": "zoo:index:Cage" } ] } }"#;
//! let checked = CheckedState::of_text("state.json", text.as_bytes().to_vec());
//! assert!(checked.is_valid());
//! let state = checked.state.as_ref().unwrap();
//! assert_eq!(tree_text(state), "zoo:index:Cage  lions  c-1\n");
//! ```

mod documents;
mod show;
mod tree;

use std::io;
use std::path::Path;

use pcl_diagnostics::{FileId, SourceMap, SourceText};

use crate::render::Report;

pub use documents::{resource_json, resources_json};
pub use pcl_state::*;
pub use show::{Found, find, resource_text};
pub use tree::tree_text;

/// A state that was read and checked.
pub struct CheckedState {
    /// The diagnostics, in the order of the text, in which whatever may be secret is hidden.
    pub report: Report,
    /// The state; `None` if the file is not that of one.
    pub state: Option<State>,
}

crate::render::reported!(CheckedState);

impl CheckedState {
    /// Reads and checks a file.
    pub fn of_file(path: &Path) -> Self {
        let display = pcl_system::shown(path);
        let mut checked = match pcl_system::read(path, MAX_FILE_BYTES) {
            Ok(bytes) => Self::of_text(&display, bytes),
            Err(error) => Self::unreadable(&display, &error),
        };
        checked.on_disk = true;
        checked
    }

    /// Checks a text in memory: the bytes of a file, in UTF-8 or UTF-16, packed with gzip or not.
    /// Bytes that are not text are read as U+FFFD, as Pulumi reads them. Positions are those of the
    /// text in UTF-8, without a byte order mark.
    pub fn of_text(path: &str, bytes: Vec<u8>) -> Self {
        let text = match decoded(bytes) {
            Ok(text) => SourceText::from(text),
            Err(error) => return Self::unreadable(path, &error),
        };
        let mut sources = SourceMap::new();
        let file: FileId = sources.add(path, text.clone());
        let Read { state, diagnostics } = State::read(text.clone(), file);
        if !diagnostics.is_empty() {
            sources.replace(file, masked(&text, state.as_ref()));
        }
        Self { report: Report::new(path, sources, diagnostics), state }
    }

    fn unreadable(path: &str, error: &std::io::Error) -> Self {
        let help = "export the state with `pulumi stack export --file state.json`";
        Self { report: Report::unreadable(path, error, Some(help)), state: None }
    }

    /// Returns true if there is a state without errors.
    pub fn is_valid(&self) -> bool {
        self.state.is_some() && self.report.is_valid()
    }
}

/// The first bytes of a file that is packed with gzip.
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// Returns the text of a file: unpacked if a backend has packed it, in UTF-8, and without a byte
/// order mark. Windows PowerShell redirects output as UTF-16. Bytes that are not text are read as
/// U+FFFD, as Pulumi reads them.
///
/// # Errors
/// Returns an error if a packed file is damaged, or its content larger than [`MAX_FILE_BYTES`].
fn decoded(bytes: Vec<u8>) -> io::Result<String> {
    let bytes = if bytes.starts_with(&GZIP) {
        let unpacked = flate2::read::MultiGzDecoder::new(bytes.as_slice());
        pcl_system::read_stream(unpacked, MAX_FILE_BYTES)?
    } else {
        bytes
    };
    let text = wide(&bytes).unwrap_or_else(|| match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => String::from_utf8_lossy(error.as_bytes()).into_owned(),
    });
    Ok(match text.strip_prefix('\u{feff}') {
        Some(rest) => rest.to_owned(),
        None => text,
    })
}

/// Returns the text if it is in UTF-16. JSON begins with an ASCII character, so that the first two
/// bytes tell the order of the bytes even without a byte order mark.
fn wide(bytes: &[u8]) -> Option<String> {
    let read: fn([u8; 2]) -> u16 = match *bytes.first_chunk::<2>()? {
        [0xff, 0xfe] => u16::from_le_bytes,
        [0xfe, 0xff] => u16::from_be_bytes,
        [first, 0] if first != 0 => u16::from_le_bytes,
        [0, second] if second != 0 => u16::from_be_bytes,
        _ => return None,
    };
    let units = bytes.chunks(2).map(|unit| match *unit {
        [first, second] => read([first, second]),
        // Half a unit is no character: a surrogate without its partner is none either.
        _ => 0xd800,
    });
    let characters = char::decode_utf16(units);
    Some(characters.map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect())
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use flate2::{Compression, write::GzEncoder};

    use super::*;

    const TEXT: &str = "{ \"name\": \"caf\u{e9} \u{1f41f}\" }";

    #[test]
    fn all_encodings_give_the_same_text() {
        let marked = format!("\u{feff}{TEXT}");
        for text in [TEXT, &marked] {
            let units: Vec<u16> = text.encode_utf16().collect();
            let little = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
            let big = units.iter().flat_map(|unit| unit.to_be_bytes()).collect();
            for bytes in [text.as_bytes().to_vec(), little, big] {
                let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
                packed.write_all(&bytes).unwrap();
                assert_eq!(decoded(packed.finish().unwrap()).unwrap(), TEXT);
                assert_eq!(decoded(bytes).unwrap(), TEXT);
            }
        }
    }

    #[test]
    fn what_is_no_text_is_replaced() {
        for (bytes, text) in [
            (&b""[..], ""),
            (b"{", "{"),
            (b"{\xff}", "{\u{fffd}}"),
            (b"{\0\x00\xd8}\0", "{\u{fffd}}"),
            (b"{\0}", "{\u{fffd}"),
        ] {
            assert_eq!(decoded(bytes.to_vec()).unwrap(), text, "{bytes:?}");
        }
    }

    #[test]
    fn damaged_gzip_is_an_error() {
        assert!(decoded(vec![0x1f, 0x8b, 8, 0]).is_err());
    }
}
