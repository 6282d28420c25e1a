//! The programs below a directory.

use std::path::{Path, PathBuf};

/// Every directory at or below `root` that holds a `.pp` file, in byte order of the paths.
///
/// Directories whose name begins with a dot are passed over, as are links to directories. What cannot be read is left out;
/// the error shows when the program is checked, if it is one.
#[must_use]
pub fn find_programs(root: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![root.to_path_buf()];
    while let Some(directory) = open.pop() {
        let Ok(entries) = std::fs::read_dir(&directory) else {
            continue;
        };
        let mut holds_program = false;
        for entry in entries.flatten() {
            let name = entry.file_name();
            let is_directory = entry.file_type().is_ok_and(|kind| kind.is_dir());
            if is_directory && !name.as_encoded_bytes().starts_with(b".") {
                open.push(below(&directory, &name));
            } else if !is_directory && name.as_encoded_bytes().ends_with(b".pp") {
                holds_program = true;
            }
        }
        if holds_program {
            found.push(directory);
        }
    }
    found.sort();
    found
}

/// `directory/name`, without a leading `./`.
fn below(directory: &Path, name: &std::ffi::OsStr) -> PathBuf {
    if directory == Path::new(".") {
        PathBuf::from(name)
    } else {
        directory.join(name)
    }
}
