use serde_json::{Value, json};

use crate::support::{Editor, capabilities};

fn hints(editor: &mut Editor) -> Vec<String> {
    let params = json!({
        "textDocument": { "uri": editor.uri("main.pp") },
        "range": {
            "start": { "line": 0, "character": 0 }, "end": { "line": 9, "character": 0 },
        },
    });
    let hints = editor.request("textDocument/inlayHint", params);
    let hints = hints.expect("hints");
    let hints = hints.as_array().expect("a list").iter();
    let show = |hint: &Value| {
        let position = &hint["position"];
        let label = hint["label"].as_str().expect("a label");
        let kind = &hint["kind"];
        let tooltip = hint["tooltip"].as_str().unwrap_or_default();
        format!("{}:{} {kind} {label} {tooltip}", position["line"], position["character"])
    };
    hints.map(show).collect()
}

const TEXT: &str = "é𐍈 = [\"\", \"\", \"\", \"\", \"\", \"\", \"\"]\nb = join(\"-\", é𐍈)\n";

const TYPE: &str = "0:3 1 : (string, string, string, string, string,… (string, string, string, string, string, string, string)";

#[test]
fn hints_follow_the_settings() {
    let (mut editor, _) = Editor::with(TEXT);
    let names = ["1:9 2 separator: ", "1:14 2 strings: "];
    assert_eq!(hints(&mut editor), [TYPE, "1:1 1 : string ", names[0], names[1]]);
    for (settings, expected) in [
        (json!({ "inlayHints": { "types": false } }), &names[..]),
        (json!({ "inlayHints": { "parameterNames": false } }), &[TYPE, "1:1 1 : string "]),
        (json!({ "inlayHints": { "types": false, "parameterNames": false } }), &[]),
    ] {
        let params = json!({ "settings": { "pcl": settings } });
        editor.notify("workspace/didChangeConfiguration", params);
        assert_eq!(hints(&mut editor), expected);
    }
}

#[test]
fn an_editor_is_asked_for_the_settings_and_told_to_ask_again() {
    let mut able = capabilities();
    able["workspace"]["configuration"] = json!(true);
    able["workspace"]["inlayHint"] = json!({ "refreshSupport": true });
    let mut editor = Editor::new(able);
    let asked = editor.wait(|message| message["method"] == "workspace/configuration");
    editor.open("main.pp", TEXT);
    let settings = json!([{ "inlayHints": { "types": false } }]);
    editor.send(&json!({ "jsonrpc": "2.0", "id": asked["id"], "result": settings }));
    editor.wait(|message| message["method"] == "workspace/inlayHint/refresh");
    assert_eq!(hints(&mut editor).len(), 2);
}
