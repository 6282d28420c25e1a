//! Requests as far as the SDK of Node.js sends what PCL does.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value as Json, json};

/// The field that marks the special values of the wire form.
const SIGNATURE: &str = "4dabf18193072939515e22adb298388d";
const RESOURCE: &str = "5cf8f73096256a8f31e491e813e4eb8e";
const SECRET: &str = "1b47061264138c4ac30d75fd1eb44270";
/// The text that stands for a value that is not known yet.
const UNKNOWN: &str = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
const OUTPUT: &str = "d0e6a833031e9bbcd3f4e8bde6ca49a4";

/// The fields of an invoke that differ. The evaluator sends versions that the reference does not.
const INVOKE_ONLY: [&str; 4] = ["acceptOutputValues", "dependsOn", "parent", "version"];

/// The requests of a run, without what an SDK decides.
pub struct Given {
    requests: Vec<String>,
    fails: bool,
}

impl Given {
    /// The result of a run under the mocks.
    pub fn of(result: &Json) -> Self {
        Self { requests: requests(&result["events"]), fails: result["error"].is_string() }
    }

    /// The recorded result, or that of the evaluator if it is better; `None` for a program that is
    /// only said not to bind.
    pub fn recorded(program: &Json, exceptions: &Json) -> Option<Self> {
        let id = program["id"].as_str().expect("an id");
        let recorded = match &program["update"] {
            Json::String(_) => &program["preview"],
            update => update,
        };
        let better = exceptions.get(format!("{id}/update")).or(exceptions.get(id));
        let recorded = better.unwrap_or(recorded);
        let (events, fails) = match recorded.get("expected_events") {
            Some(events) => (events, recorded["expected_error"].is_string()),
            None => {
                let fails = recorded.get("error").is_some() || recorded.get("panic").is_some();
                (&recorded["events"], fails)
            }
        };
        recorded.get("bind_error").is_none().then(|| Self { requests: requests(events), fails })
    }
}

/// The lines that one of two results has alone.
pub fn differences(expected: &Given, given: &Given) -> Vec<String> {
    let mut lines = Vec::new();
    if expected.fails != given.fails {
        lines.push(format!("  fails: expected {}, found {}", expected.fails, given.fails));
    }
    // A program that fails may have sent more or less by then.
    if expected.fails && given.fails {
        return lines;
    }
    let only = |one: &[String], other: &[String], sign: char| {
        let lines = one.iter().filter(|line| !other.contains(line));
        lines.map(|line| format!("  {sign} {line}")).collect::<Vec<_>>()
    };
    lines.extend(only(&expected.requests, &given.requests, '-'));
    lines.extend(only(&given.requests, &expected.requests, '+'));
    if lines.is_empty() && expected.requests.len() != given.requests.len() {
        lines.push("  a request is repeated".to_owned());
    }
    lines
}

/// The requests that an SDK makes as well, in an order of their own: it runs everything at once.
fn requests(events: &Json) -> Vec<String> {
    let own = ["SignalAndWaitForShutdown", "Engine.RequirePulumiVersion", "RegisterPackage"];
    let events = events.as_array().into_iter().flatten();
    let events = events.filter(|event| !own.iter().any(|method| event["method"] == *method));
    let mut lines: Vec<String> = events.map(|event| normal(event).to_string()).collect();
    lines.sort();
    lines
}

fn normal(event: &Json) -> Json {
    let mut request = event["request"].as_object().cloned().unwrap_or_default();
    if request.get("type").is_some_and(|it| it == "pulumi:pulumi:Stack") {
        request.retain(|name, _| name == "type" || name == "name");
    }
    // The protocol that the mocks offer, and what depends on it.
    for name in [
        "acceptResources",
        "acceptSecrets",
        "acceptsByteString",
        "aliasSpecs",
        "callback",
        "ignoreErrors",
        "packageRef",
        "sourcePosition",
        "supportsPartialValues",
        "supportsResultReporting",
    ] {
        request.remove(name);
    }
    match event["method"].as_str() {
        // Invokes of an SDK are under no resource, and wait by themselves.
        Some("Invoke") => request.retain(|name, _| !INVOKE_ONLY.contains(&name.as_str())),
        // The class of a resource adds them to each read.
        Some("ReadResource") => request.retain(|name, _| name != "additionalSecretOutputs"),
        _ => {}
    }
    json!({ "method": event["method"], "request": value("", &Json::Object(request)) })
}

