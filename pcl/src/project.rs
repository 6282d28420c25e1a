//! The project that a program belongs to: its directory, the plugins that its file names, and the
//! versions of Pulumi that it requires.

use std::path::{Component, Path, PathBuf};

use pcl_diagnostics::TextRange;
use pcl_schema::yaml;

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
        let (_, text) = read(project)?;
        let file = yaml::read(&text, &mut Err).ok()??;
        Some(project.join(file.entry("main")?.1.text()?))
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
    let root = yaml::read(&text, &mut Err).ok()??;
    let (_, node) = root.entry(KEY)?;
    let range = node.text()?.to_owned();
    let place = node.at.range;
    let line = node.at.position.line as usize;
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
#[cfg(feature = "remote")]
pub(crate) fn plugins_of(project: &Path) -> Vec<pcl_remote::ProjectPlugin> {
    let text = read(project).map(|(_, text)| text);
    // Most projects do not have it, and reading YAML takes time.
    let text = text.filter(|text| text.contains("plugins"));
    let file = text.and_then(|text| yaml::read(&text, &mut Err).ok()?);
    let providers = file.as_ref().and_then(|file| {
        let (_, providers) = file.entry("plugins")?.1.entry("providers")?;
        providers.items()
    });
    let plugin = |provider: &yaml::Node| {
        let text = |key: &str| provider.entry(key)?.1.text();
        Some(pcl_remote::ProjectPlugin {
            name: text("name")?.to_owned(),
            version: text("version").and_then(|version| pcl_schema::parse_version(version).ok()),
            path: project.join(text("path")?),
        })
    };
    providers.unwrap_or_default().iter().filter_map(plugin).collect()
}
