//! The wire form against the recorded answers (`tests/vectors/wire.json`).

use pcl_test_support::marked_json::{is_same, message_of, message_to_json, read_map, write_map};
use pcl_values::{Special, WireError, WireErrorKind, WireOptions, wire};
use serde_json::Value;

use crate::vectors::{Exceptions, file, list};

const FILE: &str = "wire.json";

/// The options of a set that programs use.
fn options(set: &Value) -> Option<WireOptions> {
    match set.as_str().unwrap() {
        "register" => Some(WireOptions::REGISTER),
        "outputs" => Some(WireOptions::OUTPUTS),
        _ => None,
    }
}

/// The sets of a recorded answer that programs use.
fn sets(answer: &Value) -> impl Iterator<Item = (&Value, WireOptions)> {
    let sets = answer["sets"].as_array().unwrap().iter();
    sets.filter_map(|set| Some((set, options(set)?)))
}

/// Returns true if an error is about what the recorded message is about.
fn is_gist(error: &WireError, message: &str) -> bool {
    let has = |part: &str| message.contains(part);
    match &error.kind {
        WireErrorKind::Reserved(_) => message == "reserved",
        WireErrorKind::Member => has("is not an asset or archive"),
        WireErrorKind::Signature(_) => has("unrecognized signature"),
        WireErrorKind::Missing { kind, part } => has("missing") && has(part) && has(name(*kind)),
        WireErrorKind::WrongKind { kind, part, .. } => {
            let last = part.trim_end_matches('s');
            (has("not") || has("unexpected")) && has(last) && has(name(*kind))
        }
        WireErrorKind::TooDeep => false,
    }
}

fn name(kind: Special) -> &'static str {
    match kind {
        Special::Secret => "secret",
        Special::Output => "output value",
        Special::Reference => "resource reference",
        Special::Bytes => "byte string",
        Special::Asset => "asset",
        Special::Archive => "archive",
    }
}

#[test]
fn recorded_messages_are_written() {
    let file = file(FILE);
    let mut exceptions = Exceptions::of(FILE);
    let mut count = 0;
    for vector in list(&file, "marshal") {
        let vector = exceptions.apply("marshal", vector);
        let properties = read_map(vector["properties"].as_object().unwrap());
        for encoded in vector["encoded"].as_array().unwrap() {
            for (set, options) in sets(encoded) {
                let place = format!("{} with {set}", vector["id"]);
                count += 1;
                match wire::encode(&properties, &options) {
                    Ok(message) if encoded.get("not_json").is_some() => {
                        assert!(message_to_json(&message).is_none(), "{place}");
                    }
                    Ok(message) => {
                        let json = message_to_json(&message).unwrap();
                        assert!(is_same(&json, &encoded["struct"]), "{place}: {json}");
                    }
                    Err(error) => {
                        let expected = encoded["error"].as_str();
                        let is_gist = expected.is_some_and(|message| is_gist(&error, message));
                        assert!(is_gist, "{place}: {error}, expected {expected:?}");
                    }
                }
            }
        }
    }
    exceptions.finish();
    assert!(count > 100, "{count}");
}

#[test]
fn recorded_messages_are_read() {
    let file = file(FILE);
    for vector in list(&file, "unmarshal") {
        let message = message_of(vector["struct"].as_object().unwrap());
        for decoded in vector["decoded"].as_array().unwrap() {
            for (set, options) in sets(decoded) {
                let place = format!("{} with {set}", vector["id"]);
                match wire::decode(&message, &options) {
                    Ok(properties) => {
                        let json = write_map(&properties);
                        assert!(is_same(&json, &decoded["properties"]), "{place}: {json}");
                    }
                    Err(error) => {
                        let expected = decoded["error"].as_str();
                        let is_gist = expected.is_some_and(|message| is_gist(&error, message));
                        assert!(is_gist, "{place}: {error}, expected {expected:?}");
                    }
                }
            }
        }
    }
}
