//! Tokens, packages and their versions.

use std::sync::Arc;

use pcl_binder::{NodeKind, PackageCache};
use pcl_schema::{MemoryLoader, PackageRequest, Parameterization};

use crate::support::{check, check_directory, scratch};

#[test]
fn w09_a_module_that_does_not_exist_is_reported() {
    // The module format of `mods` makes the root module of everything that it does not match.
    let checked =
        check("resource a \"mods:nowhere:Thing\" {}\nresource b \"mods:index/thing:Thing\" {}\n");
    assert_eq!(checked.findings(), ["warning wrong-module main.pp:1:12"]);
    let checked = check("resource a \"pulumi:StackReference\" { name = \"s\" }\n");
    assert_eq!(checked.findings(), ["warning wrong-module main.pp:1:12"]);
    // Of two members of one canonical form the first one of the document counts, and that is said wherever one is used.
    let checked = check(
        "resource a \"mods:twin:Twin\" { first = true }\nresource b \"mods:twin:Twin\" { first = true }\n",
    );
    assert_eq!(
        checked.findings(),
        [
            "warning ambiguous-token main.pp:1:12",
            "warning ambiguous-token main.pp:2:12"
        ]
    );
}

#[test]
fn w10_a_version_types_its_own_resource_and_nothing_else() {
    let checked = check(
        "resource old \"toy:index:Box\" {\n  size = invoke(\"other:index:one\", {}).value\n  options {\n    version = \"1.0.0\"\n  }\n}\n\
         output o {\n  value = old.since\n}\n",
    );
    // Version 1.0.0 has no `since`; there is no version 1.0.0 of `other`.
    assert_eq!(checked.findings(), ["error unknown-property main.pp:8:14"]);
}

#[test]
fn w21_a_computed_version_is_an_error() {
    for value in ["v", "null", "1"] {
        for option in ["version", "pluginDownloadURL"] {
            let checked = check(&format!(
                "v = \"1.0.0\"\nresource a \"toy:index:Box\" {{\n  options {{\n    {option} = {value}\n  }}\n}}\n"
            ));
            let column = option.len() + 8;
            assert_eq!(
                checked.findings(),
                [format!("error option-not-literal main.pp:4:{column}")]
            );
        }
    }
}

#[test]
fn w29_packages_of_components_and_hooks_count() {
    let directory = scratch(
        "w29",
        &[
            (
                "main.pp",
                "component c \"./part\" { i = invoke(\"other:index:one\", {}) }\n",
            ),
            ("part/main.pp", "config i {}\n"),
        ],
    );
    assert_eq!(check_directory(&directory).packages(), ["other"]);
    let checked = check("hook resource h { command = [invoke(\"other:index:one\", {}).value] }\n");
    assert_eq!(checked.packages(), ["other"]);
}

#[test]
fn w34_a_package_without_a_provider_is_an_error() {
    // A package that does not describe its provider has one without inputs.
    let checked = check("resource p \"pulumi:providers:mods\" {}\n");
    assert_eq!(checked.findings(), [""; 0]);
    let extension = "package {\n  baseProviderName = \"toy\"\n  parameterization {\n    name = \"extra\"\n    version = \"1.0.0\"\n    value = \"e30=\"\n  }\n}\n\
                     resource p \"pulumi:providers:extra\" {}\nresource b \"toy:index:Box\" {}\n";
    assert_eq!(
        check(extension).findings(),
        ["error unknown-resource-type main.pp:9:12"]
    );
}

#[test]
fn w38_programs_are_bound_in_parallel() {
    let text = "resource a \"toy:index:Box\" { name = \"n\" }\nx = invoke(\"toy:index:find\", { name = a.name })\n";
    let alone = check(text).ty(NodeKind::Local, "x");
    let workers: Vec<_> = (0..4)
        .map(|_| std::thread::spawn(move || check(text).ty(NodeKind::Local, "x")))
        .collect();
    for worker in workers {
        assert_eq!(worker.join().expect("no panic"), alone);
    }
}

#[test]
fn w39_packages_from_different_places_are_different() {
    let mut memory = MemoryLoader::default();
    memory
        .add(r#"{"name": "toy", "version": "1.0.0"}"#)
        .expect("a package");
    let cache = PackageCache::new(Arc::new(memory));
    let base = PackageRequest::new("toy");
    let mut elsewhere = base.clone();
    elsewhere.download_url = Some("https://example.com".to_owned());
    let parameterized = |value: &[u8]| PackageRequest {
        parameterization: Some(Parameterization {
            name: "extra".to_owned(),
            version: semver::Version::new(1, 0, 0),
            value: value.to_vec(),
        }),
        ..base.clone()
    };
    assert_ne!(parameterized(b"a"), parameterized(b"b"));
    assert_ne!(base, elsewhere);
    assert!(cache.load(&base).is_ok());
    assert!(cache.load(&parameterized(b"a")).is_err());
}

#[test]
fn w40_an_unknown_package_is_a_finding_in_its_place() {
    let checked = check("resource a \"nowhere:index:Thing\" {}\nb = missing\n");
    assert_eq!(
        checked.findings(),
        [
            "error unknown-package main.pp:1:12",
            "error undefined-variable main.pp:2:5",
        ]
    );
}

#[test]
fn w41_the_packages_of_a_broken_program_can_be_listed() {
    let checked =
        check("resource a \"nowhere:index:Thing\" {}\nresource b \"toy:index:Broken\" {}\n");
    assert_eq!(checked.packages(), ["toy"]);
}

#[test]
fn w57_packages_of_reads_count_and_bad_tokens_are_findings() {
    let checked = check("read a \"toy:index:Box\" { id = \"x\" }\nx = invoke(\"oops\", {})\n");
    assert_eq!(checked.packages(), ["toy"]);
    assert_eq!(checked.findings(), ["error malformed-token main.pp:2:12"]);
}
