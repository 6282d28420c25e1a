//! The public API of every library of the project, as it was last agreed to. A line that goes away or changes breaks users: it needs
//! a new version. `INSTA_UPDATE=always cargo test --test public_api` agrees to what there is.
//!
//! rustdoc tells it in JSON, which the stable compiler gives when it is asked to behave as the unstable one. The form of that JSON
//! changes from compiler to compiler; with another one than that of the snapshots nothing is compared, unless
//! `PCL_REQUIRE_PUBLIC_API` is 1: then the test fails.

#[path = "support/api.rs"]
mod api;
#[path = "support/skip.rs"]
mod skip;

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

const CRATES: &[&str] = &[
    "pcl",
    "pcl_binder",
    "pcl_diagnostics",
    "pcl_format",
    "pcl_lower",
    "pcl_model",
    "pcl_remote",
    "pcl_schema",
    "pcl_syntax",
    "pcl_system",
];

#[test]
fn the_public_api_is_as_agreed() {
    let documentation = rustdoc_json();
    for name in CRATES {
        let file = documentation.join(format!("{name}.json"));
        let text = std::fs::read_to_string(file).expect("rustdoc wrote the crate's JSON");
        let json: Value = serde_json::from_str(&text).expect("rustdoc writes JSON");
        let form = format!("rustdoc JSON {}", json["format_version"]);
        let snapshots = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/api");
        let agreed = std::fs::read_to_string(snapshots.join(format!("{name}.snap")));
        if agreed.is_ok_and(|agreed| !agreed.contains(&format!("{form}\n"))) {
            let reason = format!("the snapshot of {name} is of another compiler than this one");
            skip::skip("PCL_REQUIRE_PUBLIC_API", reason);
            continue;
        }
        let version = json["crate_version"].as_str().unwrap_or_default();
        let lines = api::lines(&json).join("\n");
        insta::with_settings!({
            snapshot_path => "api",
            prepend_module_to_snapshot => false,
            omit_expression => true,
        }, {
            insta::assert_snapshot!(*name, format!("{name} {version}, {form}\n\n{lines}"));
        });
    }
}

/// Has every library documented as JSON; the directory of the files.
fn rustdoc_json() -> PathBuf {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("api");
    let output = Command::new(env!("CARGO"))
        .args([
            "doc",
            "--workspace",
            "--no-deps",
            "--lib",
            "--locked",
            "--offline",
            "--target-dir",
        ])
        .arg(&target)
        .env("RUSTC_BOOTSTRAP", "1")
        .env("RUSTDOCFLAGS", "-Zunstable-options --output-format=json")
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs");
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{complaint}");
    target.join("doc")
}
