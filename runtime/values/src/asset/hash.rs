//! The hashes of assets and archives.
//!
//! The hash of an asset is that of its bytes. So is the hash of an archive file; that of any other
//! archive is the hash of a tar stream with its members. Engines compare hashes to see whether
//! content changed, so each byte of that stream counts.

use std::io::{self, ErrorKind, Read};

use flate2::read::MultiGzDecoder;
use sha2::{Digest, Sha256};

use super::contents::{Content, Contents, Format, Place, clean, join, place};
use super::tar_write::TarHash;
use super::{ArchiveSource, AssetSource, Member, elided, tar_read, zip_read};
use crate::error::{ContentError, ContentErrorKind};
use crate::value::MAX_DEPTH;

/// The hash of the empty text.
pub const OF_NO_TEXT: &str = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

/// The hash of an archive without members.
pub const OF_NO_MEMBERS: &str = "5f70bf18a086007016e948b04aed3b82103a36bea41755b6cddfaf10ace3c6ef";

/// Directories that belong to the tools, not to the program.
const BOOKKEEPING: &str = ".pulumi";

/// The hash of bytes.
pub fn of_bytes(bytes: &[u8]) -> String {
    hexadecimal(Sha256::new_with_prefix(bytes))
}

/// The digits of a finished hash.
pub fn hexadecimal(hash: Sha256) -> String {
    let digits = |byte: &u8| format!("{byte:02x}");
    hash.finalize().iter().map(digits).collect()
}

/// The hash of an asset.
pub fn of_asset(source: &AssetSource, contents: &dyn Contents) -> Result<String, ContentError> {
    if let AssetSource::Text(text) = source {
        return Ok(of_bytes(text.unmarked().as_bytes()));
    }
    let (place, content) = open_asset(source, contents)?;
    of_content(content, contents).map_err(|kind| kind.at(place))
}

/// The hash of an archive.
pub fn of_archive(source: &ArchiveSource, contents: &dyn Contents) -> Result<String, ContentError> {
    if let Some((place, _, content)) = open_archive(source, contents)? {
        return of_content(content, contents).map_err(|kind| kind.at(place));
    }
    let mut walk = Walk { contents, tar: TarHash::new(contents.limit()) };
    walk.archive(None, source, 0)?;
    Ok(walk.tar.finish())
}

/// Opens the content of an asset; returns its name for errors too.
fn open_asset<'c>(
    source: &'c AssetSource,
    contents: &'c dyn Contents,
) -> Result<(&'c str, Content<'c>), ContentError> {
    match source {
        AssetSource::Text(text) => Ok(("", Content::of(text.unmarked().as_bytes()))),
        AssetSource::Path(path) => {
            let content = file(path, contents).map_err(|kind| kind.at(path))?;
            Ok((path, content))
        }
        AssetSource::Uri(uri) => {
            let (_, content) = remote(uri, contents).map_err(|kind| kind.at(uri))?;
            Ok((uri, content))
        }
        AssetSource::Elided => Err(elided()),
    }
}

/// Opens an archive file; `None` for a directory and for members.
fn open_archive<'c>(
    source: &'c ArchiveSource,
    contents: &'c dyn Contents,
) -> Result<Option<(&'c str, Format, Content<'c>)>, ContentError> {
    match source {
        ArchiveSource::Path(path) => {
            let Some(format) = Format::of(path) else { return Ok(None) };
            let content = file(path, contents).map_err(|kind| kind.at(path))?;
            Ok(Some((path, format, content)))
        }
        ArchiveSource::Uri(uri) => {
            let open = || {
                let name = match place(uri) {
                    Some(Place::File(path) | Place::Remote(path)) => path,
                    None => String::new(),
                };
                let format = Format::of(&name);
                if format.is_none() && !name.is_empty() {
                    return Err(ContentErrorKind::NotAnArchive);
                }
                let (_, content) = remote(uri, contents)?;
                Ok((format.ok_or(ContentErrorKind::NotAnArchive)?, content))
            };
            let (format, content) = open().map_err(|kind: ContentErrorKind| kind.at(uri))?;
            Ok(Some((uri, format, content)))
        }
        ArchiveSource::Members(_) => Ok(None),
        ArchiveSource::Elided => Err(elided()),
    }
}

fn file<'c>(path: &str, contents: &'c dyn Contents) -> Result<Content<'c>, ContentErrorKind> {
    match path {
        "" => Err(ContentErrorKind::Empty),
        _ => Ok(contents.file(path)?),
    }
}

fn remote<'c>(
    uri: &str,
    contents: &'c dyn Contents,
) -> Result<(String, Content<'c>), ContentErrorKind> {
    match place(uri) {
        _ if uri.is_empty() => Err(ContentErrorKind::Empty),
        Some(Place::File(path)) => {
            let content = contents.file(&path)?;
            Ok((path, content))
        }
        Some(Place::Remote(path)) => Ok((path, contents.fetch(uri)?)),
        None => Err(ContentErrorKind::Scheme),
    }
}

