//! Schemas from the Pulumi command.

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

/// An installed Pulumi, which is asked for schemas by `pulumi package get-schema`. It downloads the
/// plugins that it does not have, and starts them.
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
        let who = || format!("`pulumi {}`", arguments.join(" "));
        let help = "try it by hand".to_owned();
        let failed = |reason, output| unanswered(who(), reason, output, help.clone());
        let cannot_start =
            |error: std::io::Error| failed(format!("cannot be started: {error}"), None);
        let mut command = Command::new(&self.program);
        command.args(&arguments).env("PULUMI_SKIP_UPDATE_CHECK", "true");
        let wanted = Wanted::Everything(MAX_FILE_BYTES);
        let mut process =
            Process::start(&mut command, wanted, self.interrupts.clone()).map_err(cannot_start)?;
        let printed = process.everything(Deadline::new(self.time_limit));
        let document = printed.map_err(|reason| failed(reason, process.output()))?;
        drop(process);
        Answer::read(document, request, request.version.as_ref())
            .map_err(|reason| failed(reason, None))
    }
}
