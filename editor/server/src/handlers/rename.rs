//! Renaming of what programs declare.

use std::collections::BTreeMap;

use lsp_types::{
    PrepareRenameParams, PrepareRenamePlaceholder, PrepareRenameResult, RenameParams, TextEdit,
    WorkspaceEdit,
};
use pcl_ide::rename::{renamable, rename};

use crate::message::{Answer, Failure};
use crate::server::Server;
use crate::uri;

/// The name at a place that can be renamed.
pub fn prepare(
    server: &mut Server,
    params: PrepareRenameParams,
) -> Answer<Option<PrepareRenameResult>> {
    let at = params.text_document_position_params;
    let uri = &at.text_document.uri.0;
    let Some((analysis, file, offset)) = server.place(uri, at.position) else {
        return Ok(None);
    };
    let (name, span) = renamable(analysis, file, offset).map_err(refused)?;
    let placeholder = pcl_ide::names::text(analysis, name);
    let places = server.places(uri);
    Ok(places
        .map(|places| PrepareRenamePlaceholder { range: places.range(span), placeholder }.into()))
}

/// The edits that rename what is at a place, in all files and programs that refer to it.
pub fn rename_all(server: &mut Server, params: RenameParams) -> Answer<Option<WorkspaceEdit>> {
    let at = params.text_document_position_params;
    let uri = at.text_document.uri.0;
    let Some((analysis, file, offset)) = server.place(&uri, at.position) else {
        return Ok(None);
    };
    renamable(analysis, file, offset).map_err(refused)?;
    let new = params.new_name;
    let found = server.occurrences(&uri, at.position, |_, name, analysis| {
        rename(analysis, name, &new).map_err(refused)
    })?;
    let mut edits: BTreeMap<String, Vec<TextEdit>> = BTreeMap::new();
    for location in found.unwrap_or_default() {
        let edit = TextEdit { range: location.range, new_text: new.clone() };
        let uri = location.uri.0;
        let open = server.documents.get(&uri);
        let path = match open {
            Some(document) => Some(document.path.clone()),
            None => uri::to_path(&uri),
        };
        edits.entry(path.unwrap_or(uri)).or_default().push(edit);
    }
    Ok(Some(server.workspace_edit(edits.into_iter().collect())))
}

fn refused(reason: String) -> Failure {
    Failure::new(Failure::FAILED, reason)
}
