//! The life of a session, and messages that no client should send.

use serde_json::{Value, json};

use crate::support::Client;

#[test]
fn the_version_of_the_client_counts_if_it_is_known() {
    for (wanted, agreed) in [
        ("2025-06-18", "2025-06-18"),
        ("2025-03-26", "2025-03-26"),
        ("2024-11-05", "2024-11-05"),
        ("2031-01-01", "2025-06-18"),
        ("", "2025-06-18"),
    ] {
        let result = Client::start().initialize(wanted);
        assert_eq!(result["protocolVersion"], agreed, "{wanted}");
        assert_eq!(result["serverInfo"]["name"], "pcl");
        assert!(result["capabilities"]["tools"].is_object());
        assert!(result["instructions"].is_string());
    }
}

#[test]
fn a_session_begins_with_initialize() {
    let mut client = Client::start();
    assert_eq!(client.request("ping", Value::Null), Ok(json!({})));
    let early = client.request("tools/list", json!({}));
    assert_eq!(early.expect_err("too early")["code"], -32600);
    let nameless = client.request("initialize", json!({ "capabilities": {} }));
    assert_eq!(nameless.expect_err("no version")["code"], -32602);
    client.initialize("2025-06-18");
    assert_eq!(client.request("ping", json!({})), Ok(json!({})));
    let again = client.request("initialize", json!({ "protocolVersion": "2025-06-18" }));
    assert_eq!(again.expect_err("it is initialized")["code"], -32600);
    let unknown = client.request("prompts/list", json!({}));
    assert_eq!(unknown.expect_err("no such method")["code"], -32601);
}

#[test]
fn what_is_no_message_is_answered_with_an_error() {
    let mut client = Client::new();
    for (line, code) in [
        (&b"{"[..], -32700),
        (b"[{]", -32700),
        (b"\xff\xfe", -32700),
        (b"nonsense", -32700),
        (b"[]", -32600),
        (b"1", -32600),
        (b"[1]", -32600),
        (b"{\"jsonrpc\": \"1.0\", \"id\": 1, \"method\": \"ping\"}", -32600),
        (b"{\"jsonrpc\": \"2.0\", \"id\": {}, \"method\": \"ping\"}", -32600),
    ] {
        client.send_line(line);
        let answer = client.receive();
        let shown = String::from_utf8_lossy(line);
        assert_eq!(answer["error"]["code"], code, "{shown}");
        let id = if shown.contains("1.0") { json!(1) } else { Value::Null };
        assert_eq!(answer.get("id"), Some(&id), "{shown}");
    }
    // Nothing is answered to empty lines, notifications and responses.
    client.send_line(b"");
    client.send_line(b" \r");
    client.send(&json!({ "jsonrpc": "2.0", "method": "notifications/unknown" }));
    client.send(&json!({ "jsonrpc": "2.0", "method": "notifications/cancelled" }));
    client.send(&json!({ "jsonrpc": "2.0", "id": 7, "result": {} }));
    assert_eq!(client.request("ping", json!({})), Ok(json!({})));
}

#[test]
fn the_messages_of_a_batch_are_answered() {
    let mut client = Client::start();
    client.initialize("2025-03-26");
    client.send(&json!([
        { "jsonrpc": "2.0", "id": "a", "method": "ping" },
        { "jsonrpc": "2.0", "method": "notifications/unknown" },
        { "jsonrpc": "2.0", "id": "b", "method": "ping" },
    ]));
    let ids = [client.receive(), client.receive()].map(|answer| answer["id"].clone());
    assert_eq!(ids, ["a", "b"]);
}

#[test]
fn a_cancelled_request_has_no_response() {
    let mut client = Client::new();
    // The first answer takes far longer than the reading of the line.
    let lines = (0..5_000).map(|at| format!("a{at} = [for x in [1, 2] : \"${{x}}\"]\n"));
    let files = json!({ "main.pp": lines.collect::<String>() });
    let check = json!({ "name": "check", "arguments": { "files": files } });
    client.send(&json!([
        { "jsonrpc": "2.0", "id": 100, "method": "tools/call", "params": check },
        { "jsonrpc": "2.0", "id": 101, "method": "tools/call", "params": check },
        { "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 101 } },
        { "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 999 } },
        { "jsonrpc": "2.0", "id": 102, "method": "ping" },
    ]));
    let ids: Vec<Value> =
        [client.receive(), client.receive()].iter().map(|answer| answer["id"].clone()).collect();
    assert_eq!(ids, [100, 102]);
}

#[test]
fn requests_before_the_end_of_the_stream_are_answered() {
    let mut client = Client::new();
    let id = client.send_request("ping", json!({}));
    let rest = client.close();
    assert_eq!(rest, [json!({ "jsonrpc": "2.0", "id": id, "result": {} })]);
}

#[test]
fn a_line_without_an_end_is_refused_and_skipped() {
    let mut client = Client::new();
    client.send_line(&vec![b' '; 9 << 20]);
    let answer = client.receive();
    assert_eq!(answer["error"]["code"], -32600);
    let message = answer["error"]["message"].as_str().expect("a message");
    assert!(message.ends_with("more than 8388608 bytes"), "{message}");
    let deep = [b"[".repeat(100_000), b"]".repeat(100_000)].concat();
    client.send_line(&deep);
    assert_eq!(client.receive()["error"]["code"], -32700);
    assert_eq!(client.request("ping", json!({})), Ok(json!({})));
}
