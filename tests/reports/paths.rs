//! Paths and fingerprints do not depend on how a program was named.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

use pcl_test_support::{Scratch, items, scratch, skip, text, write};

use super::{TYPO, pcl_in};

/// A directory outside of any repository; those of other tests are in this one.
fn outside(name: &str) -> tempfile::TempDir {
    let directory = tempfile::Builder::new().prefix(name).tempdir();
    directory.expect("a directory can be made")
}

/// The fingerprints that a run in `directory` prints, in order.
fn fingerprints(directory: &Path, arguments: &[&str]) -> Vec<String> {
    let run = pcl_in(directory, &[&["check", "--output-format", "json-lines"], arguments].concat());
    let records = run.stdout.lines().map(|line| serde_json::from_str(line).expect("it is JSON"));
    let of = |record: Value| text(&record, "fingerprint").to_owned();
    records.map(of).collect()
}

#[track_caller]
fn assert_same_however_named(root: &Path, program: &str) {
    let absolute = root.join(program).display().to_string();
    let below = root.join(program);
    let expected = fingerprints(root, &[program]);
    assert_eq!(expected.len(), 1);
    let dotted = format!("./{program}/");
    let twisted = format!("{program}/../{program}/.");
    let file = format!("{program}/main.pp");
    for (directory, arguments) in [
        (root, vec![absolute.as_str()]),
        (root, vec![dotted.as_str()]),
        (root, vec![twisted.as_str()]),
        (root, vec![file.as_str()]),
        (root, vec!["-r", program]),
        (root, vec!["-r", "."]),
        (root, vec!["--whole-programs", file.as_str()]),
        (&below, vec![]),
        (&below, vec!["."]),
        (&below, vec!["main.pp"]),
        (Path::new("/"), vec![absolute.as_str()]),
    ] {
        let found = fingerprints(directory, &arguments);
        assert_eq!(found, expected, "{arguments:?} in {}", directory.display());
    }
}

#[test]
fn fingerprints_in_a_project() {
    let place = outside("project");
    write(&place.path().join("Pulumi.yaml"), "name: a\nruntime: pcl\n");
    write(&place.path().join("infra/main.pp"), TYPO);
    assert_same_however_named(place.path(), "infra");
}

#[test]
fn fingerprints_in_a_repository() {
    let place = outside("repository");
    std::fs::create_dir(place.path().join(".git")).expect("a directory can be made");
    write(&place.path().join("infra/main.pp"), TYPO);
    assert_same_however_named(place.path(), "infra");
    // Another checkout has the same fingerprints, another path of the file others.
    let other = outside("other");
    std::fs::create_dir(other.path().join(".git")).expect("a directory can be made");
    for name in ["infra", "renamed"] {
        write(&other.path().join(name).join("main.pp"), TYPO);
    }
    let here = fingerprints(place.path(), &["infra"]);
    assert_eq!(fingerprints(other.path(), &["infra"]), here);
    assert_ne!(fingerprints(other.path(), &["renamed"]), here);
}

#[test]
fn fingerprints_of_a_single_directory() {
    let place = outside("alone");
    write(&place.path().join("infra/main.pp"), TYPO);
    assert_same_however_named(place.path(), "infra");
}

#[cfg(unix)]
#[test]
fn fingerprints_behind_a_link() {
    let place = outside("link");
    write(&place.path().join("infra/main.pp"), TYPO);
    std::os::unix::fs::symlink("infra", place.path().join("link")).expect("a link can be made");
    assert_eq!(fingerprints(place.path(), &["link"]), fingerprints(place.path(), &["infra"]));
}

/// A repository made by git, with a program in `infra/web`.
fn repository() -> Option<Scratch> {
    let place = scratch("reports-repository");
    write(&place.join("infra/web/main.pp"), TYPO);
    let done = Command::new("git").args(["init", "--quiet"]).arg(&*place).status();
    if done.is_ok_and(|status| status.success()) {
        return Some(place);
    }
    skip("PCL_REQUIRE_REPORTS", "there is no git");
    None
}

#[test]
fn paths_of_services_begin_at_the_repository() {
    let Some(place) = repository() else { return };
    let absolute = place.join("infra/web").display().to_string();
    let other = scratch("reports-elsewhere");
    for (directory, program) in [
        (place.to_path_buf(), "infra/web"),
        (place.to_path_buf(), absolute.as_str()),
        (place.join("infra"), "web"),
        (place.join("infra/web"), "."),
        (place.join("infra/web"), "../web/main.pp"),
        (other.to_path_buf(), absolute.as_str()),
    ] {
        let print = |format| pcl_in(&directory, &["check", "--output-format", format, program]);
        let sarif = print("sarif").json();
        let run = &sarif["runs"][0];
        let artifact = &run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"];
        assert_eq!(text(artifact, "uri"), "infra/web/main.pp", "{program}");
        assert_eq!(text(artifact, "uriBaseId"), "%SRCROOT%");
        let base = text(&run["originalUriBaseIds"]["%SRCROOT%"], "uri");
        let root = pcl_system::real_path(&place).expect("it is there");
        assert_eq!(base, format!("file://{}/", root.display()));

        let gitlab = print("gitlab").json();
        assert_eq!(text(&gitlab[0]["location"], "path"), "infra/web/main.pp");
        let github = print("github").stdout;
        assert!(github.contains(",file=infra/web/main.pp,"), "{github}");
    }
}

#[test]
fn paths_of_readers_begin_at_the_current_directory() {
    let Some(place) = repository() else { return };
    let absolute = place.join("infra/web").display().to_string();
    for (directory, program, path) in [
        (place.to_path_buf(), "infra/web", "infra/web/main.pp"),
        (place.join("infra"), &*absolute, "web/main.pp"),
        (place.join("infra"), "./web", "web/main.pp"),
        (place.join("infra/web"), "../web", "main.pp"),
    ] {
        let print = |format| pcl_in(&directory, &["check", "--output-format", format, program]);
        let rdjson = print("rdjson").json();
        let first = items(&rdjson, "diagnostics").next().expect("a diagnostic");
        assert_eq!(text(&first["location"], "path"), path);
        let junit = print("junit").stdout;
        assert!(junit.contains(&format!(" file=\"{path}\"")), "{junit}");
    }
}

#[test]
fn files_outside_of_the_repository_have_absolute_paths() {
    let Some(place) = repository() else { return };
    let other = outside("beside it");
    write(&other.path().join("main.pp"), TYPO);
    let program = other.path().display().to_string();
    let run = pcl_in(&place, &["check", "--output-format", "sarif", "infra/web", &program]);
    let json = run.json();
    let place = &json["runs"][0]["results"][1]["locations"][0]["physicalLocation"];
    let uri = text(&place["artifactLocation"], "uri");
    assert!(uri.starts_with("file:///") && uri.ends_with("/main.pp"), "{uri}");
    assert!(uri.contains("beside%20it"), "{uri}");
    assert!(place["artifactLocation"].get("uriBaseId").is_none());
}
