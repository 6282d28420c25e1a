use serde_json::json;

use crate::support::Editor;

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
