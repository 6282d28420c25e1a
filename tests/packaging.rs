//! Each crate is ready to be published: its manifest says what it is, and its package has a README
//! and the licences.

use std::path::Path;
use std::process::Command;

use pcl_test_support::{items, root, text};
use serde_json::Value;

/// The packages of the workspace that are published.
fn published() -> Vec<Value> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--no-deps"])
        .arg("--offline")
        .current_dir(root())
        .output()
        .expect("cargo runs");
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("metadata is JSON");
    let packages = items(&metadata, "packages");
    let packages = packages.filter(|package| package["publish"].is_null());
    packages.cloned().collect()
}

#[test]
fn manifests_are_complete() {
    let mut complaints = Vec::new();
    for package in published() {
        let name = text(&package, "name");
        let fields = ["description", "homepage", "license", "readme", "repository", "rust_version"];
        for field in fields {
            if package[field].is_null() {
                complaints.push(format!("{name}: no {field}"));
            }
        }
        // crates.io accepts up to five of each.
        for field in ["keywords", "categories"] {
            if !(1..=5).contains(&items(&package, field).count()) {
                complaints.push(format!("{name}: one to five {field} are expected"));
            }
        }
        // docs.rs leaves out what is behind a feature, unless it is told.
        let is_library = |target: &Value| items(target, "kind").any(|kind| kind == "lib");
        let has_features = package["features"] != serde_json::json!({});
        let is_documented = package["metadata"]["docs"]["rs"]["all-features"] == true;
        if items(&package, "targets").any(is_library) && has_features && !is_documented {
            complaints.push(format!("{name}: docs.rs does not see its features"));
        }
        let version = format!("^{}", text(&package, "version"));
        for dependency in items(&package, "dependencies") {
            let is_ours = !dependency["path"].is_null();
            // Dependencies of tests without a version are left out of the package.
            if is_ours && dependency["kind"].is_null() && dependency["req"] != version.as_str() {
                let needed = text(dependency, "name");
                complaints.push(format!("{name}: {needed} has another version"));
            }
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

#[test]
fn packages_have_a_readme_and_licences() {
    let mut complaints = Vec::new();
    for package in published() {
        let name = text(&package, "name");
        let manifest = text(&package, "manifest_path");
        let folder = Path::new(manifest).parent().expect("a file is in a folder");
        let same = |file: &str, original: &str| {
            let read = |path| std::fs::read(path).unwrap_or_default();
            read(folder.join(file)) == read(root().join("LICENSES").join(original))
        };
        if !same("LICENSE-MIT", "MIT.txt") || !same("LICENSE-APACHE", "Apache-2.0.txt") {
            complaints.push(format!("{name}: no licences"));
        }
        let readme = std::fs::read_to_string(folder.join("README.md")).unwrap_or_default();
        if !readme.starts_with("# ") {
            complaints.push(format!("{name}: README.md has no title"));
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

/// Nothing that a crate embeds is missing in its package.
#[test]
fn no_crate_embeds_files_of_another_folder() {
    let mut complaints = Vec::new();
    for package in published() {
        for target in items(&package, "targets") {
            let mut kinds = items(target, "kind");
            if kinds.any(|kind| *kind == "lib" || *kind == "bin" || *kind == "rlib") {
                let source = text(target, "src_path");
                let source = Path::new(source).parent().expect("a file is in a folder");
                embedded(source, 1, &mut complaints);
            }
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

/// Complains about files below a folder that embed files from above the folder of their crate.
fn embedded(folder: &Path, depth: usize, complaints: &mut Vec<String>) {
    for path in pcl_test_support::sorted(folder) {
        if path.is_dir() {
            embedded(&path, depth + 1, complaints);
        } else if path.extension().is_some_and(|it| it == "rs") && !path.ends_with("tests.rs") {
            let code = std::fs::read_to_string(&path).expect("a readable file");
            // Tests in a file stay in the repository.
            let code = code.split("#[cfg(test)]\nmod tests {").next();
            let code = code.expect("a split has a first part");
            for part in code.split("include_str!(").skip(1) {
                let name = part.split('"').nth(1).unwrap_or_default();
                if name.matches("../").count() > depth {
                    complaints.push(format!("{}: {name}", path.display()));
                }
            }
        }
    }
}
