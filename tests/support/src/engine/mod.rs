//! An engine that answers from a table, and the programs of the package `lab` that run against it.

mod files;
mod lab;
mod recorder;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use pcl_binder::{OpenFiles, Options, Sources, bind};
use pcl_diagnostics::{Diagnostic, Severity, SourceMap};
use pcl_eval::{ConfigEntry, Evaluation, Outcome, Settings, Setup};
use pcl_schema::Loader;
use pcl_values::wire::{RESOURCE, SIGNATURE};
use serde_json::{Value as Json, json};

use self::files::DiskFiles;
pub use self::lab::Lab;
pub use self::recorder::Recorder;
use crate::root;

/// A file of `tests/vectors`, read exactly.
pub fn vectors(name: &str) -> Json {
    let path = root().join("tests/vectors").join(name);
    let text = std::fs::read(&path).expect("the vectors can be read");
    serde_json::from_slice(&text).expect("the vectors are JSON")
}

/// The result of a program of the package `lab` and its requests; `None` if it has errors.
pub fn evaluated(
    program: &Json,
    is_preview: bool,
    schema: &Json,
    parallel: Option<usize>,
) -> Option<(Outcome, Vec<Json>)> {
    evaluated_with(program, is_preview, Arc::new(Lab::new(schema)), parallel)
}

/// The result of a program of any packages and its requests; `None` if it has errors.
pub fn evaluated_with(
    program: &Json,
    is_preview: bool,
    loader: Arc<dyn Loader>,
    parallel: Option<usize>,
) -> Option<(Outcome, Vec<Json>)> {
    let directory = tempfile::tempdir().expect("a directory");
    let place = directory.path();
    for (name, content) in program["files"].as_object().expect("files") {
        let path = place.join(name);
        std::fs::create_dir_all(path.parent().expect("a parent")).expect("a directory");
        std::fs::write(path, content.as_str().expect("text")).expect("a file");
    }
    let mut map = SourceMap::new();
    let (sources, _) = Sources::read_directory(place, "", &OpenFiles::default(), &mut map);
    let bound = bind(&sources, &mut map, loader, &Options::default());
    let is_error = |diagnostic: &&Diagnostic| diagnostic.severity == Severity::Error;
    if bound.diagnostics.iter().any(|it| is_error(&it)) {
        return None;
    }
    let is_slow = parallel.is_some_and(|parallel| parallel != 1);
    let recorder = Arc::new(Recorder::new(program, is_preview, is_slow));
    let mut settings = settings(program, is_preview, place);
    settings.parallel = parallel.unwrap_or(settings.parallel);
    let evaluation = Evaluation::new(Setup {
        program: Arc::new(bound.program),
        settings,
        contents: Arc::new(DiskFiles(place.to_owned())),
        monitor: recorder.clone(),
        trees: &[],
        variables: Vec::new(),
        nodes: Vec::new(),
    });
    let outcome = evaluation.run();
    let errors = outcome.diagnostics.iter().filter(is_error).count();
    let fails = outcome.outputs.is_none();
    assert_eq!(fails, errors > 0, "{:?}", outcome.diagnostics);
    let events = recorder.events.lock().expect("events");
    let place = place.to_str().expect("text");
    let events = events.iter().map(|event| {
        let text = event.to_string().replace(place, "<dir>");
        normal(&serde_json::from_str(&text).expect("JSON"))
    });
    let events = events.collect();
    Some((outcome, events))
}

fn settings(program: &Json, is_preview: bool, directory: &Path) -> Settings {
    let secrets = program["configSecretKeys"].as_array().into_iter().flatten();
    let secrets: Vec<&str> = secrets.filter_map(Json::as_str).collect();
    let empty = serde_json::Map::new();
    let config = program["config"].as_object().unwrap_or(&empty).iter();
    let config = config.map(|(key, text)| {
        let entry = ConfigEntry {
            text: text.as_str().map(Into::into),
            is_secret: secrets.contains(&key.as_str()),
        };
        (key.clone(), entry)
    });
    let directory = directory.to_str().expect("text").to_owned();
    Settings {
        limits: pcl_eval::Limits::NONE,
        project: String::from("proj"),
        stack: String::from("dev"),
        organization: match program.get("organization") {
            Some(organization) => organization.as_str().unwrap_or_default().to_owned(),
            None => String::from("acme"),
        },
        root_directory: directory.clone(),
        working_directory: directory,
        is_preview,
        parallel: program["parallel"].as_u64().unwrap_or(1) as usize,
        keeps_going: false,
        config: config.collect(),
        environment: BTreeMap::new(),
        ..Settings::default()
    }
}

/// An event without the fields that differ on purpose, with its sets sorted.
pub fn normal(event: &Json) -> Json {
    let mut event = event.clone();
    if let Some(request) = event["request"].as_object_mut() {
        if event_is(&request.clone(), "tok") {
            request.remove("acceptResources");
        }
        for name in ["supportsPartialValues", "aliasSpecs", "sourcePosition"] {
            request.remove(name);
        }
        for (name, value) in request.iter_mut() {
            normalize(name, value);
        }
    }
    event
}

fn event_is(request: &serde_json::Map<String, Json>, field: &str) -> bool {
    request.contains_key(field)
}

fn normalize(name: &str, value: &mut Json) {
    match value {
        Json::Array(elements) => {
            for element in elements.iter_mut() {
                normalize("", element);
            }
            if ["dependencies", "urns", "dependsOn"].contains(&name) {
                elements.sort_by_key(Json::to_string);
                elements.dedup();
            }
        }
        Json::Object(fields) => {
            // Who reads a reference finds these in its URN.
            if fields.get(SIGNATURE) == Some(&json!(RESOURCE)) {
                fields.remove("name");
                fields.remove("type");
            }
            for (name, value) in fields.iter_mut() {
                normalize(name, value);
            }
        }
        Json::Number(number) => *value = json!(number.as_f64()),
        _ => {}
    }
}
