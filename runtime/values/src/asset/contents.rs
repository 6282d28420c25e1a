//! Access to files and remote content, which the caller supplies; and the names of archives and of
//! their members.

use std::io::{self, ErrorKind, Read};

/// The kind of the error for content that is there and not read: what is made of it is unknown.
pub const NOT_READ: ErrorKind = ErrorKind::WouldBlock;

/// The files and the remote content that assets and archives refer to.
///
/// This crate opens nothing itself: an embedder may have no file system, a preview must not
/// download, and only the caller knows the directory of the program. An implementation opens
/// regular files only, so that no device or pipe blocks.
pub trait Contents {
    /// Opens a file. The path is as the program wrote it; a relative one belongs to the working
    /// directory of the run.
    ///
    /// # Errors
    /// Returns an error if it cannot be opened or is no regular file, and one of the kind
    /// [`NOT_READ`] if it is there and not read.
    fn file(&self, path: &str) -> io::Result<Content<'_>>;

    /// Lists a directory, in any order. Links to directories are not listed; links to files are
    /// files.
    ///
    /// # Errors
    /// Returns [`ErrorKind::NotADirectory`] for anything but a directory, and other errors if it
    /// cannot be read.
    fn directory(&self, path: &str) -> io::Result<Vec<Entry>>;

    /// Opens the content of an `http` or `https` URI.
    ///
    /// # Errors
    /// Returns an error if it cannot be fetched.
    fn fetch(&self, uri: &str) -> io::Result<Content<'_>>;

    /// Returns true for a path outside of the project, which a run reports.
    fn is_outside(&self, _path: &str) -> bool {
        false
    }

    /// The most bytes that the content of an asset or archive may have, decompressed.
    fn limit(&self) -> u64 {
        4 << 30
    }
}

/// Content that is being read.
pub struct Content<'c> {
    /// The number of bytes.
    pub size: u64,
    /// The bytes: as many as `size` says.
    pub reader: Box<dyn Read + 'c>,
}

impl<'c> Content<'c> {
    /// Content in memory.
    pub fn of(bytes: &'c [u8]) -> Self {
        Self { size: bytes.len() as u64, reader: Box::new(bytes) }
    }
}

/// An entry of a directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The name.
    pub name: String,
    /// True for a directory, false for a file.
    pub is_directory: bool,
}

/// No files and no remote content: only text has content.
#[derive(Clone, Copy, Debug)]
pub struct NoContents;

impl Contents for NoContents {
    fn file(&self, _: &str) -> io::Result<Content<'_>> {
        Err(refused("there are no files here"))
    }

    fn directory(&self, _: &str) -> io::Result<Vec<Entry>> {
        Err(refused("there are no files here"))
    }

    fn fetch(&self, _: &str) -> io::Result<Content<'_>> {
        Err(refused("there is no remote content here"))
    }
}

fn refused(reason: &'static str) -> io::Error {
    io::Error::new(ErrorKind::Unsupported, reason)
}

/// The format of an archive file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    Tar,
    TarGz,
    Zip,
}

impl Format {
    /// The format that the end of a path names.
    pub fn of(path: &str) -> Option<Self> {
        const ENDS: [(&str, Format); 5] = [
            (".tar", Format::Tar),
            (".tgz", Format::TarGz),
            (".tar.gz", Format::TarGz),
            (".zip", Format::Zip),
            (".jar", Format::Zip),
        ];
        let mut ends = ENDS.iter();
        ends.find(|(end, _)| path.ends_with(end)).map(|(_, format)| *format)
    }
}

/// The name of a member that lies in folders.
pub fn join(folder: Option<&str>, name: &str) -> String {
    match folder {
        // At the top, a name is kept as it is written.
        None => name.to_owned(),
        Some(folder) => clean(&format!("{folder}/{name}")),
    }
}

/// The shortest path that means the same: without empty parts and `.`, and with `..` only at the
/// beginning.
pub fn clean(path: &str) -> String {
    let is_rooted = path.starts_with('/');
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|&last| last != "..") => {
                parts.pop();
            }
            ".." if is_rooted => {}
            part => parts.push(part),
        }
    }
    let joined = parts.join("/");
    match (is_rooted, joined.is_empty()) {
        (true, _) => format!("/{joined}"),
        (false, true) => String::from("."),
        (false, false) => joined,
    }
}

/// The place that a URI names.
#[derive(Debug, PartialEq, Eq)]
pub enum Place {
    /// A file, by its absolute path.
    File(String),
    /// Content of `http` or `https`, with the path by which its format is recognised.
    Remote(String),
}

/// Reads a URI; `None` for a scheme that is not supported, and for a `file` URI with a host, a
/// query or a fragment.
pub fn place(uri: &str) -> Option<Place> {
    let (scheme, rest) = uri.split_once(':')?;
    let end = rest.find(['?', '#']).unwrap_or(rest.len());
    let (before, after) = rest.split_at_checked(end)?;
    let (host, path) = match before.strip_prefix("//") {
        Some(rest) => rest.split_at_checked(rest.find('/').unwrap_or(rest.len()))?,
        None => ("", before),
    };
    let path = decode(path)?;
    match scheme.to_ascii_lowercase().as_str() {
        "http" | "https" => Some(Place::Remote(path)),
        "file" if matches!(host, "" | "localhost") && after.is_empty() => Some(Place::File(path)),
        _ => None,
    }
}

/// Text in which `%` and two digits stand for a byte.
fn decode(text: &str) -> Option<String> {
    let mut pieces = text.split('%');
    let mut bytes = pieces.next()?.as_bytes().to_vec();
    for piece in pieces {
        let (digits, rest) = piece.split_at_checked(2)?;
        let is_hex = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        bytes.push(u8::from_str_radix(digits, 16).ok().filter(|_| is_hex)?);
        bytes.extend_from_slice(rest.as_bytes());
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_cleaned() {
        for (path, cleaned) in [
            ("a/b", "a/b"),
            ("a//b/./c/", "a/b/c"),
            ("a/../b", "b"),
            ("../a/../../b", "../../b"),
            ("/../a", "/a"),
            ("a/..", "."),
            ("", "."),
            ("/", "/"),
        ] {
            assert_eq!(clean(path), cleaned, "{path}");
        }
        assert_eq!(join(None, "a//b"), "a//b");
        assert_eq!(join(Some("f"), "./x"), "f/x");
    }

    #[test]
    fn uris_name_places() {
        let file = |path: &str| Some(Place::File(path.into()));
        let remote = |path: &str| Some(Place::Remote(path.into()));
        assert_eq!(place("file:///a%20b/c"), file("/a b/c"));
        assert_eq!(place("file://localhost/c"), file("/c"));
        assert_eq!(place("https://h/x/y.zip?z=1#q"), remote("/x/y.zip"));
        assert_eq!(place("HTTP://h"), remote(""));
        for uri in ["", "a.txt", "ftp://h/a", "file://host/a", "file:///a?b", "https://h/%zz"] {
            assert_eq!(place(uri), None, "{uri}");
        }
    }
}
