//! The plugin that Pulumi would run for a package.

use std::ffi::OsString;
use std::path::PathBuf;

use pcl_schema::{InstalledPlugin, PackageRequest, PulumiHome, choose_plugin};
use pcl_system::{is_executable, program_in, program_on_path};
use semver::Version;

/// The places where plugins are looked up, in this order.
#[derive(Debug, Clone, Default)]
pub struct PluginPlaces {
    /// Plugins that run already, by name, with their ports.
    pub attached: Vec<(String, u16)>,
    /// Plugins that the project names.
    pub project: Vec<ProjectPlugin>,
    /// Set if these may be started. Whoever wrote the project chose them, so the permission to
    /// start what is installed is not enough.
    pub starts_project: bool,
    /// The directories of `PATH`, as that variable lists them; `None` leaves them out.
    pub path: Option<OsString>,
    /// The home of the Pulumi installation whose plugins are searched last.
    pub pulumi_home: Option<PathBuf>,
}

/// A plugin that a project names in `plugins.providers` of its project file.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ProjectPlugin {
    /// The name of the plugin.
    pub name: String,
    /// Its version, if the project says one.
    pub version: Option<Version>,
    /// The program, or the directory that it is in.
    pub path: PathBuf,
}

/// A plugin that was found.
#[derive(Debug, Clone)]
pub(crate) enum Located {
    /// It runs already.
    Attached(u16),
    /// A program outside the plugin cache, of which nobody knows when it changes.
    Loose(PathBuf),
    /// A program of the plugin cache.
    Installed { program: PathBuf, plugin: InstalledPlugin },
    /// A plugin of the plugin cache that a language runs.
    Interpreted(PathBuf),
    /// The path of a plugin that the project names and that may not be started. An installed one
    /// would be another plugin.
    Refused(PathBuf),
}

/// The places of plugins with the installed plugins, which are listed once.
#[derive(Debug, Default)]
pub(crate) struct PluginSearch {
    pub places: PluginPlaces,
    pub home: Option<PulumiHome>,
    pub installed: Vec<InstalledPlugin>,
}

impl PluginSearch {
    pub fn new(places: PluginPlaces) -> Self {
        let home = places.pulumi_home.clone().map(PulumiHome::new);
        let installed = home.as_ref().map(PulumiHome::installed);
        Self { places, installed: installed.unwrap_or_default(), home }
    }

    /// The plugin that a request means.
    pub fn find(&self, request: &PackageRequest) -> Option<Located> {
        let name = &request.name;
        if !is_plugin_name(name) {
            return None;
        }
        let mut attached = self.places.attached.iter();
        if let Some((_, port)) = attached.find(|(other, _)| other == name) {
            return Some(Located::Attached(*port));
        }
        let program = format!("pulumi-resource-{name}");
        for plugin in self.places.project.iter().filter(|p| p.name == *name) {
            let is_other = |version: &Version| {
                let wanted = request.version.as_ref();
                wanted.is_some_and(|wanted| version.cmp_precedence(wanted).is_ne())
            };
            if plugin.version.as_ref().is_some_and(is_other) {
                continue;
            }
            if !self.places.starts_project {
                return Some(Located::Refused(plugin.path.clone()));
            }
            let found = if plugin.path.is_dir() {
                program_in(&plugin.path, &program)
            } else {
                Some(plugin.path.clone()).filter(|path| is_executable(path))
            };
            if let Some(found) = found {
                return Some(Located::Loose(found));
            }
        }
        let path = self.places.path.as_deref().unwrap_or_default();
        if let Some(found) = program_on_path(path, &program) {
            return Some(Located::Loose(found));
        }
        let plugin = choose_plugin(&self.installed, name, request.version.as_ref())?;
        match program_in(&plugin.directory, &program) {
            Some(program) => Some(Located::Installed { program, plugin: plugin.clone() }),
            None => {
                let description = plugin.directory.join("PulumiPlugin.yaml");
                description.is_file().then(|| Located::Interpreted(plugin.directory.clone()))
            }
        }
    }
}

/// Returns whether a text is a name that a package and its plugin may have. Names become parts of
/// paths and of command lines, and programs may be written by anybody.
///
/// ```
/// assert!(pcl_remote::is_plugin_name("azure-native"));
/// assert!(!pcl_remote::is_plugin_name("../aws") && !pcl_remote::is_plugin_name("--help"));
/// ```
pub fn is_plugin_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphanumeric())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
}

#[cfg(test)]
mod tests {
    use super::is_plugin_name;

    #[test]
    fn names_do_not_leave_their_directory() {
        for name in ["aws", "azure-native", "a.b_c", "3d"] {
            assert!(is_plugin_name(name), "{name}");
        }
        for name in ["", "..", "../aws", "a/b", "a\\b", "a b", "é", "-x"] {
            assert!(!is_plugin_name(name), "{name}");
        }
    }
}
