//! Helpers of several tests.

#[allow(dead_code, reason = "not every test damages programs")]
pub mod corpus;
#[allow(dead_code, reason = "not every test looks at shapes")]
pub mod shape;
#[allow(dead_code, reason = "not every test makes texts")]
pub mod soup;

use serde_json::Value;

#[allow(dead_code, reason = "not every test reads vectors")]
/// The vectors written for this project: sources with what the reference makes of them.
pub fn vectors() -> Vec<Value> {
    vectors_of("syntax_vectors.json")
}

#[allow(dead_code, reason = "not every test reads vectors")]
/// The vectors of one file.
pub fn vectors_of(file: &str) -> Vec<Value> {
    let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/vectors/");
    let text = std::fs::read_to_string(format!("{directory}{file}"));
    let text = text.expect("the vectors are part of the repository");
    match serde_json::from_str(&text) {
        Ok(Value::Array(vectors)) => vectors,
        other => panic!("the vectors are a list, not {other:?}"),
    }
}
