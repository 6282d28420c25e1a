//! Assets and archives: blobs that values refer to by their content.

mod contents;
mod hash;
mod tar_read;
mod tar_write;
mod zip_read;

use std::collections::BTreeMap;
use std::fmt;

pub use contents::{Content, Contents, Entry, NOT_READ, NoContents};

use crate::error::{ContentError, ContentErrorKind};
use crate::text::Text;

/// A blob.
///
/// ```
/// use pcl_values::{Asset, NoContents};
/// let asset = Asset::text("hi".into());
/// assert!(asset.hash.starts_with("8f434346648f6b96"));
/// // Only text has its content with it.
/// assert!(Asset::file("notes.txt", &NoContents).is_err());
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Asset {
    /// The SHA-256 of the content in hexadecimal digits; empty if it is not computed yet.
    pub hash: String,
    /// The place of the content.
    pub source: AssetSource,
}

/// The place of the content of an asset.
#[derive(Clone, PartialEq, Eq, Hash)]
pub enum AssetSource {
    /// The text is the content.
    Text(Text),
    /// A file, by its path as the program wrote it.
    Path(String),
    /// A file elsewhere: `http`, `https` or `file`.
    Uri(String),
    /// The content is not here; only its hash is known.
    Elided,
}

/// A collection of blobs.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Archive {
    /// The SHA-256 of the content in hexadecimal digits; empty if it is not computed yet.
    pub hash: String,
    /// The place of the content.
    pub source: ArchiveSource,
}

/// The place of the content of an archive.
#[derive(Clone, PartialEq, Eq, Hash)]
pub enum ArchiveSource {
    /// The members by name.
    Members(BTreeMap<String, Member>),
    /// A directory or an archive file, by its path as the program wrote it.
    Path(String),
    /// An archive file elsewhere: `http`, `https` or `file`.
    Uri(String),
    /// The content is not here; only its hash is known.
    Elided,
}

/// A member of an archive.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Member {
    /// A blob.
    Asset(Asset),
    /// A collection, whose members lie in a folder of the member's name.
    Archive(Archive),
}

/// No content, path or hash: they may be secret.
impl fmt::Debug for Asset {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("[asset]")
    }
}

/// No content, path or hash: they may be secret.
impl fmt::Debug for Archive {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("[archive]")
    }
}

impl Asset {
    /// The asset with this content.
    pub fn text(text: Text) -> Self {
        Self { hash: hash::of_bytes(text.unmarked().as_bytes()), source: AssetSource::Text(text) }
    }

    /// The asset whose content is a file.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read.
    pub fn file(path: &str, contents: &dyn Contents) -> Result<Self, ContentError> {
        Self::read(AssetSource::Path(path.to_owned()), contents)
    }

    /// The asset whose content lies elsewhere.
    ///
    /// # Errors
    /// Returns an error if the URI is empty, has another scheme than `http`, `https` and `file`, or
    /// its content cannot be read.
    pub fn remote(uri: &str, contents: &dyn Contents) -> Result<Self, ContentError> {
        Self::read(AssetSource::Uri(uri.to_owned()), contents)
    }

    fn read(source: AssetSource, contents: &dyn Contents) -> Result<Self, ContentError> {
        let hash = hash::of_asset(&source, contents)?;
        Ok(Self { hash, source })
    }

    /// Returns true if both assets have hashes, and the same one: wherever their contents come
    /// from, these are equal.
    pub fn has_content_of(&self, other: &Self) -> bool {
        !self.hash.is_empty() && self.hash == other.hash
    }
}

impl Archive {
    /// The archive of these members.
    ///
    /// # Errors
    /// Returns an error if the content of a member cannot be read.
    pub fn of(
        members: BTreeMap<String, Member>,
        contents: &dyn Contents,
    ) -> Result<Self, ContentError> {
        Self::read(ArchiveSource::Members(members), contents)
    }

    /// The archive whose content is a directory or an archive file.
    ///
    /// # Errors
    /// Returns an error if the path is neither, or cannot be read.
    pub fn file(path: &str, contents: &dyn Contents) -> Result<Self, ContentError> {
        Self::read(ArchiveSource::Path(path.to_owned()), contents)
    }

    /// The archive whose content lies elsewhere.
    ///
    /// # Errors
    /// Returns an error if the URI is empty, has another scheme than `http`, `https` and `file`, is
    /// no archive by its name, or its content cannot be read.
    pub fn remote(uri: &str, contents: &dyn Contents) -> Result<Self, ContentError> {
        Self::read(ArchiveSource::Uri(uri.to_owned()), contents)
    }

    fn read(source: ArchiveSource, contents: &dyn Contents) -> Result<Self, ContentError> {
        let hash = hash::of_archive(&source, contents)?;
        Ok(Self { hash, source })
    }

    /// Returns true if both archives have hashes, and the same one.
    pub fn has_content_of(&self, other: &Self) -> bool {
        !self.hash.is_empty() && self.hash == other.hash
    }
}

impl AssetSource {
    /// The source that the parts of an asset name: the content of an asset without text, but with
    /// the hash of another text, is not here.
    pub(crate) fn of_parts(hash: &str, text: Text, path: &str, uri: &str) -> Self {
        if !path.is_empty() {
            Self::Path(path.to_owned())
        } else if !uri.is_empty() {
            Self::Uri(uri.to_owned())
        } else if !text.is_empty() || hash.is_empty() || hash == hash::OF_NO_TEXT {
            Self::Text(text)
        } else {
            Self::Elided
        }
    }
}

impl ArchiveSource {
    /// The source that the members of an archive name: the content of an archive without members,
    /// but with the hash of another archive, is not here.
    pub(crate) fn of_members(hash: &str, members: BTreeMap<String, Member>) -> Self {
        let is_elided = members.is_empty() && !hash.is_empty() && hash != hash::OF_NO_MEMBERS;
        if is_elided { Self::Elided } else { Self::Members(members) }
    }
}

/// The error of content that only its hash represents.
fn elided() -> ContentError {
    ContentErrorKind::Elided.at("")
}
