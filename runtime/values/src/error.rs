//! The errors of this crate, with all of its wording.
//!
//! Errors about values contain no value, and no name inside a secret. The others repeat the text
//! that the caller passed; a caller that has it from a secret must not print them.

use std::io;

use thiserror::Error;

use crate::path::PropertyPath;
use crate::text::Text;

/// The reason why text is not a property path.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PathError {
    /// The text begins with a dot.
    #[error("the path begins with a dot: it must begin with a name or an index")]
    Start,
    /// The text ends with a dot.
    #[error("the path ends with a dot: it must end with a name or an index")]
    End,
    /// A quoted name has no end.
    #[error("the quote that closes a name is missing")]
    OpenQuote,
    /// No bracket follows a quoted name.
    #[error("the bracket behind a quoted name is missing")]
    OpenName,
    /// No bracket follows an index.
    #[error("the bracket behind an index is missing")]
    OpenIndex,
    /// The text in brackets is not a whole number of 64 bits.
    #[error("`{0}` is not an index")]
    Index(String),
}

/// The reason why values cannot be sent or received.
#[derive(Clone, Debug, PartialEq, Error)]
#[error("property `{path}`: {kind}")]
pub struct WireError {
    /// The place of the value. Names inside secrets are left out.
    pub path: PropertyPath,
    /// The reason.
    pub kind: WireErrorKind,
}

/// The ways in which a value cannot be sent or received.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum WireErrorKind {
    /// The value contains a text that the protocol uses for another purpose.
    #[error("the value contains `{0}`, which the protocol reserves")]
    Reserved(&'static str),
    /// The value nests too deeply.
    #[error("the value nests deeper than {} levels", crate::MAX_DEPTH)]
    TooDeep,
    /// A special value lacks a part.
    #[error("the {kind} has no `{part}`")]
    Missing {
        /// The special value.
        kind: Special,
        /// Its part.
        part: &'static str,
    },
    /// A part of a special value has the wrong kind.
    #[error("the `{part}` of the {kind} is not {expected}")]
    WrongKind {
        /// The special value.
        kind: Special,
        /// Its part.
        part: &'static str,
        /// The kind that the part must have.
        expected: &'static str,
    },
    /// A member of an archive is neither an asset nor an archive.
    #[error("the member is neither an asset nor an archive")]
    Member,
    /// The signature belongs to no special value; holds it, if it is text.
    #[error("{}", signature(.0.as_deref()))]
    Signature(Option<String>),
}

fn signature(signature: Option<&str>) -> String {
    match signature {
        Some(signature) => format!("the signature `{signature}` is not known"),
        None => String::from("the signature is not known"),
    }
}

/// The special values of the wire form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Special {
    #[error("secret")]
    Secret,
    #[error("output")]
    Output,
    #[error("resource reference")]
    Reference,
    #[error("byte string")]
    Bytes,
    #[error("asset")]
    Asset,
    #[error("archive")]
    Archive,
}

/// The reason why the content of an asset or archive cannot be read.
#[derive(Debug, Error)]
#[error("{kind}")]
pub struct ContentError {
    /// The path or URI; for a member of an archive, its name.
    pub place: Text,
    /// The reason.
    pub kind: ContentErrorKind,
}

impl ContentError {
    /// Returns true if the content is there and is only not read.
    pub fn is_not_read(&self) -> bool {
        matches!(&self.kind, ContentErrorKind::Io(error) if error.kind() == crate::NOT_READ)
    }
}

/// The ways in which content cannot be read.
#[derive(Debug, Error)]
pub enum ContentErrorKind {
    /// The system, or whoever supplies the contents, refuses.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// The path or the URI is empty.
    #[error("it is empty")]
    Empty,
    /// The URI has none of the supported schemes.
    #[error("it is not an http, https or file URI")]
    Scheme,
    /// The file is no archive by its name, and it is no directory.
    #[error("it is neither an archive (.tar, .tgz, .tar.gz, .zip, .jar) nor a directory")]
    NotAnArchive,
    /// The content of the asset or archive is not here: only its hash is known.
    #[error("its content is not known, only its hash")]
    Elided,
    /// The archive does not have the format that its name promises.
    #[error("it is not a valid archive: {0}")]
    Malformed(&'static str),
    /// The contents exceed a limit.
    #[error("it has {0}")]
    TooLarge(&'static str),
    /// The name of a member cannot be written to an archive.
    #[error("an archive cannot hold a member of this name")]
    Name,
}

impl ContentErrorKind {
    pub(crate) fn at(self, place: &str) -> ContentError {
        ContentError { place: place.into(), kind: self }
    }
}
