use serde_json::{Value, json};

use crate::support::{Editor, capabilities};

const TEXT: &str = "# a\n# b\nconfig é string {\n  default = [\n    \"𐍈▮x\",\n  ]\n}\n";

fn folds(editor: &mut Editor) -> Vec<String> {
    let params = json!({ "textDocument": { "uri": editor.uri("main.pp") } });
    let folds = editor.request("textDocument/foldingRange", params);
    let folds = folds.expect("folds");
    let show = |fold: &Value| {
        let member = |name: &str| match &fold[name] {
            Value::Null => String::new(),
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        let [start, end] = ["startCharacter", "endCharacter"].map(member);
        let [first, last] = ["startLine", "endLine"].map(member);
        format!("{first}:{start}-{last}:{end} {}", member("kind"))
    };
    folds.as_array().expect("a list").iter().map(show).collect()
}

#[test]
fn folds_are_lines_if_the_editor_wants_lines() {
    let (mut editor, _) = Editor::with(TEXT);
    assert_eq!(folds(&mut editor), ["0:3-1:3 comment", "2:17-6:0 ", "3:13-5:2 "]);
    let mut lines = capabilities();
    lines["textDocument"]["foldingRange"] = json!({ "lineFoldingOnly": true });
    let mut editor = Editor::new(lines);
    editor.open("main.pp", TEXT);
    // The line of the closing bracket stays.
    assert_eq!(folds(&mut editor), ["0:-1: comment", "2:-5: ", "3:-4: "]);
}

#[test]
fn selections_are_nested() {
    let (mut editor, position) = Editor::with(TEXT);
    let params = json!({
        "textDocument": { "uri": editor.uri("main.pp") },
        "positions": [position, { "line": 99, "character": 0 }],
    });
    let answer = editor.request("textDocument/selectionRange", params);
    let answer = answer.expect("selections");
    let mut at = &answer[0];
    let mut shown = Vec::new();
    while !at.is_null() {
        let (start, end) = (&at["range"]["start"], &at["range"]["end"]);
        let place = |place: &Value| format!("{}:{}", place["line"], place["character"]);
        shown.push(format!("{}-{}", place(start), place(end)));
        at = &at["parent"];
    }
    let expected =
        ["4:5-4:8", "4:4-4:9", "4:4-4:10", "3:12-5:3", "3:2-5:3", "2:16-6:1", "2:0-6:1", "0:0-7:0"];
    assert_eq!(shown, expected);
    assert_eq!(answer[1]["range"]["end"], json!({ "line": 7, "character": 0 }));
}
