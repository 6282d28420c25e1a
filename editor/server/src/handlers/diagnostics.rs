//! Diagnostics that the editor asks for, and those that are pushed to one that does not.

use std::collections::{BTreeSet, HashMap};
use std::path::Path;

use lsp_types::{
    DocumentDiagnosticParams, DocumentDiagnosticReport, FullDocumentDiagnosticReport,
    PublishDiagnosticsNotification, PublishDiagnosticsParams, RelatedFullDocumentDiagnosticReport,
    RelatedUnchangedDocumentDiagnosticReport, UnchangedDocumentDiagnosticReport, Uri,
    WorkspaceDiagnosticParams, WorkspaceDiagnosticReport, WorkspaceDocumentDiagnosticReport,
    WorkspaceFullDocumentDiagnosticReport, WorkspaceUnchangedDocumentDiagnosticReport,
};
use pcl::Walk;

use crate::convert::{self, identity};
use crate::documents::is_configuration;
use crate::message::{Answer, Failure};
use crate::programs::{Name, Programs};
use crate::server::Server;

/// The diagnostics of a document.
pub fn of_document(
    server: &mut Server,
    params: DocumentDiagnosticParams,
) -> Answer<DocumentDiagnosticReport> {
    server.still_wanted().map_err(ask_again)?;
    let items = match server.documents.get(&params.text_document.uri.0) {
        Some(document) => {
            let (name, path) = (Programs::name_of(document), document.path.clone());
            server.diagnostics_of(&name, &path)
        }
        None => {
            let path = convert::to_path(&params.text_document.uri.0).unwrap_or_default();
            if is_configuration(&path) {
                let directory = convert::directory(&path);
                server.programs.discovery.of(Path::new(&directory));
            }
            let invalid = server.invalid_configurations().remove(&path);
            invalid.unwrap_or_default()
        }
    };
    let result_id = identity(&items);
    if params.previous_result_id.as_ref() == Some(&result_id) {
        let unchanged = RelatedUnchangedDocumentDiagnosticReport {
            related_documents: None,
            unchanged_document_diagnostic_report: UnchangedDocumentDiagnosticReport { result_id },
        };
        return Ok(unchanged.into());
    }
    let full = RelatedFullDocumentDiagnosticReport {
        related_documents: None,
        full_document_diagnostic_report: FullDocumentDiagnosticReport {
            result_id: Some(result_id),
            items,
        },
    };
    Ok(full.into())
}

/// The failure that lets an editor ask again if the reason is that a document has changed.
fn ask_again(failure: Failure) -> Failure {
    match failure.code {
        Failure::CONTENT_MODIFIED => Failure {
            code: Failure::SERVER_CANCELLED,
            data: Some(serde_json::json!({ "retriggerRequest": true })),
            ..failure
        },
        _ => failure,
    }
}

/// The diagnostics of all files of the programs in the opened folders.
pub fn of_workspace(
    server: &mut Server,
    params: WorkspaceDiagnosticParams,
) -> Answer<WorkspaceDiagnosticReport> {
    let names = server.programs_of_folders();
    let mut items = Vec::new();
    for name in names {
        server.still_wanted().map_err(ask_again)?;
        for path in server.files_of(&name) {
            let diagnostics = server.diagnostics_of(&name, &path);
            items.push((path, diagnostics));
        }
    }
    items.extend(server.invalid_configurations());
    server.answer_about_workspace();
    server.is_due = true;
    // A file that the editor still shows diagnostics of has none any more.
    let mut reported: BTreeSet<String> = items.iter().map(|(path, _)| path.clone()).collect();
    let previous = params.previous_result_ids.iter();
    let previous = previous.filter_map(|known| convert::to_path(&known.uri.0));
    for path in previous {
        if reported.insert(path.clone()) {
            items.push((path, Vec::new()));
        }
    }
    let known = params.previous_result_ids.into_iter();
    let previous: HashMap<String, String> = known.map(|it| (it.uri.0, it.value)).collect();
    let report = |(path, items): (String, Vec<_>)| -> WorkspaceDocumentDiagnosticReport {
        let uri = server.documents.uri_of(&path);
        let open = server.documents.get(&uri);
        let version = open.map(|document| document.version);
        let result_id = identity(&items);
        if previous.get(&uri) == Some(&result_id) {
            return WorkspaceUnchangedDocumentDiagnosticReport {
                uri: Uri(uri),
                version,
                unchanged_document_diagnostic_report: UnchangedDocumentDiagnosticReport {
                    result_id,
                },
            }
            .into();
        }
        WorkspaceFullDocumentDiagnosticReport {
            uri: Uri(uri),
            version,
            full_document_diagnostic_report: FullDocumentDiagnosticReport {
                result_id: Some(result_id),
                items,
            },
        }
        .into()
    };
    Ok(WorkspaceDiagnosticReport { items: items.into_iter().map(report).collect() })
}

impl Server<'_> {
    /// The programs of the open documents.
    pub fn open_programs(&self) -> BTreeSet<Name> {
        let documents = self.documents.iter();
        documents.map(|(_, document)| Programs::name_of(document)).collect()
    }

    /// The programs of the open documents and those in the opened folders.
    pub fn programs_of_folders(&self) -> BTreeSet<Name> {
        let mut names = self.open_programs();
        for folder in &self.folders {
            let found = Walk::default().programs(folder.as_ref());
            let paths = found.programs.into_iter().map(|program| program.path);
            names.extend(paths.map(|path| pcl_system::shown(&path)));
        }
        names
    }

    /// The paths of the files of a program itself.
    pub fn files_of(&mut self, name: &str) -> Vec<String> {
        let analysis = self.programs.get(name, &self.documents);
        let files = analysis.checked.program.module.files.iter();
        let path = |&file| analysis.checked.sources.path(file).to_owned();
        files.map(path).collect()
    }

    /// The diagnostics of a file of a program.
    pub fn diagnostics_of(&mut self, name: &str, path: &str) -> Vec<lsp_types::Diagnostic> {
        let snapshot = self.program(name);
        let checked = &snapshot.analysis.checked;
        let file = snapshot.analysis.file(path);
        let own = checked.diagnostics.iter().filter(|it| Some(it.primary.file) == file);
        own.map(|it| snapshot.diagnostic(it)).collect()
    }

    /// Sends the diagnostics of the programs of the open documents, and takes back those of files
    /// that no longer belong to one. Ends early when a message comes.
    pub fn publish(&mut self) {
        let names = self.open_programs();
        let mut current = BTreeSet::new();
        for name in &names {
            if !self.inbox.is_empty() {
                self.is_due = true;
                return;
            }
            for path in self.files_of(name) {
                let items = self.diagnostics_of(name, &path);
                let uri = self.documents.uri_of(&path);
                let open = self.documents.get(&uri);
                let version = open.map(|document| document.version);
                if open.is_some() || !items.is_empty() {
                    current.insert(uri.clone());
                    self.publish_one(uri, version, items);
                }
            }
        }
        let published = std::mem::replace(&mut self.published, current);
        for uri in published.difference(&self.published) {
            self.publish_one(uri.clone(), None, Vec::new());
        }
    }

    /// Sends the diagnostics of a file.
    pub fn publish_one(
        &self,
        uri: String,
        version: Option<i32>,
        diagnostics: Vec<lsp_types::Diagnostic>,
    ) {
        let params = PublishDiagnosticsParams { uri: Uri(uri), version, diagnostics };
        self.client.notify::<PublishDiagnosticsNotification>(params);
    }
}
