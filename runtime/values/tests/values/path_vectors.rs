//! Property paths against the recorded answers (`tests/vectors/property_paths.json`).

use pcl_test_support::marked_json::{is_same, read, read_map, write, write_map};
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
        PathError::DotBracket => "expected property name after '.'",
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
        let read = PropertyPath::parse(text);
        assert!(has_error(&read, &vector["error"]), "{vector}: {read:?}");
        let strict = PropertyPath::parse_strict(text);
        assert!(has_error(&strict, &vector["strict_error"]), "{vector}");
        if let Ok(path) = read {
            assert_eq!(keys(&path), vector["parts"], "{text}");
            assert_eq!(json!(path.to_string()), vector["printed"], "{text}");
        }
    }
    for vector in list(&file, "print") {
        let vector = exceptions.apply("print", vector);
        let path = path(&vector["parts"]);
        assert_eq!(json!(path.to_string()), vector["printed"]);
        let again = PropertyPath::parse(&path.to_string());
        assert!(has_error(&again, &vector["reparse_error"]), "{vector}");
        if let Ok(again) = again {
            assert_eq!(json!(again == path), vector["round_trips"], "{vector}");
        }
    }
    for vector in list(&file, "contains") {
        let parse = |name: &str| PropertyPath::parse(vector[name].as_str().unwrap()).unwrap();
        let contains = parse("path").contains(&parse("other"));
        assert_eq!(json!(contains), vector["contains"], "{vector}");
    }
    for vector in list(&file, "operations") {
        let vector = exceptions.apply("operations", vector);
        let (ok, result) = operate(&vector);
        assert_eq!(json!(ok), vector["ok"], "{vector}");
        let expected = vector.get("result").cloned();
        match (result, expected) {
            (Some(result), Some(expected)) => {
                assert!(is_same(&result, &expected), "{vector}: {result}");
            }
            (result, expected) => assert_eq!(result, expected, "{vector}"),
        }
    }
    exceptions.finish();
}

/// The success of an operation, and the value that it leads to.
fn operate(vector: &Value) -> (bool, Option<Value>) {
    let path = path(&vector["path"]);
    let mut value = read(&vector["value"]);
    let before = value.clone();
    let new = || read(&vector["new"]);
    let operation = vector["op"].as_str().unwrap();
    let ok = match operation {
        "get" => {
            let found = path.get(&value).map(write);
            return (found.is_some(), found);
        }
        "set" => path.set(&mut value, new()),
        "add" => path.add(&mut value, new()),
        "delete" => path.delete(&mut value),
        "reset" => {
            let map = |name: &str| read_map(vector[name].as_object().unwrap());
            let (old, mut new) = (map("old"), map("new"));
            let ok = path.reset(&old, &mut new);
            return (ok, Some(write_map(&new)));
        }
        _ => panic!("{operation} is not known"),
    };
    assert!(ok || value == before, "{vector}: failed, but changed the value");
    // Pulumi returns the result of `add` and changes the value in the other operations.
    let result = (ok || operation != "add").then(|| write(&value));
    (ok, result)
}
