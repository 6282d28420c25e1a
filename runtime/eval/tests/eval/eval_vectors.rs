//! The recorded values of expressions, with what this evaluator does instead where it is right.

use std::path::PathBuf;
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use pcl_eval::{References, Stop, Value};
use pcl_test_support::engine::vectors;
use pcl_test_support::marked_json;
use pcl_values::{PropertyMap, PropertyValue};
use serde_json::{Value as Json, json};

use crate::environment::Files;
use crate::question::Question;

/// The values that a run gives.
#[derive(Debug, PartialEq)]
enum Given {
    BindError,
    Error,
    Poison(String),
    Result(Json),
}

/// The vectors that this evaluator does not follow, each with its result and the reason.
const EXCEPTIONS: &str = "eval_exceptions.json";

#[test]
fn expressions_have_the_recorded_values() {
    let document = vectors("eval.json");
    let files = files(&document);
    let exceptions = vectors(EXCEPTIONS);
    let exceptions = exceptions.as_object().expect("exceptions by id");
    let schema = vectors("lab_schema.json");
    let mut failures = Vec::new();
    let mut seen = 0;
    for vector in document["vectors"].as_array().expect("vectors") {
        let id = vector["id"].as_str().expect("an id");
        let given = evaluated(vector, &document["environment"], &files, &schema);
        let mut expected = expected(vector);
        if let Some(exception) = exceptions.get(id) {
            seen += 1;
            assert_ne!(given, expected, "{id} is no exception any more");
            expected = self::expected(exception);
        }
        // The checker finds more mistakes than the reference.
        let is_found_earlier = given == Given::BindError && expected == Given::Error;
        if given != expected && !is_found_earlier {
            let source = &vector["source"];
            failures.push(format!("{id}: {source}\n  expected {expected:?}\n  found    {given:?}"));
        }
    }
    assert_eq!(seen, exceptions.len(), "an exception is about no vector");
    let count = failures.len();
    assert!(failures.is_empty(), "{}\n{count} differ", failures.join("\n"));
}

/// The files of the vectors.
pub fn files(document: &Json) -> Arc<Files> {
    let files = document["files"].as_object().expect("files").iter();
    let files = files.map(|(name, content)| {
        let bytes = match content {
            Json::String(text) => text.clone().into_bytes(),
            other => STANDARD.decode(other["$bytes"].as_str().expect("bytes")).expect("base64"),
        };
        (PathBuf::from(name), bytes)
    });
    Arc::new(Files(files.collect()))
}

fn expected(vector: &Json) -> Given {
    if vector.get("bind_error").is_some() || vector.get("parse_error").is_some() {
        return Given::BindError;
    }
    let outcome = vector.get("expected").unwrap_or(vector);
    if let Some(name) = outcome["poison"].as_str() {
        return Given::Poison(name.to_owned());
    }
    match outcome.get("result") {
        Some(result) => Given::Result(normal(result)),
        None => Given::Error,
    }
}

/// The JSON of a value with every number as a float, and with all marks of a value in one output.
fn normal(json: &Json) -> Json {
    marked_json::write(&with_one_output(marked_json::read(json)))
}

fn with_one_output(value: PropertyValue) -> PropertyValue {
    match value {
        PropertyValue::Secret(value) => with_one_output(*value).secret(),
        PropertyValue::Output(output) => {
            let (dependencies, is_secret) = (output.dependencies().clone(), output.is_secret());
            let value = output.into_value().map_or(PropertyValue::UNKNOWN, with_one_output);
            let value = value.depending_on(dependencies);
            if is_secret { value.secret() } else { value }
        }
        PropertyValue::Array(elements) => {
            elements.into_iter().map(with_one_output).collect::<Vec<_>>().into()
        }
        PropertyValue::Object(fields) => {
            let fields = fields.into_iter();
            let fields = fields.map(|(name, value)| (name, with_one_output(value)));
            fields.collect::<PropertyMap>().into()
        }
        value => value,
    }
}

fn evaluated(vector: &Json, environment: &Json, files: &Arc<Files>, schema: &Json) -> Given {
    let source = vector["source"].as_str().expect("a source");
    let Some(question) = Question::new(vector, source, environment, files, schema) else {
        return Given::BindError;
    };
    let sent = |value: Value| value.to_property(References::Expand).map_err(Stop::Poisoned);
    match question.answer().and_then(sent) {
        Ok(value) => Given::Result(marked_json::write(&value)),
        Err(Stop::Poisoned(name)) => Given::Poison(name.to_string()),
        Err(_) => Given::Error,
    }
}

#[test]
fn the_notation_is_read_exactly() {
    assert_eq!(normal(&json!(0.1)), json!(0.1));
}
