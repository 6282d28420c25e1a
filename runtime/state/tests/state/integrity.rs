//! Every error of a state, with its place.

use serde_json::{Value, json};

use crate::states::{STACK, cage, found, read, rich, state, urn};

#[track_caller]
fn gives(state: &Value, expected: &[&str]) {
    assert_eq!(found(&read(&state.to_string()).diagnostics), expected);
}

#[track_caller]
fn text_gives(text: &str, expected: &[&str]) {
    assert_eq!(found(&read(text).diagnostics), expected);
}

#[test]
fn sound_states_are_accepted() {
    gives(&state(vec![]), &[]);
    gives(&json!({ "version": 4, "features": ["views"], "deployment": {} }), &[]);
    gives(&rich(), &["state-pending-operation /deployment/pending_operations/0"]);
}

#[test]
fn what_is_no_state_is_refused() {
    text_gives("", &["state-document /"]);
    text_gives("{\"version\":3,", &["state-document /"]);
    text_gives("[]", &["state-document /"]);
    text_gives("{\"deployment\":{}}", &["state-document /"]);
    text_gives("{\"version\":3}", &["state-document /"]);
    text_gives("{\"version\":3,\"deployment\":[]}", &["state-document /deployment"]);
    for version in ["1", "2", "5", "3.5", "\"3\""] {
        let text = format!("{{\"version\":{version},\"deployment\":{{}}}}");
        text_gives(&text, &["state-version /version"]);
    }
    gives(
        &json!({ "version": 4, "features": ["views", "x"], "deployment": {} }),
        &["state-version /features/1"],
    );
}

#[test]
fn fields_have_their_kinds() {
    for (fields, pointer) in [
        (json!({ "custom": 1 }), "/custom"),
        (json!({ "inputs": [] }), "/inputs"),
        (json!({ "parent": "x" }), "/parent"),
        (json!({ "provider": "x" }), "/provider"),
        (json!({ "dependencies": [1] }), "/dependencies/0"),
        (json!({ "propertyDependencies": { "a/b": [1] } }), "/propertyDependencies/a~1b/0"),
        (json!({ "customTimeouts": { "create": "5m" } }), "/customTimeouts/create"),
        (json!({ "resourceHooks": { "beforeCreate": "x" } }), "/resourceHooks/beforeCreate"),
        (json!({ "type": "" }), "/type"),
        (json!({ "custom": false }), "/id"),
    ] {
        let expected = format!("state-value /deployment/resources/1{pointer}");
        gives(&state(vec![cage("a", fields)]), &[&expected]);
    }
    gives(
        &json!({ "version": 3, "deployment": { "resources": [{ "custom": true }, 1] } }),
        &[
            "state-value /deployment/resources/0",
            "state-value /deployment/resources/0",
            "state-value /deployment/resources/1",
        ],
    );
    text_gives(r#"{"version":3,"deployment":{"metadata":{"a":1,"b":2,"a":3}}}"#, &[]);
}

#[test]
fn special_values_have_their_parts() {
    const SIG: &str = "4dabf18193072939515e22adb298388d";
    const SECRET: &str = "1b47061264138c4ac30d75fd1eb44270";
    for value in [
        json!({ SIG: SECRET }),
        json!({ SIG: SECRET, "plaintext": "1", "ciphertext": "x" }),
        json!({ SIG: SECRET, "plaintext": 1 }),
        json!({ "4dab": SECRET, "plaintext": "1" }),
        json!({ SIG: "0000", "plaintext": "1" }),
        json!({ SIG: "8ad145fe-0d11-4827-bfd7-1abcbf086f5c", "value": "7ff" }),
        json!({ SIG: "5cf8f73096256a8f31e491e813e4eb8e", "id": "x" }),
        json!({ SIG: "0def7320c3a5731c473e5ecbe6d01bc7", "assets": [] }),
        json!({ SIG: "803fd3297a5875dc03ca845dda5d2a98", "value": "?" }),
    ] {
        let state = state(vec![cage("a", json!({ "inputs": { "x": [value] } }))]);
        gives(&state, &["state-value /deployment/resources/1/inputs/x/0"]);
    }
}

#[test]
fn duplicate_keys_and_names_are_reported() {
    let text = state(vec![cage("a", json!({}))]).to_string();
    let text = text.replace(r#""custom":true"#, r#""custom":true,"custom":true"#);
    text_gives(&text, &["state-value /deployment/resources/1/custom"]);
    let many: Vec<String> = (0..40).map(|at| format!("\"k{}\":1", at % 39)).collect();
    let text =
        text.replace(r#""custom":true,"custom":true"#, &format!("\"x\":{{{}}}", many.join(",")));
    let text = text.replace("\"id\":\"id-a\",", "");
    text_gives(&text, &["state-value /deployment/resources/1/x/k0"]);
    gives(
        &state(vec![cage("a", json!({})), cage("a", json!({}))]),
        &["state-duplicate-urn /deployment/resources/2/urn"],
    );
    let deleted = json!({ "delete": true });
    gives(&state(vec![cage("a", deleted.clone()), cage("a", json!({})), cage("a", deleted)]), &[]);
}

#[test]
fn references_lead_to_earlier_resources() {
    let provider = format!("{STACK}::p");
    for (fields, field) in [
        (json!({ "parent": urn("x") }), "parent"),
        (json!({ "dependencies": [urn("x")] }), "dependencies"),
        (json!({ "propertyDependencies": { "p": [urn("x")] } }), "propertyDependencies/p"),
        (json!({ "deletedWith": urn("x") }), "deletedWith"),
        (json!({ "replaceWith": [urn("x")] }), "replaceWith"),
        (json!({ "provider": format!("{}::p-1", urn("x")) }), "provider"),
        (json!({ "provider": provider }), "provider"),
    ] {
        let pointer = format!("/deployment/resources/1/{field}");
        let missing = format!("state-missing-resource {pointer}");
        gives(&state(vec![cage("a", fields.clone())]), &[&missing]);
        if fields["provider"] != json!(provider) {
            let later = state(vec![cage("a", fields), cage("x", json!({ "id": "p-1" }))]);
            gives(&later, &[&format!("state-order {pointer}")]);
        }
    }
}

#[test]
fn a_cycle_is_reported_once() {
    let on = |name: &str| json!({ "dependencies": [urn(name)] });
    gives(&state(vec![cage("a", on("a"))]), &["state-cycle /deployment/resources/1/dependencies"]);
    gives(
        &state(vec![
            cage("a", on("c")),
            cage("b", on("a")),
            cage("c", json!({ "dependencies": [urn("b")], "parent": urn("d") })),
            cage("d", json!({ "parent": urn("a") })),
        ]),
        &["state-cycle /deployment/resources/1/dependencies"],
    );
}

#[test]
fn the_records_of_pulumi_are_read() {
    let mut state = state(vec![]);
    state["deployment"]["manifest"] = json!({ "magic": "0", "version": "v1" });
    state["deployment"]["metadata"] = json!({ "integrity_error": { "error": "bad" } });
    gives(
        &state,
        &[
            "state-manifest /deployment/manifest/magic",
            "state-recorded-error /deployment/metadata/integrity_error",
        ],
    );
}
