//! Damaged states: every one is read to the end, and none shows a secret.

use pcl_diagnostics::Diagnostic;
use pcl_state::{Secrets, masked};
use serde_json::Value;

use crate::states::{PLANTED, read, rich};

/// The number of damaged states; `PCL_STATE_MUTANTS` names another one.
fn count() -> u64 {
    let named = std::env::var("PCL_STATE_MUTANTS").ok();
    named.map_or(3_000, |count| count.parse().expect("a number"))
}

/// Random numbers that are the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % limit.max(1)
    }
}

/// The values of a document, each with its pointer.
fn pointers(value: &Value, at: String, all: &mut Vec<String>) {
    match value {
        Value::Array(elements) => {
            for (index, element) in elements.iter().enumerate() {
                pointers(element, format!("{at}/{index}"), all);
            }
        }
        Value::Object(entries) => {
            for (key, value) in entries {
                pointers(value, format!("{at}/{}", key.replace('~', "~0").replace('/', "~1")), all);
            }
        }
        _ => {}
    }
    all.push(at);
}

/// A document with one change to its values: one is removed, repeated, moved, or of another type.
fn changed(random: &mut Random, document: &Value) -> String {
    let mut document = document.clone();
    let mut all = Vec::new();
    pointers(&document, String::new(), &mut all);
    let at = all[random.below(all.len())].clone();
    let other = document
        .pointer(&all[random.below(all.len())])
        .cloned()
        .filter(|other| other.as_str().is_none_or(|text| !text.contains(PLANTED)))
        .unwrap_or_default();
    let choice = random.below(6);
    let value = document.pointer_mut(&at).expect("it is there");
    match (choice, &mut *value) {
        (0, Value::Array(elements)) if !elements.is_empty() => {
            let copy = elements[random.below(elements.len())].clone();
            elements.push(copy);
        }
        (1, Value::Array(elements)) if elements.len() > 1 => elements.reverse(),
        (2, Value::Object(entries)) if !entries.is_empty() => {
            let key = entries.keys().nth(random.below(entries.len())).expect("a key").clone();
            entries.remove(&key);
        }
        (3, _) => *value = other,
        (4, _) => *value = Value::Null,
        _ => {
            *value = [Value::from(1), Value::from(true), Value::from(vec![0]), Value::from("x")]
                [random.below(4)]
            .clone()
        }
    }
    document.to_string()
}

/// A text with a change to its bytes.
fn bitten(random: &mut Random, text: &str) -> String {
    let mut bytes = text.as_bytes().to_vec();
    let at = random.below(bytes.len());
    match random.below(4) {
        0 => bytes.truncate(at),
        1 => bytes[at] = b"{}[],:\"\\0ax\x00\xff"[random.below(13)],
        2 => _ = bytes.remove(at),
        _ => {
            let end = (at + random.below(40)).min(bytes.len());
            let part = bytes[at..end].to_vec();
            bytes.splice(at..at, part);
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[test]
fn damaged_states_are_reported_without_their_secrets() {
    let document = rich();
    let text = serde_json::to_string_pretty(&document).expect("JSON");
    let mut random = Random(1);
    let mut reported = 0;
    for number in 0..count() {
        let damaged = match number % 2 {
            0 => changed(&mut random, &document),
            _ => bitten(&mut random, &text),
        };
        let read = read(&damaged);
        reported += usize::from(read.diagnostics.iter().any(Diagnostic::is_error));
        for diagnostic in &read.diagnostics {
            assert!(!format!("{diagnostic:?}").contains(PLANTED), "{diagnostic:?}");
            let range = diagnostic.primary.range.to_usize();
            assert!(range.end <= damaged.len() + 1, "{diagnostic:?}");
            assert!(diagnostic.help.is_some(), "{diagnostic:?}");
        }
        let shown = masked(&damaged, read.state.as_ref());
        assert_eq!(shown.len(), damaged.len());
        assert!(!shown.contains(PLANTED), "{shown}");
        match &read.state {
            Some(state) => {
                state.resources().for_each(|resource| _ = resource.needs().count());
                assert!(!format!("{state:?}").contains(PLANTED));
                let written = state.write(Secrets::Keep);
                assert_eq!(crate::states::read(&written).diagnostics.len(), read.diagnostics.len());
            }
            None => assert!(!read.diagnostics.is_empty()),
        }
    }
    // Some changes only make another state.
    assert!(reported as u64 > count() / 2, "{reported}");
}
