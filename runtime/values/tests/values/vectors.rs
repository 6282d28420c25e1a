//! Recorded answers of Pulumi, and where we differ on purpose.

use std::collections::BTreeMap;

use serde_json::Value;

/// The vectors of a file in `tests/vectors/`.
pub fn file(name: &str) -> Value {
    let path = format!("{}/../../tests/vectors/{name}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    serde_json::from_str(&text).unwrap()
}

/// The vectors of a list in a file.
pub fn list<'f>(file: &'f Value, list: &str) -> &'f [Value] {
    file[list].as_array().unwrap()
}

/// The vectors of a file that a fix changes, with our results: `exceptions.json`.
pub struct Exceptions {
    file: &'static str,
    entries: Vec<Value>,
    met: BTreeMap<usize, ()>,
}

impl Exceptions {
    /// The exceptions for a file.
    pub fn of(file: &'static str) -> Self {
        let text = include_str!("exceptions.json");
        let all: Value = serde_json::from_str(text).unwrap();
        Self { file, entries: all[file].as_array().unwrap().clone(), met: BTreeMap::new() }
    }

    /// The vector with our answers in the fields where they differ.
    pub fn apply(&mut self, list: &str, vector: &Value) -> Value {
        let is_met = |entry: &&Value| {
            let mut fields = entry["vector"].as_object().unwrap().iter();
            entry["list"] == list && fields.all(|(name, value)| vector[name] == *value)
        };
        let mut found = self.entries.iter().enumerate();
        let found = found.find(|(_, entry)| is_met(entry));
        let mut ours = vector.clone();
        if let Some((place, entry)) = found {
            assert!(entry["fix"].is_string() && entry["reason"].is_string());
            self.met.insert(place, ());
            for (name, value) in entry["ours"].as_object().unwrap() {
                ours[name] = value.clone();
            }
        }
        ours
    }

    /// Fails if the file has no vector for an exception.
    pub fn finish(self) {
        let unmet = (0..self.entries.len()).filter(|place| !self.met.contains_key(place));
        let unmet: Vec<usize> = unmet.collect();
        assert!(unmet.is_empty(), "no vectors for {unmet:?} of {}", self.file);
    }
}