/// A value without what the SDK adds, leaves out or writes in another way.
fn value(name: &str, json: &Json) -> Json {
    match json {
        Json::Object(fields) => object(name, fields),
        Json::Array(elements) => {
            let mut elements: Vec<Json> = elements.iter().map(|it| value("", it)).collect();
            if ["additionalSecretOutputs", "dependencies", "urns"].contains(&name) {
                elements.sort_by_key(Json::to_string);
                elements.dedup();
            }
            Json::Array(elements)
        }
        // Numbers of JavaScript have 53 bits.
        Json::Number(number) => {
            let number = number.as_f64().expect("a float");
            json!(format!("{number:.14e}"))
        }
        // JavaScript escapes less in JSON.
        Json::String(text) if text.starts_with(['{', '[', '"']) => {
            match serde_json::from_str::<Json>(text) {
                Ok(inner) => json!(inner.to_string()),
                Err(_) => json!(text),
            }
        }
        other => other.clone(),
    }
}

fn object(name: &str, fields: &Map<String, Json>) -> Json {
    let signature = fields.get(SIGNATURE).and_then(Json::as_str);
    let inner = match fields.get("value") {
        Some(inner) => value("", inner),
        None if signature == Some(OUTPUT) => json!(UNKNOWN),
        None => Json::Null,
    };
    match signature {
        // There are no secrets without a value.
        Some(SECRET) if inner.is_null() => return Json::Null,
        // The mocks do not support outputs as values.
        Some(OUTPUT) if inner.is_null() => return Json::Null,
        Some(OUTPUT) if fields.get("secret") != Some(&json!(true)) => return inner,
        Some(OUTPUT) => return json!({ SIGNATURE: SECRET, "value": inner }),
        _ => {}
    }
    let added = ["hash", "__pulumiAsset", "__pulumiArchive"];
    let fields = fields.iter().filter(|(key, _)| !added.contains(&key.as_str()));
    let fields = fields.map(|(key, field)| (key.clone(), value(key, field)));
    // Null is not sent, nor is the id of a component, or one that is not known yet.
    let is_reference = signature == Some(RESOURCE);
    let is_known = |field: &Json| field != "" && (!is_reference || field != UNKNOWN);
    let is_sent = |key: &str, field: &Json| !field.is_null() && (key != "id" || is_known(field));
    let mut fields: Map<String, Json> = fields.filter(|(key, field)| is_sent(key, field)).collect();
    match name {
        "propertyDependencies" => {
            fields.retain(|_, field| field["urns"].as_array().is_some_and(|urns| !urns.is_empty()))
        }
        "customTimeouts" => {}
        _ => return Json::Object(fields),
    }
    if fields.is_empty() { Json::Null } else { Json::Object(fields) }
}

/// The secrets and dependencies that are compared.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Marks {
    All,
    /// Not the secrets inside of a property: a class of an SDK knows those of properties alone.
    OfProperties,
    /// The number of instances of a resource depends on them in the language alone.
    None,
}

/// The lines that tell how the requests of a run under the mocks are others than those of the
/// evaluator.
///
/// The result of several outputs in an SDK depends on all of them, and is secret if one of them is;
/// the evaluator knows which of them were used. So a run may have more secrets and dependencies,
/// but none may be missing. An SDK depends on the resources of a component instead of the
/// component, and a resource that is there once an output is known does not depend on the output.
///
pub fn lost(evaluated: &Json, run: &Json, compared: Marks) -> Vec<String> {
    let [expected, found] = [evaluated, run].map(|events| {
        let mut all: BTreeMap<String, Vec<BTreeSet<String>>> = BTreeMap::new();
        for line in requests(events) {
            let event: Json = serde_json::from_str(&line).expect("JSON");
            let mut marks = BTreeSet::new();
            let plain = without_marks(&event, &mut marks, compared);
            all.entry(plain.to_string()).or_default().push(marks);
        }
        all
    });
    let mut lines = Vec::new();
    for (plain, marks) in &expected {
        let Some(own) = found.get(plain) else {
            lines.push(format!("  - {plain}"));
            continue;
        };
        // A resource that is referred to is asked for wherever it comes from.
        let is_repeatable = plain.contains("\"tok\":\"pulumi:pulumi:getResource\"");
        if own.len() != marks.len() && !is_repeatable {
            lines.push(format!("  {} instead of {} times {plain}", own.len(), marks.len()));
        }
        let [wanted, own] =
            [marks, own].map(|marks| marks.iter().flatten().collect::<BTreeSet<_>>());
        let missing = wanted.difference(&own).filter(|mark| !mark.contains("::components:"));
        let missing: Vec<_> = missing.collect();
        if compared != Marks::None && !missing.is_empty() {
            lines.push(format!("  {plain} lacks {missing:?}"));
        }
    }
    let new = found.keys().filter(|plain| !expected.contains_key(*plain));
    lines.extend(new.map(|plain| format!("  + {plain}")));
    lines
}

