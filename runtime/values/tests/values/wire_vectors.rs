//! The wire form against the recorded answers (`tests/vectors/wire.json`).

use pcl_test_support::marked_json::{is_same, read_map, write_map};
use pcl_values::{Special, Unknowns, WireError, WireErrorKind, WireOptions, wire};
use serde_json::Value;

use crate::vectors::{Exceptions, file, list};

const FILE: &str = "wire.json";

/// The options of a named set.
fn options(file: &Value, set: &str) -> WireOptions {
    let mut options = WireOptions::default();
    for option in file["sets"][set].as_array().unwrap() {
        match option.as_str().unwrap() {
            "keepUnknowns" => options.unknowns = Unknowns::Keep,
            "rejectUnknowns" => options.unknowns = Unknowns::Reject,
            "keepSecrets" => options.secrets = true,
            "keepResources" => options.resources = true,
            "keepByteStrings" => options.byte_strings = true,
            "keepOutputValues" => options.outputs = true,
            "upgradeToOutputValues" => options.upgrade_to_outputs = true,
            "skipNulls" => options.skip_nulls = true,
            "skipInternalKeys" => options.skip_internal = true,
            other => panic!("the option {other} is not known"),
        }
    }
    options
}

/// Returns true if an error is about what the recorded message is about.
fn is_gist(error: &WireError, message: &str) -> bool {
    let has = |part: &str| message.contains(part);
    match &error.kind {
        WireErrorKind::Unknown => has("unexpected unknown property value"),
        WireErrorKind::NotUtf8 => has("non-UTF8 bytes"),
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
    for vector in list(&file, "marshal") {
        let vector = exceptions.apply("marshal", vector);
        let properties = read_map(vector["properties"].as_object().unwrap());
        for encoded in vector["encoded"].as_array().unwrap() {
            for set in encoded["sets"].as_array().unwrap() {
                let place = format!("{} with {set}", vector["id"]);
                let options = options(&file, set.as_str().unwrap());
                match wire::encode(&properties, &options) {
                    Ok(message) if encoded.get("not_json").is_some() => {
                        assert!(serde_json::to_value(&message).is_err(), "{place}");
                    }
                    Ok(message) => {
                        let json = serde_json::to_value(&message).unwrap();
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
}

#[test]
fn recorded_messages_are_read() {
    let file = file(FILE);
    for vector in list(&file, "unmarshal") {
        let message: wire::Struct = serde_json::from_value(vector["struct"].clone()).unwrap();
        for decoded in vector["decoded"].as_array().unwrap() {
            for set in decoded["sets"].as_array().unwrap() {
                let place = format!("{} with {set}", vector["id"]);
                let options = options(&file, set.as_str().unwrap());
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
