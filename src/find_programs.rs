//! The programs below a directory.

use std::io;
use std::path::{Path, PathBuf};

use pcl_binder::is_program_file;

/// Every directory at or below `root` that contains a `.pp` file, in byte order of the paths.
///
/// Directories whose names begin with a dot are skipped, and so are links to directories. A
/// directory that cannot be read may contain a program and counts as one: checking it reports the
/// error.
#[must_use]
pub fn find_programs(root: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![root.to_path_buf()];
    while let Some(directory) = open.pop() {
        let holds_program = look_into(&directory, &mut open);
        if holds_program.unwrap_or(true) {
            found.push(directory);
        }
    }
    found.sort();
    found
}

/// Tells whether a directory holds a `.pp` file, and adds the directories in it to `open`.
fn look_into(directory: &Path, open: &mut Vec<PathBuf>) -> io::Result<bool> {
    let mut holds_program = false;
    for entry in std::fs::read_dir(directory)? {
        let entry = entry?;
        let name = entry.file_name();
        if !entry.file_type()?.is_dir() {
            holds_program = holds_program || is_program_file(directory, &name);
        } else if !name.as_encoded_bytes().starts_with(b".") {
            open.push(below(directory, &name));
        }
    }
    Ok(holds_program)
}

/// `directory/name`, without a leading `./`.
fn below(directory: &Path, name: &std::ffi::OsStr) -> PathBuf {
    if directory == Path::new(".") {
        PathBuf::from(name)
    } else {
        directory.join(name)
    }
}
