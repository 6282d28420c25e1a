//! The home directory of a Pulumi installation: which plugins are there, and which of them a
//! request means.

use std::path::{Path, PathBuf};

use semver::Version;

use super::directory::entries;
use crate::{InstalledPlugin, parse_version};

/// The home directory of a Pulumi installation, `$PULUMI_HOME`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PulumiHome {
    path: PathBuf,
}

impl PulumiHome {
    /// The installation with that home directory, which need not be there.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into() }
    }

    /// The directory itself.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The directory of the schemas that plugins have answered.
    pub fn schemas(&self) -> PathBuf {
        self.path.join("schemas")
    }

    /// The directory of the plugins, each in its own directory.
    pub fn plugins(&self) -> PathBuf {
        self.path.join("plugins")
    }

    /// The resource plugins that are installed completely, by name and then from the least to the
    /// most wanted: releases after pre-releases, then by version.
    pub fn installed(&self) -> Vec<InstalledPlugin> {
        let mut names = Vec::new();
        let mut plugins = Vec::new();
        for (name, path) in entries(&self.plugins()).flatten() {
            if let Some((plugin, version)) = plugin_of(&name)
                && path.is_dir()
            {
                plugins.push((
                    name.clone(),
                    InstalledPlugin { name: plugin.to_owned(), version, directory: path },
                ));
            }
            names.push(name);
        }
        // While a plugin is being installed, a file of this name is beside its directory.
        plugins.retain(|(directory, _)| !names.contains(&format!("{directory}.partial")));
        let mut plugins: Vec<_> = plugins.into_iter().map(|(_, plugin)| plugin).collect();
        plugins.sort_by(|a, b| {
            let by_version = || preference(&a.version).cmp(&preference(&b.version));
            a.name.cmp(&b.name).then_with(by_version)
        });
        plugins
    }
}

/// The plugin that a request for that name and version means: exactly the version, and without one
/// the newest release, else the newest pre-release.
pub fn choose_plugin<'p>(
    installed: &'p [InstalledPlugin],
    name: &str,
    version: Option<&Version>,
) -> Option<&'p InstalledPlugin> {
    let fits = |plugin: &&InstalledPlugin| {
        plugin.name == name
            && version.is_none_or(|wanted| plugin.version.cmp_precedence(wanted).is_eq())
    };
    installed.iter().rfind(fits)
}

/// The order of preference of versions when none was asked for: releases, then higher ones.
pub(super) fn preference(version: &Version) -> (bool, &Version) {
    (version.pre.is_empty(), version)
}

/// Name and version in the name of a directory, `resource-NAME-vVERSION`.
fn plugin_of(directory: &str) -> Option<(&str, Version)> {
    let (name, version) = directory.strip_prefix("resource-")?.rsplit_once("-v")?;
    let is_unpacking = |(_, digits): (&str, &str)| {
        !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
    };
    let is_name = name.ends_with(|c: char| c.is_ascii_alphanumeric())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte));
    if !is_name || version.rsplit_once(".tmp").is_some_and(is_unpacking) {
        return None;
    }
    Some((name, parse_version(version).ok()?))
}

#[cfg(test)]
mod tests {
    use super::plugin_of;

    #[test]
    fn names_of_plugin_directories() {
        let shown =
            |directory| plugin_of(directory).map(|(name, version)| format!("{name} {version}"));
        let cases = [
            ("resource-aws-v7.42.0", Some("aws 7.42.0")),
            ("resource-azure-native-v2.0.0-beta.1", Some("azure-native 2.0.0-beta.1")),
            ("resource-a-v2-v1.0.0", Some("a-v2 1.0.0")),
            ("resource-aws-v7.42.0.tmp123", None),
            ("resource-aws-v7.42.0.lock", None),
            ("resource-aws-vnext", None),
            ("resource-aws-", None),
            ("resource-a.-v1.0.0", None),
            ("resource-../a-v1.0.0", None),
            ("language-go-v1.0.0", None),
        ];
        for (directory, expected) in cases {
            assert_eq!(shown(directory).as_deref(), expected, "{directory}");
        }
    }
}
