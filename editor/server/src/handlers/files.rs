//! Files and directories that the user gives another name.

use std::path::Path;

use lsp_types::{
    FileOperationFilter, FileOperationOptions, FileOperationPattern,
    FileOperationRegistrationOptions, RenameFilesParams, WorkspaceEdit,
};
use pcl_ide::{moved, normalized};

use crate::convert;
use crate::edits::{FileEdits, of_program};
use crate::message::Answer;
use crate::server::Server;

/// The operations that the server wants to hear of.
pub fn operations() -> FileOperationOptions {
    let pattern = FileOperationPattern { glob: "**/*".to_owned(), matches: None, options: None };
    let filter = FileOperationFilter { scheme: Some("file".to_owned()), pattern };
    FileOperationOptions {
        will_rename: Some(FileOperationRegistrationOptions { filters: vec![filter] }),
        ..FileOperationOptions::default()
    }
}

/// The edits of the programs of the opened folders that name what gets another name.
pub fn will_rename(
    server: &mut Server,
    params: RenameFilesParams,
) -> Answer<Option<WorkspaceEdit>> {
    let mut files = FileEdits::new();
    let path = |uri: &str| convert::to_path(uri).map(|path| normalized(Path::new(&path)));
    for program in server.programs_of_folders() {
        server.still_wanted()?;
        let snapshot = server.program(&program);
        let analysis = &*snapshot.analysis;
        let mut edits = Vec::new();
        for renamed in &params.files {
            let paths = (path(&renamed.old_uri.0), path(&renamed.new_uri.0));
            let (Some(from), Some(to)) = paths else { continue };
            for file in analysis.files() {
                edits.extend(moved(analysis, file, &from, &to));
            }
        }
        for (path, edits) in of_program(snapshot.places(), &edits) {
            // Several programs may share a component.
            if files.iter().all(|(known, _)| *known != path) {
                files.push((path, edits));
            }
        }
    }
    Ok((!files.is_empty()).then(|| server.workspace_edit(files)))
}
