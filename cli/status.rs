//! The end of a run: its exit status, and bugs of `pcl` itself.

use std::any::Any;
use std::cell::RefCell;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
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
    /// There are changes, and the caller asks for this status then.
    Changed = 3,
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

    pub(crate) fn signals(error: std::io::Error) -> Self {
        Self::Usage(format!("cannot handle signals: {error}"))
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

thread_local! {
    /// The place of the last panic of this thread.
    static PLACE: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// A caught panic.
#[derive(Clone)]
pub(crate) struct Crash {
    message: String,
    place: String,
}

/// Keeps panics from printing by themselves; [`catch`] remembers what they would have said.
pub(crate) fn install() {
    std::panic::set_hook(Box::new(|info| {
        let place = info.location().map(ToString::to_string);
        PLACE.with(|slot| *slot.borrow_mut() = place);
    }));
}

/// Runs `work`; a panic in it is returned.
pub(crate) fn catch<T>(work: impl FnOnce() -> T) -> Result<T, Crash> {
    // The state that `work` may leave incomplete is not used again: each program has its own model,
    // and caches contain complete entries only.
    catch_unwind(AssertUnwindSafe(work)).map_err(|payload| Crash {
        message: text(&*payload),
        place: PLACE
            .with(|slot| slot.borrow_mut().take())
            .unwrap_or_else(|| "an unknown place".to_owned()),
    })
}

fn text(payload: &(dyn Any + Send)) -> String {
    let message = payload.downcast_ref::<&str>().map(ToString::to_string);
    message
        .or_else(|| payload.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "no message".to_owned())
}

impl Crash {
    /// In one line what happened.
    pub(crate) fn summary(&self) -> String {
        format!("pcl failed: {} (at {})", self.message, self.place)
    }

    /// The report for people, which says what to send.
    pub(crate) fn report(&self, program: Option<&str>) -> String {
        let what = match program {
            Some(path) => format!("the program `{path}` and the schemas that it uses"),
            None => "what you ran it on".to_owned(),
        };
        format!(
            "bug: {}\n\
             This is a bug in pcl, not in your program. To have it mended, please send:\n\
             - this text\n\
             - the version: pcl {} ({} {})\n\
             - the command line\n\
             - {what}",
            self.summary(),
            env!("CARGO_PKG_VERSION"),
            std::env::consts::OS,
            std::env::consts::ARCH,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_caught_and_told() {
        assert!(catch(|| 1).is_ok_and(|one| one == 1));
        let fail = || -> () { panic!("number {}", 7) };
        let crash = catch(fail).expect_err("it panics");
        assert!(crash.summary().starts_with("pcl failed: number 7 (at "));
        let report = crash.report(Some("web"));
        assert!(report.contains("please send") && report.contains("`web`"), "{report}");
    }
}
