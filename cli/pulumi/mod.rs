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

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand};
use pcl::remote::PulumiCommand;
use pcl_convert::Language;
use pcl_host::LanguagePlugin;

use crate::everywhere::summarize;
use crate::status::{Failure, Outcome, Status};
use installed::{Installed, plugin_name};

#[derive(Args)]
pub(crate) struct Pulumi {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Install a plugin for each language, for `pulumi convert --language pcl-python`
    Install(InstallArgs),
    /// Show which plugins are installed, and the language hosts that they need
    Status(status::StatusArgs),
    /// Remove the plugins
    Uninstall(InstallArgs),
}

#[derive(Args)]
struct InstallArgs {
    /// The languages [default: all]
    #[arg(value_name = "LANGUAGE", value_parser = languages())]
    languages: Vec<Language>,
    /// Instead of plugins, write launchers into this directory, or remove them; they have the names
    /// of Pulumi's language hosts and take their place if the directory comes first on the PATH
    #[arg(long, value_name = "DIR")]
    shadow: Option<PathBuf>,
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

impl InstallArgs {
    fn languages(&self) -> Vec<Language> {
        if self.languages.is_empty() {
            return LanguagePlugin::proxied().collect();
        }
        let all = LanguagePlugin::proxied();
        all.filter(|language| self.languages.contains(language)).collect()
    }

    fn install(&self) -> Outcome {
        if let Some(directory) = &self.shadow {
            let written = launchers::write(directory, &self.languages())?;
            for launcher in written {
                summarize(&format!("wrote {}", launcher.display()));
            }
            summarize(&format!(
                "Pulumi uses them if `{}` comes before its own directory on the PATH, and warns \
                 about it",
                directory.display()
            ));
            return Ok(Status::Clean);
        }
        let pulumi = pulumi()?;
        for language in self.languages() {
            installed::install(&pulumi, language)?;
            let name = plugin_name(language);
            summarize(&format!("installed {name}: `pulumi convert --language {name}`"));
        }
        Ok(Status::Clean)
    }

    fn uninstall(&self) -> Outcome {
        if let Some(directory) = &self.shadow {
            for launcher in launchers::remove(directory, &self.languages())? {
                summarize(&format!("removed {}", launcher.display()));
            }
            return Ok(Status::Clean);
        }
        let pulumi = pulumi()?;
        let installed = Installed::list(&pulumi)?;
        for language in self.languages() {
            let name = plugin_name(language);
            if installed.versions(language).is_empty() {
                summarize(&format!("{name} is not installed"));
            } else {
                installed::remove(&pulumi, language)?;
                summarize(&format!("removed {name}"));
            }
        }
        Ok(Status::Clean)
    }
}

/// The command `pulumi`.
fn pulumi() -> Result<PulumiCommand, Failure> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    PulumiCommand::find(OsStr::new(&path)).ok_or_else(|| {
        Failure::usage("there is no `pulumi` in the directories of `PATH`; install Pulumi first")
    })
}
