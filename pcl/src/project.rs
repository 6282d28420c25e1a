//! The directories of a program and its components, its git repository and its project: the plugins
//! that the project file names, and the oldest Pulumi that it has to work with.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};

use pcl_binder::edition::{Bound, OldestPulumi, RangeError, VersionRange, empty_range};
use pcl_diagnostics::{Code, Diagnostic, Reporter, SourceMap, Span, TextRange};
use pcl_schema::yaml;

use crate::whole_program::{each_block, files_of};

/// The names of a project file, in the order in which they are looked up.
pub(crate) const FILES: [&str; 2] = ["Pulumi.yaml", "Pulumi.yml"];

/// Returns whether a directory holds a project file.
pub(crate) fn is_project(directory: &Path) -> bool {
    FILES.iter().any(|name| directory.join(name).is_file())
}

/// The nearest directory at or above `directory` that holds a project file.
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

/// Returns whether directories of a name are left out unless somebody names them: hidden ones, and
/// those that hold packages of other languages.
pub(crate) fn is_never_searched(name: &OsStr) -> bool {
    name.as_encoded_bytes().starts_with(b".") || name == "node_modules"
}

/// `directory/path`, without a leading `./`.
pub(crate) fn below(directory: &Path, path: impl AsRef<Path>) -> PathBuf {
    let path = path.as_ref();
    if directory == Path::new(".") { path.to_path_buf() } else { directory.join(path) }
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
    read_one(project, &FILES)
}

