//! Writing files that others may read at the same time.

use std::fs::{self, DirBuilder, OpenOptions};
use std::io::{self, Write as _};
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};

/// Writes a file as a whole or not at all: whoever reads it sees what was there before, or all of `bytes`. Of two that write at once one wins.
/// Directories that are missing are made, for nobody but the user.
///
/// # Errors
/// When it cannot be written. Nothing is left behind then.
pub fn replace_file(place: &Path, bytes: &[u8]) -> io::Result<()> {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let mut directories = DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut directories, 0o700);
    if let Some(directory) = place.parent() {
        directories.recursive(true).create(directory)?;
    }
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    let draft = place.with_extension(format!("{}-{number}.tmp", std::process::id()));
    let written = OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(&draft)
        .and_then(|mut file| file.write_all(bytes))
        .and_then(|()| fs::rename(&draft, place));
    if written.is_err() {
        let _ = fs::remove_file(&draft);
    }
    written
}
