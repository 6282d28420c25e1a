//! Writing the files of programs that were edited.

use std::path::PathBuf;

use super::output::complain;
use super::status::Failure;
use pcl::{FixedFile, Target};
use pcl_system::Signals;

/// Writes files, each whole or not at all, even if a signal ends the process.
pub(super) struct Writer {
    signals: Signals,
}

impl Writer {
    pub(super) fn new() -> Result<Self, Failure> {
        let signals = Signals::install()
            .map_err(|error| Failure::usage(format!("cannot handle signals: {error}")))?;
        Ok(Self { signals })
    }

    /// Replaces the text of a file. Returns false, after an explanation on standard error, if that
    /// fails.
    pub(super) fn write(&self, file: &PathBuf, old: &str, new: &str) -> bool {
        // A signal waits until the file is whole.
        self.signals.hold();
        let written = pcl_system::write(file, old.as_bytes(), new.as_bytes());
        self.signals.release();
        match written {
            Ok(()) => true,
            Err(error) => {
                complain(&Failure::io("write", file, error).to_string());
                false
            }
        }
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
