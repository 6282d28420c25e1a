//! The end of a run.

use std::fmt;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use pcl::render::one_line;

/// The exit status. An interrupt is left to the system, for which shells report 130.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Status {
    /// Nothing to complain about.
    Clean = 0,
    /// There are errors, or warnings that count as errors.
    Found = 1,
    /// Wrong usage or configuration, or something that cannot be read or written.
    Failed = 2,
    /// A bug in `pcl` itself.
    Crashed = 101,
}

impl Status {
    /// The status of a command that could do its work or not, and found something or nothing to
    /// complain about.
    pub(crate) const fn of(is_done: bool, is_found: bool) -> Self {
        if !is_done {
            Self::Failed
        } else if is_found {
            Self::Found
        } else {
            Self::Clean
        }
    }
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> Self {
        Self::from(status as u8)
    }
}

/// The reason why a command could not do its work.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The arguments do not go together.
    Usage(String),
    /// A configuration file is not valid: the rendered diagnostics.
    Configuration(String),
    /// A file or stream failed.
    Io { action: &'static str, path: PathBuf, error: std::io::Error },
}

impl Failure {
    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self::Usage(message.into())
    }

    pub(crate) fn io(action: &'static str, path: impl AsRef<Path>, error: std::io::Error) -> Self {
        Self::Io { action, path: path.as_ref().to_path_buf(), error }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Usage(message) => {
                // Some have several lines, but none has control sequences.
                let lines: Vec<_> = message.split('\n').map(one_line).collect();
                write!(f, "error: {}", lines.join("\n"))
            }
            Self::Configuration(text) => f.write_str(text.trim_end()),
            Self::Io { action, path, error } => write!(
                f,
                "error: cannot {action} `{}`: {error}",
                one_line(&pcl_system::shown(path))
            ),
        }
    }
}

/// The result of a command.
pub(crate) type Outcome = Result<Status, Failure>;
