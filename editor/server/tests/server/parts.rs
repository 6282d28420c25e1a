//! Answers in parts, for editors that ask for them.

use serde_json::{Value, json};

use crate::support::{Editor, capabilities};

/// The answer to a request in one piece, and in parts with this token; with the sizes of the parts.
fn answers(editor: &mut Editor, method: &str, token: &Value, params: &Value) -> [Value; 2] {
    let whole = editor.request(method, params.clone()).expect("an answer");
    let mut params = params.clone();
    params["partialResultToken"] = token.clone();
    let rest = editor.request(method, params).expect("an answer");
    assert_eq!(rest, json!([]), "{method}");
    let mut joined = Vec::new();
    let is_part =
        |message: &Value| message["method"] == "$/progress" && message["params"]["token"] == *token;
    while joined.len() < whole.as_array().map_or(0, Vec::len) {
        let message = editor.wait(is_part);
        let part = message["params"]["value"].as_array().cloned().expect("a list");
        assert!((1..=500).contains(&part.len()), "{method}: {}", part.len());
        joined.extend(part);
    }
    [whole, Value::Array(joined)]
}

#[test]
fn long_answers_come_in_parts() {
    let uses: String = (0..1200).map(|at| format!("b{at} = a\n")).collect();
    for is_nested in [true, false] {
        let mut capabilities = capabilities();
        capabilities["textDocument"]["documentSymbol"]["hierarchicalDocumentSymbolSupport"] =
            json!(is_nested);
        let mut editor = Editor::new(capabilities);
        editor.open("main.pp", &format!("a = 1\n{uses}"));
        let mut references = editor.at(&json!({ "line": 0, "character": 0 }));
        references["context"] = json!({ "includeDeclaration": true });
        let outline = json!({ "textDocument": { "uri": editor.uri("main.pp") } });
        for (method, token, params, count) in [
            ("textDocument/documentSymbol", json!(7), outline, 1201),
            ("textDocument/references", json!("token"), references, 1201),
            // No search has more.
            ("workspace/symbol", json!(8), json!({ "query": "b" }), 500),
        ] {
            let [whole, joined] = answers(&mut editor, method, &token, &params);
            assert_eq!(whole.as_array().map(Vec::len), Some(count), "{method}");
            assert_eq!(whole, joined, "{method}");
        }
    }
}

#[test]
fn an_answer_without_items_has_no_parts() {
    let (mut editor, _) = Editor::with("# nothing\n");
    let params = json!({
        "textDocument": { "uri": editor.uri("main.pp") }, "partialResultToken": "empty",
    });
    let symbols = editor.request("textDocument/documentSymbol", params).expect("an outline");
    assert_eq!(symbols, json!([]));
}
