//! Documents that are opened, edited, saved and closed, and files that change on disk.

use std::path::PathBuf;
use std::sync::Arc;

use lsp_types::{
    DidChangeTextDocumentParams, DidChangeWatchedFilesParams, DidCloseTextDocumentParams,
    DidOpenTextDocumentParams, DidSaveTextDocumentParams,
};

use crate::convert;
use crate::documents::{changed_text, is_configuration, is_schema};
use crate::server::Server;

/// A document was opened.
pub fn open(server: &mut Server, params: DidOpenTextDocumentParams) {
    let document = params.text_document;
    let path = convert::to_path(&document.uri.0).unwrap_or_default();
    if is_configuration(&path) || is_schema(&path) {
        let edited = Arc::make_mut(&mut server.programs.edited);
        edited.insert(PathBuf::from(&path), document.text.into());
        return settings_changed(server, &path);
    }
    let uri = document.uri.0.clone();
    server.documents.open(document);
    program_changed(server, &uri);
}

/// A document was edited.
pub fn change(server: &mut Server, params: DidChangeTextDocumentParams) {
    let identity = params.text_document;
    let uri = identity.text_document_identifier.uri.0;
    let encoding = server.features.encoding;
    if let Some(path) = edited(server, &uri) {
        if let Some(text) = Arc::make_mut(&mut server.programs.edited).get_mut(&path) {
            for change in params.content_changes {
                *text = changed_text(text, change, encoding);
            }
        }
        return settings_changed(server, &pcl_system::shown(&path));
    }
    if server.documents.change(&uri, identity.version, params.content_changes, encoding) {
        program_changed(server, &uri);
    }
}

/// A document was closed.
pub fn close(server: &mut Server, params: DidCloseTextDocumentParams) {
    let uri = params.text_document.uri.0;
    if let Some(path) = edited(server, &uri) {
        Arc::make_mut(&mut server.programs.edited).remove(&path);
        return settings_changed(server, &pcl_system::shown(&path));
    }
    server.tokens.remove(&uri);
    if let Some(document) = server.documents.close(&uri) {
        server.programs.forget_files([&*document.path]);
        server.is_due = true;
    }
}

/// The path of a document that is an open schema or configuration file.
fn edited(server: &Server, uri: &str) -> Option<PathBuf> {
    let path = PathBuf::from(convert::to_path(uri)?);
    server.programs.edited.contains_key(&path).then_some(path)
}

/// The text of a document of a program changed.
fn program_changed(server: &mut Server, uri: &str) {
    if let Some(document) = server.documents.get(uri) {
        server.programs.forget_files([&*document.path]);
    }
    server.is_due = true;
}

/// The text of a schema or configuration file changed, which programs are checked with.
fn settings_changed(server: &mut Server, path: &str) {
    // The configurations that a search found would not be found again for a change of a schema.
    if is_configuration(path) {
        server.programs.forget_all();
    } else {
        server.programs.forget_schemas();
    }
    server.refresh();
}

/// A document was saved. Its text is known already, but configuration and schemas may be among the
/// saved files.
pub fn save(server: &mut Server, params: DidSaveTextDocumentParams) {
    changed_files(server, [params.text_document.uri.0]);
}

/// Files changed on disk, in the editor or elsewhere.
pub fn changed_on_disk(server: &mut Server, params: DidChangeWatchedFilesParams) {
    let uris = params.changes.into_iter().map(|change| change.uri.0);
    changed_files(server, uris);
}

fn changed_files(server: &mut Server, uris: impl IntoIterator<Item = String>) {
    let paths = uris.into_iter().filter_map(|uri| convert::to_path(&uri));
    let (programs, others): (Vec<_>, Vec<_>) = paths.partition(|path| path.ends_with(".pp"));
    // The configuration, the project file, or a schema.
    if others.is_empty() {
        let open = server.documents.files();
        let closed = programs.iter().filter(|path| open.get(path).is_none());
        server.programs.forget_files(closed.map(|path| &**path));
    } else {
        server.programs.forget_all();
    }
    server.plans.forget();
    server.refresh();
}
