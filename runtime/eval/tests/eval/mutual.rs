//! Components that need each other, as the engine sees them.

use pcl_test_support::engine::{evaluated, vectors};
use serde_json::{Value as Json, json};

const PART: &str = r#"config partner string {}
resource free "lab:index:Box" {
  name = "free"
}
resource bound "lab:index:Box" {
  name = partner
}
output free { value = free.name }
output bound { value = bound.name }
output all { value = [free.name, partner] }
"#;

const MAIN: &str = r#"component one "./part" {
  partner = join(",", [for part in many : part.free])
}
component many "./part" {
  options {
    range = 2
  }
  partner = "${one.free}-${range.value}"
}
resource last "lab:index:Box" {
  name = many[1].bound
}
"#;

/// The requests of the program in a run that succeeds.
fn requests(responses: &Json, parallel: Option<usize>) -> Vec<Json> {
    let schema = &vectors("registration.json")["schema"];
    let files = json!({ "main.pp": MAIN, "part/main.pp": PART });
    let program = json!({ "id": "mutual", "files": files, "responses": responses });
    let (outcome, events) = evaluated(&program, false, schema, parallel).expect("a program");
    assert!(outcome.outputs.is_some(), "{:?}", outcome.diagnostics);
    events
}

fn registration<'e>(events: &'e [Json], name: &str) -> Option<&'e Json> {
    let mut requests = events.iter().map(|event| &event["request"]);
    requests.find(|request| request["name"] == name)
}

fn urn(kind: &str, name: &str) -> String {
    format!("urn:pulumi:dev::proj::{kind}::{name}")
}

#[test]
fn each_depends_on_what_it_takes() {
    let events = requests(&json!({}), Some(1));
    let found = |name: &str| registration(&events, name).expect("a registration");
    let depends_on = |name: &str| {
        let mut urns = found(name)["dependencies"].clone();
        urns.as_array_mut().expect("dependencies").sort_by_key(Json::to_string);
        urns
    };
    let inner = "components:index:Part$lab:index:Box";
    for name in ["one", "many-0", "many-1"] {
        assert_eq!(found(name)["object"], json!({}));
        assert_eq!(found(name).get("dependencies"), None);
    }
    assert_eq!(found("one-bound")["object"]["name"]["value"], "free,free");
    assert_eq!(found("many-1-bound")["object"]["name"]["value"], "free-1");
    let of_many = ["many-0-free", "many-1-free"].map(|name| urn(inner, name));
    assert_eq!(depends_on("one-bound"), json!(of_many));
    assert_eq!(depends_on("many-1-bound"), json!([urn(inner, "one-free")]));
    // What comes after both depends on the component too.
    let last = [urn(inner, "many-1-bound"), urn("components:index:Part", "many-1")];
    assert_eq!(depends_on("last"), json!(last));
    let outputs = events.iter().find(|event| {
        event["method"] == "RegisterResourceOutputs"
            && event["request"]["urn"] == urn("components:index:Part", "one")
    });
    assert!(outputs.is_some_and(|event| event.to_string().contains("free,free")));
}

#[test]
fn the_order_does_not_matter() {
    let texts = |parallel| {
        let events = requests(&json!({}), Some(parallel));
        let mut texts: Vec<String> = events.iter().map(Json::to_string).collect();
        texts.sort();
        texts
    };
    let one = texts(1);
    for parallel in [0, 2, 3] {
        assert_eq!(texts(parallel), one);
    }
}

#[test]
fn only_what_needs_a_failed_resource_fails() {
    let responses = json!({ "many-0-free": { "result": "FAIL" } });
    let events = requests(&responses, Some(1));
    assert!(registration(&events, "one-bound").is_none());
    // The part that fails is not what these need.
    for name in ["many-0-bound", "many-1-bound", "last"] {
        assert!(registration(&events, name).is_some(), "{name}");
    }
}
