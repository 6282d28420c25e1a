//! Completion and its documentation.

use lsp_types::{
    CompletionItem, CompletionItemKind, CompletionItemTag, CompletionList, CompletionParams,
    CompletionResponse, Documentation, InsertTextFormat, MarkupContent, MarkupKind, TextEdit,
};
use pcl_ide::{Completion, CompletionKind};
use serde_json::json;

use crate::message::Answer;
use crate::server::Server;

/// The completions at a place.
pub fn complete(server: &mut Server, params: CompletionParams) -> Option<CompletionResponse> {
    let at = params.text_document_position_params;
    let uri = &at.text_document.uri.0;
    let snippets = server.features.snippets;
    let (snapshot, position) = server.position(&at)?;
    let found = pcl_ide::completions(snapshot.analysis, position)?;
    let range = snapshot.places().range(found.replaced);
    let is_quoted = snapshot.analysis.text(found.replaced).starts_with('"');
    let item = |(position, item): (usize, Completion)| {
        let (new_text, format) = match &item.snippet {
            Some(snippet) if snippets => (snippet.clone(), InsertTextFormat::Snippet),
            _ => (item.text.clone(), InsertTextFormat::PlainText),
        };
        // Editors compare it with the replaced text.
        let filter = item.filter.as_ref().unwrap_or(&item.label);
        let filter = if is_quoted { format!("\"{filter}") } else { filter.clone() };
        CompletionItem {
            sort_text: Some(format!("{position:04}")),
            // Editors remember what was taken before; the best by the program comes first.
            preselect: (position == 0).then_some(true),
            filter_text: Some(filter),
            kind: Some(kind(item.kind)),
            tags: item.is_deprecated.then(|| vec![CompletionItemTag::Deprecated]),
            detail: item.detail,
            documentation: item.documentation.map(markdown),
            insert_text_format: Some(format),
            text_edit: Some(TextEdit { range, new_text }.into()),
            data: item.token.map(|token| json!({ "uri": uri, "token": token })),
            label: item.label,
            ..CompletionItem::default()
        }
    };
    let list = CompletionList {
        is_incomplete: found.is_incomplete,
        items: found.items.into_iter().enumerate().map(item).collect(),
        ..CompletionList::default()
    };
    Some(list.into())
}

/// The documentation of a completion.
pub fn resolve(server: &mut Server, mut item: CompletionItem) -> Answer<CompletionItem> {
    let text = item.data.as_ref().and_then(|data| {
        let uri = data.get("uri")?.as_str()?;
        let token = data.get("token")?.as_str()?;
        let (snapshot, _) = server.file(uri)?;
        pcl_ide::member_documentation(snapshot.analysis, token)
    });
    if let Some(text) = text {
        item.documentation = Some(markdown(text));
    }
    Ok(item)
}

fn markdown(value: String) -> Documentation {
    MarkupContent { kind: MarkupKind::Markdown, value }.into()
}

const fn kind(kind: CompletionKind) -> CompletionItemKind {
    match kind {
        CompletionKind::Keyword => CompletionItemKind::Keyword,
        CompletionKind::Type => CompletionItemKind::Class,
        CompletionKind::Package => CompletionItemKind::Module,
        CompletionKind::Directory => CompletionItemKind::Folder,
        CompletionKind::File => CompletionItemKind::File,
        CompletionKind::Property => CompletionItemKind::Property,
        CompletionKind::Member => CompletionItemKind::Field,
        CompletionKind::Resource => CompletionItemKind::Reference,
        CompletionKind::Variable => CompletionItemKind::Variable,
        CompletionKind::Function => CompletionItemKind::Function,
        CompletionKind::Value => CompletionItemKind::EnumMember,
    }
}
