//! The layers depend on each other as ARCHITECTURE.md says, and in no other way.

use std::collections::BTreeMap;
use std::process::Command;

use serde_json::Value;

#[test]
fn crates_depend_on_the_layers_below_them_only() {
    let output = Command::new(env!("CARGO"))
        .args([
            "metadata",
            "--format-version",
            "1",
            "--no-deps",
            "--offline",
        ])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs");
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("metadata is JSON");
    let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for package in metadata["packages"].as_array().expect("packages") {
        let mut needs: Vec<String> = package["dependencies"]
            .as_array()
            .expect("dependencies")
            .iter()
            .filter(|dependency| dependency["kind"].is_null())
            .filter_map(|dependency| dependency["name"].as_str())
            .filter(|name| name.starts_with("pcl-"))
            .map(str::to_owned)
            .collect();
        needs.sort();
        let name = package["name"].as_str().expect("name").to_owned();
        found.insert(name, needs);
    }
    let expected: BTreeMap<String, Vec<String>> = [
        (
            "pcl",
            &[
                "pcl-binder",
                "pcl-diagnostics",
                "pcl-lower",
                "pcl-model",
                "pcl-remote",
                "pcl-schema",
                "pcl-syntax",
                "pcl-system",
            ] as &[&str],
        ),
        (
            "pcl-binder",
            &[
                "pcl-diagnostics",
                "pcl-model",
                "pcl-schema",
                "pcl-syntax",
                "pcl-system",
            ],
        ),
        ("pcl-diagnostics", &[]),
        (
            "pcl-lower",
            &["pcl-binder", "pcl-diagnostics", "pcl-model", "pcl-syntax"],
        ),
        ("pcl-model", &["pcl-diagnostics", "pcl-syntax"]),
        ("pcl-remote", &["pcl-schema", "pcl-system"]),
        ("pcl-schema", &["pcl-diagnostics", "pcl-system"]),
        ("pcl-syntax", &["pcl-diagnostics"]),
        ("pcl-system", &[]),
    ]
    .into_iter()
    .map(|(name, needs)| {
        let needs = needs.iter().map(|&need| need.to_owned()).collect();
        (name.to_owned(), needs)
    })
    .collect();
    assert_eq!(found, expected);
}
