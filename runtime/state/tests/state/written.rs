//! States come back as they were, and secrets are opened on request alone.

use pcl_state::Secrets;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::states::{cage, read, rich, state};

fn json_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_filter("finite", |it| it.is_finite()).prop_map(Value::from),
        ".*".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 32, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map(".{0,8}", inner, 0..4)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

/// A written state has the same values, and is written as it is.
fn comes_back(text: &str) {
    let first = read(text);
    let state = first.state.expect("a state");
    let written = state.write(Secrets::Keep);
    let values = |text: &str| serde_json::from_str::<Value>(text).expect("JSON");
    assert_eq!(values(&written), values(text));
    let again = read(&written);
    assert_eq!(again.diagnostics.len(), first.diagnostics.len());
    assert_eq!(again.state.expect("a state").write(Secrets::Keep), written);
}

#[test]
fn states_come_back_with_what_is_not_known() {
    let text = rich().to_string();
    let read = read(&text);
    assert_eq!(read.diagnostics.len(), 1, "{:?}", read.diagnostics);
    comes_back(&text);
    let written = read.state.expect("a state").write(Secrets::Keep);
    assert!(written.contains("futureTop") && written.contains("futureField"));
    assert!(written.contains("\n    \"deployment\": {\n"), "{written}");
}

/// Numbers and escapes are not rewritten.
#[test]
fn values_are_kept_as_they_are_written() {
    let text = r#"{"version":3,"deployment":{"n":1.50e+3,"s":"\u00e9\/","big":123456789012345678901234567890}}"#;
    let written = read(text).state.expect("a state").write(Secrets::Keep);
    for part in ["1.50e+3", r#""\u00e9\/""#, "123456789012345678901234567890"] {
        assert!(written.contains(part), "{written}");
    }
}

proptest! {
    #[test]
    fn generated_states_come_back(inputs in json_value(), other in json_value()) {
        let state = state(vec![cage("a", json!({ "inputs": { "x": inputs }, "other": other }))]);
        comes_back(&state.to_string());
    }
}