/// The name and the text of the first of some files that there is in a directory.
fn read_one(project: &Path, files: &[&'static str]) -> Option<(&'static str, String)> {
    files.iter().find_map(|&name| {
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

/// The directories that `packages` and `plugins.providers` name by their paths in the first of
/// these files that there is in a directory. A file that cannot be read names none.
pub(crate) fn local_packages_of(project: &Path, files: &[&'static str]) -> Vec<PathBuf> {
    let text = read_one(project, files).map(|(_, text)| text);
    // Most projects have neither, and reading YAML takes time.
    let text = text.filter(|text| text.contains("packages:") || text.contains("providers:"));
    let Some(Ok(Some(file))) = text.map(|text| yaml::read(&text, &mut Err)) else {
        return Vec::new();
    };
    let entry = |node: &yaml::Node, key: &str| Some(node.entry(key)?.1.clone());
    let mut paths: Vec<String> = Vec::new();
    if let Some(packages) = entry(&file, "packages") {
        let packages = packages.entries().unwrap_or_default().iter();
        let source = |(_, value): &(yaml::Key, yaml::Node)| {
            let source = value.text().map(str::to_owned);
            source.or_else(|| Some(entry(value, "source")?.text()?.to_owned()))
        };
        let is_path = |source: &String| {
            source.starts_with("./") || source.starts_with("../") || source.starts_with('/')
        };
        paths.extend(packages.filter_map(source).filter(is_path));
    }
    let providers = entry(&file, "plugins").and_then(|plugins| entry(&plugins, "providers"));
    for provider in providers.iter().filter_map(yaml::Node::items).flatten() {
        paths.extend(entry(provider, "path").and_then(|path| Some(path.text()?.to_owned())));
    }
    let places = paths.into_iter().map(|path| project.join(path));
    places.filter(|place| place.is_dir()).collect()
}

/// Returns true if a directory is the root of a git repository or of one of its worktrees, which
/// have a file `.git`.
pub(crate) fn is_repository(directory: &Path) -> bool {
    directory.join(".git").symlink_metadata().is_ok()
}

/// The nearest directory at or above `directory` that is the root of a git repository.
pub fn repository_of(directory: &Path) -> Option<PathBuf> {
    let root = directory.ancestors().find(|place| is_repository(place));
    root.map(Path::to_path_buf)
}

/// The directory of a program and those of its components at any depth, each once. Directories of
/// components that do not exist are listed too. `program` is a directory, or a file that is a
/// program by itself.
pub fn program_directories(program: &Path) -> Vec<PathBuf> {
    let (first, files) = if program.is_dir() {
        (program.to_path_buf(), files_of(program))
    } else {
        (pcl_system::directory_of(program).to_path_buf(), vec![program.to_path_buf()])
    };
    let mut seen = HashSet::from([identity(&first)]);
    let mut open = sources_of_components(&first, &files);
    let mut found = vec![first];
    while let Some(directory) = open.pop() {
        if seen.insert(identity(&directory)) {
            open.extend(sources_of_components(&directory, &files_of(&directory)));
            found.push(directory);
        }
    }
    found
}

/// The directories that the components in these files name, which are relative to `directory`.
pub(crate) fn sources_of_components(directory: &Path, files: &[PathBuf]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for path in files {
        each_block(path, |block| {
            let is_component = block.keyword().is_some_and(|word| word.text() == "component");
            let source = block.labels().nth(1).filter(|_| is_component);
            found
                .extend(source.map(|source| directory.join(source.text().trim_start_matches('/'))));
        });
    }
    found
}

fn identity(directory: &Path) -> PathBuf {
    pcl_system::real_path(directory).unwrap_or_else(|_| directory.to_path_buf())
}

/// The lower bound of `requiredPulumiVersion` in the file of a project, for a program in the
/// directory `own`. Reports a range that Pulumi does not understand.
pub(crate) fn oldest_of_project(
    project: &Path,
    own: &Path,
    map: &mut SourceMap,
    reporter: &mut Reporter,
) -> Option<OldestPulumi> {
    let required = required_pulumi(project)?;
    let (range, line) = (&required.range, required.line);
    if range.is_empty() {
        return None;
    }
    let error = match VersionRange::parse(range).map(|range| range.bound()) {
        Ok(Bound::Lowest(version)) => {
            let file = required.file;
            let setting = format!("`requiredPulumiVersion` in line {line} of `{file}`");
            return Some(OldestPulumi::setting(version, setting));
        }
        Ok(Bound::Open) => return None,
        Ok(Bound::Empty) => None,
        Err(error) => Some(error),
    };
    let path = shown(project, own, required.file);
    let file = map.add(pcl_system::shown(&path), required.text.clone());
    let span = Span::new(file, required.place);
    reporter.report(match error {
        Some(error) => malformed_pulumi_range(span, range, &error),
        None => empty_range(span, range),
    });
    None
}

/// The file of a project as people would write it who named a program in it by the directory `own`.
fn shown(project: &Path, own: &Path, file: &str) -> PathBuf {
    let absolute = absolute(own).unwrap_or_default();
    let below = absolute.strip_prefix(project).map(|rest| rest.components().count());
    // Only names can be taken from the end of a path: the directory above `..` is `../..`.
    let mut relative = own.components();
    let is_cut = below.is_ok_and(|below| {
        (0..below).all(|_| matches!(relative.next_back(), Some(Component::Normal(_))))
    });
    let relative = relative.as_path();
    if !is_cut || !relative.is_relative() {
        project.join(file)
    } else if relative == Path::new(".") {
        PathBuf::from(file)
    } else {
        relative.join(file)
    }
}

/// A `requiredPulumiVersion` of a project that Pulumi does not understand.
fn malformed_pulumi_range(span: Span, text: &str, error: &RangeError) -> Diagnostic {
    let message = error.message(text);
    let help = match &error.meant {
        Some(meant) => format!("write `{meant}`"),
        None => "write full versions, as in `>=3.220.0 <4.0.0`".to_owned(),
    };
    Diagnostic::error(Code::InvalidVersionRange, span, message).help(help).ours()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_project_is_shown_by_the_path_of_its_program() {
        let here = std::env::current_dir().unwrap();
        let above = here.parent().unwrap();
        let path = |project: &Path, own: &str| shown(project, own.as_ref(), "Pulumi.yaml");
        for own in [".", "./", "", "src", "src/cli"] {
            assert_eq!(path(&here, own), Path::new("Pulumi.yaml"), "{own}");
        }
        assert_eq!(path(&here.join("src"), "src"), Path::new("src/Pulumi.yaml"));
        assert_eq!(path(&here.join("src"), "./src/cli"), Path::new("./src/Pulumi.yaml"));
        assert_eq!(path(above, ".."), Path::new("../Pulumi.yaml"));
        assert_eq!(path(above, "."), above.join("Pulumi.yaml"));
        assert_eq!(path(&here, &here.to_string_lossy()), here.join("Pulumi.yaml"));
    }
}
