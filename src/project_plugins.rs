//! The plugins that a project names in its project file, instead of those that are installed.

use std::path::Path;

use pcl_remote::ProjectPlugin;
use pcl_schema::{parse_version, yaml_to_json};
use serde_json::Value;

/// The size of the largest project file that is read.
const MAX_BYTES: u64 = 16 << 20;

/// Reads `plugins.providers` of the project in a directory. What cannot be read names no plugin; to complain about project files is for others.
pub(crate) fn read(project: &Path) -> Vec<ProjectPlugin> {
    let text = ["Pulumi.yaml", "Pulumi.yml"].iter().find_map(|name| {
        let bytes = pcl_system::read(&project.join(name), MAX_BYTES).ok()?;
        String::from_utf8(bytes).ok()
    });
    let json = text.and_then(|text| yaml_to_json(&text).ok());
    let file: Value = json
        .and_then(|json| serde_json::from_slice(&json).ok())
        .unwrap_or_default();
    let providers = file["plugins"]["providers"].as_array();
    let plugin = |provider: &Value| {
        Some(ProjectPlugin {
            name: provider["name"].as_str()?.to_owned(),
            version: provider["version"]
                .as_str()
                .and_then(|version| parse_version(version).ok()),
            path: project.join(provider["path"].as_str()?),
        })
    };
    providers.into_iter().flatten().filter_map(plugin).collect()
}
