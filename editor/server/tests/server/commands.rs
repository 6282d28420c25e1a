use std::sync::Arc;

use pcl_server::Environment;
use serde_json::{Value, json};

use crate::environment::environment;
use crate::support::{Editor, capabilities};

const EXECUTE: &str = "workspace/executeCommand";

#[test]
fn commands_answer_with_text() {
    let (mut editor, _) = Editor::with("a = [1]\n");
    for argument in [json!({ "code": "PCL0601" }), json!("pcl0601")] {
        let params = json!({ "command": "pcl.explain", "arguments": [argument] });
        let page = editor.request(EXECUTE, params).expect("a page");
        let page = page.as_str().expect("a text");
        assert!(page.starts_with("# PCL0601 "), "{page}");
    }
    let uri = editor.uri("main.pp");
    let params = json!({ "command": "pcl.showModel", "arguments": [{ "uri": uri }] });
    let model = editor.request(EXECUTE, params).expect("a model");
    let model = model.as_str().expect("a text");
    assert!(model.contains("local: a "), "{model}");
}

#[test]
fn a_wrong_command_is_an_error() {
    let (mut editor, _) = Editor::with("");
    for params in [
        json!({ "command": "pcl.nothing" }),
        json!({ "command": "pcl.explain" }),
        json!({ "command": "pcl.explain", "arguments": [1] }),
        json!({ "command": "pcl.explain", "arguments": ["PCL9999"] }),
        json!({ "command": "pcl.showModel", "arguments": [{ "uri": "untitled:x" }] }),
    ] {
        let error = editor.request(EXECUTE, params).expect_err("it is wrong");
        assert_eq!(error["code"], -32602, "{error}");
    }
}

/// A server that may get schemas: that of `ark`, and no other.
fn generous() -> Environment<'static> {
    Environment {
        add_schema: Some(Arc::new(|directory, package| match package {
            "ark" => {
                let schema = json!({ "name": "ark", "resources": { "ark:index:Boat": {} } });
                let path = directory.join("schemas/ark.json");
                std::fs::write(path, schema.to_string()).map_err(|error| error.to_string())?;
                Ok("ark is there\n".to_owned())
            }
            _ => Err(format!("there is no {package}\n")),
        })),
        ..environment()
    }
}

fn missing_schema_actions(editor: &mut Editor) -> Vec<Value> {
    let at = json!({ "line": 0, "character": 18 });
    let params = json!({
        "textDocument": { "uri": editor.uri("main.pp") },
        "range": { "start": at, "end": at },
        "context": { "diagnostics": [] },
    });
    let actions = editor.request("textDocument/codeAction", params).expect("actions");
    let actions = actions.as_array().expect("a list").iter();
    let is_wanted = |action: &&Value| action["command"]["command"] == "pcl.addSchema";
    actions.filter(is_wanted).cloned().collect()
}

fn diagnostics(editor: &mut Editor) -> Value {
    let document = json!({ "textDocument": { "uri": editor.uri("main.pp") } });
    let report = editor.request("textDocument/diagnostic", document);
    report.expect("a report")["items"].clone()
}

#[test]
fn a_missing_schema_is_got_where_the_user_lets_the_server_do_so() {
    let text = "resource boat \"ark:index:Boat\" {}\n";
    let mut editor = Editor::new_in(generous, capabilities());
    editor.open("main.pp", text);
    assert_eq!(diagnostics(&mut editor)[0]["code"], "PCL0408");
    let actions = missing_schema_actions(&mut editor);
    let [action] = actions.as_slice() else { panic!("{actions:?}") };
    assert_eq!(action["title"], "get the schema of `ark`");
    let answer = editor.request(EXECUTE, action["command"].clone());
    assert_eq!(answer, Ok(Value::Null));
    let shown = editor.notified("window/showMessage");
    assert_eq!(shown, json!({ "type": 3, "message": "ark is there" }));
    // The server reads the directory when its turn comes.
    while diagnostics(&mut editor) != json!([]) {}

    let arguments = json!([{ "uri": editor.uri("main.pp"), "package": "dove" }]);
    let params = json!({ "command": "pcl.addSchema", "arguments": arguments });
    assert_eq!(editor.request(EXECUTE, params), Ok(Value::Null));
    let shown = editor.notified("window/showMessage");
    assert_eq!(shown, json!({ "type": 1, "message": "there is no dove" }));
}

#[test]
fn without_permission_there_is_no_command_for_schemas() {
    let (mut editor, _) = Editor::with("resource boat \"ark:index:Boat\" {}\n");
    assert_eq!(missing_schema_actions(&mut editor), Vec::<Value>::new());
    let arguments = json!([{ "uri": editor.uri("main.pp"), "package": "ark" }]);
    let params = json!({ "command": "pcl.addSchema", "arguments": arguments });
    let error = editor.request(EXECUTE, params).expect_err("it is unknown");
    assert_eq!(error["message"], "there is no command `pcl.addSchema`");
}