/// The requests of a preview that are none of the update that follows it, as the evaluator makes
/// it. What is not known in the preview may be anything.
///
/// An SDK knows less of collections whose elements are not known, and more of the result of a
/// function that does not need them.
pub fn unforeseen(updated: &Json, preview: &Json) -> Vec<String> {
    let [updated, preview] = [updated, preview].map(|events| -> Vec<Json> {
        let events = requests(events).into_iter().map(|line| {
            let event: Json = serde_json::from_str(&line).expect("JSON");
            without_marks(&event, &mut BTreeSet::new(), Marks::None)
        });
        events.collect()
    });
    let is_new = |event: &&Json| !updated.iter().any(|other| agrees(event, other));
    preview.iter().filter(is_new).map(|event| format!("  + {event}")).collect()
}

/// Returns true if a value may be another one once all of it is known.
fn agrees(value: &Json, known: &Json) -> bool {
    match (value, known) {
        (Json::String(text), _) if text.contains(UNKNOWN) => true,
        (Json::Array(one), Json::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| agrees(one, other))
        }
        (Json::Object(one), Json::Object(other)) => {
            let names: BTreeSet<&String> = one.keys().chain(other.keys()).collect();
            let part = |fields: &Map<String, Json>, name| fields.get(name).cloned();
            names.into_iter().all(|name| {
                let [one, other] = [one, other].map(|fields| part(fields, name));
                agrees(&one.unwrap_or_default(), &other.unwrap_or_default())
            })
        }
        _ => value == known,
    }
}

/// An event without its secrets and dependencies, which become marks.
fn without_marks(event: &Json, marks: &mut BTreeSet<String>, compared: Marks) -> Json {
    let mut event = event.clone();
    let Some(request) = event["request"].as_object_mut() else { return event };
    for field in ["args", "object", "outputs", "properties"] {
        for (name, property) in
            request.get_mut(field).and_then(Json::as_object_mut).into_iter().flatten()
        {
            let is_whole = property.get(SIGNATURE).is_some_and(|signature| *signature == SECRET);
            let mut is_secret = false;
            *property = plain(property, &mut is_secret);
            is_secret &= is_whole || compared == Marks::All;
            // Functions get plain arguments.
            if is_secret && field != "args" {
                marks.insert(format!("secret {name}"));
            }
        }
    }
    for field in ["args", "object", "outputs", "properties"] {
        if let Some(properties) = request.get_mut(field).and_then(Json::as_object_mut) {
            properties.retain(|_, property| !property.is_null());
        }
    }
    request.remove("dependencies");
    if let Some(Json::Object(properties)) = request.remove("propertyDependencies") {
        for (name, urns) in properties {
            let urns = urns["urns"].as_array().into_iter().flatten();
            marks.extend(urns.map(|urn| format!("{name} depends on {urn}")));
        }
    }
    event
}

/// A value without the secrets in it.
fn plain(value: &Json, is_secret: &mut bool) -> Json {
    match value {
        Json::Object(fields) if fields.get(SIGNATURE).and_then(Json::as_str) == Some(SECRET) => {
            *is_secret = true;
            plain(&fields["value"], is_secret)
        }
        Json::Object(fields) => {
            let fields = fields.iter().map(|(key, field)| (key.clone(), plain(field, is_secret)));
            Json::Object(fields.collect())
        }
        Json::Array(elements) => elements.iter().map(|it| plain(it, is_secret)).collect(),
        other => other.clone(),
    }
}
