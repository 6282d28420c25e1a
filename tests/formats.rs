//! The published JSON Schemas describe what the command prints: every field that is promised is there, and none that is not described.

mod support;

use support::json_schema::JsonSchema;
use support::{SCHEMAS, pcl, whole_corpus};

#[test]
fn check_json() {
    let mut arguments = vec!["check", "--schema-dir", SCHEMAS, "--output-format", "json"];
    let programs = whole_corpus();
    arguments.extend(programs.iter().map(String::as_str));
    let mut schema = JsonSchema::published("check");
    schema.accept(&pcl(arguments).json());
    assert_eq!(schema.unmet(), [""; 0]);
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
    let programs = whole_corpus();
    arguments.extend(programs.iter().map(String::as_str));
    let mut schema = JsonSchema::published("check-lines");
    for line in pcl(arguments).stdout.lines() {
        schema.accept(&serde_json::from_str(line).expect("a line is JSON"));
    }
    assert_eq!(schema.unmet(), [""; 0]);
}

#[test]
fn dump_bound_json() {
    let mut schema = JsonSchema::published("bound");
    for program in whole_corpus() {
        let run = pcl([
            "dump",
            "bound",
            "--schema-dir",
            SCHEMAS,
            "--output-format",
            "json",
            &program,
        ]);
        schema.accept(&run.json());
    }
    assert_eq!(schema.unmet(), [""; 0]);
}

#[test]
fn dump_bound_full_json() {
    let mut schema = JsonSchema::published("document");
    for program in whole_corpus() {
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
        schema.accept(&run.json());
    }
    let run = pcl(["dump", "bound", "--full", "corpus/valid/webserver"]);
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("--output-format json"));
}

#[test]
fn dump_syntax_json() {
    let mut schema = JsonSchema::published("syntax");
    for program in whole_corpus() {
        for what in ["tokens", "tree", "ast"] {
            let run = pcl(["dump", what, "--output-format", "json", &program]);
            schema.accept(&run.json());
        }
    }
    assert_eq!(schema.unmet(), [""; 0]);
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
