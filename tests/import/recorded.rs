//! The recorded states, with the programs that Pulumi writes for them.

use std::collections::BTreeSet;
use std::sync::Arc;

use pcl::import::Request;
use pcl::schema::{LoadError, Loader, Package, PackageRequest};
use pcl::syntax::SyntaxKind;
use pcl_test_support::root;
use serde_json::{Value, json};

use crate::law::{Schemas, law};

fn vectors(name: &str) -> Value {
    let path = root().join("tests/vectors").join(name);
    let text = std::fs::read_to_string(path).expect("the vectors are there");
    serde_json::from_str(&text).expect("the vectors are JSON")
}

/// The package of the recordings, under the name of whatever is asked for.
struct Lab(String);

impl Loader for Lab {
    fn find(&self, request: &PackageRequest) -> Result<Arc<Package>, LoadError> {
        let mut text = self.0.clone();
        if request.name() != "lab" {
            text = text.replace("\"lab\"", &format!("\"{}\"", request.name()));
            text = text.replace("lab:", &format!("{}:", request.name()));
            text = text.replace("\"2.1.0\"", "\"3.0.0\"");
        }
        let package = Package::from_bytes(text.into_bytes()).expect("the schema is one");
        Ok(Arc::new(package))
    }
}

pub fn lab() -> Schemas {
    let schema = vectors("lab_schema.json");
    Schemas {
        loader: Arc::new(Lab(schema.to_string())),
        secret: Arc::new(["password", "token", "key"].map(str::to_owned).into()),
    }
}

/// The state of a recording.
fn state(case: &Value) -> Value {
    let of = |key: &str| case[key].as_array().cloned().unwrap_or_default();
    let mut resources = of("snapshot");
    for resource in of("resources") {
        match resources.iter_mut().find(|it| it["urn"] == resource["urn"]) {
            Some(known) => *known = resource,
            None => resources.push(resource),
        }
    }
    // A program is for all of a state; the recorded ones are for a part of it.
    let written: Vec<Value> = of("resources");
    resources.retain(|resource| {
        let urn = resource["urn"].as_str().expect("a URN");
        let is_used = |other: &Value| {
            let provider = other["provider"].as_str();
            other["urn"] == urn || provider.is_some_and(|it| it.starts_with(urn))
        };
        !urn.contains("pulumi:providers:") || written.iter().any(is_used)
    });
    json!({ "version": 3, "deployment": { "resources": resources } })
}

/// The tokens of a program that mean something, one a line. The layout, the label of `package` and
/// an empty `dependsOn` do not count.
fn tokens(text: &str) -> Vec<String> {
    let text = text.replace("package lab {", "package {").replace("package sub {", "package {");
    let text = text.replace("dependsOn =[]\n", "");
    let mut tokens = Vec::new();
    for (kind, range) in pcl::syntax::tokenize(&text).iter() {
        let token = text.get(range.to_usize()).unwrap_or_default();
        let is_layout = token.trim().is_empty() || token == ",";
        if !is_layout && kind != SyntaxKind::LineComment {
            tokens.push(token.to_owned());
        }
    }
    let joined = tokens.join("\n").replace("options\n{\n}\n", "");
    joined.lines().map(str::to_owned).collect()
}

#[test]
fn recorded_states_keep_the_law_and_differ_from_pulumi_for_a_reason() {
    let document = vectors("import.json");
    let exceptions = vectors("import_exceptions.json");
    let exceptions = exceptions.as_object().expect("exceptions by id");
    let lab = lab();
    let (mut seen, mut complaints, mut programs) = (BTreeSet::new(), Vec::new(), String::new());
    let cases = document["cases"].as_array().expect("cases");
    for case in cases {
        let id = case["id"].as_str().expect("an id");
        let names = case["names"].as_object().expect("names");
        let names = names
            .iter()
            .map(|(urn, name)| (urn.clone(), name.as_str().expect("a name").to_owned()));
        let request = Request { names: names.collect(), ..Request::default() };
        let given = law(&state(case), &lab, &request).map(|kept| kept.text);
        let recorded = case["pcl"].as_str();
        let is_same = match (&given, recorded) {
            (Ok(given), Some(recorded)) => tokens(given) == tokens(recorded),
            (Err(reason), None) => !reason.starts_with("broken law"),
            _ => false,
        };
        let exception = exceptions.get(id).map(|reason| reason.as_str().expect("a reason"));
        match (is_same, exception) {
            (true, None) => {}
            (false, Some(_)) => _ = seen.insert(id.to_owned()),
            (true, Some(_)) => complaints.push(format!("{id} is no exception any more")),
            (false, None) => {
                complaints.push(format!("{id} differs: {}", recorded.unwrap_or("an error")))
            }
        }
        let shown = given.unwrap_or_else(|reason| {
            if reason.starts_with("broken law") {
                complaints.push(format!("{id}: {reason}"));
            }
            format!("# {}\n", reason.replace('\n', "\n# "))
        });
        programs.push_str(&format!("## {id}\n"));
        if let Some(reason) = exception {
            programs.push_str(&format!("## otherwise than Pulumi: {reason}\n"));
        }
        programs.push_str(&format!("\n{shown}\n"));
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n\n"));
    assert_eq!(cases.len(), 45);
    assert_eq!(seen.len(), exceptions.len(), "exceptions for states that are not recorded");
    insta::assert_snapshot!(programs);
}