/// The hash of all bytes of a content.
fn of_content(content: Content<'_>, contents: &dyn Contents) -> Result<String, ContentErrorKind> {
    if content.size > contents.limit() {
        return Err(ContentErrorKind::TooLarge("too many bytes"));
    }
    // A byte more than stated shows that the size is wrong.
    let mut reader = content.reader.take(content.size.saturating_add(1));
    let mut hash = Sha256::new();
    let mut buffer = vec![0; 1 << 16];
    let mut size = 0;
    loop {
        let read = reader.read(&mut buffer)?;
        if read == 0 {
            break;
        }
        size += read as u64;
        hash.update(buffer.get(..read).unwrap_or_default());
    }
    if size == content.size {
        Ok(hexadecimal(hash))
    } else {
        Err(ContentErrorKind::Malformed("its size changed"))
    }
}

/// The walk through the members of an archive.
struct Walk<'c> {
    contents: &'c dyn Contents,
    tar: TarHash,
}

impl Walk<'_> {
    /// Adds all files of an archive that lies in a folder.
    fn archive(
        &mut self,
        folder: Option<&str>,
        source: &ArchiveSource,
        depth: usize,
    ) -> Result<(), ContentError> {
        if depth > MAX_DEPTH {
            return Err(ContentErrorKind::TooLarge("too many levels").at(folder.unwrap_or("")));
        }
        if let Some((place, format, content)) = open_archive(source, self.contents)? {
            return self.archive_file(folder, place, format, content);
        }
        match source {
            ArchiveSource::Members(members) => {
                for (name, member) in members {
                    let joined = join(folder, name);
                    match member {
                        Member::Asset(asset) => {
                            let (_, content) = open_asset(&asset.source, self.contents)?;
                            self.tar.add(&joined, content)?;
                        }
                        Member::Archive(archive) => {
                            self.archive(Some(&joined), &archive.source, depth + 1)?;
                        }
                    }
                }
                Ok(())
            }
            ArchiveSource::Path(path) if path.is_empty() => Err(ContentErrorKind::Empty.at("")),
            ArchiveSource::Path(path) => self.directory(folder, path, None, depth),
            ArchiveSource::Uri(_) | ArchiveSource::Elided => Ok(()),
        }
    }

    /// Adds all files of an archive file.
    fn archive_file(
        &mut self,
        folder: Option<&str>,
        place: &str,
        format: Format,
        content: Content<'_>,
    ) -> Result<(), ContentError> {
        let tar = &mut self.tar;
        let left = tar.left();
        let add = |name: &str, content: Content<'_>| -> Result<(), Failure> {
            Ok(tar.add(&join(folder, name), content)?)
        };
        let reader = content.reader.take(content.size);
        let result = match format {
            Format::Tar => tar_read::read(reader, add),
            // What is unpacked is limited, also where it is skipped.
            Format::TarGz => {
                let left = self.contents.limit();
                let inner = MultiGzDecoder::new(reader);
                tar_read::read(Limited { inner, left }, add)
            }
            Format::Zip => unpacked(reader, content.size, left)
                .map_err(Failure::from)
                .and_then(|bytes| zip_read::read(&bytes, left, add)),
        };
        result.map_err(|failure| match failure {
            Failure::Here(kind) => kind.at(place),
            Failure::Inside(error) => error,
        })
    }

    /// Adds all files in and below a directory, each folder in byte order of its names.
    fn directory(
        &mut self,
        folder: Option<&str>,
        path: &str,
        below: Option<&str>,
        depth: usize,
    ) -> Result<(), ContentError> {
        if depth > MAX_DEPTH {
            return Err(ContentErrorKind::TooLarge("too many levels").at(path));
        }
        let entries = self.contents.directory(path);
        let mut entries = entries.map_err(|error| {
            let kind = match error.kind() {
                ErrorKind::NotADirectory => ContentErrorKind::NotAnArchive,
                _ => error.into(),
            };
            kind.at(path)
        })?;
        entries.sort_by(|left, right| left.name.cmp(&right.name));
        for entry in entries {
            if entry.name == BOOKKEEPING {
                continue;
            }
            let inner = format!("{}/{}", path.trim_end_matches('/'), entry.name);
            let name = match below {
                Some(below) => format!("{below}/{}", entry.name),
                None => entry.name.clone(),
            };
            if entry.is_directory {
                self.directory(folder, &inner, Some(&name), depth + 1)?;
            } else {
                let content = self.contents.file(&inner);
                let content = content.map_err(|error| ContentErrorKind::Io(error).at(&inner))?;
                self.tar.add(&join(folder, &clean(&name)), content)?;
            }
        }
        Ok(())
    }
}

/// All bytes of a file of limited size.
fn unpacked(reader: impl Read, size: u64, limit: u64) -> Result<Vec<u8>, ContentErrorKind> {
    if size > limit {
        return Err(ContentErrorKind::TooLarge("too many bytes"));
    }
    let mut bytes = Vec::new();
    reader.take(limit).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// A reader that fails where it would exceed a limit.
struct Limited<R> {
    inner: R,
    left: u64,
}

impl<R: Read> Read for Limited<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        match self.left.checked_sub(read as u64) {
            Some(left) => self.left = left,
            None => return Err(ErrorKind::FileTooLarge.into()),
        }
        Ok(read)
    }
}

/// A failure to read an archive file, or to add one of its members.
enum Failure {
    Here(ContentErrorKind),
    Inside(ContentError),
}

impl From<ContentErrorKind> for Failure {
    fn from(kind: ContentErrorKind) -> Self {
        Self::Here(kind)
    }
}

impl From<ContentError> for Failure {
    fn from(error: ContentError) -> Self {
        Self::Inside(error)
    }
}
