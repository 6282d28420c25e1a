//! The files whose diagnostics are shown. With `--whole-programs`, each file is checked as a part
//! of its program; components that are programs of the run are shown once.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::selection::LeftOut;
use super::selection::RealPaths;
use pcl::Target;
use pcl::binder::is_program_file;
use pcl::diagnostics::{Diagnostic, SourceMap};

/// The files whose diagnostics are shown. Of a program that was named as a directory everything is
/// shown, apart from what is left out.
#[derive(Default)]
pub(super) struct ShownFiles {
    /// The files by the directory of their program.
    named: BTreeMap<PathBuf, BTreeSet<OsString>>,
    left_out: LeftOut,
    /// The directories of the programs of a run with several of them, as real paths. What is in
    /// their files is shown with them, not with the programs that use them as components.
    programs: BTreeSet<PathBuf>,
}

impl ShownFiles {
    /// Puts the programs that files are part of in their place. Files of one directory are checked
    /// together, in the place of the first.
    pub(super) fn widen(targets: &mut Vec<Target>) -> Self {
        let mut shown = Self::default();
        let mut widened: Vec<Target> = Vec::with_capacity(targets.len());
        let mut whole: BTreeSet<PathBuf> = BTreeSet::new();
        for target in targets.drain(..) {
            match target {
                Target::Path(path) if path.is_file() => {
                    let (directory, name) = split(&path);
                    let files = shown.named.entry(directory.clone()).or_default();
                    let is_first = files.is_empty() && !whole.contains(&directory);
                    files.extend(name);
                    if is_first {
                        widened.push(Target::Path(directory));
                    }
                }
                Target::Memory { path, directory: Some(directory), files } => {
                    widened.push(shown.with_siblings(path, directory, files))
                }
                Target::Path(path) => {
                    let is_first = !shown.named.contains_key(&path);
                    whole.insert(path.clone());
                    widened.extend(is_first.then_some(Target::Path(path)));
                }
                memory => widened.push(memory),
            }
        }
        shown.named.retain(|directory, _| !whole.contains(directory));
        *targets = widened;
        shown
    }

    /// A program in memory with the files on disk that lie beside its own.
    fn with_siblings(
        &mut self,
        path: String,
        directory: PathBuf,
        mut files: Vec<(String, Vec<u8>)>,
    ) -> Target {
        let own: BTreeSet<OsString> =
            files.iter().filter_map(|(name, _)| split(Path::new(name)).1).collect();
        let entries = std::fs::read_dir(&directory).into_iter().flatten().flatten();
        let names = entries.map(|entry| entry.file_name());
        for name in names.filter(|name| is_program_file(&directory, name)) {
            let place = directory.join(&name);
            if !own.contains(&name)
                && let Ok(bytes) = pcl_system::read(&place, pcl::binder::MAX_FILE_BYTES)
            {
                files.push((pcl_system::shown(&place), bytes));
            }
        }
        self.named.insert(PathBuf::from(&path), own);
        Target::Memory { path, directory: Some(directory), files }
    }

    /// Shows the diagnostics of a component with the component, if it is one of these programs.
    pub(super) fn show_components_once(&mut self, targets: &[Target]) {
        if targets.len() > 1 {
            let mut real = RealPaths::default();
            let places = targets.iter().filter_map(Target::place);
            self.programs = places.filter_map(|place| real.of(place)).collect();
        }
    }

    /// Leaves out files of programs that were found below a directory.
    pub(super) fn leave_out(&mut self, left_out: LeftOut) {
        self.left_out = left_out;
    }

    /// Tells which diagnostics of a program are about files that are shown.
    pub(super) fn of<'a>(
        &'a self,
        target: &Target,
    ) -> impl Fn(&SourceMap, &Diagnostic) -> bool + use<'a> {
        let key = match target {
            Target::Path(path) => path.clone(),
            Target::Memory { path, .. } => PathBuf::from(path),
        };
        let named = self.named.get(&key);
        let directory = match target {
            Target::Path(directory) => directory.clone(),
            Target::Memory { path, .. } => split(Path::new(path)).0,
        };
        let others = RefCell::new(HashMap::new());
        let is_other_program = move |place: &Path| {
            let mut others = others.borrow_mut();
            let known = others.get(place).copied();
            known.unwrap_or_else(|| {
                let identity = pcl_system::real_path(place);
                let is_other = identity.is_ok_and(|it| self.programs.contains(&it));
                others.insert(place.to_path_buf(), is_other);
                is_other
            })
        };
        move |sources, diagnostic| {
            let (place, name) = split(Path::new(sources.path(diagnostic.primary.file)));
            let name = name.unwrap_or_default();
            match named {
                Some(files) => place == directory && files.contains(&name),
                None if place == directory => !self.left_out.contains(&key, &name),
                None => self.programs.is_empty() || !is_other_program(&place),
            }
        }
    }
}

/// The directory and the name of a file.
fn split(path: &Path) -> (PathBuf, Option<OsString>) {
    (pcl_system::directory_of(path).to_path_buf(), path.file_name().map(OsString::from))
}
