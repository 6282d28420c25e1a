//! The hierarchy of components: the programs that use one, and those that it uses.

use lsp_types::{
    CallHierarchyIncomingCall, CallHierarchyIncomingCallsParams, CallHierarchyItem,
    CallHierarchyOutgoingCall, CallHierarchyOutgoingCallsParams, CallHierarchyPrepareParams,
    Position, Range, SymbolKind, Uri,
};
use pcl::binder::{NodeBody, NodeKind};
use pcl::diagnostics::Span;
use serde_json::{Value, json};

use crate::convert::Places;
use crate::message::Answer;
use crate::server::Server;
use crate::uri;

/// The component whose block is at a place; elsewhere the program of the document.
pub fn prepare(
    server: &mut Server,
    params: CallHierarchyPrepareParams,
) -> Answer<Option<Vec<CallHierarchyItem>>> {
    let at = params.text_document_position_params;
    let uri = at.text_document.uri.0;
    let Some((analysis, file, offset)) = server.place(&uri, at.position) else {
        return Ok(None);
    };
    let own = uri::directory(analysis.checked.sources.path(file));
    let component = analysis.node_at(file, offset).map(|node| analysis.node(node));
    let inner = component.and_then(|node| match &node.body {
        NodeBody::Component(body) => body.program,
        _ => None,
    });
    let directory = match inner {
        Some(id) => analysis.checked.program.component(id).display.clone(),
        None => own,
    };
    Ok(Some(vec![item(server, &directory)]))
}

/// A program as an item: its directory.
fn item(server: &mut Server, directory: &str) -> CallHierarchyItem {
    let start = Position { line: 0, character: 0 };
    let range = Range { start, end: start };
    let first = server.files_of(directory).into_iter().next();
    let file = first.unwrap_or_else(|| directory.to_owned());
    let name = directory.rsplit('/').next().unwrap_or(directory);
    CallHierarchyItem {
        name: name.to_owned(),
        kind: SymbolKind::Module,
        tags: None,
        detail: Some(directory.to_owned()),
        uri: Uri(server.documents.uri_of(&file)),
        range,
        selection_range: range,
        data: Some(json!({ "directory": directory })),
    }
}

fn directory_of(item: &CallHierarchyItem) -> Option<String> {
    let data: &Value = item.data.as_ref()?;
    Some(data.get("directory")?.as_str()?.to_owned())
}

/// The programs that use a component.
pub fn incoming(
    server: &mut Server,
    params: CallHierarchyIncomingCallsParams,
) -> Answer<Option<Vec<CallHierarchyIncomingCall>>> {
    let Some(directory) = directory_of(&params.item) else {
        return Ok(None);
    };
    let mut calls = Vec::new();
    for program in server.programs_of_folders() {
        server.still_wanted()?;
        let blocks = blocks(server, &program);
        let own = blocks.into_iter().filter(|(used, _)| *used == directory);
        let from_ranges: Vec<Range> = own.map(|(_, range)| range).collect();
        if !from_ranges.is_empty() {
            let from = item(server, &program);
            calls.push(CallHierarchyIncomingCall { from, from_ranges });
        }
    }
    Ok(Some(calls))
}

/// The components that a program uses.
pub fn outgoing(
    server: &mut Server,
    params: CallHierarchyOutgoingCallsParams,
) -> Answer<Option<Vec<CallHierarchyOutgoingCall>>> {
    let Some(directory) = directory_of(&params.item) else {
        return Ok(None);
    };
    let mut calls: Vec<CallHierarchyOutgoingCall> = Vec::new();
    for (used, range) in blocks(server, &directory) {
        let to = item(server, &used);
        match calls.iter_mut().find(|call| call.to.data == to.data) {
            Some(call) => call.from_ranges.push(range),
            None => calls.push(CallHierarchyOutgoingCall { to, from_ranges: vec![range] }),
        }
    }
    Ok(Some(calls))
}

/// The component blocks of a program: the directories that they use, and their names.
fn blocks(server: &mut Server, program: &str) -> Vec<(String, Range)> {
    let encoding = server.features.encoding;
    let analysis = server.programs.get(program, &server.documents);
    let places =
        Places { sources: &analysis.checked.sources, documents: &server.documents, encoding };
    let components = analysis.checked.program.module.nodes.iter();
    let components = components.filter(|node| node.kind == NodeKind::Component);
    let used = components.filter_map(|node| match &node.body {
        NodeBody::Component(body) => {
            let inner = analysis.checked.program.component(body.program?);
            let span = Span::new(node.file, node.name_range);
            Some((inner.display.clone(), places.range(span)))
        }
        _ => None,
    });
    used.collect()
}
