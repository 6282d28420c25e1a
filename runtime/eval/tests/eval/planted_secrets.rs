//! Secrets that are planted into programs that run: only the engine sees them, marked as secrets.

use pcl_eval::Outcome;
use pcl_test_support::engine::{evaluated, vectors};
use serde_json::{Value as Json, json};

/// The text that is planted.
const PLANTED: &str = "pl4nt3d-s3cr3t";

/// The key of the objects that mark a value in a message to the engine.
const MARK: &str = "4dabf18193072939515e22adb298388d";

/// The runs of programs with a planted secret, and the leaks of them.
#[derive(Default)]
struct Runs {
    schema: Json,
    /// The runs in which the engine received the secret.
    received: usize,
    leaks: Vec<String>,
}

impl Runs {
    fn run(&mut self, program: &Json, place: &str) {
        for is_preview in [true, false] {
            let Some((outcome, events)) = evaluated(program, is_preview, &self.schema, None) else {
                return;
            };
            self.received += usize::from(events.iter().any(|it| it.to_string().contains(PLANTED)));
            let place = format!("{} with {place}", program["id"]);
            for said in said(&outcome) {
                self.leaks.push(format!("{place} reports {said}"));
            }
            for event in events.iter().filter(|event| shows_in_values(&event["request"])) {
                self.leaks.push(format!("{place} sends {event}"));
            }
        }
    }

    fn finish(self, least: usize) {
        let Self { received, leaks, .. } = self;
        assert!(leaks.is_empty(), "{}\n{} leaks", leaks.join("\n"), leaks.len());
        assert!(received > least, "{received}");
    }
}

/// The diagnostics that show the secret.
fn said(outcome: &Outcome) -> impl Iterator<Item = String> {
    let said = outcome.diagnostics.iter().map(|it| format!("{it:?}"));
    said.filter(|said| said.contains(PLANTED))
}

/// Returns whether a value in a request shows the secret. Everything else is plain text to the
/// engine, such as the id of a resource that is read.
fn shows_in_values(request: &Json) -> bool {
    let values = ["object", "properties", "outputs", "args", "replacementTrigger"];
    values.iter().any(|name| shows(&request[*name]))
}

/// Returns whether a part of a value that is not marked shows the secret.
fn shows(json: &Json) -> bool {
    match json {
        Json::Object(fields) if fields.contains_key(MARK) => false,
        Json::Object(fields) => {
            fields.iter().any(|(name, value)| name.contains(PLANTED) || shows(value))
        }
        Json::Array(elements) => elements.iter().any(shows),
        Json::String(text) => text.contains(PLANTED),
        _ => false,
    }
}

#[test]
fn a_secret_in_a_program_is_never_sent_unmarked() {
    let document = vectors("registration.json");
    let mut runs = Runs { schema: document["schema"].clone(), ..Runs::default() };
    for program in document["programs"].as_array().expect("programs") {
        for (name, text) in program["files"].as_object().expect("files") {
            let text = text.as_str().expect("text");
            // Whoever asks for a secret gets it.
            if text.contains("unsecret") {
                continue;
            }
            let mut end = 0;
            while let Some(start) = text[end..].find('"').map(|at| end + at) {
                let Some(length) = text[start + 1..].find('"') else { break };
                end = start + length + 2;
                let mut planted = program.clone();
                let (before, after) = (&text[..start], &text[end..]);
                // The facts about a package decide how the program binds.
                if before.rfind("package \"").is_some_and(|at| !before[at..].contains("\n}")) {
                    continue;
                }
                planted["files"][name] = json!(format!("{before}secret(\"{PLANTED}\"){after}"));
                runs.run(&planted, &format!("a secret at {start} of {name}:\n{text}\n"));
            }
        }
    }
    runs.finish(200);
}

#[test]
fn a_secret_in_an_answer_is_never_sent_unmarked() {
    let document = vectors("registration.json");
    let mut runs = Runs { schema: document["schema"].clone(), ..Runs::default() };
    for program in document["programs"].as_array().expect("programs") {
        let mut planted = program.clone();
        plant(&mut planted["responses"]);
        runs.run(&planted, "secrets in all answers");
    }
    runs.finish(20);
}

/// Plants secrets into all outputs of answers.
fn plant(json: &mut Json) {
    let Json::Object(fields) = json else { return };
    for (name, value) in fields {
        match name.as_str() {
            "outputs" | "previewOutputs" | "return" | "properties" => hide(value),
            _ => plant(value),
        }
    }
}

fn hide(json: &mut Json) {
    match json {
        Json::Object(fields) if fields.keys().any(|name| name.starts_with('$')) => {}
        Json::Object(fields) => fields.values_mut().for_each(hide),
        Json::Array(elements) => elements.iter_mut().for_each(hide),
        Json::String(_) => *json = json!({ "$secret": PLANTED }),
        _ => {}
    }
}
