//! The Pulumi command, and schemas from it.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use pcl_schema::{LoadError, MAX_FILE_BYTES, PackageRequest};
use pcl_system::program_on_path;

use crate::call::Deadline;
use crate::plugin::{Answer, unanswered};
use crate::process::{Interrupts, Process, Wanted};

/// An installed Pulumi. It is asked for schemas by `pulumi package get-schema`, for which it
/// downloads the plugins that it does not have, and starts them.
#[derive(Debug)]
pub struct PulumiCommand {
    program: PathBuf,
    time_limit: Duration,
    interrupts: Option<Arc<Interrupts>>,
}

impl PulumiCommand {
    /// The first `pulumi` in the directories that `path` lists, as the variable `PATH` does.
    pub fn find(path: &OsStr) -> Option<Self> {
        Some(Self {
            program: program_on_path(path, "pulumi")?,
            time_limit: Duration::from_secs(600),
            interrupts: None,
        })
    }

    /// The program.
    pub fn program(&self) -> &Path {
        &self.program
    }

    /// Gives each request that long, instead of ten minutes.
    #[must_use]
    pub fn with_time_limit(mut self, limit: Duration) -> Self {
        self.time_limit = limit;
        self
    }

    /// Stops it when a signal is to end this process.
    #[must_use]
    pub fn with_interrupts(mut self, interrupts: Arc<Interrupts>) -> Self {
        self.interrupts = Some(interrupts);
        self
    }

    /// The arguments for a request. A parameter of a plugin cannot be an argument.
    pub fn arguments(request: &PackageRequest) -> Vec<String> {
        let package = match &request.version {
            Some(version) => format!("{}@{version}", request.name),
            None => request.name.clone(),
        };
        ["package", "get-schema", &package, "--non-interactive"].map(str::to_owned).into()
    }

    /// Asks for a package. The name has to be one of [`is_plugin_name`](crate::is_plugin_name).
    ///
    /// # Errors
    /// Returns an error if it fails, or does not print the schema of the package.
    pub fn ask(&self, request: &PackageRequest) -> Result<Answer, LoadError> {
        let arguments = Self::arguments(request);
        let document = self.run(&arguments)?;
        Answer::read(document, request, request.version.as_ref())
            .map_err(|reason| Self::failed(&arguments, reason, None))
    }

    /// Runs the command in an empty directory, and returns what it prints on standard output.
    ///
    /// # Errors
    /// Returns an error with the end of its standard error if it fails.
    pub fn run<S: AsRef<OsStr>>(&self, arguments: &[S]) -> Result<Vec<u8>, LoadError> {
        let cannot_start = |error: std::io::Error| {
            Self::failed(arguments, format!("cannot be started: {error}"), None)
        };
        let mut command = Command::new(&self.program);
        command.args(arguments).env("PULUMI_SKIP_UPDATE_CHECK", "true");
        let wanted = Wanted::Everything(MAX_FILE_BYTES);
        let mut process =
            Process::start(&mut command, wanted, self.interrupts.clone()).map_err(cannot_start)?;
        let printed = process.everything(Deadline::new(self.time_limit));
        printed.map_err(|reason| Self::failed(arguments, reason, process.output()))
    }

    fn failed<S: AsRef<OsStr>>(
        arguments: &[S],
        reason: String,
        output: Option<String>,
    ) -> LoadError {
        let words = arguments.iter().map(|argument| argument.as_ref().to_string_lossy());
        let command = words.collect::<Vec<_>>().join(" ");
        unanswered(format!("`pulumi {command}`"), reason, output, "try it by hand".to_owned())
    }
}
