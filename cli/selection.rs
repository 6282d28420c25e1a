//! The programs that the PATHs select: those that they name, and with `-r` those below them.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use pcl::config::{Configuration, Discovery};
use pcl::{Excludes, Target, Walk};

use super::changed_since::Changes;
use super::inputs::{self, Inputs};
use super::output::complain;
use super::status::Failure;

#[derive(Args, Default)]
#[command(next_help_heading = "Selection")]
pub(super) struct SelectionArgs {
    /// Leave out files and directories that match, in the syntax of .gitignore and relative to the
    /// current directory; repeatable
    #[arg(long, value_name = "GLOB")]
    exclude: Vec<String>,
    /// Leave out excluded PATHs too
    #[arg(long)]
    force_exclude: bool,
    /// Only what was changed since a commit, branch or tag of git
    #[arg(long, value_name = "REF", allow_hyphen_values = true)]
    changed_since: Option<String>,
}

/// The selected programs.
#[derive(Default)]
pub(super) struct Selection {
    /// The programs, in the order of the PATHs.
    pub targets: Vec<Target>,
    /// The files of programs that are excluded or ignored, by directory.
    pub left_out: LeftOut,
    /// Set if standard input is excluded. Commands that print it as it is afterwards print it as it
    /// is.
    pub excludes_input: bool,
}

/// Files that are parts of programs and that nothing is to be said about, by directory.
#[derive(Default)]
pub(super) struct LeftOut(BTreeMap<PathBuf, BTreeSet<OsString>>);

impl LeftOut {
    pub fn contains(&self, directory: &Path, name: &OsStr) -> bool {
        self.0.get(directory).is_some_and(|names| names.contains(name))
    }
}

impl SelectionArgs {
    /// The programs that the PATHs name and, if `recursive` is set, those below them.
    pub fn select(
        &self,
        paths: &[PathBuf],
        recursive: bool,
        stdin_name: Option<&str>,
        discovery: &Discovery,
    ) -> Result<Selection, Failure> {
        let mut inputs = 0;
        for path in paths {
            inputs += usize::from(inputs::is_input(path, stdin_name)?);
        }
        if inputs > 1 {
            return Err(Failure::usage("standard input can be read only once"));
        }
        let walk = self.walk()?;
        let mut configured = Configured::new(discovery);
        let mut selection = Selection::default();
        for path in paths {
            let is_input = inputs::is_input(path, stdin_name)?;
            // Standard input without a name is no file that could be excluded.
            let named = if is_input { stdin_name.map(Path::new) } else { Some(path.as_path()) };
            if self.force_exclude
                && let Some(named) = named
                && (walk.excludes.exclude_named(named)
                    || configured.around(named).exclude_named(named))
            {
                selection.excludes_input |= is_input;
                continue;
            }
            if recursive && path.is_dir() && selection.add_below(path, &walk, &mut configured) {
                continue;
            }
            let target = inputs::target(path, stdin_name)?;
            selection.targets.push(target);
        }
        selection.drop_repeated();
        match configured.failure {
            Some(failure) => Err(failure),
            None => Ok(selection),
        }
    }

    /// The changes since the commit that was given, if one was.
    pub fn changes(&self) -> Result<Option<Changes>, Failure> {
        let revision = self.changed_since.as_deref();
        revision.map(|revision| Changes::since("--changed-since", revision)).transpose()
    }

    /// Drops the programs that have not changed since the commit that was given.
    pub fn retain_changed(
        &self,
        targets: &mut Vec<Target>,
        inputs: &Inputs<'_>,
    ) -> Result<(), Failure> {
        let Some(mut changes) = self.changes()? else { return Ok(()) };
        let mut changed = Vec::with_capacity(targets.len());
        for target in targets.drain(..) {
            let is_changed = match &target {
                Target::Path(path) => {
                    let configuration = inputs.discovery.of(&inputs::directory(&target));
                    let places = inputs.settings(&configuration).schemas;
                    changes.touch_program(path, &configuration, &places)?
                }
                Target::Memory { .. } => true,
            };
            changed.extend(is_changed.then_some(target));
        }
        *targets = changed;
        changes.explain();
        Ok(())
    }

    fn walk(&self) -> Result<Walk, Failure> {
        let mut walk = Walk::default();
        let added = walk.excludes.add(Path::new("."), &self.exclude);
        added.map_err(|error| Failure::usage(format!("`--exclude`: {error}")))?;
        Ok(walk)
    }
}

/// The globs of the setting `exclude` in the configurations of directories.
struct Configured<'a> {
    discovery: &'a Discovery,
    known: Vec<(Arc<Configuration>, Arc<Excludes>)>,
    /// The first configuration with a glob that cannot be used.
    failure: Option<Failure>,
}

impl<'a> Configured<'a> {
    fn new(discovery: &'a Discovery) -> Self {
        Self { discovery, known: Vec::new(), failure: None }
    }

