//! Requests of a host, right and wrong, without a module.

use std::sync::{Arc, Mutex};

use pcl_embedded::schemas::Document;
use pcl_plain::requests::{Answer, Instance};
use serde_json::{Value, json};

const ZOO: &str = r#"{ "name": "zoo", "version": "1.0.0", "resources": { "zoo:index:Cage": {
    "inputProperties": { "bars": { "type": "integer" } }, "requiredInputs": ["bars"] } } }"#;

fn request(header: &Value, contents: &[&[u8]]) -> Vec<u8> {
    let header = header.to_string();
    let length = u32::try_from(header.len()).unwrap().to_le_bytes();
    [&length, header.as_bytes(), &contents.concat()].concat()
}

/// The request that asks something about the program of one text.
fn about(ask: Value, text: &str) -> Vec<u8> {
    let files = json!([{ "path": "main.pp", "size": text.len() }]);
    request(&json!({ "ask": ask, "files": files }), &[text.as_bytes()])
}

fn done(instance: &mut Instance, request: &[u8]) -> Value {
    match instance.answer(request) {
        Answer::Done(json) => serde_json::from_slice(&json).unwrap(),
        Answer::Refused(message) => panic!("{message}"),
    }
}

fn refused(instance: &mut Instance, request: &[u8]) -> String {
    match instance.answer(request) {
        Answer::Done(json) => panic!("{}", String::from_utf8_lossy(&json)),
        Answer::Refused(message) => message,
    }
}

#[test]
fn mistakes_of_programs_are_diagnostics() {
    let mut instance = Instance::new(|_| None);
    let found = done(&mut instance, &about(json!("check"), "size = lenght([1, 2])\n"));
    assert_eq!(found["programs"][0]["diagnostics"][0]["code"], "PCL0601");
    let wrong = request(
        &json!({ "ask": "check", "files": [{ "path": "main.pp", "size": 2 }] }),
        &[b"\xff\x80"],
    );
    assert_eq!(done(&mut instance, &wrong)["programs"][0]["diagnostics"][0]["code"], "PCL0005");
}

#[test]
fn a_program_becomes_projects_in_all_languages() {
    let mut instance = Instance::new(|_| None);
    let version = done(&mut instance, &request(&json!({ "ask": "version" }), &[]));
    assert_eq!(version["version"], env!("CARGO_PKG_VERSION"));
    let languages = version["languages"].as_array().unwrap();
    assert!(languages.len() >= 4);
    let ask = json!({ "convert": { "languages": languages, "name": "shop" } });
    let projects = done(&mut instance, &about(ask, "output greeting {\n  value = \"Hello!\"\n}\n"));
    for (project, language) in projects.as_array().unwrap().iter().zip(languages) {
        assert_eq!(&project["language"], language);
        assert_eq!(project["complete"], true);
        assert_eq!(project["check"]["programs"][0]["diagnostics"], json!([]));
        assert!(!project["files"].as_object().unwrap().is_empty());
    }
    let ask =
        json!({ "convert": { "languages": ["python"], "name": "shop", "python_toolchain": "uv" } });
    let projects = done(&mut instance, &about(ask, "size = 1\n"));
    assert!(projects[0]["files"].get("pyproject.toml").is_some());
    let ask = json!({ "convert": { "languages": ["yaml"], "name": "shop" } });
    let projects = done(&mut instance, &about(ask, "size = lenght([])\n"));
    assert_eq!((&projects[0]["files"], &projects[0]["complete"]), (&json!({}), &json!(false)));
}

#[test]
fn texts_are_formatted() {
    let mut instance = Instance::new(|_| None);
    assert_eq!(done(&mut instance, &about(json!("format"), "a=1\n")), "a = 1\n");
    assert_eq!(done(&mut instance, &about(json!("format"), "a=[\n")), Value::Null);
}

#[test]
fn documents_have_the_form_for_an_sdk() {
    let mut instance = Instance::new(|_| None);
    let text = "a = toJSON({ b = [1] })\n";
    for ask in [json!({ "bind": {} }), json!({ "bind": { "sdk": "nodejs" } })] {
        let document = done(&mut instance, &about(ask, text));
        assert_eq!(document["format"], "pcl-document");
    }
    let message = refused(&mut instance, &about(json!({ "bind": { "sdk": "cobol" } }), text));
    assert_eq!(message, "unknown SDK `cobol`; expected `nodejs`, `python`, `go` or `java`");
}

#[test]
fn schemas_are_asked_for_once() {
    let asked = Arc::new(Mutex::new(Vec::new()));
    let log = Arc::clone(&asked);
    let mut instance = Instance::new(move |request| {
        let request: Value = serde_json::from_str(request).unwrap();
        let is_zoo = request["name"] == "zoo";
        log.lock().unwrap().push(request["name"].clone());
        is_zoo.then(|| Document::Text(ZOO.into()))
    });
    let text =
        "resource cage \"zoo:index:Cage\" {\n  bars = 12\n}\nresource a \"farm:index:A\" {\n}\n";
    for _ in 0..2 {
        let found = done(&mut instance, &about(json!("check"), text));
        assert_eq!(found["programs"][0]["errors"], 1, "{found}");
    }
    // Somebody may have put the missing one there in the meantime.
    let mut asked = asked.lock().unwrap().clone();
    asked.sort_by_key(ToString::to_string);
    assert_eq!(asked, ["farm", "farm", "zoo"]);
}

#[test]
fn settings_hold_for_all_requests() {
    let mut instance = Instance::new(|_| None);
    let settings = json!({ "settings": { "missing-schema": "ignore" }, "places": ["the zoo"] });
    let configure = request(&json!({ "ask": { "configure": settings } }), &[]);
    assert_eq!(done(&mut instance, &configure), Value::Null);
    let text = "resource cage \"zoo:index:Cage\" {\n}\n";
    let found = done(&mut instance, &about(json!("check"), text));
    assert_eq!(found["programs"][0]["valid"], true);
    for (settings, message) in [
        (json!({ "settings": { "mising-schema": "ignore" } }), "mising-schema"),
        (json!({ "packages": [{ "name": "zoo", "version": "one" }] }), "`one` of `zoo`"),
        (json!({ "setings": {} }), "setings"),
    ] {
        let configure = request(&json!({ "ask": { "configure": settings } }), &[]);
        let found = refused(&mut instance, &configure);
        assert!(found.contains(message), "{found}");
    }
}

#[test]
fn wrong_requests_are_refused() {
    let mut instance = Instance::new(|_| None);
    let whole = about(json!("check"), "size = 1\n");
    for end in 0..whole.len() {
        assert!(!refused(&mut instance, &whole[..end]).is_empty());
    }
    let deep = "[".repeat(100_000);
    for header in ["", "{}", "nonsense", "{\"ask\":\"dance\"}", "{\"ask\":null}", &deep] {
        let length = (header.len() as u32).to_le_bytes();
        let found = refused(&mut instance, &[&length, header.as_bytes()].concat());
        assert!(found.starts_with("the header: "), "{found}");
    }
    let huge = json!({ "ask": "check", "files": [{ "path": "main.pp", "size": usize::MAX }] });
    assert_eq!(refused(&mut instance, &request(&huge, &[])), "a file is cut off");
    // The instance goes on.
    assert_eq!(done(&mut instance, &whole)["programs"][0]["valid"], true);
}
