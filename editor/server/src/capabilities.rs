//! The features that the server advertises.

use lsp_types::{
    CompletionOptions, DiagnosticOptions, PositionEncodingKind, RenameOptions, ServerCapabilities,
    TextDocumentSyncKind, TextDocumentSyncOptions, WorkspaceFoldersServerCapabilities,
    WorkspaceOptions,
};
use pcl::diagnostics::Encoding;

use crate::client::Features;

/// The features of the server for an editor.
#[must_use]
pub fn of(features: &Features) -> ServerCapabilities {
    ServerCapabilities {
        position_encoding: Some(match features.encoding {
            Encoding::Utf8 => PositionEncodingKind::UTF8,
            Encoding::Utf16 => PositionEncodingKind::UTF16,
            Encoding::Utf32 => PositionEncodingKind::UTF32,
        }),
        text_document_sync: Some(
            TextDocumentSyncOptions {
                open_close: Some(true),
                change: Some(TextDocumentSyncKind::Incremental),
                save: Some(true.into()),
                ..TextDocumentSyncOptions::default()
            }
            .into(),
        ),
        diagnostic_provider: Some(
            DiagnosticOptions {
                identifier: Some("pcl".to_owned()),
                inter_file_dependencies: true,
                workspace_diagnostics: true,
                ..DiagnosticOptions::default()
            }
            .into(),
        ),
        completion_provider: Some(CompletionOptions {
            trigger_characters: Some([".", "\"", ":", "/"].map(str::to_owned).to_vec()),
            resolve_provider: Some(true),
            ..CompletionOptions::default()
        }),
        hover_provider: Some(true.into()),
        definition_provider: Some(true.into()),
        declaration_provider: Some(true.into()),
        references_provider: Some(true.into()),
        document_highlight_provider: Some(true.into()),
        rename_provider: Some(
            RenameOptions {
                prepare_provider: Some(true),
                ..RenameOptions::default()
            }
            .into(),
        ),
        workspace: Some(WorkspaceOptions {
            workspace_folders: Some(WorkspaceFoldersServerCapabilities {
                supported: Some(true),
                change_notifications: Some(true.into()),
            }),
            ..WorkspaceOptions::default()
        }),
        ..ServerCapabilities::default()
    }
}
