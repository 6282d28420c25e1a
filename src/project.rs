//! The project that a program belongs to: its directory, and the plugins that its file names.

use std::path::{Path, PathBuf};

/// The names of a project file, in the order in which they are looked up.
pub(crate) const FILES: [&str; 2] = ["Pulumi.yaml", "Pulumi.yml"];

/// Returns whether a directory holds a project file.
pub(crate) fn is_project(directory: &Path) -> bool {
    FILES.iter().any(|name| directory.join(name).is_file())
}

/// The nearest directory at or above `directory` that holds a project file.
#[must_use]
pub fn project_of(directory: &Path) -> Option<PathBuf> {
    let absolute = std::path::absolute(directory).ok()?;
    let project = absolute.ancestors().find(|place| is_project(place));
    project.map(Path::to_path_buf)
}

/// The plugins in `plugins.providers` of the project in a directory, which replace installed ones.
/// A file that cannot be read names none: errors in project files are not reported here.
#[expect(
    clippy::indexing_slicing,
    reason = "indexing a JSON value returns null for an absent key"
)]
#[cfg(feature = "remote")]
pub(crate) fn plugins_of(project: &Path) -> Vec<pcl_remote::ProjectPlugin> {
    use pcl_schema::{parse_version, yaml_to_json};
    use serde_json::Value;

    /// The size of the largest project file that is read.
    const MAX_BYTES: u64 = 16 << 20;

    let text = FILES.iter().find_map(|name| {
        let bytes = pcl_system::read(&project.join(name), MAX_BYTES).ok()?;
        String::from_utf8(bytes).ok()
    });
    let json = text.and_then(|text| yaml_to_json(&text).ok());
    let file: Value = json
        .and_then(|json| serde_json::from_slice(&json).ok())
        .unwrap_or_default();
    let providers = file["plugins"]["providers"].as_array();
    let plugin = |provider: &Value| {
        Some(pcl_remote::ProjectPlugin {
            name: provider["name"].as_str()?.to_owned(),
            version: provider["version"]
                .as_str()
                .and_then(|version| parse_version(version).ok()),
            path: project.join(provider["path"].as_str()?),
        })
    };
    providers.into_iter().flatten().filter_map(plugin).collect()
}
