//! Installed plugins.

use std::path::PathBuf;

use semver::Version;

/// A resource plugin in the plugin cache of an installation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InstalledPlugin {
    /// The name of the plugin.
    pub name: String,
    /// Its version.
    pub version: Version,
    /// The directory that holds it.
    pub directory: PathBuf,
}
