use serde_json::{Value, json};

use crate::support::{Editor, capabilities};

const FULL: &str = "textDocument/semanticTokens/full";
const DELTA: &str = "textDocument/semanticTokens/full/delta";
const RANGE: &str = "textDocument/semanticTokens/range";

fn document(editor: &Editor) -> Value {
    json!({ "textDocument": { "uri": editor.uri("main.pp") } })
}

/// The lines, columns and lengths of tokens.
fn places(tokens: &Value) -> Vec<[u64; 3]> {
    let data = tokens["data"].as_array().expect("tokens");
    let (mut line, mut column) = (0, 0);
    let mut places = Vec::new();
    for token in data.chunks(5) {
        let number = |at: usize| token[at].as_u64().expect("a number");
        column = if number(0) > 0 { 0 } else { column } + number(1);
        line += number(0);
        places.push([line, column, number(2)]);
    }
    places
}

#[test]
fn tokens_have_places_in_the_editor_s_units() {
    let text = "a = 1 /* é𐍈\n  x */ + 2\nb = \"𐍈${a}\"\n";
    let (mut editor, _) = Editor::with(text);
    let params = document(&editor);
    let tokens = editor.request(FULL, params).expect("tokens");
    // A comment is split where its line ends.
    let split = [[0, 6, 6], [1, 0, 6], [1, 7, 1], [1, 9, 1]];
    let first = [[0, 0, 1], [0, 2, 1], [0, 4, 1]];
    let last = [[2, 0, 1], [2, 2, 1], [2, 7, 2], [2, 9, 1], [2, 10, 1]];
    assert_eq!(places(&tokens), [&first[..], &split, &last].concat());

    let mut whole = capabilities();
    whole["textDocument"]["semanticTokens"] = json!({ "multilineTokenSupport": true });
    let mut editor = Editor::new(whole);
    editor.open("main.pp", text);
    let params = document(&editor);
    let tokens = editor.request(FULL, params).expect("tokens");
    assert_eq!(places(&tokens)[3], [0, 6, 13]);
    assert_eq!(places(&tokens)[4], [1, 7, 1]);
}

#[test]
fn a_delta_leads_from_the_last_answer_to_the_new_one() {
    let (mut editor, _) = Editor::with("a = 1\nb = 2\nc = 3\n");
    let params = document(&editor);
    let first = editor.request(FULL, params.clone()).expect("tokens");
    let mut numbers: Vec<Value> = first["data"].as_array().expect("tokens").clone();
    let mut id = first["resultId"].clone();
    for (version, text) in [
        (2, "a = 1\nb = 2\nc = 3\n"),
        (3, "a = 1\nb = x + 2\nc = 3\n"),
        (4, "c = 3\n"),
        (5, ""),
        (6, "# a\n\na = [1]\n"),
    ] {
        editor.replace("main.pp", version, text);
        let mut with_id = params.clone();
        with_id["previousResultId"] = id.clone();
        let answer = editor.request(DELTA, with_id).expect("a delta");
        for edit in answer["edits"].as_array().expect("edits") {
            let [start, deleted] =
                [&edit["start"], &edit["deleteCount"]].map(|it| it.as_u64().expect("a number"));
            let added = edit["data"].as_array().cloned().unwrap_or_default();
            let range = start as usize..(start + deleted) as usize;
            numbers.splice(range, added);
        }
        id = answer["resultId"].clone();
        let full = editor.request(FULL, params.clone()).expect("tokens");
        assert_eq!(full["data"], Value::from(numbers.clone()), "{text}");
        assert_eq!(full["resultId"], id);
    }
    let mut unknown = params;
    unknown["previousResultId"] = json!("?");
    let answer = editor.request(DELTA, unknown).expect("all tokens");
    assert_eq!(answer["data"], Value::from(numbers));
}

#[test]
fn a_range_has_its_own_tokens_and_the_legend_is_known() {
    let (mut editor, _) = Editor::with("a = 1\nb = 2\nc = 3\n");
    let mut params = document(&editor);
    params["range"] = json!({
        "start": { "line": 1, "character": 0 }, "end": { "line": 1, "character": 5 },
    });
    let tokens = editor.request(RANGE, params).expect("tokens");
    assert_eq!(places(&tokens), [[1, 0, 1], [1, 2, 1], [1, 4, 1]]);
    assert!(tokens["resultId"].is_null());
    // `variable`, declared and read only.
    assert_eq!(tokens["data"][3], 4);
    assert_eq!(tokens["data"][4], 3);
}
