//! States to test with.

use pcl_diagnostics::{Diagnostic, FileId};
use pcl_state::{Read, State};
use serde_json::{Value, json};

pub const STACK: &str = "urn:pulumi:dev::shop::pulumi:pulumi:Stack::shop-dev";

/// The text that must never be seen.
pub const PLANTED: &str = "hunter2-planted";

/// The URN of a cage.
pub fn urn(name: &str) -> String {
    format!("urn:pulumi:dev::shop::zoo:index:Cage::{name}")
}

/// A cage with further fields.
pub fn cage(name: &str, fields: Value) -> Value {
    let mut cage = json!({
        "urn": urn(name), "custom": true, "id": format!("id-{name}"), "type": "zoo:index:Cage",
    });
    let fields = fields.as_object().expect("an object").clone();
    cage.as_object_mut().expect("an object").extend(fields);
    cage
}

/// A state of the stack and these resources.
pub fn state(resources: Vec<Value>) -> Value {
    let stack = json!({ "urn": STACK, "custom": false, "type": "pulumi:pulumi:Stack" });
    let resources: Vec<Value> = [stack].into_iter().chain(resources).collect();
    json!({ "version": 3, "deployment": { "resources": resources } })
}

/// A state with a value of every kind.
pub fn rich() -> Value {
    const SIG: &str = "4dabf18193072939515e22adb298388d";
    const SECRET: &str = "1b47061264138c4ac30d75fd1eb44270";
    let provider = "urn:pulumi:dev::shop::pulumi:providers:zoo::default_1_0_0";
    let inputs = json!({
        "bars": 12, "name": "löwe\n\u{1f981}", "big": 1e300, "none": null, "open": true,
        "list": [1, [2, {"x": []}]],
        "secret": { SIG: SECRET, "plaintext": format!("\"{PLANTED}\"") },
        "closed": { SIG: SECRET, "ciphertext": "v1:abc:def" },
        "asset": { SIG: "c44067f5952c0a294b673a41bacd8c17", "hash": "h", "text": "hi" },
        "archive": { SIG: "0def7320c3a5731c473e5ecbe6d01bc7", "hash": "h", "assets": {
            "a": { SIG: "c44067f5952c0a294b673a41bacd8c17", "path": "p" } } },
        "peer": { SIG: "5cf8f73096256a8f31e491e813e4eb8e", "urn": urn("a"), "id": "id-a",
                  "packageVersion": "" },
        "nan": { SIG: "8ad145fe-0d11-4827-bfd7-1abcbf086f5c", "value": "7ff8000000000001" },
        "bytes": { SIG: "803fd3297a5875dc03ca845dda5d2a98", "value": "/w==" },
        "later": "04da6b54-80e4-46f7-96ec-b56ff0331ba9",
    });
    let mut state = state(vec![
        json!({ "urn": provider, "custom": true, "id": "p-1", "type": "pulumi:providers:zoo",
                "inputs": { "version": "1.0.0" } }),
        cage("a", json!({ "parent": STACK, "provider": format!("{provider}::p-1") })),
        cage(
            "b",
            json!({
                "inputs": inputs, "outputs": inputs, "parent": STACK, "protect": true,
                "provider": format!("{provider}::p-1"), "dependencies": [urn("a")],
                "propertyDependencies": { "peer": [urn("a")] }, "customTimeouts": { "create": 60 },
                "ignoreChanges": ["name"], "resourceHooks": { "beforeCreate": ["log"] },
                "futureField": { "kept": [true] }, "deletedWith": urn("a"),
            }),
        ),
        cage("a", json!({ "delete": true })),
    ]);
    let deployment = &mut state["deployment"];
    deployment["manifest"] = json!({ "time": "2026-01-01T00:00:00Z", "version": "v1",
        "magic": "3bfc269594ef649228e9a74bab00f042efc91d5acc6fbee31a382e80d42388fe" });
    deployment["secrets_providers"] =
        json!({ "type": "passphrase", "state": { "salt": "v1:a:b" } });
    deployment["pending_operations"] =
        json!([{ "type": "updating", "resource": cage("b", json!({})) }]);
    state["futureTop"] = json!("kept");
    state
}

/// Reads a state.
pub fn read(text: &str) -> Read {
    State::read(text.into(), FileId(0))
}

/// The codes of diagnostics with the pointers of their places.
pub fn found(diagnostics: &[Diagnostic]) -> Vec<String> {
    let line = |it: &Diagnostic| {
        let pointer = it.notes.first().and_then(|note| note.strip_prefix("at "));
        format!("{} {}", it.code.name(), pointer.unwrap_or("/"))
    };
    diagnostics.iter().map(line).collect()
}