    /// The globs for what is in a directory.
    fn of(&mut self, directory: &Path) -> Arc<Excludes> {
        let configuration = self.discovery.of(directory);
        let mut known = self.known.iter();
        if let Some((_, excludes)) = known.find(|(own, _)| Arc::ptr_eq(own, &configuration)) {
            return Arc::clone(excludes);
        }
        let mut excludes = Excludes::default();
        let entries = configuration.excludes();
        for group in entries.chunk_by(|(one, _), (next, _)| one == next) {
            let globs: Vec<&String> = group.iter().map(|(_, glob)| glob).collect();
            let directory = group.first().map(|(directory, _)| directory.as_path());
            let added = excludes.add(directory.unwrap_or(Path::new(".")), &globs);
            if let Err(error) = added
                && self.failure.is_none()
            {
                self.failure = Some(Failure::usage(format!("in the setting `exclude`, {error}")));
            }
        }
        let excludes = Arc::new(excludes);
        self.known.push((configuration, Arc::clone(&excludes)));
        excludes
    }

    /// The globs for a file or directory.
    fn around(&mut self, path: &Path) -> Arc<Excludes> {
        self.of(pcl_system::directory_of(path))
    }
}

impl Selection {
    /// Drops programs that were named before, and files of programs that are checked as a whole.
    fn drop_repeated(&mut self) {
        if self.targets.len() < 2 {
            return;
        }
        let mut real = RealPaths::default();
        let mut identities: Vec<Option<OsString>> = Vec::with_capacity(self.targets.len());
        for target in &self.targets {
            identities.push(match target {
                Target::Path(path) => real.of(path).map(PathBuf::into_os_string),
                Target::Memory { .. } => None,
            });
        }
        let all: HashSet<OsString> = identities.iter().flatten().cloned().collect();
        let mut seen: HashSet<&OsStr> = HashSet::new();
        let mut each = identities.iter();
        self.targets.retain(|_| {
            each.next().and_then(Option::as_ref).is_none_or(|identity| {
                let path = Path::new(identity);
                let is_part =
                    path.parent().is_some_and(|it| all.contains(it.as_os_str()) && path.is_file());
                !is_part && seen.insert(identity)
            })
        });
    }

    /// Adds the programs below a directory. Returns false if there is nothing to leave out and
    /// nothing to add: then the directory itself is the program that is missing.
    fn add_below(&mut self, path: &Path, walk: &Walk, configured: &mut Configured<'_>) -> bool {
        let found = walk.programs_with(path, |directory| configured.of(directory));
        for complaint in &found.complaints {
            complain(&format!("warning: {complaint}"));
        }
        if found.programs.is_empty() {
            if found.is_filtered {
                let shown = path.display();
                complain(&format!(
                    "warning: no programs below `{shown}`, apart from ignored and excluded ones"
                ));
            }
            return found.is_filtered;
        }
        for program in found.programs {
            let left_out = program.left_out.into_iter();
            let names = self.left_out.0.entry(program.path.clone()).or_default();
            names.extend(left_out);
            self.targets.push(Target::Path(program.path));
        }
        true
    }
}

/// Set where file systems find `main.pp` by the name `MAIN.pp`, so that the system has to say which
/// of the two is the name.
const IGNORES_CASE: bool = cfg!(any(windows, target_vendor = "apple"));

/// Paths without links. Each directory is resolved once: of its files, only those that are links
/// cost more than one system call.
#[derive(Default)]
pub(super) struct RealPaths {
    directories: HashMap<OsString, Option<PathBuf>>,
}

impl RealPaths {
    /// The path without links, as [`pcl_system::real_path`] returns it; `None` for what does not
    /// exist.
    pub fn of(&mut self, path: &Path) -> Option<PathBuf> {
        let parts = path.parent().zip(path.file_name());
        // Other endings, such as `/` and `/.`, mean a directory.
        let ends_in_name = |name: &[u8]| path.as_os_str().as_encoded_bytes().ends_with(name);
        let Some((parent, name)) = parts.filter(|(_, name)| ends_in_name(name.as_encoded_bytes()))
        else {
            return pcl_system::real_path(path).ok();
        };
        if IGNORES_CASE || path.symlink_metadata().ok()?.is_symlink() {
            return pcl_system::real_path(path).ok();
        }
        if !self.directories.contains_key(parent.as_os_str()) {
            let place = if parent.as_os_str().is_empty() { Path::new(".") } else { parent };
            let real = pcl_system::real_path(place).ok();
            self.directories.insert(parent.as_os_str().to_owned(), real);
        }
        let real = self.directories.get(parent.as_os_str())?.as_ref()?;
        Some(real.join(name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_resolved_as_the_system_does() {
        let directory = tempfile::tempdir().unwrap();
        let at = |name: &str| directory.path().join(name);
        std::fs::create_dir_all(at("a/b")).unwrap();
        std::fs::write(at("a/file.pp"), "").unwrap();
        #[cfg(unix)]
        for (target, link) in [("a", "to_a"), ("a/file.pp", "to_file.pp"), ("gone", "to_gone")] {
            std::os::unix::fs::symlink(at(target), at(link)).unwrap();
        }
        let names = [
            "",
            "a",
            "a/",
            "a/.",
            "a/b/..",
            "a/../a/file.pp",
            "a/file.pp",
            "a/file.pp/",
            "to_a",
            "to_a/",
            "to_a/file.pp",
            "to_a/b/../file.pp",
            "to_file.pp",
            "to_file.pp/",
            "to_gone",
            "gone",
            "gone/file.pp",
            "a/gone",
        ];
        let mut real = RealPaths::default();
        let here = [PathBuf::from(".."), "/".into(), "src".into(), "Cargo.toml".into(), "".into()];
        for path in names.map(at).into_iter().chain(here) {
            assert_eq!(real.of(&path), pcl_system::real_path(&path).ok(), "{}", path.display());
        }
    }
}
