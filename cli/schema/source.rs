//! The programs that `pcl schema add` and `sync` run: an installed `pulumi`, or a plugin.

use std::ffi::OsStr;
use std::sync::Arc;
use std::time::Duration;

use clap::{Args, ValueEnum};

use crate::inputs;
use crate::output::complain;
use crate::status::Failure;
use pcl::remote::{Answer, Interrupts, PluginLoader, PulumiCommand};
use pcl::schema::{LoadError, PackageRequest};

#[derive(Args)]
pub(super) struct SourceArgs {
    /// Ask the Pulumi command or the provider plugin; by default `pulumi` if it is installed
    #[arg(long, value_name = "PROGRAM")]
    from: Option<Program>,
    /// The number of seconds that a program may take
    #[arg(long, value_name = "SECONDS", default_value_t = 600)]
    timeout: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Program {
    Pulumi,
    Plugin,
}

/// The programs that can be asked for schemas.
pub(super) struct Source {
    from: Option<Program>,
    pulumi: Option<PulumiCommand>,
    plugins: PluginLoader,
}

impl SourceArgs {
    pub fn source(&self) -> Result<Source, Failure> {
        let interrupts = Interrupts::install()
            .map_err(|error| Failure::usage(format!("cannot watch for signals: {error}")))?;
        let interrupts = Arc::new(interrupts);
        let limit = Duration::from_secs(self.timeout);
        let path = std::env::var_os("PATH").unwrap_or_default();
        let pulumi = PulumiCommand::find(OsStr::new(&path))
            .map(|pulumi| pulumi.with_time_limit(limit).with_interrupts(Arc::clone(&interrupts)));
        let plugins = PluginLoader::new(inputs::plugin_places()?)
            .with_time_limit(limit)
            .with_interrupts(interrupts);
        Ok(Source { from: self.from, pulumi, plugins })
    }
}

impl Source {
    /// Asks for a package, and shows the command before it is run.
    pub fn ask(&self, request: &PackageRequest) -> Result<Answer, Failure> {
        let pulumi = self.pulumi.as_ref();
        // The parameter of a plugin cannot be an argument of `pulumi`.
        let can_ask_pulumi =
            request.parameterization.is_none() && self.from != Some(Program::Plugin);
        let answer = match pulumi.filter(|_| can_ask_pulumi) {
            Some(pulumi) => {
                let arguments = PulumiCommand::arguments(request).join(" ");
                complain(&format!("running `pulumi {arguments}`"));
                pulumi.ask(request)
            }
            None if can_ask_pulumi && self.from == Some(Program::Pulumi) => {
                return Err(Failure::usage(format!(
                    "the schema of {request} cannot be loaded: there is no `pulumi` in the \
                     directories of `PATH`"
                )));
            }
            None => {
                if let Some(program) = self.plugins.program(request) {
                    complain(&format!("running `{} 127.0.0.1:0`", program.display()));
                }
                self.plugins.ask(request)
            }
        };
        answer.map_err(|error| Failure::usage(explain(request, &error, can_ask_pulumi)))
    }
}

/// The text of an error, with a remedy.
fn explain(request: &PackageRequest, error: &LoadError, can_ask_pulumi: bool) -> String {
    let mut text = format!("the schema of {request} cannot be loaded: ");
    match error {
        LoadError::NotFound(_) => {
            let plugin = format!("pulumi-resource-{}", request.name);
            text += &if can_ask_pulumi {
                format!("neither `pulumi` nor the plugin `{plugin}` is installed")
            } else {
                format!("the plugin `{plugin}` is not installed")
            };
            let version = request.version.as_ref();
            let version = version.map(|version| format!(" {version}"));
            let server = request.download_url.as_ref();
            let server = server.map(|url| format!(" --server {}", url.escape_debug()));
            text += &format!(
                "\n  help: `pulumi plugin install resource {}{}{}` installs the plugin",
                request.name,
                version.unwrap_or_default(),
                server.unwrap_or_default(),
            );
        }
        LoadError::Unanswered(unanswered) => {
            text += &error.to_string();
            text += &format!("\n  help: {}", unanswered.help);
        }
        _ => text += &error.to_string(),
    }
    text
}
