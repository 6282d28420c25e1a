//! The requests of small programs.

use pcl_test_support::engine::{evaluated, vectors};
use serde_json::{Value as Json, json};

/// The requests of a program in a preview.
fn requests(main: &str, responses: &Json) -> Vec<Json> {
    let schema = &vectors("registration.json")["schema"];
    let program = json!({ "id": main, "files": { "main.pp": main }, "responses": responses });
    let (outcome, events) = evaluated(&program, true, schema, Some(1)).expect("a program");
    assert!(outcome.outputs.is_some(), "{:?}", outcome.diagnostics);
    events
}

/// The arguments before a list of unknown length are evaluated once.
#[test]
fn an_argument_is_evaluated_once() {
    let main = r#"resource a "lab:index:Box" {}
most = max(length(invoke("lab:index:getThing", { name = "x" }).result), a.list...)
output most { value = most }
"#;
    let responses = json!({ "lab:index:getThing": { "outputs": { "result": "R" } } });
    let events = requests(main, &responses);
    let invokes = events.iter().filter(|event| event["method"] == "Invoke");
    assert_eq!(invokes.count(), 1);
}

#[test]
fn a_trigger_that_is_null_is_left_out() {
    let main = r#"resource a "lab:index:Box" {
  options {
    replacementTrigger = null
  }
}
"#;
    let events = requests(main, &json!({}));
    let mut registrations = events.iter().map(|event| &event["request"]);
    let box_a = registrations.find(|request| request["name"] == "a");
    let box_a = box_a.expect("a registration");
    assert_eq!(box_a.get("replacementTrigger"), None);
}

/// The engine skips the resource then.
#[test]
fn an_option_that_needs_a_failed_resource_is_left_out() {
    let text = "resource bad \"lab:index:Box\" {\n}\n\
                resource next \"lab:index:Box\" {\n  options {\n    protect = bad.flag\n  }\n}\n";
    let program = json!({
        "files": { "main.pp": text },
        "features": ["REGISTER_RESOURCE_OUTPUT_VALUES"],
        "responses": { "bad": { "result": "FAIL" } },
    });
    let schema = &vectors("registration.json")["schema"];
    let (outcome, events) = evaluated(&program, false, schema, None).expect("a program");
    assert!(outcome.outputs.is_some(), "{:?}", outcome.diagnostics);
    let mut requests = events.iter().map(|event| &event["request"]);
    let next = requests.find(|request| request["name"] == "next").expect("a registration");
    assert_eq!(next.get("protect"), None);
    assert_eq!(next["dependencies"], json!(["urn:pulumi:dev::proj::lab:index:Box::bad"]));
}
