//! The errors of documents, members, and the loading of packages.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pcl_diagnostics::{LineColumn, Setting};
use semver::Version;
use thiserror::Error;

use crate::{InstalledPlugin, PackageRequest, Section};

/// The reason why a document is not a package schema at all.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{kind} at {}:{}", .position.line, .position.column)]
pub struct DocumentError {
    /// The reason.
    pub kind: DocumentErrorKind,
    /// The place in the document, in bytes from 0.
    pub offset: u32,
    /// Line and column of that place.
    pub position: LineColumn,
}

/// The ways in which a document fails as a whole.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum DocumentErrorKind {
    /// Nothing but white space and braces: the answer of a plugin that has no schema.
    #[error("the document is empty; plugins without a schema return this")]
    Empty,
    /// The document is larger than the 4 GiB that offsets can name.
    #[error("the document is larger than 4 GiB")]
    TooLarge,
    /// The text ends inside a value.
    #[error("the document ends inside a value")]
    Truncated,
    /// The text is not the JSON that is expected; holds what is.
    #[error("not a JSON document: expected {0}")]
    Expected(&'static str),
    /// The text is not YAML, or holds what JSON cannot; holds the reason.
    #[error("not a YAML document: {0}")]
    Yaml(String),
    /// A field of the header cannot be used.
    #[error("field `{field}`: {reason}")]
    Header {
        /// The field, such as `version`.
        field: &'static str,
        /// The reason.
        reason: String,
    },
}

/// The reason why a document cannot be opened.
#[derive(Debug, Error)]
pub(crate) enum OpenError {
    #[error(transparent)]
    Io(#[from] std::io::Error),
    #[error(transparent)]
    Document(#[from] DocumentError),
}

impl OpenError {
    /// The error of a document that is in memory.
    #[cfg_attr(not(test), expect(clippy::unreachable, reason = "reading memory does not fail"))]
    pub fn of_memory(self) -> DocumentError {
        match self {
            Self::Document(error) => error,
            Self::Io(error) => unreachable!("memory can always be read: {error}"),
        }
    }

    /// The error of a document that is in a file.
    pub fn of_file(self, path: &Path) -> LoadError {
        let path = path.to_owned();
        match self {
            Self::Document(error) => LoadError::Invalid { path, error },
            Self::Io(error) => LoadError::Unreadable { path, error: Arc::new(error) },
        }
    }
}

/// The reason why one member cannot be read: its text is not JSON, or a field has the wrong kind of
/// value. Cheap to clone.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error(transparent)]
pub struct MemberError(Arc<MemberErrorData>);

#[derive(Debug, PartialEq, Eq, Error)]
#[error(
    "{} `{token}` cannot be read: {message} at {}:{}",
    .section.noun(),
    .position.line,
    .position.column
)]
struct MemberErrorData {
    section: Section,
    token: Box<str>,
    message: Box<str>,
    position: LineColumn,
}

impl MemberError {
    pub(crate) fn new(
        section: Section,
        token: &str,
        message: String,
        position: LineColumn,
    ) -> Self {
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

    /// The reason, without token and place.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// The place in the document.
    pub fn position(&self) -> LineColumn {
        self.0.position
    }
}

/// The reason why a package could not be loaded. Cheap to clone.
#[derive(Debug, Clone, Error)]
#[non_exhaustive]
pub enum LoadError {
    /// No place holds a schema of that package and version.
    #[error("{0}")]
    NotFound(Arc<NotFound>),
    /// A file was found and cannot be read.
    #[error("cannot read {}: {error}", .path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        #[source]
        error: Arc<std::io::Error>,
    },
    /// A file was found and is not a schema.
    #[error(
        "{}:{}:{}: {}",
        .path.display(),
        .error.position.line,
        .error.position.column,
        .error.kind
    )]
    Invalid {
        /// The file.
        path: PathBuf,
        /// The reason.
        #[source]
        error: DocumentError,
    },
    /// A file was found and is the schema of something else.
    #[error(
        "{} is the schema of {name}{}, not of {request}",
        .path.as_ref().map_or("the document".into(), |path| path.to_string_lossy()),
        .version.as_ref().map_or(String::new(), |version| format!(" {version}"))
    )]
    Mismatch {
        /// The file; `None` for a document that is in memory.
        path: Option<PathBuf>,
        /// The request.
        request: Arc<PackageRequest>,
        /// The name of the package that was found.
        name: String,
        /// The version of the package that was found.
        version: Option<Version>,
    },
    /// A process that was asked for the schema did not give it.
    #[error(transparent)]
    Unanswered(Arc<Unanswered>),
}

/// A process that was asked for a schema and did not answer as it should.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{process} {reason}{}", .output.as_ref().map_or(String::new(), |it| format!("; it printed: {it}")))]
pub struct Unanswered {
    /// The process, such as `the plugin /opt/pulumi-resource-random`.
    pub process: String,
    /// Its reaction to the request, as the end of a sentence about the process.
    pub reason: String,
    /// The end of what it printed.
    pub output: Option<String>,
    /// The remedy.
    pub help: String,
    /// The setting that the help is about.
    pub setting: Option<Setting>,
}

/// A request that no place has a schema for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotFound {
    /// The request.
    pub request: PackageRequest,
    /// The places that were searched, in order: directories, files, or names of other sources.
    pub places: Vec<String>,
    /// The known versions of the package, from low to high.
    pub versions: Vec<Version>,
    /// The installed plugins of the package, which were not asked.
    pub plugins: Vec<InstalledPlugin>,
    /// The plugin that the project names for the package, which may not be started.
    pub refused: Option<PathBuf>,
}

/// The start of the advice about a package without a schema.
const GET: &str = "get it with `pcl schema add ";

impl NotFound {
    /// The help where the project names a plugin that may not be started. The permission is a flag
    /// of the command and no setting, so that this text is the same everywhere.
    pub const REFUSED: &str =
        "if you trust the project, get the schema from it with `--project-plugins`";

    /// The advice about a package without a schema. A version follows the name behind `@`.
    ///
    /// ```
    /// use pcl_schema::NotFound;
    ///
    /// let advice = NotFound::advice("aws@7.0.0");
    /// assert_eq!(NotFound::advised(&advice), Some("aws@7.0.0"));
    /// ```
    pub fn advice(package: &str) -> String {
        format!("{GET}{package}`, or from a file, folder or archive with `--from`")
    }

    /// The package of [`NotFound::advice`]; `None` for other texts.
    pub fn advised(help: &str) -> Option<&str> {
        help.strip_prefix(GET)?.split('`').next()
    }
}

impl From<NotFound> for LoadError {
    fn from(missing: NotFound) -> Self {
        Self::NotFound(Arc::new(missing))
    }
}

impl fmt::Display for NotFound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no schema for {}", self.request)?;
        let list = |items: &mut dyn Iterator<Item = String>| items.collect::<Vec<_>>().join(", ");
        if !self.versions.is_empty() {
            write!(f, "; found only {}", list(&mut self.versions.iter().map(Version::to_string)))?;
        }
        if !self.places.is_empty() {
            write!(f, "; searched {}", list(&mut self.places.iter().cloned()))?;
        }
        for plugin in &self.plugins {
            let InstalledPlugin { name, version, .. } = plugin;
            write!(f, "; plugin {name} {version} is installed and was not asked")?;
        }
        if let Some(path) = &self.refused {
            let path = path.display();
            write!(f, "; the project names the plugin {path}, which was not asked")?;
        }
        Ok(())
    }
}
