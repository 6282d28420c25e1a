//! The secret in the properties of states: `pcl state` and `pcl import`.

use pcl::SchemaPlaces;
use pcl::diagnostics::{FileId, MissingSchema};
use pcl::graph::Graph;
use pcl::import::{Request, import};
use pcl::render::{Format, Look};
use pcl::schema::{Loader, MemoryLoader};
use pcl::state::{
    CheckedState, Keys, Secrets, State, resource_json, resource_text, resources_json, tree_text,
};
use pcl_test_support::{Random, SCHEMAS, root, sorted};
use serde_json::{Value, json};

use crate::planted::{Forms, VALUES};
use crate::{seed, variable};

const SIGNATURE: &str = "4dabf18193072939515e22adb298388d";
const SECRET: &str = "1b47061264138c4ac30d75fd1eb44270";
const OUTPUT: &str = "d0e6a833031e9bbcd3f4e8bde6ca49a4";

/// A schema whose types have parts that a run adds, in lists, maps and unions.
const SCHEMA: &str = r##"{ "name": "zoo", "version": "1.0.0",
  "types": { "zoo:index:Part": { "type": "object", "required": ["name"], "properties": {
    "name": { "type": "string" }, "size": { "type": "integer", "default": 3 },
    "kind": { "type": "string", "const": "part" } } } },
  "resources": { "zoo:index:Cage": { "inputProperties": {
    "part": { "$ref": "#/types/zoo:index:Part" },
    "list": { "type": "array", "items": { "$ref": "#/types/zoo:index:Part" } },
    "map": { "type": "object", "additionalProperties": { "$ref": "#/types/zoo:index:Part" } },
    "maps": { "type": "object", "additionalProperties": {
      "type": "object", "additionalProperties": { "$ref": "#/types/zoo:index:Part" } } },
    "either": { "oneOf": [{ "type": "string" }, { "$ref": "#/types/zoo:index:Part" }] },
    "number": { "type": "number" }, "flag": { "type": "boolean" }, "text": { "type": "string" },
    "file": { "$ref": "pulumi.json#/Asset" }, "any": { "$ref": "pulumi.json#/Any" } } } } }"##;

/// A state of this schema.
fn of_schema() -> Value {
    let part = json!({ "name": "a" });
    let inputs = json!({ "part": part, "list": [part], "map": { "a": part },
        "maps": { "a": { "b": part } }, "either": part, "number": 1, "flag": true, "text": "a",
        "file": "a.txt", "any": { "a": [part] } });
    json!({ "version": 3, "deployment": { "resources": [
        { "urn": "urn:pulumi:dev::shop::zoo:index:Cage::lions", "custom": true, "id": "c-1",
          "type": "zoo:index:Cage", "inputs": inputs, "outputs": inputs, "unknown": inputs },
    ] } })
}

/// The forms in which a state has the secret: those that engines write, and damaged ones.
fn secrets() -> Vec<Value> {
    let part = json!({ "name": VALUES[0], "unknown": VALUES[0] });
    let mut contents: Vec<Value> = vec![json!(VALUES[0])];
    let others = VALUES[1..].iter().map(|text| serde_json::from_str(text));
    contents.extend(others.map(|value| value.expect("JSON")));
    contents.extend([
        part.clone(),
        json!([part, { VALUES[0]: part }]),
        json!({ VALUES[0]: part }),
        json!({ VALUES[0]: { VALUES[0]: part } }),
        json!({ VALUES[0]: { SIGNATURE: "c44067f5" } }),
        json!({ VALUES[0]: { SIGNATURE: SECRET, "plaintext": format!("{part}") } }),
    ]);
    let mut secrets = Vec::new();
    for content in contents {
        let text = content.to_string();
        secrets.extend([
            json!({ SIGNATURE: SECRET, "plaintext": text }),
            json!({ SIGNATURE: SECRET, "ciphertext": text }),
            json!({ SIGNATURE: OUTPUT, "value": content, "secret": true }),
            json!({ SIGNATURE: SECRET, "plaintext": content }),
            json!({ SIGNATURE: SECRET, "plaintext": text, "ciphertext": text }),
            json!({ SIGNATURE: "c44067f5", "plaintext": content }),
            json!({ "signature": SECRET, "plaintext": content }),
        ]);
    }
    secrets
}

/// Adds the pointers of a value and of its parts.
fn pointers(value: &Value, at: String, all: &mut Vec<String>) {
    let parts: Vec<(String, &Value)> = match value {
        Value::Array(elements) => {
            let elements = elements.iter().enumerate();
            elements.map(|(at, part)| (at.to_string(), part)).collect()
        }
        Value::Object(entries) => {
            let escaped = |key: &String| key.replace('~', "~0").replace('/', "~1");
            let entries = entries.iter();
            entries.map(|(key, part)| (escaped(key), part)).collect()
        }
        _ => Vec::new(),
    };
    for (step, part) in parts {
        pointers(part, format!("{at}/{step}"), all);
    }
    all.push(at);
}

