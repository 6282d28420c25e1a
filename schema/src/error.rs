//! What can be wrong with a document, a member, or the loading of a package.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use semver::Version;

use crate::{InstalledPlugin, PackageRequest, Section};

/// A place in a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Position {
    /// Bytes from the start of the document, from 0.
    pub offset: u32,
    /// The line, from 1.
    pub line: u32,
    /// The column in Unicode scalar values, from 1.
    pub column: u32,
}

impl Position {
    /// The first byte of a document.
    pub(crate) const START: Self = Self {
        offset: 0,
        line: 1,
        column: 1,
    };
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// Why a document is no package schema at all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentError {
    /// What is wrong.
    pub kind: DocumentErrorKind,
    /// Where it was noticed.
    pub position: Position,
}

/// The ways in which a document fails as a whole.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum DocumentErrorKind {
    /// Nothing but white space and braces: what a plugin answers that has no schema.
    Empty,
    /// The document is larger than the 4 GiB that offsets can name.
    TooLarge,
    /// The text ends inside a value.
    Truncated,
    /// Something else than the JSON that has to stand here; holds what was expected.
    Expected(&'static str),
    /// Something else than the YAML that has to stand here; says what.
    Yaml(String),
    /// A field of the header cannot be used.
    Header {
        /// The field, such as `version`.
        field: &'static str,
        /// What is wrong with it.
        problem: String,
    },
}

impl fmt::Display for DocumentErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => {
                f.write_str("the document is empty, as from a plugin that has no schema")
            }
            Self::TooLarge => f.write_str("the document is larger than 4 GiB"),
            Self::Truncated => f.write_str("the document ends inside a value"),
            Self::Expected(what) => write!(f, "not a JSON document: expected {what}"),
            Self::Yaml(problem) => write!(f, "not a YAML document: {problem}"),
            Self::Header { field, problem } => write!(f, "field `{field}`: {problem}"),
        }
    }
}

impl fmt::Display for DocumentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at {}", self.kind, self.position)
    }
}

impl std::error::Error for DocumentError {}

/// Why a document cannot be opened.
#[derive(Debug)]
pub(crate) enum OpenError {
    Io(std::io::Error),
    Document(DocumentError),
}

impl OpenError {
    /// The error of a document that is in memory.
    pub fn of_memory(self) -> DocumentError {
        match self {
            Self::Document(error) => error,
            Self::Io(error) => unreachable!("memory can always be read: {error}"),
        }
    }

    /// The error of a document that is in a file.
    pub fn of_file(self, path: &std::path::Path) -> LoadError {
        let path = path.to_owned();
        match self {
            Self::Document(error) => LoadError::Invalid { path, error },
            Self::Io(error) => LoadError::Unreadable {
                path,
                error: Arc::new(error),
            },
        }
    }
}

impl From<std::io::Error> for OpenError {
    fn from(error: std::io::Error) -> Self {
        Self::Io(error)
    }
}

impl From<DocumentError> for OpenError {
    fn from(error: DocumentError) -> Self {
        Self::Document(error)
    }
}

/// Why one member cannot be read: its text is not JSON, or a field has the wrong kind of value. Cheap to clone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MemberError(Arc<MemberErrorData>);

#[derive(Debug, PartialEq, Eq)]
struct MemberErrorData {
    section: Section,
    token: Box<str>,
    message: Box<str>,
    position: Position,
}

impl MemberError {
    pub(crate) fn new(section: Section, token: &str, message: String, position: Position) -> Self {
        Self(Arc::new(MemberErrorData {
            section,
            token: token.into(),
            message: message.into(),
            position,
        }))
    }

    /// The section that holds the member.
    pub fn section(&self) -> Section {
        self.0.section
    }

    /// The token of the member that cannot be used, as the schema has it.
    pub fn token(&self) -> &str {
        &self.0.token
    }

    /// What is wrong, without token and place.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// Where in the document.
    pub fn position(&self) -> Position {
        self.0.position
    }
}

