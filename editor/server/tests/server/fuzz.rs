//! Messages that are malformed, out of order, huge or cancelled: each request has one response, and
//! the server goes on.

use std::collections::BTreeMap;

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Value, json};

use crate::support::{Editor, capabilities};

/// The requests of an editor. Each has parameters for a place in a document.
const REQUESTS: &[&str] = &[
    "callHierarchy/incomingCalls",
    "codeAction/resolve",
    "codeLens/resolve",
    "completionItem/resolve",
    "pcl/schemaDocument",
    "textDocument/codeAction",
    "textDocument/codeLens",
    "textDocument/completion",
    "textDocument/declaration",
    "textDocument/definition",
    "textDocument/diagnostic",
    "textDocument/documentHighlight",
    "textDocument/documentLink",
    "textDocument/documentSymbol",
    "textDocument/foldingRange",
    "textDocument/formatting",
    "textDocument/hover",
    "textDocument/inlayHint",
    "textDocument/onTypeFormatting",
    "textDocument/prepareCallHierarchy",
    "textDocument/prepareRename",
    "textDocument/rangeFormatting",
    "textDocument/references",
    "textDocument/rename",
    "textDocument/selectionRange",
    "textDocument/semanticTokens/full",
    "textDocument/semanticTokens/full/delta",
    "textDocument/semanticTokens/range",
    "textDocument/signatureHelp",
    "textDocument/typeDefinition",
    "workspace/diagnostic",
    "workspace/executeCommand",
    "workspace/symbol",
    "workspace/textDocumentContent",
    "x/unknown",
];

const TEXTS: &[&str] = &[
    "",
    "a = 1\n",
    "resource cage \"zoo:index:Cage\" {\n  bars = 2\n  options {\n    range = 3\n  }\n}\n",
    "x = [for i, v in \"é𐍈\" : v.\n",
    "component c \"./c\" {\n",
    "\u{feff}output o {\r\n  value = <<E\r\n${cage.",
];

/// One message of an editor.
#[derive(Clone, Debug)]
enum Act {
    Open(usize),
    Edit([u32; 4], usize),
    Close,
    Request(usize, [u32; 4], Noise),
    Cancel(i64),
    Broken(Vec<u8>),
    Response(i64),
}

/// The way in which the parameters of a request are wrong.
#[derive(Clone, Copy, Debug)]
enum Noise {
    None,
    Missing,
    OtherFile,
    WrongKind,
}

fn act() -> impl Strategy<Value = Act> {
    let place = || prop::array::uniform4(prop_oneof![0..9u32, Just(u32::MAX)]);
    let noise = prop_oneof![
        6 => Just(Noise::None),
        1 => Just(Noise::Missing),
        1 => Just(Noise::OtherFile),
        1 => Just(Noise::WrongKind),
    ];
    prop_oneof![
        2 => (0..TEXTS.len()).prop_map(Act::Open),
        4 => (place(), 0..TEXTS.len()).prop_map(|(place, text)| Act::Edit(place, text)),
        1 => Just(Act::Close),
        12 => (0..REQUESTS.len(), place(), noise)
            .prop_map(|(request, place, noise)| Act::Request(request, place, noise)),
        1 => (0..40i64).prop_map(Act::Cancel),
        1 => prop::collection::vec(any::<u8>(), 0..40).prop_map(Act::Broken),
        1 => any::<i64>().prop_map(Act::Response),
    ]
}

fn range([line, character, end_line, end_character]: [u32; 4]) -> Value {
    json!({
        "start": { "line": line, "character": character },
        "end": { "line": end_line, "character": end_character },
    })
}

fn params(editor: &Editor, place: [u32; 4], noise: Noise) -> Value {
    let uri = match noise {
        Noise::OtherFile => "untitled:other".to_owned(),
        _ => editor.uri("main.pp"),
    };
    let range = range(place);
    match noise {
        Noise::Missing => json!({}),
        Noise::WrongKind => json!({ "textDocument": [uri], "position": "1:1" }),
        _ => json!({
            "textDocument": { "uri": uri },
            "uri": uri,
            "position": range["start"],
            "positions": [range["start"], range["end"]],
            "range": range,
            "context": { "diagnostics": [], "includeDeclaration": true },
            "options": { "tabSize": 2, "insertSpaces": true },
            "ch": "}",
            "newName": "renamed",
            "query": "a",
            "previousResultId": "1",
            "previousResultIds": [],
            "command": "pcl.showModel",
            "arguments": [{ "uri": uri, "code": "PCL0601" }],
            "label": "x",
            "title": "x",
        }),
    }
}

#[test]
fn every_request_has_one_response() {
    let mut runner =
        TestRunner::new(Config { cases: 40, failure_persistence: None, ..Config::default() });
    let acts = prop::collection::vec(act(), 1..60);
    let ran = runner.run(&acts, |acts| {
        let mut editor = Editor::new(capabilities());
        let mut sent = BTreeMap::new();
        for (version, act) in acts.into_iter().enumerate() {
            match act {
                Act::Open(text) => {
                    editor.open("main.pp", TEXTS[text]);
                }
                Act::Edit(place, text) => {
                    let uri = editor.uri("main.pp");
                    let change = json!({ "range": range(place), "text": TEXTS[text] });
                    let document = json!({ "uri": uri, "version": version });
                    let params = json!({ "textDocument": document, "contentChanges": [change] });
                    editor.notify("textDocument/didChange", params);
                }
                Act::Close => {
                    let document = json!({ "uri": editor.uri("main.pp") });
                    editor.notify("textDocument/didClose", json!({ "textDocument": document }));
                }
                Act::Request(method, place, noise) => {
                    let params = params(&editor, place, noise);
                    let id = editor.send_request(REQUESTS[method], params);
                    sent.insert(id, REQUESTS[method]);
                }
                Act::Cancel(id) => editor.notify("$/cancelRequest", json!({ "id": id })),
                Act::Broken(bytes) => editor.send_bytes(&bytes),
                Act::Response(id) => editor.send(&json!({
                    "jsonrpc": "2.0", "id": id, "result": [{ "levels": 1 }],
                })),
            }
        }
        for (id, method) in sent {
            if let Err(error) = editor.response(id) {
                // An internal error is a panic.
                prop_assert_ne!(&error["code"], &json!(-32603), "{}: {}", method, error);
            }
        }
        prop_assert!(editor.exit());
        Ok(())
    });
    if let Err(error) = ran {
        panic!("{error}");
    }
}

#[test]
fn a_huge_message_is_read() {
    let (mut editor, _) = Editor::with("a = 1\n");
    let text = "# a long comment\n".repeat(1 << 20);
    editor.replace("main.pp", 2, &text);
    let document = json!({ "uri": editor.uri("main.pp") });
    let report = editor.request("textDocument/diagnostic", json!({ "textDocument": document }));
    assert_eq!(report.expect("a report")["items"], json!([]));
}
