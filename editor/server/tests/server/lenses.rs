use serde_json::{Value, json};

use crate::support::Editor;

#[test]
fn references_are_counted_if_the_setting_is_on() {
    let (mut editor, _) = Editor::with("a = 1\nb = [a, a]\nc = b\n");
    let params = json!({ "textDocument": { "uri": editor.uri("main.pp") } });
    let lenses = editor.request("textDocument/codeLens", params.clone());
    assert_eq!(lenses.expect("an answer"), Value::Null);
    let settings = json!({ "settings": { "pcl": { "codeLens": true } } });
    editor.notify("workspace/didChangeConfiguration", settings);
    let lenses = editor.request("textDocument/codeLens", params);
    let lenses = lenses.expect("lenses");
    let lenses = lenses.as_array().expect("a list");
    let titles = lenses.iter().map(|lens| lens["command"]["title"].as_str());
    let titles: Vec<_> = titles.map(Option::unwrap_or_default).collect();
    assert_eq!(titles, ["2 references", "1 reference", "0 references"]);
    let command = &lenses[1]["command"];
    assert_eq!(command["command"], "pcl.showReferences");
    let location = &command["arguments"][2][0];
    assert_eq!(location["uri"], editor.uri("main.pp"));
    assert_eq!(location["range"]["start"], json!({ "line": 2, "character": 4 }));
}
