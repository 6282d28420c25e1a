//! Configuration files that are not valid: the editor shows what the command says.

use serde_json::{Value, json};

use crate::support::{Editor, capabilities};

/// A text with a diagnostic and a fix.
const MISSPELLED: &str = "size = lenght([1, 2])\n";

/// The ways in which a file of a project is not valid, each with the code.
const INVALID: [(&str, &str, &str); 5] = [
    ("pcl.toml", "selct = [\"all\"]\n", "PCL0022"),
    ("pcl.toml", "select = \n", "PCL0021"),
    ("pcl.toml", "run-plugins = true\n", "PCL0021"),
    ("Pulumi.yaml", "name: x\nruntime: pcl\npcl:\n  selct: [all]\n", "PCL0022"),
    ("Pulumi.yaml", "name: x\nruntime: pcl\npcl: [\n", "PCL0021"),
];

/// The capabilities of an editor that takes diagnostics as they come.
fn pushed() -> Value {
    let mut capabilities = capabilities();
    capabilities["textDocument"]["diagnostic"] = Value::Null;
    capabilities
}

fn codes(items: &Value) -> Vec<String> {
    let items = items.as_array().cloned().unwrap_or_default();
    let code = |item: &Value| item["code"].as_str().unwrap_or_default().to_owned();
    items.iter().map(code).collect()
}

/// Waits until the diagnostics of a file are pushed, and returns their codes.
fn published(editor: &mut Editor, name: &str) -> Vec<String> {
    let uri = editor.uri(name);
    let message = editor.wait(|message| {
        message["method"] == "textDocument/publishDiagnostics" && message["params"]["uri"] == uri
    });
    codes(&message["params"]["diagnostics"])
}

fn changed(editor: &mut Editor, name: &str, text: &str) {
    editor.write(name, text);
    let changes = json!({ "changes": [{ "uri": editor.uri(name), "type": 2 }] });
    editor.notify("workspace/didChangeWatchedFiles", changes);
}

fn open_configuration(editor: &mut Editor, name: &str, text: &str) {
    let document =
        json!({ "uri": editor.uri(name), "languageId": "toml", "version": 1, "text": text });
    editor.notify("textDocument/didOpen", json!({ "textDocument": document }));
}

/// Changes the text of an open file, which stays as it is on disk.
fn edited(editor: &mut Editor, name: &str, text: &str) {
    let document = json!({ "uri": editor.uri(name), "version": 2 });
    let changes = json!([{ "text": text }]);
    let params = json!({ "textDocument": document, "contentChanges": changes });
    editor.notify("textDocument/didChange", params);
}

/// The codes of the diagnostics of the workspace by address, and the results to send next time.
fn workspace(editor: &mut Editor, previous: &Value) -> (Vec<(String, Vec<String>)>, Value) {
    let params = json!({ "previousResultIds": previous });
    let report = editor.request("workspace/diagnostic", params).expect("a report");
    let items = report["items"].as_array().cloned().unwrap_or_default();
    let uri = |item: &Value| item["uri"].as_str().unwrap_or_default().to_owned();
    let found = items.iter().map(|item| (uri(item), codes(&item["items"])));
    let ids = items.iter().map(|item| json!({ "uri": item["uri"], "value": item["resultId"] }));
    (found.collect(), ids.collect())
}

/// The same file in all of its ways to the editor, until it is valid again.
#[test]
fn nothing_is_checked_until_the_configuration_is_valid() {
    for (name, text, code) in INVALID {
        for is_open in [false, true] {
            for capabilities in [pushed(), capabilities()] {
                let pulls = !capabilities["textDocument"]["diagnostic"].is_null();
                let mut editor = Editor::new(capabilities);
                editor.write(name, text);
                editor.write("main.pp", MISSPELLED);
                if is_open {
                    open_configuration(&mut editor, name, text);
                }
                editor.open("main.pp", MISSPELLED);
                assert_eq!(published(&mut editor, name), [code], "{name} {text}");
                let shown = editor.notified("window/showMessage");
                let path = editor.path(name).display().to_string();
                let message = format!("nothing is checked until `{path}` is valid");
                assert_eq!(shown, json!({ "type": 1, "message": message }));
                // No diagnostics, and no fixes of any.
                let range = json!({
                    "start": { "line": 0, "character": 8 }, "end": { "line": 0, "character": 8 },
                });
                let params = json!({
                    "textDocument": { "uri": editor.uri("main.pp") },
                    "range": range,
                    "context": { "diagnostics": [] },
                });
                let actions = editor.request("textDocument/codeAction", params.clone());
                let actions = actions.expect("actions").to_string();
                assert!(!actions.contains("quickfix"), "{actions}");
                let pull = |editor: &mut Editor, name: &str| {
                    let params = json!({ "textDocument": { "uri": editor.uri(name) } });
                    let report = editor.request("textDocument/diagnostic", params);
                    codes(&report.expect("a report")["items"])
                };
                if pulls {
                    assert_eq!(pull(&mut editor, "main.pp"), [""; 0]);
                    assert_eq!(pull(&mut editor, name), [code]);
                } else {
                    assert_eq!(published(&mut editor, "main.pp"), [""; 0]);
                }

                if is_open {
                    edited(&mut editor, name, "");
                } else {
                    changed(&mut editor, name, "");
                }
                assert_eq!(published(&mut editor, name), [""; 0], "{name} {text}");
                if pulls {
                    assert_eq!(pull(&mut editor, "main.pp"), ["PCL0601"]);
                    assert_eq!(pull(&mut editor, name), [""; 0]);
                } else {
                    assert_eq!(published(&mut editor, "main.pp"), ["PCL0601"]);
                }
                let actions = editor.request("textDocument/codeAction", params);
                let actions = actions.expect("actions").to_string();
                assert!(actions.contains("quickfix"), "{actions}");
            }
        }
    }
}

