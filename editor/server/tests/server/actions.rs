use serde_json::{Value, json};

use crate::formatting::applied;
use crate::support::{Editor, capabilities, without_cursor};

/// The actions at the cursor of `main.pp`.
fn actions(editor: &mut Editor, position: &Value, context: Value) -> Vec<Value> {
    let mut context = context;
    context["diagnostics"] = json!([]);
    let params = json!({
        "textDocument": { "uri": editor.uri("main.pp") },
        "range": { "start": position, "end": position },
        "context": context,
    });
    let actions = editor.request("textDocument/codeAction", params);
    actions.expect("actions").as_array().expect("a list").clone()
}

fn titles(actions: &[Value]) -> Vec<&str> {
    let titles = actions.iter().map(|action| action["title"].as_str());
    titles.map(Option::unwrap_or_default).collect()
}

fn titled(actions: &[Value], title: &str) -> Value {
    let mut found = actions.iter().filter(|action| action["title"] == title);
    let found = found.next().cloned();
    found.unwrap_or_else(|| panic!("{title}: {:?}", titles(actions)))
}

/// The edits of the only document that an action changes.
fn edits(action: &Value) -> &Value {
    let changes = action["edit"]["documentChanges"].as_array();
    let [change] = &changes.expect("changes")[..] else {
        panic!("{action}");
    };
    assert_eq!(change["textDocument"]["version"], 1);
    &change["edits"]
}

const TEXT: &str = "é = \"𐍈\"\na = lengh▮t([é]);\nb = 1;\n";

#[test]
fn a_diagnostic_has_fixes_a_suppression_and_an_explanation() {
    let (text, position) = without_cursor("a = leng▮ht([1])\nb = lenght([2])\n");
    let (mut editor, _) = Editor::with(&text);
    let found = actions(&mut editor, &position, json!({ "only": ["quickfix"] }));
    assert_eq!(
        titles(&found),
        [
            "call `length`",
            "suppress `unknown-function` here",
            "explain PCL0601 `unknown-function`",
            "fix all `unknown-function` in this file",
        ]
    );
    let fix = titled(&found, "call `length`");
    assert_eq!(applied(&text, edits(&fix)), text.replacen("lenght", "length", 1));
    assert_eq!(fix["kind"], "quickfix");
    assert_eq!(fix["diagnostics"][0]["code"], "PCL0601");
    let suppression = titled(&found, "suppress `unknown-function` here");
    let expected = text.replacen("\n", " # pcl: ignore[unknown-function]\n", 1);
    assert_eq!(applied(&text, edits(&suppression)), expected);
    let explanation = titled(&found, "explain PCL0601 `unknown-function`");
    assert_eq!(explanation["command"]["command"], "pcl.explain");
    let command = explanation["command"].clone();
    assert!(editor.request("workspace/executeCommand", command).is_ok());
    let all = titled(&found, "fix all `unknown-function` in this file");
    assert!(all["edit"].is_null());
    let all = editor.request("codeAction/resolve", all).expect("its edit");
    assert_eq!(applied(&text, edits(&all)), text.replace("lenght", "length"));
}

#[test]
fn safe_fixes_are_preferred_and_applied_together() {
    let (text, position) = without_cursor(TEXT);
    let (mut editor, _) = Editor::with(&text);
    let all = json!({ "only": ["source.fixAll"] });
    let found = actions(&mut editor, &position, all.clone());
    assert_eq!(titles(&found), ["apply all safe fixes in this file"]);
    assert_eq!(found[0]["kind"], "source.fixAll.pcl");
    let action = editor.request("codeAction/resolve", found[0].clone());
    let expected = text.replace(';', "");
    assert_eq!(applied(&text, edits(&action.expect("its edit"))), expected);

    let end = json!({ "line": 1, "character": 15 });
    let quick = actions(&mut editor, &end, json!({ "only": ["quickfix"] }));
    let preferred = quick.iter().filter(|action| action["isPreferred"] == true);
    assert_eq!(preferred.count(), 1, "{quick:?}");

    // An editor that cannot ask for edits gets them at once, and others their changes by address.
    let mut old = capabilities();
    old["textDocument"]["codeAction"] = json!({});
    old["workspace"]["workspaceEdit"] = json!({});
    let mut editor = Editor::new(old);
    editor.open("main.pp", &text);
    let found = actions(&mut editor, &position, all);
    let changes = &found[0]["edit"]["changes"][editor.uri("main.pp")];
    assert_eq!(applied(&text, changes), expected);
}

