//! Files whose text counts instead of the one on disk: those that are open in an editor, and those
//! that fixes have edited.
//!
//! The tests: `binder/tests/open_files.rs`.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use pcl_syntax::SyntaxTree;

use crate::source::join_display;

/// Parsed files by the path that is shown, as it is in the source map. A file need not exist on
/// disk: it is then a file of the program whose directory it is in.
#[derive(Clone, Default, Debug)]
pub struct OpenFiles {
    trees: BTreeMap<String, Arc<SyntaxTree>>,
    is_without_disk: bool,
    directories: BTreeSet<String>,
}

impl OpenFiles {
    /// The files as all there are: no program file is read from a disk, and no directory or project
    /// is looked for there.
    #[must_use]
    pub fn without_disk(mut self) -> Self {
        self.is_without_disk = true;
        self
    }

    /// Returns true if there are no other files.
    #[must_use]
    pub const fn is_without_disk(&self) -> bool {
        self.is_without_disk
    }

    /// Adds a file, or replaces its text.
    pub fn insert(&mut self, path: impl Into<String>, tree: Arc<SyntaxTree>) {
        self.trees.insert(path.into(), tree);
    }

    /// Removes a file. Its text on disk counts again.
    pub fn remove(&mut self, path: &str) {
        self.trees.remove(path);
    }

    /// Names the directories that exist without program files, instead of those named before. They
    /// need not exist on disk.
    pub fn set_directories(&mut self, paths: impl IntoIterator<Item = String>) {
        self.directories = paths.into_iter().collect();
    }

    /// Names further directories that exist without program files.
    pub fn add_directories(&mut self, paths: impl IntoIterator<Item = String>) {
        self.directories.extend(paths);
    }

    /// Returns whether a directory exists, whatever the disk has.
    #[must_use]
    pub fn has_directory(&self, path: &str) -> bool {
        self.directories.contains(path) || self.names_in(path).next().is_some()
    }

    /// The tree of a file.
    #[must_use]
    pub fn get(&self, path: &str) -> Option<&Arc<SyntaxTree>> {
        self.trees.get(path)
    }

    /// The files, by path.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Arc<SyntaxTree>)> {
        self.trees.iter().map(|(path, tree)| (&**path, tree))
    }

    /// The names of the program files directly in a directory, which is named as it is shown.
    pub(crate) fn names_in(&self, directory: &str) -> impl Iterator<Item = &str> {
        let names = self.paths_below(directory);
        names.filter(|name| !name.contains('/'))
    }

    /// The names of the directories in a directory that have program files, some of them several
    /// times.
    pub(crate) fn directories_in(&self, directory: &str) -> impl Iterator<Item = &str> {
        let paths = self.paths_below(directory);
        let split = paths.filter_map(|path| path.split_once('/'));
        split.filter_map(|(name, rest)| (!rest.contains('/')).then_some(name))
    }

    /// The paths of the program files in and below a directory, relative to it.
    fn paths_below(&self, directory: &str) -> impl Iterator<Item = &str> {
        let prefix = join_display(directory, "");
        let from = self.trees.range(prefix.clone()..);
        let paths = from.map_while(move |(path, _)| path.strip_prefix(&*prefix));
        paths.filter(|name| name.ends_with(".pp"))
    }
}
