//! Completion and its documentation.

use lsp_types::{
    CompletionItem, CompletionItemKind, CompletionItemTag, CompletionList, CompletionParams,
    CompletionResponse, Documentation, InsertTextFormat, MarkupContent, MarkupKind, Range,
    TextEdit,
};
use pcl_ide::{Completion, CompletionKind, Completions};
use serde_json::json;

use crate::message::Answer;
use crate::server::Server;

/// The completions at a place of a program or of a configuration file.
pub fn complete(server: &mut Server, params: CompletionParams) -> Option<CompletionResponse> {
    let at = params.text_document_position_params;
    let snippets = server.features.snippets;
    let uri = &at.text_document.uri.0;
    if let Some(file) = server.configuration_file(&at) {
        let found = file.completions()?;
        let replaced = found.replaced.range;
        return Some(list(found, uri, file.range(replaced), file.text(replaced), snippets));
    }
    let (snapshot, position) = server.position(&at)?;
    let found = pcl_ide::completions(snapshot.analysis, position)?;
    let range = snapshot.places().range(found.replaced);
    let replaced = snapshot.analysis.text(found.replaced);
    Some(list(found, uri, range, replaced, snippets))
}

/// The completions for a document, which replace a text at a range of it.
fn list(
    found: Completions,
    uri: &str,
    range: Range,
    replaced: &str,
    snippets: bool,
) -> CompletionResponse {
    let quote = replaced.chars().next().filter(|it| matches!(it, '"' | '\''));
    let quote = quote.map(String::from).unwrap_or_default();
    let item = |(position, item): (usize, Completion)| {
        let (new_text, format) = match &item.snippet {
            Some(snippet) if snippets => (snippet.clone(), InsertTextFormat::Snippet),
            _ => (item.text.clone(), InsertTextFormat::PlainText),
        };
        let filter = item.filter.as_ref().unwrap_or(&item.label);
        CompletionItem {
            sort_text: Some(format!("{position:04}")),
            // Editors remember what was taken before; the best by the program comes first.
            preselect: (position == 0).then_some(true),
            // Editors compare it with the replaced text.
            filter_text: Some(format!("{quote}{filter}")),
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
    list.into()
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
