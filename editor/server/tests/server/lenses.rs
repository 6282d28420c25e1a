use serde_json::{Value, json};

use pcl_server::Environment;

use crate::environment::environment;
use crate::support::{Editor, capabilities};

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

/// A state of the project `shop` with these resources of the package `zoo`: name and name of the
/// animal.
fn state(animals: &[(&str, &str)]) -> Value {
    let stack = "urn:pulumi:dev::shop::pulumi:pulumi:Stack::shop-dev";
    let provider = "urn:pulumi:dev::shop::pulumi:providers:zoo::default_1_2_0";
    let mut resources = vec![
        json!({ "urn": stack, "custom": false, "type": "pulumi:pulumi:Stack" }),
        json!({ "urn": provider, "custom": true, "id": "p", "type": "pulumi:providers:zoo",
            "inputs": { "version": "1.2.0" } }),
    ];
    resources.extend(animals.iter().map(|(block, name)| {
        json!({ "urn": format!("urn:pulumi:dev::shop::zoo:index:Animal::{block}"), "custom": true,
            "id": block, "type": "zoo:index:Animal", "inputs": { "cage": "c", "name": name }, "parent": stack,
            "provider": format!("{provider}::p") })
    }));
    json!({ "version": 3, "deployment": { "resources": resources } })
}

fn animal(block: &str, name: &str) -> String {
    format!("resource {block} \"zoo:index:Animal\" {{\n  cage = \"c\"\n  name = \"{name}\"\n}}\n")
}

/// The lines and titles of the lenses of the program.
fn titles(editor: &mut Editor) -> Vec<String> {
    let params = json!({ "textDocument": { "uri": editor.uri("main.pp") } });
    let lenses = editor.request("textDocument/codeLens", params).expect("lenses");
    let lenses = lenses.as_array().cloned().unwrap_or_default();
    let title = |lens: &Value| {
        let line = &lens["range"]["start"]["line"];
        format!("{line}: {}", lens["command"]["title"].as_str().unwrap_or_default())
    };
    lenses.iter().map(title).collect()
}

/// The plan is that of the saved program: it is not made again for each key stroke.
#[test]
fn steps_are_shown_for_a_state_of_the_user() {
    let directory = tempfile::tempdir().expect("a directory");
    let file = directory.path().join("state.json");
    let text = state(&[("same", "Leo"), ("changed", "Bea")]).to_string();
    std::fs::write(&file, text).expect("a state");
    let environment = || Environment { state: Some(file), ..environment() };
    let mut editor = Editor::new_in(environment, capabilities());
    editor.write("Pulumi.yaml", "name: shop\nruntime: pcl\n");
    let text = [animal("same", "Leo"), animal("changed", "Zoe"), animal("new", "Kim")].concat();
    editor.open("main.pp", &text);
    let expected = ["4: would update (the provider decides)", "8: would create"];
    assert_eq!(titles(&mut editor), expected);
    let text = format!("\n{text}").replace("Leo", "Lea");
    editor.replace("main.pp", 2, &text);
    let expected = ["5: would update (the provider decides)", "9: would create"];
    assert_eq!(titles(&mut editor), expected);
    let saved = json!({ "textDocument": { "uri": editor.uri("main.pp") } });
    editor.notify("textDocument/didSave", saved);
    assert_eq!(titles(&mut editor).len(), 3);
}

/// A project cannot name a state, and that of another project is not planned for.
#[test]
fn a_project_does_not_choose_the_state() {
    let directory = tempfile::tempdir().expect("a directory");
    let file = directory.path().join("state.json");
    std::fs::write(&file, state(&[]).to_string()).expect("a state");
    let mut editor = Editor::new(capabilities());
    editor.write("Pulumi.yaml", "name: shop\nruntime: pcl\n");
    editor.open("main.pp", &animal("new", "Kim"));
    let settings = json!({ "settings": { "pcl": { "state": file } } });
    editor.notify("workspace/didChangeConfiguration", settings);
    assert_eq!(titles(&mut editor), [""; 0]);
    let environment = || Environment { state: Some(file), ..environment() };
    let mut editor = Editor::new_in(environment, capabilities());
    editor.write("Pulumi.yaml", "name: other\nruntime: pcl\n");
    editor.open("main.pp", &animal("new", "Kim"));
    assert_eq!(titles(&mut editor), [""; 0]);
}

#[test]
fn a_damaged_state_is_reported_once() {
    let directory = tempfile::tempdir().expect("a directory");
    let file = directory.path().join("state.json");
    std::fs::write(&file, "{ \"version\": 3 }").expect("a state");
    let environment = || Environment { state: Some(file), ..environment() };
    let mut editor = Editor::new_in(environment, capabilities());
    editor.open("main.pp", &animal("new", "Kim"));
    assert_eq!(titles(&mut editor), [""; 0]);
    let shown = editor.notified("window/showMessage");
    let shown = shown["message"].as_str().unwrap_or_default();
    assert!(shown.contains("PCL1101"), "{shown}");
}