/// A file is judged by its open text from when it is opened until it is closed, saved or not.
#[test]
fn the_open_text_of_a_configuration_counts() {
    let silenced = [
        ("pcl.toml", "[levels]\nunused-local = \"error\"\n"),
        ("Pulumi.yaml", "name: x\nruntime: pcl\npcl:\n  levels:\n    unused-local: error\n"),
    ];
    for (name, text) in silenced {
        for on_disk in [None, Some("")] {
            let mut editor = Editor::new(pushed());
            if let Some(text) = on_disk {
                editor.write(name, text);
            }
            editor.write("main.pp", "size = 1\n");
            editor.open("main.pp", "size = 1\n");
            let severities = |editor: &mut Editor| {
                let uri = editor.uri("main.pp");
                let message = editor.wait(|message| {
                    message["method"] == "textDocument/publishDiagnostics"
                        && message["params"]["uri"] == uri
                });
                let items = message["params"]["diagnostics"].as_array().cloned();
                let items = items.unwrap_or_default();
                items.iter().map(|item| item["severity"].clone()).collect::<Vec<_>>()
            };
            let closed = severities(&mut editor);
            assert_ne!(closed, [json!(1)], "{name}");
            open_configuration(&mut editor, name, text);
            assert_eq!(severities(&mut editor), [json!(1)], "{name}");
            edited(&mut editor, name, "");
            assert_eq!(severities(&mut editor), closed, "{name}");
            edited(&mut editor, name, text);
            assert_eq!(severities(&mut editor), [json!(1)], "{name}");
            // Another file changes: the open text still counts.
            changed(&mut editor, "Pulumi.dev.yaml", "");
            assert_eq!(severities(&mut editor), [json!(1)], "{name}");
            let document = json!({ "uri": editor.uri(name) });
            editor.notify("textDocument/didClose", json!({ "textDocument": document }));
            assert_eq!(severities(&mut editor), closed, "{name}");
        }
    }
}

/// So does that of a file that another one extends.
#[test]
fn the_open_text_of_an_extended_configuration_counts() {
    let mut editor = Editor::new(pushed());
    editor.write("shop/base/strict.pcl.toml", "");
    editor.write("shop/pcl.toml", "extend = \"base/strict.pcl.toml\"\n");
    editor.write("shop/main.pp", "size = 1\n");
    editor.open("shop/main.pp", "size = 1\n");
    assert!(published(&mut editor, "shop/main.pp").is_empty());
    let text = "select = [\"unused\"]\n";
    open_configuration(&mut editor, "shop/base/strict.pcl.toml", text);
    assert_eq!(published(&mut editor, "shop/main.pp"), ["PCL0701"]);
    edited(&mut editor, "shop/base/strict.pcl.toml", "ignore = [\"unused\"]\n");
    assert!(published(&mut editor, "shop/main.pp").is_empty());
}

#[test]
fn the_report_about_the_workspace_has_configuration_files() {
    for (name, text, code) in INVALID {
        let mut editor = Editor::new(capabilities());
        editor.write(name, text);
        // A program by itself, and one with a valid file that is nearer.
        editor.write("a/main.pp", MISSPELLED);
        editor.write("b/main.pp", MISSPELLED);
        editor.write("b/pcl.toml", "");
        let [a, b, file] = ["a/main.pp", "b/main.pp", name].map(|name| editor.uri(name));
        let (found, ids) = workspace(&mut editor, &json!([]));
        let of = |found: &[(String, Vec<String>)], uri: &str| {
            let found = found.iter().find(|(known, _)| known == uri);
            found.map(|(_, codes)| codes.clone())
        };
        assert_eq!(of(&found, &a), Some(Vec::new()), "{name} {text}");
        assert_eq!(of(&found, &b), Some(vec!["PCL0601".to_owned()]));
        assert_eq!(of(&found, &file), Some(vec![code.to_owned()]));
        let shown = editor.notified("window/showMessage");
        assert_eq!(shown["type"], 1);

        changed(&mut editor, name, "");
        let (found, _) = workspace(&mut editor, &ids);
        assert_eq!(of(&found, &a), Some(vec!["PCL0601".to_owned()]));
        assert_eq!(of(&found, &file), Some(Vec::new()), "taken back");
    }
}

/// A configuration file that a search over the folders reported stays reported when a schema is
/// edited.
#[test]
fn an_edit_of_a_schema_takes_no_configuration_back() {
    let (name, text, code) = INVALID[0];
    let name = &format!("below/{name}");
    let mut editor = Editor::new(pushed());
    editor.write(name, text);
    editor.write("below/main.pp", MISSPELLED);
    editor.open("main.pp", "size = 1\n");
    editor.request("workspace/symbol", json!({ "query": "size" })).expect("symbols");
    editor.replace("main.pp", 2, "size = 2\n");
    assert_eq!(published(&mut editor, name), [code]);

    open_configuration(&mut editor, "schemas/zoo.json", "{}");
    let [main, file] = ["main.pp", &**name].map(|name| editor.uri(name));
    for text in ["{ }", "{  }"] {
        edited(&mut editor, "schemas/zoo.json", text);
        let message = editor.wait(|message| {
            let uri = &message["params"]["uri"];
            message["method"] == "textDocument/publishDiagnostics" && (*uri == main || *uri == file)
        });
        assert_eq!(message["params"]["uri"], main);
    }
}
