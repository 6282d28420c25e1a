//! `pcl pulumi`: `pcl` as the code generator of Pulumi's own commands.
//!
//! The command itself is a language plugin if its name says so (`LanguagePlugin::of`). Pulumi takes
//! such plugins from its plugin cache, for names of their own (`pcl-python`), or from the `PATH`,
//! where they have the names of the hosts that are part of Pulumi (launchers).

mod installed;
mod launchers;
mod status;

use std::ffi::OsStr;
use std::path::PathBuf;
use std::sync::Arc;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand};
use pcl::remote::{Interrupts, PulumiCommand};
use pcl_convert::Language;
use pcl_host::LanguagePlugin;

use crate::everywhere::summarize;
use crate::status::{Failure, Outcome, Status};
use installed::{Installed, Plugin};

#[derive(Args)]
pub(crate) struct Pulumi {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Install a plugin for each language, for `pulumi convert --language pcl-python`, and the
    /// converter of Pulumi YAML, for `pulumi convert --from pcl-yaml`
    Install(InstallArgs),
    /// Show which plugins are installed, and the language hosts that they need
    Status(status::StatusArgs),
    /// Remove the plugins
    Uninstall(UninstallArgs),
}

#[derive(Args)]
struct InstallArgs {
    #[command(flatten)]
    choice: Choice,
    /// Write launchers into this directory instead; they have the names of Pulumi's language hosts
    /// and take their place if the directory comes first on the PATH
    #[arg(long, value_name = "DIR")]
    shadow: Option<PathBuf>,
}

#[derive(Args)]
struct UninstallArgs {
    #[command(flatten)]
    choice: Choice,
    /// Remove the launchers from this directory instead
    #[arg(long, value_name = "DIR")]
    shadow: Option<PathBuf>,
}

/// The languages that a command is about.
#[derive(Args)]
struct Choice {
    /// The languages; the converter is a part of `yaml` [default: all]
    #[arg(value_name = "LANGUAGE", value_parser = languages())]
    languages: Vec<Language>,
}

/// The names of the languages that have a plugin.
fn languages() -> impl TypedValueParser<Value = Language> {
    let value = |language: Language| PossibleValue::new(language.name()).help(language.title());
    PossibleValuesParser::new(LanguagePlugin::proxied().map(value))
        .try_map(|name: String| Language::parse(&name))
}

impl Pulumi {
    pub(crate) fn run(&self) -> Outcome {
        match &self.command {
            Command::Install(arguments) => arguments.install(),
            Command::Status(arguments) => arguments.run(),
            Command::Uninstall(arguments) => arguments.uninstall(),
        }
    }
}

impl Choice {
    fn languages(&self) -> Vec<Language> {
        let chosen =
            |language: &Language| self.languages.is_empty() || self.languages.contains(language);
        LanguagePlugin::proxied().filter(chosen).collect()
    }

    /// The plugins of the languages.
    fn plugins(&self) -> Vec<Plugin> {
        let languages = self.languages();
        let converter = languages.contains(&Language::Yaml).then_some(Plugin::Converter);
        languages.into_iter().map(Plugin::Language).chain(converter).collect()
    }
}

impl InstallArgs {
    fn install(&self) -> Outcome {
        if let Some(directory) = &self.shadow {
            for launcher in launchers::write(directory, &self.choice.languages())? {
                summarize(&format!("wrote {}", launcher.display()));
            }
            summarize(&format!(
                "put `{}` before the directory of Pulumi on the PATH; Pulumi then warns that it \
                 uses launchers",
                directory.display()
            ));
            return Ok(Status::Clean);
        }
        let pulumi = pulumi()?;
        for plugin in self.choice.plugins() {
            plugin.install(&pulumi)?;
            let (title, flag, name) = (plugin.title(), plugin.flag(), plugin.name());
            summarize(&format!("installed {title}: `pulumi convert {flag} {name}`"));
        }
        Ok(Status::Clean)
    }
}

impl UninstallArgs {
    fn uninstall(&self) -> Outcome {
        if let Some(directory) = &self.shadow {
            for language in self.choice.languages() {
                let launcher = launchers::place(directory, language);
                if launchers::remove(&launcher)? {
                    summarize(&format!("removed {}", launcher.display()));
                } else if !self.choice.languages.is_empty() {
                    summarize(&format!("there is no launcher {}", launcher.display()));
                }
            }
            return Ok(Status::Clean);
        }
        let pulumi = pulumi()?;
        let installed = Installed::list(&pulumi)?;
        for plugin in self.choice.plugins() {
            let title = plugin.title();
            if installed.versions(plugin).is_empty() {
                summarize(&format!("{title} is not installed"));
            } else {
                plugin.remove(&pulumi)?;
                summarize(&format!("removed {title}"));
            }
        }
        Ok(Status::Clean)
    }
}

/// The command `pulumi`.
fn pulumi() -> Result<PulumiCommand, Failure> {
    let interrupts = Interrupts::install()
        .map_err(|error| Failure::usage(format!("cannot watch for signals: {error}")))?;
    let path = std::env::var_os("PATH").unwrap_or_default();
    let pulumi = PulumiCommand::find(OsStr::new(&path)).ok_or_else(|| {
        Failure::usage("there is no `pulumi` in the directories of `PATH`; install Pulumi first")
    })?;
    Ok(pulumi.with_interrupts(Arc::new(interrupts)))
}
