//! Calls, as the engine sees them.

use serde_json::json;

use crate::environment::vectors;
use crate::registration_vectors::evaluated;

/// The arguments before a list of unknown length are evaluated once.
#[test]
fn an_argument_is_evaluated_once() {
    let main = r#"resource a "lab:index:Box" {}
most = max(length(invoke("lab:index:getThing", { name = "x" }).result), a.list...)
output most { value = most }
"#;
    let schema = &vectors("registration.json")["schema"];
    let responses = json!({ "lab:index:getThing": { "outputs": { "result": "R" } } });
    let program = json!({ "id": "once", "files": { "main.pp": main }, "responses": responses });
    let (outcome, events) = evaluated(&program, true, schema, Some(1)).expect("a program");
    assert!(outcome.outputs.is_some(), "{:?}", outcome.diagnostics);
    let invokes = events.iter().filter(|event| event["method"] == "Invoke");
    assert_eq!(invokes.count(), 1);
}
