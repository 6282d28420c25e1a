//! Outlines of documents, declarations of the opened folders, and signatures of calls.

use std::sync::Arc;

use lsp_types::{
    ActiveParameter, BaseSymbolInformation, DocumentSymbol, DocumentSymbolParams,
    DocumentSymbolResponse, Documentation, MarkupContent, MarkupKind, ParameterInformation,
    ParameterInformationLabel, SignatureHelp, SignatureHelpParams, SignatureInformation,
    SymbolInformation, SymbolKind, WorkspaceSymbolParams, WorkspaceSymbolResponse,
};
use pcl::diagnostics::{FileId, SourceMap, Span};
use pcl_ide::{Analysis, Symbol, top_symbols};

use crate::convert::Places;
use crate::message::Answer;
use crate::server::Server;

/// The most declarations that a search returns.
const MAX_FOUND: usize = 500;

/// The size of the largest document, in bytes, whose outline has what is in declarations: an editor
/// shows nobody the millions of entries of a larger one.
const MAX_OUTLINED: usize = 8 << 20;

/// The outline of a document.
pub fn of_document(
    server: &mut Server,
    params: DocumentSymbolParams,
) -> Option<DocumentSymbolResponse> {
    let is_nested = server.features.nested_symbols;
    let uri = &params.text_document.uri.0;
    let (path, tree) = match server.documents.get(uri) {
        Some(document) => (document.path.to_string(), Arc::clone(&document.tree)),
        None => {
            let (snapshot, file) = server.file(uri)?;
            let path = snapshot.analysis.checked.sources.path(file).to_owned();
            (path, Arc::clone(snapshot.analysis.tree(file)?))
        }
    };
    let mut sources = SourceMap::new();
    let file = sources.add(path, tree.text().clone());
    let size = tree.text().len();
    let is_large = size > MAX_OUTLINED;
    let symbols = if is_large { top_symbols } else { pcl_ide::symbols };
    let symbols = symbols(&tree, file).into_iter();
    let encoding = server.features.encoding;
    let places = Places { sources: &sources, documents: &server.documents, encoding };
    let parts = params.partial_result_params;
    let answer = if is_nested {
        let symbols = symbols.map(|symbol| nested(symbol, places)).collect();
        server.in_parts(parts, symbols).into()
    } else {
        let symbols = symbols.map(|symbol| information(&symbol, symbol.span, places)).collect();
        server.in_parts(parts, symbols).into()
    };
    if is_large {
        let message = format!("the outline of {size} bytes has declarations alone");
        server.client.log(3, &message);
    }
    Some(answer)
}

#[expect(deprecated, reason = "the structure has the member")]
fn nested(symbol: Symbol, places: Places<'_>) -> DocumentSymbol {
    let kind = kind(&symbol);
    let children = symbol.children.into_iter();
    let children: Vec<_> = children.map(|child| nested(child, places)).collect();
    DocumentSymbol {
        name: symbol.name,
        detail: symbol.detail,
        kind,
        tags: None,
        deprecated: None,
        range: places.range(symbol.span),
        selection_range: places.range(symbol.name_span),
        children: Some(children).filter(|children| !children.is_empty()),
    }
}

/// A symbol without those in it; the editor goes to `target`.
#[expect(deprecated, reason = "the structure has the member")]
fn information(symbol: &Symbol, target: Span, places: Places<'_>) -> SymbolInformation {
    SymbolInformation {
        deprecated: None,
        location: places.location(target),
        base_symbol_information: BaseSymbolInformation {
            name: symbol.name.clone(),
            kind: kind(symbol),
            tags: None,
            container_name: symbol.detail.clone(),
        },
    }
}

fn kind(symbol: &Symbol) -> SymbolKind {
    match symbol.keyword.as_deref() {
        Some("resource" | "read") => SymbolKind::Class,
        Some("component") => SymbolKind::Module,
        Some("config") => SymbolKind::Constant,
        Some("output") => SymbolKind::Interface,
        Some("hook") => SymbolKind::Event,
        Some(_) => SymbolKind::Namespace,
        None => SymbolKind::Property,
    }
}

/// The declarations of all programs in the opened folders whose names contain the characters of a
/// query in this order.
pub fn of_workspace(
    server: &mut Server,
    params: WorkspaceSymbolParams,
) -> Answer<Option<WorkspaceSymbolResponse>> {
    let wanted = params.query.to_lowercase();
    let mut found: Vec<(bool, usize, SymbolInformation)> = Vec::new();
    for name in server.programs_of_folders() {
        server.still_wanted()?;
        let snapshot = server.program(&name);
        for &file in &snapshot.analysis.checked.program.module.files {
            for symbol in symbols_of(snapshot.analysis, file) {
                let own = symbol.name.to_lowercase();
                let mut characters = own.chars();
                let fits = wanted.chars().all(|one| characters.any(|other| other == one));
                if fits {
                    let is_other = !own.starts_with(&wanted);
                    let symbol = information(&symbol, symbol.name_span, snapshot.places());
                    found.push((is_other, own.len(), symbol));
                }
            }
        }
    }
    found.sort_by_key(|(is_other, length, _)| (*is_other, *length));
    found.truncate(MAX_FOUND);
    let symbols = found.into_iter().map(|(.., symbol)| symbol).collect();
    Ok(Some(server.in_parts(params.partial_result_params, symbols).into()))
}

fn symbols_of(analysis: &Analysis, file: FileId) -> Vec<Symbol> {
    analysis.tree(file).map(|tree| top_symbols(tree, file)).unwrap_or_default()
}

/// The signature of the call at a place.
pub fn signature(server: &mut Server, params: SignatureHelpParams) -> Option<SignatureHelp> {
    let (snapshot, at) = server.position(&params.text_document_position_params)?;
    let found = pcl_ide::signature_help(snapshot.analysis, at)?;
    let active = found.active.map(ActiveParameter::Int);
    let parameter = |range| ParameterInformation {
        label: ParameterInformationLabel::Tuple(range),
        documentation: None,
    };
    let documentation = MarkupContent { kind: MarkupKind::Markdown, value: found.documentation };
    Some(SignatureHelp {
        signatures: vec![SignatureInformation {
            label: found.label,
            documentation: Some(Documentation::MarkupContent(documentation)),
            parameters: Some(found.parameters.into_iter().map(parameter).collect()),
            active_parameter: active,
        }],
        active_signature: Some(0),
        active_parameter: active,
    })
}
