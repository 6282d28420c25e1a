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
    /// The number of seconds that a program may take
    #[arg(long, value_name = "SECONDS", default_value_t = 600)]
    timeout: u64,
}

/// A program that is asked for schemas.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Program {
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
    /// The programs; without a choice, `pulumi` if it is installed.
    pub fn source(&self, from: Option<Program>) -> Result<Source, Failure> {
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
        Ok(Source { from, pulumi, plugins })
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
        LoadError::NotFound(_) if can_ask_pulumi => {
            let name = &request.name;
            let asked = request.to_string().replace(' ', "@");
            text += &format!(
                "neither `pulumi` nor the plugin `pulumi-resource-{name}` is installed\n  \
                 help: `pcl schema add {asked} --from PATH` takes it from a file, folder or \
                 archive; the repositories of Pulumi's providers have it in \
                 `provider/cmd/pulumi-resource-{name}/schema.json`"
            );
        }
        // Only its plugin makes the schema of a package with a parameter.
        LoadError::NotFound(_) => {
            let version = request.version.as_ref();
            let version = version.map(|version| format!(" {version}"));
            let server = request.download_url.as_ref();
            let server = server.map(|url| format!(" --server {}", url.escape_debug()));
            text += &format!(
                "the plugin `pulumi-resource-{0}` is not installed\n  \
                 help: `pulumi plugin install resource {0}{1}{2}` installs the plugin",
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
