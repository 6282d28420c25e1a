//! Diagnostics, pushed and pulled.

use serde_json::{Value, json};

use crate::environment::folder;
use crate::support::{Editor, capabilities};

const MISSPELLED: &str = "size = lenght([1, 2])\n";

fn pull(editor: &mut Editor, name: &str) -> Value {
    let params = json!({ "textDocument": { "uri": editor.uri(name) } });
    let answer = editor.request("textDocument/diagnostic", params);
    answer.expect("diagnostics")
}

fn messages(report: &Value) -> Vec<String> {
    let items = report["items"].as_array().cloned().unwrap_or_default();
    let first_line = |item: &Value| {
        let text = item["message"].as_str().unwrap_or_default();
        text.lines().next().unwrap_or_default().to_owned()
    };
    items.iter().map(first_line).collect()
}

#[test]
fn a_diagnostic_has_its_code_its_page_and_its_place() {
    let (mut editor, _) = Editor::with(MISSPELLED);
    let report = pull(&mut editor, "main.pp");
    let item = &report["items"][0];
    assert_eq!(item["code"], "PCL0601");
    assert_eq!(item["source"], "pcl");
    assert_eq!(item["severity"], 1);
    let page = item["codeDescription"]["href"].as_str().unwrap_or_default();
    assert!(page.ends_with("PCL0601.html"), "{page}");
    let range = json!({
        "start": { "line": 0, "character": 7 }, "end": { "line": 0, "character": 13 },
    });
    assert_eq!(item["range"], range);
}

#[test]
fn columns_are_in_utf_16() {
    let (mut editor, _) = Editor::with("a = \"𐍈\" + lenght([])\n");
    let report = pull(&mut editor, "main.pp");
    let items = report["items"].as_array().cloned().unwrap_or_default();
    let found = items.iter().find(|item| item["code"] == "PCL0601").expect("it is reported");
    assert_eq!(found["range"]["start"]["character"], 11);
}

#[test]
fn the_same_diagnostics_are_not_sent_twice() {
    let (mut editor, _) = Editor::with(MISSPELLED);
    let report = pull(&mut editor, "main.pp");
    let params = json!({
        "textDocument": { "uri": editor.uri("main.pp") },
        "previousResultId": report["resultId"],
    });
    let again = editor.request("textDocument/diagnostic", params).expect("diagnostics");
    assert_eq!(again["kind"], "unchanged");
}

#[test]
fn an_edit_changes_the_diagnostics_of_other_files() {
    let (mut editor, _) = Editor::with("a = b\n");
    assert_eq!(messages(&pull(&mut editor, "main.pp")), ["there is no variable `b` here"]);
    editor.open("other.pp", "b = 1\n");
    assert_eq!(messages(&pull(&mut editor, "main.pp")), [""; 0]);
    editor.replace("other.pp", 2, "c = 1\n");
    assert_eq!(messages(&pull(&mut editor, "main.pp")), ["there is no variable `b` here"]);
    let close = json!({ "textDocument": { "uri": editor.uri("other.pp") } });
    editor.notify("textDocument/didClose", close);
    assert_eq!(messages(&pull(&mut editor, "main.pp")), ["there is no variable `b` here"]);
}

#[test]
fn an_edit_of_a_component_changes_the_diagnostics_of_its_user() {
    let mut editor = Editor::new(capabilities());
    editor.write("inner/main.pp", "config size \"int\" {\n}\n");
    editor.open("main.pp", "component inner \"./inner\" {\n}\n");
    let missing = ["component `inner` is missing the required input `size`"];
    assert_eq!(messages(&pull(&mut editor, "main.pp")), missing);
    editor.open("inner/main.pp", "config size \"int\" {\n  default = 1\n}\n");
    assert_eq!(messages(&pull(&mut editor, "main.pp")), [""; 0]);
}

#[test]
fn files_that_change_on_disk_count() {
    let (mut editor, _) = Editor::with("a = b\n");
    assert_eq!(messages(&pull(&mut editor, "main.pp")), ["there is no variable `b` here"]);
    editor.write("other.pp", "b = 1\n");
    let changed = json!({ "changes": [{ "uri": editor.uri("other.pp"), "type": 1 }] });
    editor.notify("workspace/didChangeWatchedFiles", changed);
    assert_eq!(messages(&pull(&mut editor, "main.pp")), [""; 0]);

    editor.write("pcl.toml", "[levels]\nunused-local = \"error\"\n");
    let changed = json!({ "changes": [{ "uri": editor.uri("pcl.toml"), "type": 1 }] });
    editor.notify("workspace/didChangeWatchedFiles", changed);
    assert_eq!(messages(&pull(&mut editor, "main.pp")).len(), 1);
}

#[test]
fn edits_of_an_open_schema_count() {
    let text = "resource lion \"zoo:index:Lion\" {\n}\n";
    let (mut editor, _) = Editor::with(text);
    let unknown = messages(&pull(&mut editor, "main.pp"));
    assert_eq!(unknown.len(), 1, "{unknown:?}");

    let schema = r#"{ "name": "zoo", "resources": { "zoo:index:Lion": {} } }"#;
    editor.open("schemas/zoo.json", schema);
    assert_eq!(messages(&pull(&mut editor, "main.pp")), [""; 0]);

    let place = |character| json!({ "line": 0, "character": character });
    let at = schema.find("Lion").expect("it is there");
    let params = json!({
        "textDocument": { "uri": editor.uri("schemas/zoo.json"), "version": 2 },
        "contentChanges": [
            { "range": { "start": place(at), "end": place(at + 4) }, "text": "Tiger" },
            { "range": { "start": place(at), "end": place(at + 1) }, "text": "L" },
        ],
    });
    editor.notify("textDocument/didChange", params);
    let other = messages(&pull(&mut editor, "main.pp"));
    assert_eq!(other, ["package `zoo` has no resource `zoo:index:Lion`"]);

    let close = json!({ "textDocument": { "uri": editor.uri("schemas/zoo.json") } });
    editor.notify("textDocument/didClose", close);
    assert_eq!(messages(&pull(&mut editor, "main.pp")), unknown);
}

