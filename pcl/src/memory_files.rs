//! The files of a workspace, in memory: those of a browser, and those that a caller hands in.

use std::collections::BTreeMap;
use std::sync::Arc;

use pcl_binder::OpenFiles;
use pcl_syntax::SyntaxTree;

use crate::project;
use crate::workspace::Target;

/// Files by path, which are all there are: those of programs as trees, others as bytes. The paths
/// are relative to the root of the workspace, with `/` between their parts; `.` is the root. The
/// `.pp` files of a directory are one program.
///
/// ```
/// use pcl::{MemoryFiles, Settings, Workspace};
///
/// let mut files = MemoryFiles::default();
/// files.insert("main.pp", "component web \"./web\" {\n  size = 2\n}\n");
/// files.insert("web/main.pp", "config size int {}\n");
/// let checked = Workspace::new(Settings::default()).check_open(&files.target("."), files.programs());
/// assert!(checked.is_valid());
/// ```
#[derive(Clone)]
pub struct MemoryFiles {
    /// The program files, and the directories of the other files.
    programs: Arc<OpenFiles>,
    others: BTreeMap<String, Arc<[u8]>>,
}

impl Default for MemoryFiles {
    fn default() -> Self {
        Self { programs: Arc::new(OpenFiles::default().without_disk()), others: BTreeMap::new() }
    }
}

impl MemoryFiles {
    /// The program files, for [`Workspace::check_open`](crate::Workspace::check_open).
    pub fn programs(&self) -> &Arc<OpenFiles> {
        &self.programs
    }

    /// The program of a directory.
    pub fn target(&self, directory: &str) -> Target {
        Target::Path(Self::normal(directory).into())
    }

    /// Adds a file, or replaces its content. Those whose name ends in `.pp` are program files.
    pub fn insert(&mut self, path: &str, content: impl Into<Vec<u8>>) {
        let (path, bytes) = (Self::normal(path), content.into());
        if path.ends_with(".pp") {
            let tree = Arc::new(pcl_newcomers::parse_bytes(bytes));
            Arc::make_mut(&mut self.programs).insert(path, tree);
        } else if self.others.insert(path.clone(), bytes.into()).is_none() {
            Arc::make_mut(&mut self.programs).add_directories(directories_of(&path));
        }
    }

    /// Removes a file.
    pub fn remove(&mut self, path: &str) {
        let path = Self::normal(path);
        if self.others.remove(&path).is_some() {
            let directories = self.others.keys().flat_map(|path| directories_of(path));
            Arc::make_mut(&mut self.programs).set_directories(directories);
        } else {
            Arc::make_mut(&mut self.programs).remove(&path);
        }
    }

    /// The paths of the files, sorted.
    pub fn paths(&self) -> Vec<String> {
        let programs = self.programs.iter().map(|(path, _)| path.to_owned());
        let mut paths: Vec<String> = programs.chain(self.others.keys().cloned()).collect();
        paths.sort();
        paths
    }

    /// The tree of a program file.
    pub fn tree(&self, path: &str) -> Option<&Arc<SyntaxTree>> {
        self.programs.get(&Self::normal(path))
    }

    /// The content of a file.
    pub fn bytes(&self, path: &str) -> Option<&[u8]> {
        let path = Self::normal(path);
        let other = self.others.get(&path).map(|bytes| &**bytes);
        other.or_else(|| Some(self.programs.get(&path)?.bytes()))
    }

    /// The nearest directory at or above `directory` that holds a project file.
    pub fn project_of(&self, directory: &str) -> Option<String> {
        let mut place = Self::normal(directory);
        loop {
            let holds = |name: &str| self.bytes(&format!("{place}/{name}")).is_some();
            if project::FILES.iter().any(|name| holds(name)) {
                return Some(place);
            }
            if place == "." {
                return None;
            }
            place = match place.rsplit_once('/') {
                Some((above, _)) => above.to_owned(),
                None => ".".to_owned(),
            };
        }
    }

    /// A path without `.` at its start, or in between, and without a slash at its end.
    pub fn normal(path: &str) -> String {
        let parts = path.split('/');
        let parts = parts.filter(|part| !part.is_empty() && *part != ".");
        let path = parts.collect::<Vec<_>>().join("/");
        if path.is_empty() { ".".to_owned() } else { path }
    }
}

/// The directories that a file is in, the nearest first.
fn directories_of(path: &str) -> impl Iterator<Item = String> {
    let slashes = path.rmatch_indices('/');
    slashes.filter_map(|(at, _)| Some(path.get(..at)?.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn projects_are_at_or_above_a_directory() {
        let mut files = MemoryFiles::default();
        files.insert("shop/Pulumi.yml", "name: shop\n");
        assert_eq!(files.project_of("shop/web/app").as_deref(), Some("shop"));
        assert_eq!(files.project_of("./shop/").as_deref(), Some("shop"));
        assert_eq!(files.project_of("other"), None);
        files.insert("Pulumi.yaml", "name: all\n");
        assert_eq!(files.project_of("other").as_deref(), Some("."));
    }

    #[test]
    fn directories_last_as_long_as_files_in_them() {
        let mut files = MemoryFiles::default();
        files.insert("web/data/a.txt", "a");
        files.insert("web/b.txt", "b");
        let has = |files: &MemoryFiles, path| files.programs().has_directory(path);
        assert!(has(&files, "web") && has(&files, "web/data"));
        files.remove("web/data/a.txt");
        assert!(has(&files, "web") && !has(&files, "web/data"));
    }
}
