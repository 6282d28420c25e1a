//! The life of a server, and messages that no editor should send.

use serde_json::{Value, json};

use crate::support::{Editor, capabilities};

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder")
}

#[test]
fn a_server_ends_with_exit_after_shutdown() {
    assert!(Editor::new(capabilities()).exit());
}

#[test]
fn an_end_without_shutdown_is_not_clean() {
    let mut editor = Editor::new(capabilities());
    assert!(!editor.hang_up());
}

#[test]
#[cfg(unix)]
fn a_server_ends_with_the_process_that_has_started_it() {
    use std::process::{Command, Stdio};

    let params = |id: u32| json!({ "processId": id, "capabilities": {} });
    let mut parent = Command::new("cat").stdin(Stdio::piped()).spawn().expect("it starts");
    let mut editor = Editor::start(folder());
    editor.request("initialize", params(parent.id())).expect("it starts");
    editor.request("workspace/symbol", json!({ "query": "" })).expect("the parent is alive");
    parent.kill().expect("it runs");
    parent.wait().expect("it has ended");
    assert!(!editor.join());
    let mut editor = Editor::start(folder());
    let _ = editor.request("initialize", params(parent.id()));
    assert!(!editor.join());
}

#[test]
fn requests_before_initialize_and_after_shutdown_fail() {
    let mut editor = Editor::start(folder());
    let failure = editor.request("textDocument/hover", json!({}));
    assert_eq!(failure.expect_err("too early")["code"], -32002);
    editor.notify("textDocument/didOpen", json!({}));
    let params = json!({ "capabilities": {} });
    let result = editor.request("initialize", params.clone()).expect("it starts");
    assert_eq!(result["serverInfo"]["name"], "pcl");
    assert_eq!(result["capabilities"]["positionEncoding"], "utf-16");
    let again = editor.request("initialize", params);
    assert_eq!(again.expect_err("it is initialized")["code"], -32600);
    editor.request("shutdown", Value::Null).expect("it shuts down");
    let late = editor.request("textDocument/hover", json!({}));
    assert_eq!(late.expect_err("too late")["code"], -32600);
    assert!(editor.leave());
}

#[test]
fn the_encoding_of_the_editor_counts() {
    for (offered, chosen) in [
        (json!(["utf-16", "utf-8"]), "utf-8"),
        (json!(["utf-32"]), "utf-32"),
        (json!(["utf-16", "utf-32"]), "utf-16"),
        (json!([]), "utf-16"),
    ] {
        let mut editor = Editor::start(folder());
        let capabilities = json!({ "general": { "positionEncodings": offered } });
        let params = json!({ "capabilities": capabilities });
        let result = editor.request("initialize", params).expect("it starts");
        assert_eq!(result["capabilities"]["positionEncoding"], chosen);
    }
}

#[test]
fn what_is_no_message_is_answered_with_an_error() {
    let mut editor = Editor::new(capabilities());
    for (body, code, id) in [
        ("{", -32700, Value::Null),
        ("\u{feff}", -32700, Value::Null),
        ("[]", -32600, Value::Null),
        ("{\"jsonrpc\": \"1.0\"}", -32600, Value::Null),
        ("{\"id\": 99, \"method\": \"shutdown\"}", -32600, json!(99)),
    ] {
        editor.send_bytes(body.as_bytes());
        let answer = editor.wait(|message| !message["error"].is_null());
        assert_eq!(answer["error"]["code"], code, "{body}");
        assert_eq!(answer.get("id"), Some(&id));
    }
    editor.send_bytes(b"\xff\xfe");
    let answer = editor.wait(|message| !message["error"].is_null());
    assert_eq!(answer["error"]["code"], -32700);
    let failure = editor.request("textDocument/unknown", json!({}));
    assert_eq!(failure.expect_err("no such method")["code"], -32601);
    let failure = editor.request("textDocument/diagnostic", json!({ "textDocument": 1 }));
    assert_eq!(failure.expect_err("wrong parameters")["code"], -32602);
    editor.notify("textDocument/didChange", json!({ "textDocument": null }));
    let log = editor.notified("window/logMessage");
    let message = log["message"].as_str().unwrap_or_default();
    assert!(message.starts_with("`textDocument/didChange` is ignored: "), "{message}");
}

#[test]
fn a_cancelled_request_has_one_answer() {
    let mut editor = Editor::new(capabilities());
    // Each is either answered before it is cancelled, or it is not answered any more.
    for _ in 0..100 {
        let params = json!({ "textDocument": { "uri": editor.uri("main.pp") } });
        let id = editor.send_request("textDocument/diagnostic", params);
        editor.notify("$/cancelRequest", json!({ "id": id }));
        if let Err(error) = editor.response(id) {
            assert_eq!(error["code"], -32800);
        }
    }
    let params = json!({ "textDocument": { "uri": editor.uri("main.pp") } });
    let id = editor.send_request("textDocument/diagnostic", params);
    assert!(editor.response(id).is_ok());
}
