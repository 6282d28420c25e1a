//! The published JSON Schemas describe what the command prints: every field that is promised is there, and none that is not described.

mod support;

use serde_json::Value;
use support::json_schema::JsonSchema;
use support::{pcl, root};

const SCHEMAS: &str = "corpus/schemas";

/// The programs of the corpus, valid and broken.
fn programs() -> Vec<String> {
    let mut paths = Vec::new();
    for kind in ["valid", "broken"] {
        let directory = root().join("corpus").join(kind);
        for entry in std::fs::read_dir(directory).expect("the corpus is there") {
            let name = entry.expect("an entry can be read").file_name();
            paths.push(format!("corpus/{kind}/{}", name.to_string_lossy()));
        }
    }
    paths.sort();
    paths
}

#[test]
fn check_json() {
    let mut arguments = vec!["check", "--schema-dir", SCHEMAS, "--output-format", "json"];
    let programs = programs();
    arguments.extend(programs.iter().map(String::as_str));
    let schema = JsonSchema::published("check");
    accept(&schema, &pcl(arguments).json());
}

#[test]
fn check_json_lines() {
    let mut arguments = vec![
        "check",
        "--schema-dir",
        SCHEMAS,
        "--output-format",
        "json-lines",
    ];
    let programs = programs();
    arguments.extend(programs.iter().map(String::as_str));
    let schema = JsonSchema::published("check-lines");
    for line in pcl(arguments).stdout.lines() {
        accept(
            &schema,
            &serde_json::from_str(line).expect("a line is JSON"),
        );
    }
}

#[test]
fn dump_bound_json() {
    let schema = JsonSchema::published("bound");
    for program in programs() {
        let run = pcl([
            "dump",
            "bound",
            "--schema-dir",
            SCHEMAS,
            "--output-format",
            "json",
            &program,
        ]);
        accept(&schema, &run.json());
    }
}

#[test]
fn dump_bound_full_json() {
    let schema = JsonSchema::published("document");
    for program in programs() {
        let run = pcl([
            "dump",
            "bound",
            "--full",
            "--schema-dir",
            SCHEMAS,
            "--output-format",
            "json",
            &program,
        ]);
        accept(&schema, &run.json());
    }
    let run = pcl(["dump", "bound", "--full", "corpus/valid/webserver"]);
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("--output-format json"));
}

#[test]
fn dump_syntax_json() {
    let schema = JsonSchema::published("syntax");
    for program in programs() {
        for what in ["tokens", "tree", "ast"] {
            let run = pcl(["dump", what, "--output-format", "json", &program]);
            accept(&schema, &run.json());
        }
    }
}

#[test]
fn the_validator_refuses() {
    let schema = JsonSchema::published("check");
    let good = serde_json::json!({ "format_version": "1.0", "programs": [
        { "path": "a", "valid": true, "errors": 0, "warnings": 0, "diagnostics": [] } ] });
    assert_eq!(schema.fault(&good), None);
    for (pointer, value) in [
        ("/format_version", serde_json::json!("2.0")),
        ("/programs", serde_json::json!({})),
        ("/programs/0", serde_json::json!({ "path": "a" })),
        ("/programs/0/errors", serde_json::json!(-1)),
        ("/programs/0/diagnostics", serde_json::json!([{}])),
        (
            "/programs/0",
            serde_json::json!({ "path": "a", "valid": true, "errors": 0, "warnings": 0, "diagnostics": [], "new": 1 }),
        ),
    ] {
        let mut bad = good.clone();
        *bad.pointer_mut(pointer).expect("the place is there") = value;
        assert!(schema.fault(&bad).is_some(), "{bad}");
    }
}

fn accept(schema: &JsonSchema, value: &Value) {
    if let Some(fault) = schema.fault(value) {
        panic!("{fault}");
    }
}
