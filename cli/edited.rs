//! Writing the files of programs that were edited.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

use super::output::complain;
use super::status::Failure;
use pcl::{FixedFile, Target, repository_of};
use pcl_system::{Leftover, Signals, leftovers};

/// Writes files, each whole or not at all, even if a signal ends the process.
pub(super) struct Writer {
    signals: Signals,
}

impl Writer {
    pub(super) fn new() -> Result<Self, Failure> {
        Ok(Self { signals: Signals::install().map_err(Failure::signals)? })
    }

    /// Replaces the text of a file of a target. Returns false, after an explanation on standard
    /// error, if that fails or if the file is a link that leads out of the project.
    pub(super) fn write(&self, target: &Target, file: &Path, old: &str, new: &str) -> bool {
        let write = || {
            // A signal waits until the file is whole.
            self.signals.hold();
            let written = pcl_system::write(file, old.as_bytes(), new.as_bytes());
            self.signals.release();
            written
        };
        match refuse_link(target, file).and_then(|()| write()) {
            Ok(()) => true,
            Err(error) => {
                complain(&Failure::io("write", file, error).to_string());
                false
            }
        }
    }
}

/// Says which files in the directories of programs are left from runs that were ended while they
/// wrote, or are written by another run now.
pub(super) fn report_leftovers(targets: &[Target]) {
    let directory = |target: &Target| {
        let place = target.place()?;
        Some(if place.is_dir() {
            place.to_path_buf()
        } else {
            pcl_system::directory_of(place).to_path_buf()
        })
    };
    let directories: BTreeSet<PathBuf> = targets.iter().filter_map(directory).collect();
    for leftover in directories.iter().flat_map(|it| leftovers(it)) {
        complain(&match leftover {
            Leftover::Backup { path, of } => format!(
                "warning: `{}` has the content that `{}` had before a run that did not end; \
                 compare them, and remove it",
                path.display(),
                of.display()
            ),
            Leftover::Draft(path) => format!(
                "warning: `{}` is left from a run that did not end; remove it",
                path.display()
            ),
        });
    }
}

/// Refuses a file that was found in a directory and is a link to a place outside of its repository.
/// Without a repository, the place has to be in the project or, without one, in the directory.
fn refuse_link(target: &Target, file: &Path) -> io::Result<()> {
    let Target::Path(directory) = target else { return Ok(()) };
    if !directory.is_dir() || !file.is_symlink() {
        return Ok(());
    }
    let (directory, place) = (pcl_system::real_path(directory)?, pcl_system::real_path(file)?);
    let root =
        repository_of(&directory).or_else(|| pcl::project_of(&directory)).unwrap_or(directory);
    match place.strip_prefix(&root) {
        Ok(inside) if !inside.iter().any(|part| part == ".git") => Ok(()),
        _ => Err(io::Error::other(format!(
            "it is a link to `{}`, which is not a file of the project; name that file to change it",
            pcl_system::shown(&place)
        ))),
    }
}

/// The path that a file of a program is written to; `None` for standard input.
pub(super) fn place(target: &Target, name: &str) -> Option<PathBuf> {
    match target {
        Target::Path(path) if path.is_dir() => Some(path.join(name)),
        Target::Path(path) => Some(path.clone()),
        Target::Memory { .. } => None,
    }
}

/// The path that an edited file is written to; `None` for standard input.
pub(super) fn place_of(target: &Target, file: &FixedFile) -> Option<PathBuf> {
    let name = file.path.rsplit('/').next().unwrap_or(&file.path);
    place(target, name)
}