/// The pointers of all properties of a state.
fn properties(state: &Value) -> Vec<String> {
    let mut all = Vec::new();
    let resources = state["deployment"]["resources"].as_array();
    for (at, resource) in resources.into_iter().flatten().enumerate() {
        for field in ["inputs", "outputs", "unknown"] {
            for (name, value) in resource[field].as_object().into_iter().flatten() {
                let at = format!("/deployment/resources/{at}/{field}/{name}");
                pointers(value, at, &mut all);
            }
        }
    }
    all
}

/// Everything that commands print about a state, and the number of programs for it.
fn printed(text: &str, loader: &dyn Loader) -> (Vec<u8>, usize) {
    let checked = CheckedState::of_text("state.json", text.as_bytes().to_vec());
    let mut printed = Vec::new();
    for format in [Format::Full, Format::Json, Format::Sarif] {
        printed.extend(format.render(&checked.report, Look::default()));
    }
    let Some(state) = &checked.state else { return (printed, 0) };
    printed.extend(tree_text(state).into_bytes());
    printed.extend(resources_json(Some(state)));
    printed
        .extend(format!("{:?}{:?}", state, Graph::of_state(state, FileId(0)).nodes).into_bytes());
    for resource in state.resources() {
        printed.extend(resource_text(state, resource, None).into_bytes());
        printed.extend(resource_json(Some((state, resource)), None));
    }
    if !checked.is_valid() {
        return (printed, 0);
    }
    let programs = imported(state, loader, &mut printed);
    (printed, programs)
}

/// Imports a state in every way, and adds what is printed about it. Where secrets are asked for,
/// the program has them, its diagnostics have not.
fn imported(state: &State, loader: &dyn Loader, printed: &mut Vec<u8>) -> usize {
    let keys = Keys::default();
    let mut programs = 0;
    for (fold, secrets) in [(false, None), (true, None), (false, Some(&keys))] {
        let request =
            Request { fold, secrets, missing_schema: MissingSchema::Ignore, ..Request::default() };
        let imported = import(state, FileId(0), &request, loader);
        printed.extend(format!("{:?}", imported.diagnostics).into_bytes());
        printed.extend(format!("{:?}", imported.secrets).into_bytes());
        programs += usize::from(imported.text.is_some());
        if secrets.is_none() {
            printed.extend(imported.text.unwrap_or_default().into_bytes());
        }
    }
    programs
}

/// Plants the secret in some properties of a state, or in as many as the environment says.
fn plant(state: &Value, loader: &dyn Loader, least: usize, count: usize) {
    let forms = Forms::new();
    let mut random = Random::new(seed());
    let mut properties = properties(state);
    let secrets = secrets();
    let (mut leaks, mut programs) = (Vec::new(), 0);
    let count = variable("PCL_LEAKS_COUNT").map_or(count, |count| count as usize);
    for _ in 0..count.min(properties.len()) {
        let pointer = properties.swap_remove(random.below(properties.len()));
        for secret in &secrets {
            let mut state = state.clone();
            *state.pointer_mut(&pointer).expect("it is there") = secret.clone();
            // A line each, so that excerpts show no more than they have to.
            let text = serde_json::to_string_pretty(&state).expect("it is JSON");
            let (printed, made) = printed(&text, loader);
            programs += made;
            let leak = forms.leak(&printed);
            leaks.extend(leak.map(|leak| format!("{pointer} is {secret}\n  {leak}")));
        }
    }
    let count = leaks.len();
    leaks.truncate(20);
    assert!(count == 0, "{}\n{count} leaks", leaks.join("\n"));
    assert!(programs >= least, "{programs} programs");
}

#[test]
fn secrets_in_states_of_any_type() {
    let mut loader = MemoryLoader::default();
    loader.add(SCHEMA).expect("a schema");
    plant(&of_schema(), &loader, 500, usize::MAX);
}

#[test]
fn secrets_in_states_that_engines_wrote() {
    let places =
        SchemaPlaces { directories: vec![root().join(SCHEMAS)], ..SchemaPlaces::default() };
    let loader = places.loader(None);
    let mut files = sorted(&root().join("tests/import/exported"));
    files.retain(|path| path.extension().is_some_and(|it| it == "json"));
    files.push(root().join("tests/state/shop.json"));
    for file in files {
        let text = std::fs::read_to_string(&file).expect("a state is text");
        let state: Value = serde_json::from_str(&text).expect("a state is JSON");
        plant(&state, &*loader, 0, 2);
    }
}

/// A state that is written on request has the secrets that the keys open.
#[test]
fn secrets_are_written_where_they_are_asked_for() {
    let mut state = of_schema();
    let secret = json!({ SIGNATURE: SECRET, "plaintext": json!(VALUES[0]).to_string() });
    state["deployment"]["resources"][0]["inputs"]["text"] = secret;
    let state = State::read(state.to_string().into(), FileId(0)).state;
    let state = state.expect("a state");
    let shown = state.write(Secrets::Show(&Keys::default()));
    assert!(shown.contains(VALUES[0]), "{shown}");
}
