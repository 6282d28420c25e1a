//! The hierarchy of components: the programs that use one, and those that it uses.

use lsp_types::{
    CallHierarchyIncomingCall, CallHierarchyIncomingCallsParams, CallHierarchyItem,
    CallHierarchyOutgoingCall, CallHierarchyOutgoingCallsParams, CallHierarchyPrepareParams, Range,
    SymbolKind, Uri,
};
use pcl::binder::NodeBody;
use serde_json::json;

use crate::convert;
use crate::message::Answer;
use crate::server::Server;

/// The component whose block is at a place; elsewhere the program of the document.
pub fn prepare(
    server: &mut Server,
    params: CallHierarchyPrepareParams,
) -> Option<Vec<CallHierarchyItem>> {
    let (snapshot, at) = server.position(&params.text_document_position_params)?;
    let checked = &snapshot.analysis.checked;
    let node = snapshot.analysis.node_at(at).map(|node| snapshot.analysis.node(node));
    let inner = node.and_then(|node| match &node.body {
        NodeBody::Component(body) => body.program,
        _ => None,
    });
    let directory = match inner {
        Some(id) => checked.program.component(id).display.clone(),
        None => convert::directory(checked.sources.path(at.file)),
    };
    Some(vec![item(server, &directory)])
}

/// A program as an item: its directory.
fn item(server: &mut Server, directory: &str) -> CallHierarchyItem {
    let range = Range::default();
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
    Some(item.data.as_ref()?.get("directory")?.as_str()?.to_owned())
}

/// The programs that use a component.
pub fn incoming(
    server: &mut Server,
    params: CallHierarchyIncomingCallsParams,
) -> Answer<Option<Vec<CallHierarchyIncomingCall>>> {
    let Some(directory) = directory_of(&params.item) else { return Ok(None) };
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
) -> Option<Vec<CallHierarchyOutgoingCall>> {
    let directory = directory_of(&params.item)?;
    let mut calls: Vec<CallHierarchyOutgoingCall> = Vec::new();
    for (used, range) in blocks(server, &directory) {
        let to = item(server, &used);
        match calls.iter_mut().find(|call| call.to.data == to.data) {
            Some(call) => call.from_ranges.push(range),
            None => calls.push(CallHierarchyOutgoingCall { to, from_ranges: vec![range] }),
        }
    }
    Some(calls)
}

/// The component blocks of a program: the directories that they use, and their names.
fn blocks(server: &mut Server, program: &str) -> Vec<(String, Range)> {
    let snapshot = server.program(program);
    let program = &snapshot.analysis.checked.program;
    let used = program.module.nodes.iter().filter_map(|node| match &node.body {
        NodeBody::Component(body) => {
            let inner = program.component(body.program?);
            Some((inner.display.clone(), snapshot.places().range(node.name_span())))
        }
        _ => None,
    });
    used.collect()
}
