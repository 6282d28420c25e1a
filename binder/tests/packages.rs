//! The packages of a program.

mod support;

use std::sync::Arc;

use pcl_binder::{NodeKind, PackageCache};
use pcl_schema::{MemoryLoader, PackageRequest, Parameterization};
use support::{check, check_directory, scratch};

#[test]
fn packages_of_components_hooks_and_reads_count() {
    let directory = scratch(
        "packages",
        &[
            ("main.pp", r#"component c "./part" { i = invoke("other:index:one", {}) }"#),
            ("part/main.pp", "config i {}\n"),
        ],
    );
    assert_eq!(check_directory(&directory).packages(), ["other"]);
    let hook = r#"hook resource h { command = [invoke("other:index:one", {}).value] }"#;
    assert_eq!(check(hook).packages(), ["other"]);
    let read = r#"read a "toy:index:Box" { id = "x" }"#;
    assert_eq!(check(read).packages(), ["toy"]);
}

#[test]
fn the_packages_of_a_broken_program_can_be_listed() {
    let text = r#"
resource a "nowhere:index:Thing" {}
resource b "toy:index:Broken" {}
x = invoke("oops", {})
"#;
    assert_eq!(check(text).packages(), ["toy"]);
}

#[test]
fn packages_from_different_places_are_different() {
    let mut memory = MemoryLoader::default();
    memory.add(r#"{"name": "toy", "version": "1.0.0"}"#).expect("a package");
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
fn programs_are_bound_in_parallel() {
    let text = r#"
resource a "toy:index:Box" { name = "n" }
x = invoke("toy:index:find", { name = a.name })
"#;
    let alone = check(text).ty(NodeKind::Local, "x");
    let workers: Vec<_> =
        (0..4).map(|_| std::thread::spawn(move || check(text).ty(NodeKind::Local, "x"))).collect();
    for worker in workers {
        assert_eq!(worker.join().expect("no panic"), alone);
    }
}
