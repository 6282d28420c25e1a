//! Property paths against the recorded answers (`tests/vectors/property_paths.json`).

use std::str::FromStr as _;

use pcl_values::{Key, PathError, PropertyPath};
use serde_json::{Value, json};

use crate::vectors::{Exceptions, file, list};

const FILE: &str = "property_paths.json";

fn path(keys: &Value) -> PropertyPath {
    let key = |key: &Value| match key {
        Value::String(name) => Key::Name(name.clone()),
        index => Key::Index(index.as_i64().unwrap()),
    };
    keys.as_array().unwrap().iter().map(key).collect()
}

fn keys(path: &PropertyPath) -> Value {
    let key = |key: &Key| match key {
        Key::Name(name) => json!(name),
        Key::Index(index) => json!(index),
    };
    path.keys().iter().map(key).collect()
}

/// The beginning of the message that Pulumi has for an error.
fn gist(error: &PathError) -> &'static str {
    match error {
        PathError::Start => "expected property path to start",
        PathError::End => "expected property path to end",
        PathError::OpenQuote => "missing closing quote",
        PathError::OpenName => "missing closing bracket in property access",
        PathError::OpenIndex => "missing closing bracket in array index",
        PathError::Index(_) => "invalid array index",
    }
}

fn has_error(result: &Result<PropertyPath, PathError>, expected: &Value) -> bool {
    match (result, expected.as_str()) {
        (Err(error), Some(message)) => message.starts_with(gist(error)),
        (Ok(_), None) => true,
        _ => false,
    }
}

#[test]
fn recorded_paths() {
    let file = file(FILE);
    let mut exceptions = Exceptions::of(FILE);
    for vector in list(&file, "parse") {
        let vector = exceptions.apply("parse", vector);
        let text = vector["path"].as_str().unwrap();
        let read = PropertyPath::from_str(text);
        assert!(has_error(&read, &vector["error"]), "{vector}: {read:?}");
        if let Ok(path) = read {
            assert_eq!(keys(&path), vector["parts"], "{text}");
            assert_eq!(json!(path.to_string()), vector["printed"], "{text}");
        }
    }
    for vector in list(&file, "print") {
        let vector = exceptions.apply("print", vector);
        let path = path(&vector["parts"]);
        assert_eq!(json!(path.to_string()), vector["printed"]);
        let again = PropertyPath::from_str(&path.to_string());
        assert!(has_error(&again, &vector["reparse_error"]), "{vector}");
        if let Ok(again) = again {
            assert_eq!(json!(again == path), vector["round_trips"], "{vector}");
        }
    }
    exceptions.finish();
}
