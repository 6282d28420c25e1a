//! The directories `schemas` of programs, as the command looks them up.

use pcl_test_support::{Run, Scratch, scratch};

/// A schema whose resource has one input.
fn schema(version: &str, input: &str) -> String {
    format!(
        r#"{{ "name": "zoo", "version": "{version}", "resources": {{ "zoo:index:Cage": {{
            "inputProperties": {{ "{input}": {{ "type": "integer" }} }} }} }} }}"#
    )
}

/// A repository with a program in `infra/web`, which sets the input `near`.
fn repository(name: &str) -> Scratch {
    let place = scratch(&format!("schema-directories-{name}"));
    place.write("repo/.git/HEAD", "ref: refs/heads/main\n");
    place.write("repo/infra/web/main.pp", "resource cage \"zoo:index:Cage\" {\n  near = 1\n}\n");
    place
}

fn assert_clean(run: &Run, why: &str) {
    assert_eq!((run.status, run.stdout.as_str()), (0, ""), "{why}");
}

#[test]
fn the_nearest_directory_with_the_package_decides() {
    let place = repository("nearest");
    let check = || place.run("check repo/infra/web");
    place.write("schemas/zoo.json", schema("1.0.0", "near"));
    assert_eq!(check().status, 1, "the directory above the repository does not count");
    place.write("repo/schemas/zoo.json", schema("1.0.0", "near"));
    assert_clean(&check(), "the root of the repository does");
    place.write("repo/infra/schemas/zoo-0.1.0.json", schema("0.1.0", "far"));
    assert_eq!(check().status, 1, "a nearer directory decides, even by an older version");
    place.write("repo/infra/web/schemas/zoo.json", schema("0.0.1", "near"));
    assert_clean(&check(), "a file without a version decides as well");
    place.write("repo/infra/web/schemas/ark.json", r#"{"name": "ark"}"#);
    std::fs::remove_file(place.join("repo/infra/web/schemas/zoo.json")).expect("it is there");
    assert_eq!(check().status, 1, "a directory without the package does not decide");
    place.write("repo/infra/schemas/zoo.json", schema("9.0.0", "near"));
    place.write("named/zoo.json", schema("1.0.0", "near"));
    assert_clean(&place.run("check repo/infra/web --schema-dir named"), "flags come first");
}

#[test]
fn an_exact_version_may_be_in_a_directory_above() {
    let place = repository("version");
    place.write("repo/schemas/zoo-1.0.0.json", schema("1.0.0", "near"));
    place.write("repo/infra/schemas/zoo-2.0.0.json", schema("2.0.0", "far"));
    place.write(
        "repo/infra/web/main.pp",
        "resource cage \"zoo:index:Cage\" {\n  near = 1\n  options {\n    version = \"1.0.0\"\n  }\n}\n",
    );
    assert_clean(&place.run("check repo/infra/web"), "version 1.0.0");
}

#[test]
fn the_diagnostic_says_where_it_looked() {
    let place = repository("message");
    let message = |arguments: &str| {
        let run = place.run(arguments);
        assert_eq!(run.status, 1, "{}", run.stdout);
        // The scratch directory is somewhere else on each machine.
        run.stdout.replace(&*place.to_string_lossy(), "DIR")
    };
    insta::assert_snapshot!("nowhere", message("check repo/infra/web"));
    place.write("repo/schemas/zoom.json", r#"{"name": "zoom"}"#);
    place.write("repo/infra/schemas/ark.json", r#"{"name": "ark"}"#);
    insta::assert_snapshot!("similar", message("check repo/infra/web"));
}

#[cfg(unix)]
#[test]
fn links_out_of_the_repository_are_not_followed() {
    use std::os::unix::fs::symlink;
    let place = repository("links");
    let check = || place.run("check repo/infra/web").status;
    place.write("outside/zoo.json", schema("1.0.0", "near"));
    symlink(place.join("outside"), place.join("repo/schemas")).expect("links can be made");
    assert_eq!(check(), 1, "the directory is a link");
    std::fs::remove_file(place.join("repo/schemas")).expect("it is there");
    place.write("repo/schemas/ark.json", r#"{"name": "ark"}"#);
    let link = place.join("repo/schemas/zoo.json");
    symlink(place.join("outside/zoo.json"), &link).expect("links can be made");
    assert_eq!(check(), 1, "the file is a link");
    std::fs::remove_file(&link).expect("it is there");
    place.write("repo/vendor/zoo.json", schema("1.0.0", "near"));
    symlink("../vendor/zoo.json", &link).expect("links can be made");
    assert_eq!(check(), 0, "a link inside of the repository is followed");
}