#[test]
fn only_what_is_asked_for_is_offered() {
    let (text, position) = without_cursor("a = [1 ▮+ 2]\nb = a\n");
    let (mut editor, _) = Editor::with(&text);
    let extract = "extract into a local";
    for (context, expected) in [
        (json!({}), &[extract] as &[&str]),
        (json!({ "triggerKind": 1 }), &[extract]),
        (json!({ "triggerKind": 2 }), &[]),
        (json!({ "only": ["refactor"] }), &[extract]),
        (json!({ "only": ["refactor.extract"] }), &[extract]),
        (json!({ "only": ["refactor.ext"] }), &[]),
        (json!({ "only": ["refactor.inline"] }), &[]),
        (json!({ "only": ["source"] }), &[]),
    ] {
        let found = actions(&mut editor, &position, context.clone());
        assert_eq!(titles(&found), expected, "{context}");
    }
    let found = actions(&mut editor, &position, json!({}));
    let expected = "value = 1 + 2\na = [value]\nb = a\n";
    assert_eq!(applied(&text, edits(&found[0])), expected);
}

#[test]
fn required_inputs_are_added() {
    let (text, header) = without_cursor("resource c ▮\"zoo:index:Cage\" {\n}\n");
    let (_, position) = without_cursor("resource c \"zoo:index:Cage\" {▮\n}\n");
    let (mut editor, _) = Editor::with(&text);
    let found = actions(&mut editor, &header, json!({ "only": ["refactor.rewrite"] }));
    assert_eq!(titles(&found), ["add the required inputs"]);
    let found = actions(&mut editor, &position, json!({ "only": ["refactor.rewrite"] }));
    assert_eq!(titles(&found), ["add the required inputs", "add all inputs"]);
    let added = applied(&text, edits(&found[0]));
    assert_eq!(added, "resource c \"zoo:index:Cage\" {\n  bars = 0\n}\n");
    // What is deprecated is left out.
    let added = applied(&text, edits(&found[1]));
    let all = "  bars   = 0\n  color  = \"\"\n  labels = {}\n";
    assert_eq!(added, format!("resource c \"zoo:index:Cage\" {{\n{all}}}\n"));
}

#[test]
fn an_edit_reaches_other_files_of_the_program() {
    let (text, position) = without_cursor("▮a = [1]\n");
    let (mut editor, _) = Editor::with(&text);
    editor.write("other.pp", "b = a\n");
    let params = json!({ "changes": [{ "uri": editor.uri("other.pp"), "type": 1 }] });
    editor.notify("workspace/didChangeWatchedFiles", params);
    let found = actions(&mut editor, &position, json!({ "only": ["refactor.inline"] }));
    let changes = found[0]["edit"]["documentChanges"].as_array();
    let other = changes
        .expect("changes")
        .iter()
        .find(|change| change["textDocument"]["uri"] == editor.uri("other.pp"));
    let other = other.expect("a change of the other file");
    assert!(other["textDocument"]["version"].is_null());
    assert_eq!(applied("b = a\n", &other["edits"]), "b = [1]\n");
}

/// A new file comes before its text and the other edits, for editors that make files.
#[test]
fn a_component_is_made_in_a_file_of_its_own() {
    let text = "resource ca▮ge \"zoo:index:Cage\" {\n  bars = 1\n}\n";
    for creates in [false, true] {
        let mut capabilities = capabilities();
        if creates {
            capabilities["workspace"]["workspaceEdit"]["resourceOperations"] = json!(["create"]);
        }
        let mut editor = Editor::new(capabilities);
        editor.write("main.pp", &text.replace('▮', ""));
        let position = editor.open("main.pp", text);
        let found = actions(&mut editor, &position, json!({ "only": ["refactor"] }));
        let title = "extract into the component `./cageGroup`";
        if !creates {
            assert!(!titles(&found).contains(&title), "{found:?}");
            continue;
        }
        let action = titled(&found, title);
        let changes = action["edit"]["documentChanges"].as_array().expect("changes");
        let uri = editor.uri("cageGroup/main.pp");
        assert_eq!(changes[0], json!({ "kind": "create", "uri": uri }));
        assert_eq!(changes[1]["textDocument"]["uri"], uri);
        assert!(changes[1]["edits"][0]["newText"].as_str().is_some_and(|it| it.contains("alias")));
        assert_eq!(changes[2]["textDocument"]["uri"], editor.uri("main.pp"));
        assert_eq!(action["kind"], "refactor.extract");
        let moved = titled(&found, "move to the new file `moved.pp`");
        assert_eq!(moved["kind"], "refactor.move");
    }
}
