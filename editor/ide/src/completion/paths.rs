//! Paths of files and directories.

use std::fs::DirEntry;
use std::path::{Path, PathBuf};

use pcl::diagnostics::FileId;
use pcl::language::{CallForm, Function};

use super::context::{Call, Context};
use super::item::{Completion, CompletionKind};
use crate::Analysis;

/// The limit of entries of a directory that are read.
const MAX_ENTRIES: usize = 1_000;

/// The directories beside the program that hold programs.
pub(super) fn components(analysis: &Analysis, file: FileId) -> Vec<Completion> {
    let own = directory_of(analysis, file);
    let mut items = Vec::new();
    for (place, prefix) in [(own.clone(), "./"), (own.join(".."), "../")] {
        for entry in entries(&place) {
            let directory = entry.path();
            let Ok(name) = entry.file_name().into_string() else { continue };
            let mut files = entries(&directory);
            let holds =
                files.any(|file| pcl::binder::is_program_file(&directory, &file.file_name()));
            let is_own = own.file_name().is_some_and(|own| *own == *name) && prefix == "../";
            if holds && !is_own {
                items.push(Completion::new(format!("{prefix}{name}"), CompletionKind::Directory));
            }
        }
    }
    items
}

/// The files and directories in the directory that is typed, for a function that takes a path.
/// Absolute paths are not completed.
pub(super) fn files(analysis: &Analysis, context: &Context, call: &Call) -> Vec<Completion> {
    let function = Function::parse(&call.name);
    let form = function.map(|function| function.row().form);
    let takes_path = matches!(form, Some(CallForm::Fixed([("path", _), ..], _)));
    let takes_directory = function == Some(Function::FileArchive);
    let typed = context.prefix.as_str();
    if !takes_path || Path::new(typed).is_absolute() {
        return Vec::new();
    }
    let parent = typed.rfind('/').map_or("./", |at| typed.get(..=at).unwrap_or_default());
    let place = directory_of(analysis, context.at.file).join(parent);
    let item = |entry: DirEntry| {
        let name = entry.file_name().into_string().ok().filter(|name| !name.starts_with('.'))?;
        let is_directory = entry.path().is_dir();
        let kind = if is_directory { CompletionKind::Directory } else { CompletionKind::File };
        let end = if is_directory { "/" } else { "" };
        let rank = if name.ends_with(".pp") {
            4
        } else if is_directory == takes_directory {
            1
        } else {
            2
        };
        let item = Completion::new(format!("{parent}{name}{end}"), kind);
        Some(item.rank(rank))
    };
    entries(&place).filter_map(item).collect()
}

/// The directory of a file.
fn directory_of(analysis: &Analysis, file: FileId) -> PathBuf {
    let path = Path::new(analysis.checked.sources.path(file));
    path.parent().unwrap_or(Path::new(".")).to_path_buf()
}

fn entries(directory: &Path) -> impl Iterator<Item = DirEntry> {
    let entries = std::fs::read_dir(directory).into_iter().flatten().flatten();
    entries.take(MAX_ENTRIES)
}
