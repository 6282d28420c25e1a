//! The public API of the library `pcl`, as it was last agreed to. A line that goes away or changes
//! breaks users: it needs a new version. `cargo xtask generate` agrees to the API as it is now. The
//! other libraries are parts of this one and are listed as such.
//!
//! The list is made from rustdoc's JSON, which the stable compiler writes when
//! `RUSTC_BOOTSTRAP` is set. Its format changes from compiler to compiler; where the crate
//! `public-api` reads another format than that of this compiler, nothing is compared, unless
//! `PCL_REQUIRE_PUBLIC_API` is 1: then the test fails.

use std::path::{Path, PathBuf};
use std::process::Command;

use pcl_test_support::skip;
use serde_json::Value;

/// The version of rustdoc's JSON that this version of `public-api` reads.
const FORMAT: u64 = 57;

#[test]
fn the_list_of_the_public_api_is_generated() {
    let path = rustdoc_json();
    let text = std::fs::read_to_string(&path).expect("rustdoc wrote the crate's JSON");
    let json: Value = serde_json::from_str(&text).expect("rustdoc writes JSON");
    if json["format_version"] != FORMAT {
        let reason = "`public-api` cannot read the rustdoc JSON of this compiler";
        return skip("PCL_REQUIRE_PUBLIC_API", reason);
    }
    let api = public_api::Builder::from_rustdoc_json(path)
        .omit_blanket_impls(true)
        .omit_auto_trait_impls(true)
        .omit_auto_derived_impls(true)
        .build()
        .expect("the format is the expected one");
    insta::with_settings!({
        snapshot_path => "api",
        prepend_module_to_snapshot => false,
        omit_expression => true,
    }, {
        insta::assert_snapshot!("pcl", api);
    });
}

/// Documents the library as JSON and returns the file.
fn rustdoc_json() -> PathBuf {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("api");
    let output = Command::new(env!("CARGO"))
        .args(["doc", "--package", "pcl-library", "--no-deps", "--lib"])
        .args(["--features", "remote,run,walk", "--locked", "--offline", "--target-dir"])
        .arg(&target)
        .env("RUSTC_BOOTSTRAP", "1")
        .env("RUSTDOCFLAGS", "-Zunstable-options --output-format=json")
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    target.join("doc/pcl.json")
}