impl fmt::Display for MemberError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let MemberErrorData {
            section,
            token,
            message,
            position,
        } = &*self.0;
        write!(
            f,
            "{} `{token}` cannot be read: {message} at {position}",
            section.noun()
        )
    }
}

impl std::error::Error for MemberError {}

/// Why a package could not be loaded. Cheap to clone.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum LoadError {
    /// No place holds a schema of that package and version.
    NotFound(Arc<NotFound>),
    /// A file was found and cannot be read.
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: Arc<std::io::Error>,
    },
    /// A file was found and is no schema.
    Invalid {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        error: DocumentError,
    },
    /// A file was found and is the schema of something else.
    Mismatch {
        /// The file; `None` for a document that is in memory.
        path: Option<PathBuf>,
        /// What was asked for.
        request: Arc<PackageRequest>,
        /// The name of what was found.
        name: String,
        /// The version of what was found.
        version: Option<Version>,
    },
    /// A process that was asked for the schema did not give it.
    Unanswered(Arc<Unanswered>),
}

/// What was asked and did not answer as it should.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unanswered {
    /// What was asked, such as `the plugin /opt/pulumi-resource-random`.
    pub source: String,
    /// What happened instead of an answer.
    pub problem: String,
    /// What it printed on its way, cut to the last of it.
    pub output: Option<String>,
    /// What can be done about it.
    pub help: String,
}

/// What was looked for and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotFound {
    /// What was asked for.
    pub request: PackageRequest,
    /// The places that were looked at, in order: directories, files, or names of other sources.
    pub places: Vec<String>,
    /// The versions of the package that are there, from low to high; empty when there is none at all.
    pub versions: Vec<Version>,
    /// The plugins that could tell the schema, and were not asked.
    pub plugins: Vec<InstalledPlugin>,
}

impl From<NotFound> for LoadError {
    fn from(missing: NotFound) -> Self {
        Self::NotFound(Arc::new(missing))
    }
}

impl LoadError {
    /// Whether nothing was found, so that another loader may be asked.
    pub fn is_not_found(&self) -> bool {
        matches!(self, Self::NotFound(_))
    }
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotFound(not_found) => not_found.fmt(f),
            Self::Unreadable { path, error } => {
                write!(f, "cannot read {}: {error}", path.display())
            }
            Self::Invalid { path, error } => {
                write!(f, "{}:{}: {}", path.display(), error.position, error.kind)
            }
            Self::Mismatch {
                path,
                request,
                name,
                version,
            } => {
                match path {
                    Some(path) => write!(f, "{}", path.display())?,
                    None => f.write_str("what was found")?,
                }
                write!(f, " is the schema of {name}")?;
                if let Some(version) = version {
                    write!(f, " {version}")?;
                }
                write!(f, ", not of {request}")
            }
            Self::Unanswered(unanswered) => unanswered.fmt(f),
        }
    }
}

impl fmt::Display for Unanswered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.source, self.problem)?;
        match &self.output {
            Some(output) => write!(f, "; it printed: {output}"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for NotFound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no schema of {}", self.request)?;
        let list = |items: &mut dyn Iterator<Item = String>| items.collect::<Vec<_>>().join(", ");
        if !self.versions.is_empty() {
            write!(
                f,
                "; there is {}",
                list(&mut self.versions.iter().map(Version::to_string))
            )?;
        }
        if !self.places.is_empty() {
            write!(f, "; looked at {}", list(&mut self.places.iter().cloned()))?;
        }
        for plugin in &self.plugins {
            let InstalledPlugin { name, version, .. } = plugin;
            write!(
                f,
                "; plugin {name} {version} is installed and was not asked"
            )?;
        }
        Ok(())
    }
}

impl std::error::Error for LoadError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Unreadable { error, .. } => Some(error),
            Self::Invalid { error, .. } => Some(error),
            Self::NotFound(_) | Self::Mismatch { .. } | Self::Unanswered(_) => None,
        }
    }
}
