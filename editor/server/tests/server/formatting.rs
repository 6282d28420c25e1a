use serde_json::{Value, json};

use crate::support::{Editor, without_cursor};

/// The text after edits, whose places are in UTF-16 columns.
pub fn applied(text: &str, edits: &Value) -> String {
    let mut out = text.to_owned();
    let lines: Vec<usize> =
        std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
    let offset = |place: &Value| {
        let [line, character] = ["line", "character"].map(|name| place[name].as_u64());
        let start = lines[line.expect("a line") as usize];
        let mut left = character.expect("a column") as usize;
        let mut at = start;
        for letter in text[start..].chars() {
            if left == 0 {
                break;
            }
            left -= letter.len_utf16();
            at += letter.len_utf8();
        }
        at
    };
    let mut edits: Vec<&Value> = edits.as_array().expect("edits").iter().collect();
    edits.sort_by_key(|edit| offset(&edit["range"]["start"]));
    for edit in edits.into_iter().rev() {
        let range = offset(&edit["range"]["start"])..offset(&edit["range"]["end"]);
        out.replace_range(range, edit["newText"].as_str().expect("a text"));
    }
    out
}

const OPTIONS: &str = "options";

fn options() -> Value {
    json!({ "tabSize": 2, "insertSpaces": true })
}

#[test]
fn a_document_is_formatted_by_small_edits() {
    let text = "a=1\n\n\n\n\nbb  = [ \"é𐍈\" ,2]\n# pcl: off\nc=3\n# pcl: on\nd=4\nok = 1";
    let (mut editor, _) = Editor::with(text);
    let params = json!({
        "textDocument": { "uri": editor.uri("main.pp") }, OPTIONS: options(),
    });
    let edits = editor.request("textDocument/formatting", params.clone());
    let edits = edits.expect("edits");
    let expected = "a = 1\n\n\nbb = [\"é𐍈\", 2]\n# pcl: off\nc=3\n# pcl: on\nd  = 4\nok = 1\n";
    assert_eq!(applied(text, &edits), expected);
    let long = edits
        .as_array()
        .expect("edits")
        .iter()
        .filter(|edit| edit["newText"].as_str().is_some_and(|text| text.contains("ok")));
    assert_eq!(long.count(), 0, "{edits}");

    editor.replace("main.pp", 2, expected);
    let edits = editor.request("textDocument/formatting", params.clone());
    assert_eq!(edits.expect("no edits"), json!([]));
    // What does not parse stays as it is.
    editor.replace("main.pp", 3, "a=[\n");
    let edits = editor.request("textDocument/formatting", params);
    assert_eq!(edits.expect("an answer"), Value::Null);
}

#[test]
fn a_range_is_formatted_alone() {
    let text = "a=1\n\nb=2\nc=3\n";
    let (mut editor, _) = Editor::with(text);
    for (end, expected) in [
        (json!({ "line": 3, "character": 0 }), "a=1\n\nb = 2\nc=3\n"),
        (json!({ "line": 3, "character": 1 }), "a=1\n\nb = 2\nc = 3\n"),
    ] {
        let params = json!({
            "textDocument": { "uri": editor.uri("main.pp") },
            "range": { "start": { "line": 2, "character": 1 }, "end": end },
            OPTIONS: options(),
        });
        let edits = editor.request("textDocument/rangeFormatting", params);
        assert_eq!(applied(text, &edits.expect("edits")), expected);
    }
}

#[test]
fn what_was_typed_is_formatted() {
    for (marked, typed, expected) in [
        ("a=1\nconfig  b int{\n default=1\n}▮\n", "}", "a=1\nconfig b int {\n  default = 1\n}\n"),
        ("a=1\nb=2\n▮\nc=3\n", "\n", "a=1\nb = 2\n\nc=3\n"),
        ("o = {\n  a=1\n    ▮\n}\n", "\n", "o = {\n  a = 1\n    \n}\n"),
        ("a=\"}▮\"\n", "}", "a=\"}\"\n"),
        ("config  a int{\n}▮", "}", "config a int {\n}"),
        ("# pcl: off\na={  }▮\n", "}", "# pcl: off\na={  }\n"),
    ] {
        let (text, position) = without_cursor(marked);
        let (mut editor, _) = Editor::with(&text);
        let params = json!({
            "textDocument": { "uri": editor.uri("main.pp") },
            "position": position, "ch": typed, OPTIONS: options(),
        });
        let edits = editor.request("textDocument/onTypeFormatting", params);
        let edits = edits.expect("an answer");
        let edits = if edits.is_null() { json!([]) } else { edits };
        assert_eq!(applied(&text, &edits), expected);
    }
}