#[test]
fn an_editor_is_asked_for_open_schemas() {
    let mut able = capabilities();
    able["textDocument"]["synchronization"] = json!({ "dynamicRegistration": true });
    let mut editor = Editor::new(able);
    let asked = editor.notified("client/registerCapability");
    let registrations = asked["registrations"].as_array().cloned();
    let registrations = registrations.unwrap_or_default();
    let methods: Vec<_> = registrations.iter().map(|it| it["method"].clone()).collect();
    let expected = ["textDocument/didOpen", "textDocument/didChange", "textDocument/didClose"];
    assert_eq!(methods, expected);
    for registration in registrations {
        let selector = &registration["registerOptions"]["documentSelector"][0];
        assert_eq!(selector["pattern"], "**/schemas/*.{json,yaml,yml}");
    }
}

/// Schemas and configuration above an opened folder count, so their changes are asked for.
#[test]
fn an_editor_watches_the_repository_above_its_folder() {
    let mut able = capabilities();
    able["workspace"]["didChangeWatchedFiles"] =
        json!({ "dynamicRegistration": true, "relativePatternSupport": true });
    let mut editor = Editor::start(folder());
    editor.write(".git/HEAD", "");
    editor.write("apps/shop/main.pp", "");
    let folders = json!([{ "uri": editor.uri("apps/shop"), "name": "shop" }]);
    let params = json!({ "processId": null, "workspaceFolders": folders, "capabilities": able });
    editor.request("initialize", params).expect("it starts");
    editor.notify("initialized", json!({}));
    let asked = editor.notified("client/registerCapability");
    let watchers = asked["registrations"][0]["registerOptions"]["watchers"].clone();
    let watchers = watchers.as_array().cloned().unwrap_or_default();
    let globs = watchers.iter().map(|it| it["globPattern"].clone());
    let (above, below): (Vec<_>, Vec<_>) = globs.partition(serde_json::Value::is_object);
    assert!(below.contains(&json!("**/schemas/*")), "{below:?}");
    for place in ["", "apps"] {
        let uri = editor.uri(place);
        assert!(above.contains(&json!({ "baseUri": uri, "pattern": "schemas/*" })), "{above:?}");
    }
    assert_eq!(above.len(), 6, "{above:?}");
}

#[test]
fn the_settings_of_the_editor_count() {
    let (mut editor, _) = Editor::with("a = 1\n");
    assert_eq!(messages(&pull(&mut editor, "main.pp")), [""; 0]);
    let settings = json!({ "settings": { "pcl": { "levels": { "unused-local": "error" } } } });
    editor.notify("workspace/didChangeConfiguration", settings);
    assert_eq!(messages(&pull(&mut editor, "main.pp")).len(), 1);
    let settings = json!({ "settings": { "pcl": { "missingSchema": "never" } } });
    editor.notify("workspace/didChangeConfiguration", settings);
    let shown = editor.notified("window/showMessage");
    let message = shown["message"].as_str().unwrap_or_default();
    assert!(message.starts_with("the setting `pcl.missing-schema`: "), "{message}");
}

#[test]
fn an_editor_that_does_not_ask_gets_diagnostics() {
    let mut editor = Editor::new(json!({}));
    editor.open("main.pp", MISSPELLED);
    let pushed = editor.notified("textDocument/publishDiagnostics");
    assert_eq!(pushed["uri"], json!(editor.uri("main.pp")));
    assert_eq!(pushed["diagnostics"][0]["code"], "PCL0601");
    editor.replace("main.pp", 2, "size = length([1, 2])\n");
    let pushed = editor.notified("textDocument/publishDiagnostics");
    assert_eq!((&pushed["version"], &pushed["diagnostics"]), (&json!(2), &json!([])));
}

#[test]
fn the_programs_of_the_folder_are_checked() {
    let mut editor = Editor::new(capabilities());
    editor.write("one/main.pp", MISSPELLED);
    editor.write("two/main.pp", "a = 1\n");
    editor.open("three.pp", "b = c\n");
    let params = json!({ "previousResultIds": [] });
    let report = editor.request("workspace/diagnostic", params).expect("a report");
    let counts = report["items"].as_array().cloned().unwrap_or_default();
    let counts = counts.iter().map(|item| {
        let uri = item["uri"].as_str().unwrap_or_default();
        let name = uri.strip_prefix(&editor.uri("")).unwrap_or(uri).to_owned();
        (name, item["items"].as_array().map_or(0, Vec::len))
    });
    let expected = [("/one/main.pp", 1), ("/three.pp", 1), ("/two/main.pp", 0)];
    let mut counts: Vec<(String, usize)> = counts.collect();
    counts.sort();
    assert_eq!(counts, expected.map(|(name, count)| (name.to_owned(), count)));
}
