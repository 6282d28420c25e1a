//! The table of requests and notifications.

use lsp_types::{Notification, Request};
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::handlers::{
    actions, annotations, calls, commands, completion, configuration, diagnostics, documents,
    files, layout, meaning, schemas, semantic_tokens, symbols,
};
use crate::message::{Answer, Failure, Json};
use crate::server::Server;

/// Declares the tables: for each type of message the function that handles it.
macro_rules! handlers {
    (requests { $($request:ident => $answer:path,)* } notifications { $($notification:ident => $act:path,)* }) => {
        /// Answers a request.
        pub fn request(server: &mut Server, method: &str, params: Option<Value>) -> Answer<Json> {
            $(if method == lsp_types::$request::METHOD.as_str() {
                let reply = $answer(server, parameters(params)?);
                let answer = Reply::<<lsp_types::$request as Request>::Result>::answer(reply)?;
                return Json::of(&answer);
            })*
            // A request that is not one of the protocol.
            if method == "pcl/schemaDocument" {
                return schemas::document(server, params);
            }
            let message = format!("there is no method `{method}`");
            Err(Failure::new(Failure::METHOD_NOT_FOUND, message))
        }

        /// Handles a notification. One that is unknown is ignored.
        pub fn notification(server: &mut Server, method: &str, params: Option<Value>) -> Answer<()> {
            $(if method == lsp_types::$notification::METHOD.as_str() {
                let params: <lsp_types::$notification as Notification>::Params = parameters(params)?;
                $act(server, params);
                return Ok(());
            })*
            Ok(())
        }
    };
}

handlers! {
    requests {
        DocumentDiagnosticRequest => diagnostics::of_document,
        WorkspaceDiagnosticRequest => diagnostics::of_workspace,
        CompletionRequest => completion::complete,
        CompletionResolveRequest => completion::resolve,
        HoverRequest => meaning::hover,
        DefinitionRequest => meaning::go_to_definition,
        DeclarationRequest => meaning::go_to_declaration,
        ReferencesRequest => meaning::find_references,
        DocumentHighlightRequest => meaning::highlights,
        PrepareRenameRequest => meaning::prepare_rename,
        RenameRequest => meaning::rename_all,
        SemanticTokensRequest => semantic_tokens::full,
        SemanticTokensDeltaRequest => semantic_tokens::delta,
        SemanticTokensRangeRequest => semantic_tokens::range,
        InlayHintRequest => annotations::hints,
        FoldingRangeRequest => layout::folding,
        SelectionRangeRequest => layout::selection,
        DocumentLinkRequest => annotations::links,
        CodeActionRequest => actions::of_range,
        CodeActionResolveRequest => actions::resolve,
        CodeLensRequest => annotations::lenses,
        DocumentFormattingRequest => layout::format,
        DocumentRangeFormattingRequest => layout::format_range,
        DocumentOnTypeFormattingRequest => layout::format_on_type,
        DocumentSymbolRequest => symbols::of_document,
        WorkspaceSymbolRequest => symbols::of_workspace,
        SignatureHelpRequest => symbols::signature,
        TypeDefinitionRequest => schemas::type_definition,
        TextDocumentContentRequest => schemas::content,
        CallHierarchyPrepareRequest => calls::prepare,
        CallHierarchyIncomingCallsRequest => calls::incoming,
        CallHierarchyOutgoingCallsRequest => calls::outgoing,
        ExecuteCommandRequest => commands::execute,
        WillRenameFilesRequest => files::will_rename,
    }
    notifications {
        DidOpenTextDocumentNotification => documents::open,
        DidChangeTextDocumentNotification => documents::change,
        DidCloseTextDocumentNotification => documents::close,
        DidSaveTextDocumentNotification => documents::save,
        DidChangeConfigurationNotification => configuration::changed,
        DidChangeWatchedFilesNotification => documents::changed_on_disk,
        DidChangeWorkspaceFoldersNotification => configuration::folders,
    }
}

/// The value that a handler returns: an answer, or one that may be missing and cannot fail.
trait Reply<T> {
    fn answer(self) -> Answer<T>;
}

impl<T> Reply<T> for Answer<T> {
    fn answer(self) -> Self {
        self
    }
}

impl<T> Reply<Self> for Option<T> {
    fn answer(self) -> Answer<Self> {
        Ok(self)
    }
}

/// The parameters of a message. Absent ones are those of a message without any.
pub fn parameters<T: DeserializeOwned>(params: Option<Value>) -> Answer<T> {
    serde_json::from_value(params.unwrap_or_default())
        .map_err(|error| Failure::invalid(error.to_string()))
}
