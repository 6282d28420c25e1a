//! Documents that are opened, edited, saved and closed, and files that change on disk.

use lsp_types::{
    DidChangeTextDocumentParams, DidChangeWatchedFilesParams, DidCloseTextDocumentParams,
    DidOpenTextDocumentParams, DidSaveTextDocumentParams,
};

use crate::convert;
use crate::documents::{is_configuration, is_schema};
use crate::server::Server;

/// A document was opened.
pub fn open(server: &mut Server, params: DidOpenTextDocumentParams) {
    let uri = params.text_document.uri.0.clone();
    let path = convert::to_path(&uri).unwrap_or_default();
    if is_configuration(&path) {
        server.configurations.open(params.text_document);
        return configurations_changed(server);
    }
    if is_schema(&path) {
        server.schemas.open(params.text_document);
        return schemas_changed(server);
    }
    server.documents.open(params.text_document);
    if let Some(document) = server.documents.get(&uri) {
        server.programs.forget_file(&document.path);
    }
    server.is_due = true;
}

/// A document was edited.
pub fn change(server: &mut Server, params: DidChangeTextDocumentParams) {
    let identity = params.text_document;
    let uri = identity.text_document_identifier.uri.0;
    let encoding = server.features.encoding;
    let changes = params.content_changes;
    if server.configurations.contains(&uri) {
        server.configurations.change(&uri, changes, encoding);
        return configurations_changed(server);
    }
    if server.schemas.contains(&uri) {
        server.schemas.change(&uri, changes, encoding);
        return schemas_changed(server);
    }
    if !server.documents.change(&uri, identity.version, changes, encoding) {
        return;
    }
    if let Some(document) = server.documents.get(&uri) {
        server.programs.forget_file(&document.path);
    }
    server.is_due = true;
}

/// A document was closed.
pub fn close(server: &mut Server, params: DidCloseTextDocumentParams) {
    if server.schemas.close(&params.text_document.uri.0) {
        return schemas_changed(server);
    }
    if server.configurations.close(&params.text_document.uri.0) {
        return configurations_changed(server);
    }
    server.tokens.remove(&params.text_document.uri.0);
    if let Some(document) = server.documents.close(&params.text_document.uri.0) {
        server.programs.forget_file(&document.path);
        server.is_due = true;
    }
}

/// The texts of open schemas changed: programs are checked against them.
fn schemas_changed(server: &mut Server) {
    server.programs.edit_schemas(server.schemas.texts());
    server.refresh();
}

/// The texts of open configuration files changed: they say how programs are checked.
fn configurations_changed(server: &mut Server) {
    let texts = server.configurations.texts();
    server.programs.edit_configurations(texts);
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
    let mut everything = false;
    for path in uris.into_iter().filter_map(|uri| convert::to_path(&uri)) {
        match path.ends_with(".pp") {
            true if server.documents.files().get(&path).is_some() => {}
            true => server.programs.forget_file(&path),
            // The configuration, the project file, or a schema.
            false => everything = true,
        }
    }
    if everything {
        server.programs.forget_all();
    }
    server.refresh();
}
