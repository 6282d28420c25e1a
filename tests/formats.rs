//! The published JSON Schemas describe what the command prints: every field that is promised is there, and none that is not described.

mod support;

use serde_json::Value;
use support::{pcl, root};

const SCHEMAS: &str = "corpus/schemas";

fn schema(name: &str) -> Value {
    let path = root().join(format!("docs/formats/{name}.schema.json"));
    let text = std::fs::read_to_string(path).expect("the schema is there");
    serde_json::from_str(&text).expect("the schema is JSON")
}

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
    let schema = schema("check");
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
    let schema = schema("check-lines");
    for line in pcl(arguments).stdout.lines() {
        accept(
            &schema,
            &serde_json::from_str(line).expect("a line is JSON"),
        );
    }
}

#[test]
fn dump_bound_json() {
    let schema = schema("bound");
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
fn dump_syntax_json() {
    let schema = schema("syntax");
    for program in programs() {
        for what in ["tokens", "tree", "ast"] {
            let run = pcl(["dump", what, "--output-format", "json", &program]);
            accept(&schema, &run.json());
        }
    }
}

#[test]
fn the_validator_refuses() {
    let schema = schema("check");
    let good = serde_json::json!({ "format_version": "1.0", "programs": [
        { "path": "a", "valid": true, "errors": 0, "warnings": 0, "diagnostics": [] } ] });
    assert_eq!(fault(&schema, &schema, &good, ""), None);
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
        assert!(fault(&schema, &schema, &bad, "").is_some(), "{bad}");
    }
}

fn accept(schema: &Value, value: &Value) {
    if let Some(fault) = fault(schema, schema, value, "") {
        panic!("{fault}");
    }
}

/// What is wrong with `value`, for the part of JSON Schema that our schemas use; a field that is not described is wrong too.
fn fault(whole: &Value, schema: &Value, value: &Value, at: &str) -> Option<String> {
    let wrong = |what: &str| Some(format!("{at}: {what}: {value}"));
    if let Some(target) = schema["$ref"].as_str() {
        let target = whole
            .pointer(&target[1..])
            .expect("a reference leads somewhere");
        return fault(whole, target, value, at);
    }
    if schema.get("const").is_some_and(|only| only != value) {
        return wrong("another constant is expected");
    }
    if schema["enum"]
        .as_array()
        .is_some_and(|all| !all.contains(value))
    {
        return wrong("not one of the values");
    }
    let kind = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_u64() || number.is_i64() => "integer",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    let fits = match &schema["type"] {
        Value::Null => true,
        Value::Array(kinds) => kinds.iter().any(|k| k == kind),
        one => one == kind,
    };
    if !fits {
        return wrong("another type is expected");
    }
    if let (Some(least), Some(number)) = (schema["minimum"].as_i64(), value.as_i64())
        && number < least
    {
        return wrong("too small");
    }
    if let (Some(pattern), Some(text)) = (schema["pattern"].as_str(), value.as_str())
        && !matches(pattern, text)
    {
        return wrong("another form is expected");
    }
    if let Some(elements) = value.as_array() {
        let nested = elements.iter().enumerate().find_map(|(nth, element)| {
            fault(whole, &schema["items"], element, &format!("{at}/{nth}"))
        });
        if nested.is_some() {
            return nested;
        }
    }
    let fields = value.as_object()?;
    for name in schema["required"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
    {
        if !fields.contains_key(name) {
            return wrong(&format!("`{name}` is missing"));
        }
    }
    fields
        .iter()
        .find_map(|(name, field)| match schema["properties"].get(name) {
            Some(own) => fault(whole, own, field, &format!("{at}/{name}")),
            None => wrong(&format!("`{name}` is not described")),
        })
}

/// The three patterns of our schemas.
fn matches(pattern: &str, text: &str) -> bool {
    match pattern {
        "^PCL[0-9]{4}$" => text
            .strip_prefix("PCL")
            .is_some_and(|rest| rest.len() == 4 && rest.bytes().all(|b| b.is_ascii_digit())),
        "^[a-z0-9-]+$" => {
            !text.is_empty()
                && text
                    .bytes()
                    .all(|b| matches!(b, b'a'..=b'z' | b'0'..=b'9' | b'-'))
        }
        "^[0-9a-f]{16}$" => {
            text.len() == 16 && text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
        }
        other => panic!("a pattern that nobody checks: {other}"),
    }
}
