//! The plugins in Pulumi's plugin cache, which `pulumi` itself manages.

use pcl::remote::PulumiCommand;
use pcl_convert::Language;
use serde::Deserialize;

use crate::status::Failure;

/// The version of the plugins, which is that of this command.
pub(super) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// A plugin that this command can be installed as.
#[derive(Clone, Copy)]
pub(super) enum Plugin {
    /// The code generator of a language.
    Language(Language),
    /// The converter of projects in Pulumi YAML.
    Converter,
}

impl Plugin {
    /// The kind of the plugin, as Pulumi calls it.
    const fn kind(self) -> &'static str {
        match self {
            Self::Language(_) => "language",
            Self::Converter => "converter",
        }
    }

    /// The name of the plugin, which Pulumi's commands take for a language.
    pub(super) fn name(self) -> String {
        match self {
            Self::Language(language) => format!("pcl-{}", language.name()),
            Self::Converter => String::from("pcl-yaml"),
        }
    }

    /// The name of the plugin in a sentence.
    pub(super) fn title(self) -> String {
        match self {
            Self::Language(_) => self.name(),
            Self::Converter => format!("the converter {}", self.name()),
        }
    }

    /// The flag of `pulumi convert` that uses the plugin.
    pub(super) const fn flag(self) -> &'static str {
        match self {
            Self::Language(_) => "--language",
            Self::Converter => "--from",
        }
    }

    /// Installs this command as the plugin, in the place of one of the same version.
    ///
    /// # Errors
    /// Returns an error if `pulumi` fails.
    pub(super) fn install(self, pulumi: &PulumiCommand) -> Result<(), Failure> {
        let this = std::env::current_exe()
            .map_err(|error| Failure::usage(format!("cannot find this command: {error}")))?;
        let name = self.name();
        let mut arguments =
            words(&["plugin", "install", self.kind(), &name, VERSION, "--reinstall"]);
        arguments.extend(["--file".into(), this.into_os_string()]);
        run(pulumi, &arguments).map(drop)
    }

    /// Removes all versions of the plugin.
    ///
    /// # Errors
    /// Returns an error if `pulumi` fails.
    pub(super) fn remove(self, pulumi: &PulumiCommand) -> Result<(), Failure> {
        run(pulumi, &words(&["plugin", "rm", self.kind(), &self.name(), "--yes"])).map(drop)
    }
}

/// The installed plugins.
pub(super) struct Installed(Vec<Listed>);

#[derive(Deserialize)]
struct Listed {
    name: String,
    kind: String,
    #[serde(default)]
    version: String,
}

impl Installed {
    /// Asks `pulumi` for its plugins.
    ///
    /// # Errors
    /// Returns an error if `pulumi` fails.
    pub(super) fn list(pulumi: &PulumiCommand) -> Result<Self, Failure> {
        let printed = run(pulumi, &words(&["plugin", "ls", "--json"]))?;
        let plugins = serde_json::from_slice(&printed).map_err(|error| {
            Failure::usage(format!("`pulumi plugin ls --json` printed something else: {error}"))
        })?;
        Ok(Self(plugins))
    }

    /// The installed versions of a plugin.
    pub(super) fn versions(&self, plugin: Plugin) -> Vec<&str> {
        let (kind, name) = (plugin.kind(), plugin.name());
        let listed = self.0.iter().filter(|it| it.kind == kind && it.name == name);
        listed.map(|it| it.version.as_str()).collect()
    }
}

fn words(words: &[&str]) -> Vec<std::ffi::OsString> {
    words.iter().map(std::ffi::OsString::from).collect()
}

fn run(pulumi: &PulumiCommand, arguments: &[std::ffi::OsString]) -> Result<Vec<u8>, Failure> {
    pulumi.run(arguments).map_err(|error| Failure::usage(error.to_string()))
}
