//! The features that the server advertises.

use lsp_types::{
    CodeActionOptions, CodeLensOptions, CompletionOptions, DiagnosticOptions, DocumentLinkOptions,
    DocumentOnTypeFormattingOptions, ExecuteCommandOptions, PositionEncodingKind, RenameOptions,
    SemanticTokensFullDelta, SemanticTokensLegend, SemanticTokensOptions, ServerCapabilities,
    SignatureHelpOptions, TextDocumentContentOptions, TextDocumentSyncKind,
    TextDocumentSyncOptions, WorkspaceFoldersServerCapabilities, WorkspaceOptions,
};
use pcl::diagnostics::Encoding;
use pcl_ide::{Modifiers, TokenType};

use crate::handlers::{actions, commands, files, schemas};

/// The features of the server for an editor with this unit of columns, if the server may get
/// schemas or not.
pub fn of(columns: Encoding, adds_schemas: bool) -> ServerCapabilities {
    ServerCapabilities {
        position_encoding: Some(encoding(columns)),
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
        document_symbol_provider: Some(true.into()),
        workspace_symbol_provider: Some(true.into()),
        signature_help_provider: Some(SignatureHelpOptions {
            trigger_characters: Some(["(", ","].map(str::to_owned).to_vec()),
            ..SignatureHelpOptions::default()
        }),
        type_definition_provider: Some(true.into()),
        call_hierarchy_provider: Some(true.into()),
        hover_provider: Some(true.into()),
        definition_provider: Some(true.into()),
        declaration_provider: Some(true.into()),
        references_provider: Some(true.into()),
        document_highlight_provider: Some(true.into()),
        rename_provider: Some(
            RenameOptions { prepare_provider: Some(true), ..RenameOptions::default() }.into(),
        ),
        semantic_tokens_provider: Some(semantic_tokens().into()),
        inlay_hint_provider: Some(true.into()),
        folding_range_provider: Some(true.into()),
        selection_range_provider: Some(true.into()),
        document_link_provider: Some(DocumentLinkOptions {
            resolve_provider: Some(false),
            ..DocumentLinkOptions::default()
        }),
        code_action_provider: Some(
            CodeActionOptions {
                code_action_kinds: Some(actions::kinds()),
                resolve_provider: Some(true),
                ..CodeActionOptions::default()
            }
            .into(),
        ),
        code_lens_provider: Some(CodeLensOptions {
            resolve_provider: Some(false),
            ..CodeLensOptions::default()
        }),
        document_formatting_provider: Some(true.into()),
        document_range_formatting_provider: Some(true.into()),
        document_on_type_formatting_provider: Some(DocumentOnTypeFormattingOptions {
            first_trigger_character: "}".to_owned(),
            more_trigger_character: Some(vec!["\n".to_owned()]),
        }),
        execute_command_provider: Some(ExecuteCommandOptions {
            commands: commands::commands(adds_schemas),
            ..ExecuteCommandOptions::default()
        }),
        workspace: Some(workspace()),
        ..ServerCapabilities::default()
    }
}

fn encoding(encoding: Encoding) -> PositionEncodingKind {
    match encoding {
        Encoding::Utf8 => PositionEncodingKind::UTF8,
        Encoding::Utf16 => PositionEncodingKind::UTF16,
        Encoding::Utf32 => PositionEncodingKind::UTF32,
    }
}

fn semantic_tokens() -> SemanticTokensOptions {
    SemanticTokensOptions {
        legend: SemanticTokensLegend {
            token_types: TokenType::NAMES.map(str::to_owned).to_vec(),
            token_modifiers: Modifiers::NAMES.map(str::to_owned).to_vec(),
        },
        range: Some(true.into()),
        full: Some(SemanticTokensFullDelta { delta: Some(true) }.into()),
        ..SemanticTokensOptions::default()
    }
}

fn workspace() -> WorkspaceOptions {
    WorkspaceOptions {
        workspace_folders: Some(WorkspaceFoldersServerCapabilities {
            supported: Some(true),
            change_notifications: Some(true.into()),
        }),
        text_document_content: Some(
            TextDocumentContentOptions { schemes: vec![schemas::SCHEME.to_owned()] }.into(),
        ),
        file_operations: Some(files::operations()),
    }
}
