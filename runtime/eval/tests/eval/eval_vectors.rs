//! The recorded values of expressions, with what this evaluator does instead where it is right.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use pcl_binder::{ExtraVariable, NodeKind, Options};
use pcl_diagnostics::SourceMap;
use pcl_eval::{Evaluation, Kind, References, Resource, Settings, Setup, Stop, Value};
use pcl_test_support::marked_json;
use pcl_values::{PropertyValue, ResourceId, ResourceReference, Urn};
use serde_json::{Map, Value as Json, json};

use crate::environment::{Files, Hydrating, bound, loader, vectors};

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
            failures.push(format!(
                "{id}: {source}\n  expected {expected:?}\n  found    {given:?}"
            ));
        }
    }
    assert_eq!(seen, exceptions.len(), "an exception is about no vector");
    let count = failures.len();
    assert!(
        failures.is_empty(),
        "{}\n{count} differ",
        failures.join("\n")
    );
}

fn files(document: &Json) -> Arc<Files> {
    let files = document["files"].as_object().expect("files").iter();
    let files = files.map(|(name, content)| {
        let bytes = match content {
            Json::String(text) => text.clone().into_bytes(),
            other => STANDARD
                .decode(other["$bytes"].as_str().expect("bytes"))
                .expect("base64"),
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

/// The JSON of a value with every number as a float.
fn normal(json: &Json) -> Json {
    marked_json::write(&marked_json::read(json))
}

fn evaluated(vector: &Json, environment: &Json, files: &Arc<Files>, schema: &Json) -> Given {
    let mut variables: BTreeMap<&str, &Json> = BTreeMap::new();
    for name in vector["use"].as_array().into_iter().flatten() {
        let name = name.as_str().expect("a name");
        variables.insert(name, &environment[name]);
    }
    let empty = Map::new();
    for (name, variable) in vector["vars"].as_object().unwrap_or(&empty) {
        variables.insert(name, variable);
    }
    let (mut program, mut extra) = (String::new(), Vec::new());
    for (name, variable) in &variables {
        match variable["type"].as_str().expect("a type") {
            ty if ty.starts_with("resource ") => {
                let token = ty.trim_start_matches("resource ");
                program.push_str(&format!("resource {name} \"{token}\" {{}}\n"));
            }
            "any" => extra.push(ExtraVariable::new(*name, "dynamic").expect("a type")),
            ty => extra.push(ExtraVariable::new(*name, ty).expect("a type")),
        }
    }
    let options = Options {
        variables: extra,
        ..Options::default()
    };
    let bound = bound(&program, loader(&[schema]), &options);
    let mut program = bound.program;
    let mut map = SourceMap::new();
    let source = vector["source"].as_str().expect("a source");
    let file = map.add("question.pp", source);
    let tree = pcl_syntax::parse_expression(source);
    let (expr, diagnostics) = program.bind_expression(&tree, file);
    let is_error = |diagnostic: &pcl_diagnostics::Diagnostic| {
        diagnostic.severity == pcl_diagnostics::Severity::Error
    };
    if diagnostics.iter().any(is_error) {
        return Given::BindError;
    }
    let mut values = Vec::new();
    let mut nodes = Vec::new();
    for (name, variable) in &variables {
        let value = match (variable["poison"].as_str(), variable["unset"].as_bool()) {
            (Some(name), _) => Kind::Poisoned(name.into()).into(),
            (_, Some(true)) => Value::UNKNOWN,
            _ => value(&marked_json::read(&variable["value"])),
        };
        match program.module.find(NodeKind::Resource, name) {
            Some(node) => nodes.push((node, value)),
            None => {
                let symbol = program.types.symbol(name);
                let definition = program.scopes.lookup(program.module.root, symbol);
                values.push((definition.expect("a variable"), value));
            }
        }
    }
    let settings = Settings {
        project: "proj".into(),
        stack: "dev".into(),
        organization: "acme".into(),
        root_directory: "<root>".into(),
        working_directory: "<wd>".into(),
        ..Settings::default()
    };
    let evaluation = Evaluation::new(Setup {
        program: Arc::new(program),
        settings,
        contents: files.clone(),
        monitor: Arc::new(Hydrating),
        trees: &[(file, &tree)],
        variables: values,
        nodes,
    });
    let result = evaluation.expression(expr.expect("an expression"));
    match result.and_then(|value| {
        value
            .to_property(References::Expand)
            .map_err(Stop::Poisoned)
    }) {
        Ok(value) => Given::Result(marked_json::write(&value)),
        Err(Stop::Poisoned(name)) => Given::Poison(name.to_string()),
        Err(_) => Given::Error,
    }
}

/// The value of a variable, in which objects that look like resources are resources.
fn value(property: &PropertyValue) -> Value {
    let made = Value::from_property(property).expect("a small value");
    as_resource(made)
}

fn as_resource(value: Value) -> Value {
    let Value { kind, marks } = value;
    match kind {
        Kind::Object(object) if object.get("__type").is_some() => {
            let text = |name: &str| object.get(name).and_then(Value::as_str).unwrap_or_default();
            let reference = ResourceReference::new(
                Urn::from(text("urn")),
                ResourceId::Known(text("id").to_owned()),
            );
            let fields = object
                .iter()
                .map(|(name, value)| (name.clone(), value.clone()));
            let fields = pcl_eval::Object::new(fields.collect()).expect("a small object");
            Value::from(Resource::new(reference, fields)).marked(&marks)
        }
        kind => Value { kind, marks },
    }
}

#[test]
fn the_notation_is_read_exactly() {
    assert_eq!(normal(&json!(0.1)), json!(0.1));
}
