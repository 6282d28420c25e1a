//! The files that make up a program: the `.pp` files directly in its directory.
//!
//! The rules, with examples: `tests/spec/programs/program_files.md`.

use std::ffi::{OsStr, OsString};
use std::path::Path;

/// The `.pp` files directly in `path`, in byte order of their names.
pub(crate) fn program_files(path: &Path) -> std::io::Result<Vec<OsString>> {
    let mut names = Vec::new();
    for entry in std::fs::read_dir(path)? {
        let name = entry?.file_name();
        if is_program_file(path, &name) {
            names.push(name);
        }
    }
    names.sort_unstable();
    Ok(names)
}

/// Returns whether an entry of a directory is a file of its program: its name ends in `.pp`, in
/// lower case, and it is not a directory. A link counts as what it leads to.
#[must_use]
pub fn is_program_file(directory: &Path, name: &OsStr) -> bool {
    // Only the rare name that fits costs a system call.
    name.as_encoded_bytes().ends_with(b".pp") && !directory.join(name).is_dir()
}
