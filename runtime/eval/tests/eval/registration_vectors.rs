//! The recorded requests of programs, with those that this evaluator sends instead where it is
//! right.

use std::collections::BTreeSet;

use pcl_test_support::engine::{evaluated, normal, vectors};
use pcl_values::wire::{OUTPUT, SECRET, SIGNATURE, UNKNOWN_STRING};
use serde_json::{Value as Json, json};

/// The result of a run.
#[derive(Debug, PartialEq)]
enum Given {
    BindError,
    Ran { events: Vec<Json>, fails: bool },
}

/// The files of vectors. Those of the first one are of an engine whose hosts send no output values,
/// and so are the requests that are expected instead of recorded ones.
const FILES: [&str; 2] = ["registration.json", "registration-3.274.json"];

#[test]
fn programs_send_the_recorded_requests() {
    let exceptions = vectors("registration_exceptions.json");
    let exceptions = exceptions.as_object().expect("exceptions by id");
    let mut seen = BTreeSet::new();
    let mut failures = Vec::new();
    let mut no_exceptions = Vec::new();
    for (program, schema, is_old) in programs() {
        let id = program["id"].as_str().expect("an id");
        for phase in ["preview", "update"] {
            let recorded = match &program[phase] {
                Json::String(_) => &program["preview"],
                recorded => recorded,
            };
            let mut given = run(&program, phase == "preview", &schema, None);
            let mut expected = expected(recorded);
            let place = format!("{id}/{phase}");
            let exception = exceptions.get(&place).or(exceptions.get(id));
            if is_old || recorded.get("expected_events").is_some() && exception.is_none() {
                given = given.without_outputs();
                expected = expected.without_outputs();
            }
            if let Some(exception) = exception {
                seen.insert(id.to_owned());
                if given == expected {
                    no_exceptions.push(place.clone());
                }
                expected = self::expected(exception);
                if is_old {
                    expected = expected.without_outputs();
                }
            }
            // The checker finds more mistakes than the reference.
            let is_found_earlier =
                given == Given::BindError && matches!(expected, Given::Ran { fails: true, .. });
            if given != expected && !is_found_earlier {
                failures.push(difference(&place, &program["files"], &expected, &given));
            }
        }
    }
    assert!(no_exceptions.is_empty(), "no exceptions any more: {no_exceptions:?}");
    let count = failures.len();
    assert!(failures.is_empty(), "{}\n{count} differ", failures.join("\n"));
    for id in exceptions.keys() {
        let name = id.split('/').next().expect("a name");
        assert!(seen.contains(name), "{id} is about no program");
    }
}

/// The programs of all files, each with the schema of its package and whether it is an old one.
fn programs() -> impl Iterator<Item = (Json, Json, bool)> {
    FILES.into_iter().flat_map(|file| {
        let mut document = vectors(file);
        let Json::Array(programs) = document["programs"].take() else { panic!("no programs") };
        let (schema, is_old) = (document["schema"].take(), file == FILES[0]);
        programs.into_iter().map(move |program| (program, schema.clone(), is_old))
    })
}

impl Given {
    /// The same without output values in requests, and without what tells of them.
    fn without_outputs(self) -> Self {
        let Self::Ran { events, fails } = self else { return self };
        let events = events.into_iter().map(|mut event| {
            let Some(request) = event["request"].as_object_mut() else { return event };
            request.remove("acceptOutputValues");
            request.remove("argDependencies");
            for name in ["args", "object", "outputs", "properties", "replacementTrigger"] {
                if let Some(values) = request.get_mut(name) {
                    *values = without_outputs(values.take());
                }
            }
            event
        });
        Self::Ran { events: events.collect(), fails }
    }
}

/// A value of a message without its output values.
fn without_outputs(value: Json) -> Json {
    match value {
        Json::Array(elements) => elements.into_iter().map(without_outputs).collect(),
        Json::Object(mut fields) if fields.get(SIGNATURE) == Some(&json!(OUTPUT)) => {
            let value = fields.remove("value").map_or(json!(UNKNOWN_STRING), without_outputs);
            match fields.get("secret") {
                Some(Json::Bool(true)) => json!({ SIGNATURE: SECRET, "value": value }),
                _ => value,
            }
        }
        Json::Object(fields) => {
            fields.into_iter().map(|(name, value)| (name, without_outputs(value))).collect()
        }
        value => value,
    }
}

fn difference(place: &str, files: &Json, expected: &Given, given: &Given) -> String {
    let mut text = format!("=== {place}\n");
    for (name, content) in files.as_object().expect("files") {
        text.push_str(&format!("--- {name}\n{}", content.as_str().expect("text")));
    }
    let (Given::Ran { events: wanted, fails: one }, Given::Ran { events, fails: other }) =
        (expected, given)
    else {
        return format!("{text}expected {expected:?}\nfound {given:?}");
    };
    text.push_str(&format!("fails: expected {one}, found {other}\n"));
    let lines = |events: &[Json]| -> Vec<String> { events.iter().map(Json::to_string).collect() };
    let (wanted, found) = (lines(wanted), lines(events));
    for line in wanted.iter().filter(|line| !found.contains(line)) {
        text.push_str(&format!("  - {line}\n"));
    }
    for line in found.iter().filter(|line| !wanted.contains(line)) {
        text.push_str(&format!("  + {line}\n"));
    }
    text
}

fn expected(recorded: &Json) -> Given {
    if recorded.get("bind_error").is_some() {
        return Given::BindError;
    }
    let (events, fails) = match recorded.get("expected_events") {
        // Where only the reference fails, we do not.
        Some(events) => (events, recorded["expected_error"].is_string()),
        None => {
            let fails = recorded.get("error").is_some() || recorded.get("panic").is_some();
            (&recorded["events"], fails)
        }
    };
    let events = events.as_array().expect("events").iter().map(normal).collect();
    Given::Ran { events, fails }
}

/// Independent nodes may finish in any order: with several at once, and an engine that takes its
/// time, a program asks for the same and has the same outputs.
#[test]
fn the_order_of_nodes_does_not_matter() {
    let mut compared = 0;
    for (program, schema, _) in programs() {
        for is_preview in [true, false] {
            let one = run(&program, is_preview, &schema, Some(1));
            let Given::Ran { events, fails: false } = &one else { continue };
            let sorted = |events: &[Json]| {
                let mut texts: Vec<String> = events.iter().map(Json::to_string).collect();
                texts.sort();
                texts
            };
            for parallel in [0, 3] {
                let many = run(&program, is_preview, &schema, Some(parallel));
                let Given::Ran { events: others, fails: false } = &many else {
                    panic!("{} fails with {parallel} at once", program["id"]);
                };
                assert_eq!(sorted(events), sorted(others), "{}", program["id"]);
                compared += 1;
            }
        }
    }
    assert!(compared > 500, "{compared}");
}

/// Runs a program; with so many nodes at once, against an engine that takes its time.
fn run(program: &Json, is_preview: bool, schema: &Json, parallel: Option<usize>) -> Given {
    match evaluated(program, is_preview, schema, parallel) {
        Some((outcome, events)) => Given::Ran { events, fails: outcome.outputs.is_none() },
        None => Given::BindError,
    }
}
