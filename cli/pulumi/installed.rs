//! The plugins in Pulumi's plugin cache, which `pulumi` itself manages.

use pcl::remote::PulumiCommand;
use pcl_convert::Language;
use serde::Deserialize;

use crate::status::Failure;

/// The version of the plugins, which is that of this command.
pub(super) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The name of the plugin of a language, which Pulumi's commands take for a language.
pub(super) fn plugin_name(language: Language) -> String {
    format!("pcl-{}", language.name())
}

/// Installs this command as the plugin of a language, in the place of one of the same version.
///
/// # Errors
/// Returns an error if `pulumi` fails.
pub(super) fn install(pulumi: &PulumiCommand, language: Language) -> Result<(), Failure> {
    let this = std::env::current_exe()
        .map_err(|error| Failure::usage(format!("cannot find this command: {error}")))?;
    let name = plugin_name(language);
    let mut arguments = words(&["plugin", "install", "language", &name, VERSION, "--reinstall"]);
    arguments.extend(["--file".into(), this.into_os_string()]);
    run(pulumi, &arguments).map(drop)
}

/// Removes all versions of the plugin of a language.
///
/// # Errors
/// Returns an error if `pulumi` fails.
pub(super) fn remove(pulumi: &PulumiCommand, language: Language) -> Result<(), Failure> {
    let name = plugin_name(language);
    run(pulumi, &words(&["plugin", "rm", "language", &name, "--yes"])).map(drop)
}

/// The installed plugins.
pub(super) struct Installed(Vec<Plugin>);

#[derive(Deserialize)]
struct Plugin {
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

    /// The installed versions of the plugin of a language.
    pub(super) fn versions(&self, language: Language) -> Vec<&str> {
        let name = plugin_name(language);
        let plugins = self.0.iter();
        let plugins = plugins.filter(|plugin| plugin.kind == "language" && plugin.name == name);
        plugins.map(|plugin| plugin.version.as_str()).collect()
    }
}

fn words(words: &[&str]) -> Vec<std::ffi::OsString> {
    words.iter().map(std::ffi::OsString::from).collect()
}

fn run(pulumi: &PulumiCommand, arguments: &[std::ffi::OsString]) -> Result<Vec<u8>, Failure> {
    pulumi.run(arguments).map_err(|error| Failure::usage(error.to_string()))
}
