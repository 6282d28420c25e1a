//! The paths of files in machine formats, which do not depend on how a program was named.

use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};

use super::report::Report;
use crate::project::is_project;
use crate::project::repository_of;
use pcl_diagnostics::{FileId, SourceMap};

/// The directories that the paths in machine formats are relative to. By default there are none,
/// and paths are those that a program was named by.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Roots {
    current: Option<PathBuf>,
    repository: Option<PathBuf>,
    /// Unset if there is no repository, so that another directory has its place.
    is_repository: bool,
}

impl Roots {
    /// No directories.
    pub const NONE: Self = Self { current: None, repository: None, is_repository: false };

    /// The directories of a run of which `first` is the first program: the current directory, and
    /// the repository that holds the program, else the one that holds the current directory, else
    /// the current directory itself.
    pub fn find(first: Option<&Path>) -> Self {
        let current = std::env::current_dir().ok();
        let current = current.map(|directory| resolve(&directory));
        let repository = first
            .and_then(|path| repository_of(directory_of(&resolve(path))))
            .or_else(|| repository_of(current.as_deref()?));
        Self {
            is_repository: repository.is_some(),
            repository: repository.or_else(|| current.clone()),
            current,
        }
    }

    /// The root of the repository.
    pub fn repository(&self) -> Option<&Path> {
        self.repository.as_deref()
    }
}

/// A path in the repository, or an absolute one of a file outside of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Located {
    Inside(String),
    Outside(String),
}

impl Located {
    pub(super) fn path(&self) -> &str {
        let (Self::Inside(path) | Self::Outside(path)) = self;
        path
    }
}

/// The paths of one report's files, each resolved once.
pub(super) struct Paths<'a> {
    sources: &'a SourceMap,
    roots: &'a Roots,
    on_disk: bool,
    resolved: HashMap<FileId, PathBuf>,
}

impl<'a> Paths<'a> {
    pub(super) fn new(report: &'a Report) -> Self {
        Self {
            sources: &report.sources,
            roots: &report.settings.roots,
            on_disk: report.on_disk,
            resolved: HashMap::new(),
        }
    }

    /// The path from the current directory of a file below it; that of any other file as it was
    /// named.
    pub(super) fn below_current(&mut self, file: FileId) -> String {
        let shown = self.sources.path(file);
        let roots = self.roots;
        let below = |path: &Path| below(path, roots.current.as_deref()?);
        let relative = self.resolve(file).and_then(below);
        relative.unwrap_or_else(|| shown.to_owned())
    }

    /// The path from the root of the repository.
    pub(super) fn in_repository(&mut self, file: FileId) -> Located {
        let shown = self.sources.path(file);
        let roots = self.roots;
        let Some(path) = self.resolve(file) else { return Located::Outside(shown.to_owned()) };
        match roots.repository.as_deref() {
            None => Located::Outside(shown.to_owned()),
            Some(root) => match below(path, root) {
                Some(relative) => Located::Inside(relative),
                None => Located::Outside(pcl_system::shown(path)),
            },
        }
    }

    /// A path that no other file has: that from the root of the repository, or an absolute one.
    pub(super) fn unique(&mut self, file: FileId) -> String {
        match self.in_repository(file) {
            Located::Inside(_) if !self.roots.is_repository => {
                let path = self.resolve(file).map(pcl_system::shown);
                path.unwrap_or_default()
            }
            Located::Inside(path) | Located::Outside(path) => path,
        }
    }

    /// The path from the root of the project: the nearest directory with a project file, else the
    /// root of the repository, else the directory of the file.
    pub(super) fn in_project(&mut self, file: FileId) -> String {
        let shown = self.sources.path(file);
        let Some(path) = self.resolve(file) else {
            return shown.strip_prefix("./").unwrap_or(shown).to_owned();
        };
        let directory = directory_of(path);
        let project = directory.ancestors().find(|place| is_project(place));
        let root = project.map(Path::to_path_buf);
        let root = root.or_else(|| repository_of(directory));
        below(path, root.as_deref().unwrap_or(directory)).unwrap_or_else(|| shown.to_owned())
    }

    /// The absolute path of a file on disk.
    fn resolve(&mut self, file: FileId) -> Option<&Path> {
        let shown = self.sources.path(file);
        self.on_disk.then(|| {
            let resolved = self.resolved.entry(file);
            resolved.or_insert_with(|| resolve(Path::new(shown))).as_path()
        })
    }
}

/// The absolute path of a file, in the real place of its directory. The name of the file itself is
/// kept, even if it is a link.
fn resolve(path: &Path) -> PathBuf {
    let real = |place: &Path| pcl_system::real_path(place).unwrap_or_else(|_| lexical(place));
    match (path.parent(), path.file_name()) {
        (Some(parent), Some(name)) if !path.is_dir() => {
            let is_here = parent.as_os_str().is_empty();
            real(if is_here { Path::new(".") } else { parent }).join(name)
        }
        _ => real(path),
    }
}

/// An absolute path without `.` and `..`, for places that do not exist.
fn lexical(path: &Path) -> PathBuf {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    let mut plain = PathBuf::new();
    for part in absolute.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                plain.pop();
            }
            part => plain.push(part),
        }
    }
    plain
}

/// A resolved path itself if it is a directory, else its directory.
fn directory_of(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !path.is_dir() => parent,
        _ => path,
    }
}

/// The path from `root` to a place at or below it, with `/` between its parts.
fn below(path: &Path, root: &Path) -> Option<String> {
    let relative = path.strip_prefix(root).ok()?;
    let parts: Vec<_> =
        relative.components().map(|part| part.as_os_str().to_string_lossy()).collect();
    Some(if parts.is_empty() { ".".to_owned() } else { parts.join("/") })
}

#[cfg(test)]
mod tests {
    use super::super::report::ReportSettings;
    use super::*;

    #[test]
    fn places_that_do_not_exist_are_resolved_by_their_names() {
        let here = pcl_system::real_path(Path::new(".")).unwrap();
        assert_eq!(resolve(Path::new("no/such/../place")), here.join("no/place"));
        assert_eq!(resolve(Path::new("./no")), here.join("no"));
    }

    #[test]
    fn outside_of_a_repository_only_absolute_paths_are_unique() {
        let here = pcl_system::real_path(Path::new(".")).unwrap();
        let mut sources = SourceMap::new();
        let file = sources.add("no/main.pp", "");
        let path = |is_repository| {
            let settings = ReportSettings {
                roots: Roots {
                    current: Some(here.clone()),
                    repository: Some(here.clone()),
                    is_repository,
                },
                ..ReportSettings::default()
            };
            let report =
                Report { on_disk: true, settings, ..Report::new("no", sources.clone(), []) };
            Paths::new(&report).unique(file)
        };
        assert_eq!(path(true), "no/main.pp");
        assert_eq!(Path::new(&path(false)), here.join("no/main.pp"));
    }

    #[test]
    fn parts_are_joined_by_slashes() {
        let path = |text| below(Path::new(text), Path::new("/a"));
        assert_eq!(path("/a/b/c.pp").as_deref(), Some("b/c.pp"));
        assert_eq!(path("/a").as_deref(), Some("."));
        assert_eq!(path("/ab"), None);
    }
}
