//! The project that a program belongs to: its directory, the plugins that its file names, and the
//! versions of Pulumi that it requires.

use std::path::{Component, Path, PathBuf};

use pcl_diagnostics::TextRange;
use pcl_schema::yaml_to_json;
use serde_json::Value;

use crate::config::node::from_yaml;

/// The names of a project file, in the order in which they are looked up.
pub(crate) const FILES: [&str; 2] = ["Pulumi.yaml", "Pulumi.yml"];

/// Returns whether a directory holds a project file.
pub(crate) fn is_project(directory: &Path) -> bool {
    FILES.iter().any(|name| directory.join(name).is_file())
}

/// The nearest directory at or above `directory` that holds a project file.
#[must_use]
pub fn project_of(directory: &Path) -> Option<PathBuf> {
    let absolute = absolute(directory)?;
    let project = absolute.ancestors().find(|place| is_project(place));
    project.map(Path::to_path_buf)
}

/// The directory of the program of the project in a directory: the one that `main` in the project
/// file names or that contains the file that it names, or else that of the project.
///
/// ```
/// let project = tempfile::tempdir()?;
/// std::fs::write(project.path().join("Pulumi.yaml"), "name: shop\nmain: src\n")?;
/// assert_eq!(pcl::program_of(project.path()), project.path().join("src"));
/// # Ok::<(), std::io::Error>(())
/// ```
#[must_use]
pub fn program_of(project: &Path) -> PathBuf {
    let main = || {
        let json: Value = serde_json::from_slice(&yaml_to_json(&read(project)?.1).ok()?).ok()?;
        Some(project.join(json.get("main")?.as_str()?))
    };
    match main() {
        Some(file) if file.is_file() => pcl_system::directory_of(&file).to_path_buf(),
        Some(directory) => directory,
        None => project.to_path_buf(),
    }
}

/// The absolute path of a directory, whose ancestors are the directories above it. The empty path,
/// which is the parent of a bare file name, is the current directory.
pub(crate) fn absolute(directory: &Path) -> Option<PathBuf> {
    if directory.as_os_str().is_empty() {
        return std::env::current_dir().ok();
    }
    let goes_up = directory.components().any(|part| part == Component::ParentDir);
    // Behind a link, `..` leads to the parent of its target.
    match goes_up.then(|| pcl_system::real_path(directory)) {
        Some(Ok(real)) => Some(real),
        _ => std::path::absolute(directory).ok(),
    }
}

/// The size of the largest project file that is read.
const MAX_BYTES: u64 = 16 << 20;

/// The versions of Pulumi that a project requires.
pub(crate) struct RequiredPulumi {
    /// The name of the project file.
    pub file: &'static str,
    /// All of its text.
    pub text: String,
    /// The range of versions.
    pub range: String,
    /// Its place in the text.
    pub place: TextRange,
    /// Its line, from 1.
    pub line: usize,
}

/// The value of `requiredPulumiVersion` of the project in a directory. A file that cannot be read
/// says none.
pub(crate) fn required_pulumi(project: &Path) -> Option<RequiredPulumi> {
    const KEY: &str = "requiredPulumiVersion";
    let (file, text) = read(project)?;
    // Most projects do not have it, and reading YAML takes time.
    if !text.contains(KEY) {
        return None;
    }
    let json: Value = serde_json::from_slice(&yaml_to_json(&text).ok()?).ok()?;
    let range = json.get(KEY)?.as_str()?.to_owned();
    let place = match from_yaml(&text, KEY) {
        Ok(found) => found?.1.range,
        // An alias has its text elsewhere.
        Err(malformed) => malformed.range,
    };
    let before = text.get(..place.start() as usize)?;
    let line = 1 + before.matches('\n').count();
    Some(RequiredPulumi { file, place, line, range, text })
}

/// The name and the text of the file of the project in a directory.
fn read(project: &Path) -> Option<(&'static str, String)> {
    FILES.iter().find_map(|&name| {
        let bytes = pcl_system::read(&project.join(name), MAX_BYTES).ok()?;
        Some((name, String::from_utf8(bytes).ok()?))
    })
}

/// The plugins in `plugins.providers` of the project in a directory, which replace installed ones.
/// They are programs that whoever wrote the project chose: [`pcl_remote`] starts them only with a
/// permission of their own. A file that cannot be read names none: errors in project files are not
/// reported here.
#[expect(clippy::indexing_slicing, reason = "indexing a JSON value returns null for an absent key")]
#[cfg(feature = "remote")]
pub(crate) fn plugins_of(project: &Path) -> Vec<pcl_remote::ProjectPlugin> {
    use pcl_schema::parse_version;

    let text = read(project).map(|(_, text)| text);
    // Most projects do not have it, and reading YAML takes time.
    let text = text.filter(|text| text.contains("plugins"));
    let json = text.and_then(|text| yaml_to_json(&text).ok());
    let file: Value = json.and_then(|json| serde_json::from_slice(&json).ok()).unwrap_or_default();
    let providers = file["plugins"]["providers"].as_array();
    let plugin = |provider: &Value| {
        Some(pcl_remote::ProjectPlugin {
            name: provider["name"].as_str()?.to_owned(),
            version: provider["version"].as_str().and_then(|version| parse_version(version).ok()),
            path: project.join(provider["path"].as_str()?),
        })
    };
    providers.into_iter().flatten().filter_map(plugin).collect()
}
