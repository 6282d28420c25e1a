//! The public API of the library `pcl`, as it was last agreed to. A line that goes away or changes
//! breaks users: it needs a new version. `INSTA_UPDATE=always cargo test --test public_api` agrees
//! to what there is. The other libraries are parts of this one, and are shown as such.
//!
//! rustdoc tells it in JSON, which the stable compiler gives when it is asked to behave as the
//! unstable one. The form of that JSON changes from compiler to compiler; with another one than that
//! of the snapshot nothing is compared, unless `PCL_REQUIRE_PUBLIC_API` is 1: then the test fails.

mod api;

use std::path::{Path, PathBuf};
use std::process::Command;

use pcl_test_support::skip;
use serde_json::Value;

#[test]
fn the_public_api_is_as_agreed() {
    let text = std::fs::read_to_string(rustdoc_json()).expect("rustdoc wrote the crate's JSON");
    let json: Value = serde_json::from_str(&text).expect("rustdoc writes JSON");
    let form = format!("rustdoc JSON {}", json["format_version"]);
    let snapshot = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/api/pcl.snap");
    let agreed = std::fs::read_to_string(snapshot);
    if agreed.is_ok_and(|agreed| !agreed.contains(&format!("{form}\n"))) {
        let reason = "the snapshot is of another compiler than this one";
        return skip("PCL_REQUIRE_PUBLIC_API", reason);
    }
    let version = json["crate_version"].as_str().unwrap_or_default();
    let lines = api::lines(&json).join("\n");
    insta::with_settings!({
        snapshot_path => "../api",
        prepend_module_to_snapshot => false,
        omit_expression => true,
    }, {
        insta::assert_snapshot!("pcl", format!("pcl {version}, {form}\n\n{lines}"));
    });
}

/// Has the library documented as JSON; the file.
fn rustdoc_json() -> PathBuf {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("api");
    let output = Command::new(env!("CARGO"))
        .args([
            "doc",
            "--package",
            "pcl",
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
    target.join("doc/pcl.json")
}
