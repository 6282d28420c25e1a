//! The files whose changes an editor reports.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::convert;

/// Programs, their projects and configuration, and schemas, anywhere in the opened folders.
const IN_FOLDERS: [&str; 4] = ["**/*.pp", "**/{,*.}pcl.toml", "**/Pulumi.y*ml", "**/schemas/*"];

/// The files of a directory that count for the programs below it.
const ABOVE_FOLDERS: [&str; 3] = ["{,*.}pcl.toml", "Pulumi.y*ml", "schemas/*"];

/// The watchers for these folders, as the protocol has them. Those of directories above a folder,
/// up to the root of its git repository, need an editor that takes relative patterns.
pub fn watchers(folders: &[String], takes_relative: bool) -> Vec<Value> {
    let mut watchers = IN_FOLDERS.map(|glob| json!({ "globPattern": glob })).to_vec();
    if !takes_relative {
        return watchers;
    }
    for directory in above(folders) {
        let uri = convert::of_path(&pcl_system::shown(&directory));
        watchers.extend(
            ABOVE_FOLDERS.map(|glob| json!({ "globPattern": { "baseUri": uri, "pattern": glob } })),
        );
    }
    watchers
}

/// The directories above these folders in their git repositories.
fn above(folders: &[String]) -> BTreeSet<PathBuf> {
    let mut directories = BTreeSet::new();
    for folder in folders {
        let folder = Path::new(folder);
        let Some(root) = pcl::repository_of(folder) else { continue };
        let above = folder.ancestors().skip(1).take_while(|place| place.starts_with(&root));
        directories.extend(above.map(Path::to_path_buf));
    }
    directories
}
