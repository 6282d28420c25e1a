//! Shapes of what an editor sends to the server.

use super::Command::Server;
use super::{Shape, each};

/// The messages of an editor that asks for diagnostics, between the first and the last of a
/// session.
fn session(messages: &str) -> Vec<(String, String)> {
    let capabilities = "{\"textDocument\":{\"diagnostic\":{},\"documentSymbol\":\
        {\"hierarchicalDocumentSymbolSupport\":true}}}";
    let params = format!("{{\"processId\":null,\"rootUri\":null,\"capabilities\":{capabilities}}}");
    let text = request("initialize", &params)
        + &notification("initialized", "{}")
        + messages
        + &request("shutdown", "null")
        + &notification("exit", "null");
    vec![("session".to_owned(), text)]
}

fn request(method: &str, params: &str) -> String {
    message(&format!("\"id\":\"{method}\",\"method\":\"{method}\",\"params\":{params}"))
}

fn notification(method: &str, params: &str) -> String {
    message(&format!("\"method\":\"{method}\",\"params\":{params}"))
}

fn message(fields: &str) -> String {
    let body = format!("{{\"jsonrpc\":\"2.0\",{fields}}}");
    format!("Content-Length: {}\r\n\r\n{body}", body.len())
}

fn open(uri: &str, text: &str) -> String {
    let document =
        format!("\"uri\":\"{uri}\",\"languageId\":\"pcl\",\"version\":1,\"text\":\"{text}\"");
    let params = format!("{{\"textDocument\":{{{document}}}}}");
    notification("textDocument/didOpen", &params)
}

#[rustfmt::skip]
pub const SHAPES: &[Shape] = &[
    Shape::new("session: open documents", 40, &[Server], |n| {
        let uri = |i: usize| format!("file:///growth/d{i}/main.pp");
        let opened = each(n, |i| open(&uri(i), "a = missing\\n"));
        let closed = each(n, |i| notification("textDocument/didClose", &format!("{{\"textDocument\":{{\"uri\":\"{}\"}}}}", uri(i))));
        let asked = request("workspace/symbol", "{\"query\":\"a\"}") + &request("workspace/diagnostic", "{\"previousResultIds\":[]}");
        session(&(opened + &asked + &closed))
    }).failed(),
    // A request that looks at all programs asks before each whether an edit waits.
    Shape::new("session: messages that wait", 40, &[Server], |n| {
        let opened = each(n, |i| open(&format!("file:///growth/d{i}/main.pp"), "a = missing\\n"));
        let asked = request("workspace/symbol", "{\"query\":\"a\"}");
        session(&(opened + &asked + &each(20 * n, |_| notification("$/setTrace", "{\"value\":\"off\"}"))))
    }).failed(),
    Shape::new("session: outline", 150, &[Server], |n| {
        let uri = "file:///growth/main.pp";
        let asked = request("textDocument/documentSymbol", &format!("{{\"textDocument\":{{\"uri\":\"{uri}\"}}}}"));
        session(&(open(uri, &each(n, |i| format!("a{i} = {{ b = {i} }}\\n"))) + &asked))
    }),
    // Every name can be the value.
    Shape::new("session: completion", 150, &[Server], |n| {
        let uri = "file:///growth/main.pp";
        let at = format!("{{\"line\":{n},\"character\":4}}");
        let asked = request("textDocument/completion", &format!("{{\"textDocument\":{{\"uri\":\"{uri}\"}},\"position\":{at}}}"));
        session(&(open(uri, &(each(n, |i| format!("a{i} = {{ b = {i} }}\\n")) + "z = ")) + &asked))
    }).failed(),
];
