//! Outlines of documents, declarations of the opened folders, and signatures of calls.

use lsp_types::{
    ActiveParameter, DocumentSymbol, DocumentSymbolParams, DocumentSymbolResponse, Documentation,
    Location, MarkupContent, MarkupKind, ParameterInformation, ParameterInformationLabel,
    SignatureHelp, SignatureHelpParams, SignatureInformation, SymbolInformation, SymbolKind,
    WorkspaceSymbolParams, WorkspaceSymbolResponse,
};
use pcl_ide::Symbol;

use crate::convert::Places;
use crate::message::Answer;
use crate::server::Server;

/// The most declarations that a search returns.
const MOST: usize = 500;

/// The outline of a document.
pub fn of_document(
    server: &mut Server,
    params: DocumentSymbolParams,
) -> Answer<Option<DocumentSymbolResponse>> {
    let uri = params.text_document.uri.0;
    let Some((analysis, file)) = server.file(&uri) else {
        return Ok(None);
    };
    let symbols = pcl_ide::symbols(analysis, file);
    let is_nested = server.features.nested_symbols;
    let Some(places) = server.places(&uri) else {
        return Ok(None);
    };
    Ok(Some(if is_nested {
        symbols.into_iter().map(|symbol| nested(symbol, places)).collect::<Vec<_>>().into()
    } else {
        symbols.iter().map(|symbol| flat(symbol, places)).collect::<Vec<_>>().into()
    }))
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

fn flat(symbol: &Symbol, places: Places<'_>) -> SymbolInformation {
    SymbolInformation { location: places.location(symbol.span), ..information(symbol, places) }
}

#[expect(deprecated, reason = "the structure has the member")]
fn information(symbol: &Symbol, places: Places<'_>) -> SymbolInformation {
    SymbolInformation {
        deprecated: None,
        location: Location {
            uri: places.uri(symbol.name_span),
            range: places.range(symbol.name_span),
        },
        base_symbol_information: lsp_types::BaseSymbolInformation {
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
        let encoding = server.features.encoding;
        let analysis = server.programs.get(&name, &server.documents);
        let places =
            Places { sources: &analysis.checked.sources, documents: &server.documents, encoding };
        for &file in &analysis.checked.program.module.files {
            for symbol in pcl_ide::symbols(analysis, file) {
                let own = symbol.name.to_lowercase();
                let mut characters = own.chars();
                let fits = wanted.chars().all(|one| characters.any(|other| other == one));
                if fits {
                    let is_other = !own.starts_with(&wanted);
                    found.push((is_other, own.len(), information(&symbol, places)));
                }
            }
        }
    }
    found.sort_by_key(|(is_other, length, _)| (*is_other, *length));
    found.truncate(MOST);
    let symbols: Vec<SymbolInformation> = found.into_iter().map(|(.., symbol)| symbol).collect();
    Ok(Some(symbols.into()))
}

/// The signature of the call at a place.
pub fn signature(
    server: &mut Server,
    params: SignatureHelpParams,
) -> Answer<Option<SignatureHelp>> {
    let at = params.text_document_position_params;
    let Some((analysis, file, offset)) = server.place(&at.text_document.uri.0, at.position) else {
        return Ok(None);
    };
    let Some(found) = pcl_ide::signature_help(analysis, file, offset) else {
        return Ok(None);
    };
    let active = found.active.map(ActiveParameter::Int);
    let parameter = |(start, end)| ParameterInformation {
        label: ParameterInformationLabel::Tuple((start, end)),
        documentation: None,
    };
    Ok(Some(SignatureHelp {
        signatures: vec![SignatureInformation {
            label: found.label,
            documentation: found.documentation.map(|value| {
                Documentation::MarkupContent(MarkupContent { kind: MarkupKind::Markdown, value })
            }),
            parameters: Some(found.parameters.into_iter().map(parameter).collect()),
            active_parameter: active,
        }],
        active_signature: Some(0),
        active_parameter: active,
    }))
}
