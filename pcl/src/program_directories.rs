//! The directories that a program is made of.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use crate::whole_program::{each_block, files_of};

/// The directory of a program and those of its components at any depth, each once. Directories of
/// components that do not exist are listed too. `program` is a directory, or a file that is a
/// program by itself.
#[must_use]
pub fn program_directories(program: &Path) -> Vec<PathBuf> {
    let (first, files) = if program.is_dir() {
        (program.to_path_buf(), files_of(program))
    } else {
        (pcl_system::directory_of(program).to_path_buf(), vec![program.to_path_buf()])
    };
    let mut seen = HashSet::from([identity(&first)]);
    let mut open = sources_of_components(&first, &files);
    let mut found = vec![first];
    while let Some(directory) = open.pop() {
        if seen.insert(identity(&directory)) {
            open.extend(sources_of_components(&directory, &files_of(&directory)));
            found.push(directory);
        }
    }
    found
}

/// The directories that the components in these files name, which are relative to `directory`.
pub(crate) fn sources_of_components(directory: &Path, files: &[PathBuf]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for path in files {
        each_block(path, |block| {
            let is_component = block.keyword().is_some_and(|word| word.text() == "component");
            let source = block.labels().nth(1).filter(|_| is_component);
            found
                .extend(source.map(|source| directory.join(source.text().trim_start_matches('/'))));
        });
    }
    found
}

fn identity(directory: &Path) -> PathBuf {
    pcl_system::real_path(directory).unwrap_or_else(|_| directory.to_path_buf())
}
