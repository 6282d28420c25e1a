//! `pcl new`.

use std::fs;
use std::path::Path;

use pcl_test_support::{Run, Scratch, command, root, run, scratch_outside, skip, write};

const TEMPLATES: [&str; 7] =
    ["empty", "random", "component", "package", "kubernetes", "aws", "azure"];

/// Runs `pcl` in a directory, without the schemas of an installed Pulumi.
fn pcl_in(directory: &Path, arguments: &[&str]) -> Run {
    let mut command = command();
    command.args(arguments).current_dir(directory).env("PULUMI_HOME", directory.join("none"));
    run(command, b"")
}

/// A directory with a project of each template, and what was said.
fn projects(name: &str) -> (Scratch, String) {
    let place = scratch_outside(&format!("new-{name}"));
    let mut said = String::new();
    for template in TEMPLATES {
        let new = pcl_in(&place, &["new", template, template]);
        assert_eq!((new.status, &*new.stdout), (0, ""), "{template}: {}", new.stderr);
        said += &format!("$ pcl new {template} {template}\n{}\n", new.stderr);
    }
    (place, said)
}

#[test]
fn a_project_is_checked_formatted_and_previewed() {
    let (place, said) = projects("all");
    insta::assert_snapshot!(said);
    for template in TEMPLATES.into_iter().filter(|template| *template != "package") {
        let project = place.join(template);
        let settings = fs::read_to_string(project.join("Pulumi.yaml")).expect("a project file");
        assert_eq!(settings, format!("name: {template}\nruntime: pcl\n"));
        let formatted = pcl_in(&project, &["fmt", "--check"]);
        assert_eq!(formatted.status, 0, "{template}: {}", formatted.stdout);
        let is_complete = ["empty", "random", "component"].contains(&template);
        let level = if is_complete { "error" } else { "ignore" };
        let check = pcl_in(&project, &["check", "--missing-schema", level]);
        assert_eq!(check.stdout, "", "{template}");
        assert!(check.stderr.contains("checked 1 program: no errors"), "{}", check.stderr);
        if is_complete {
            let preview = pcl_in(&project, &["preview"]);
            assert_eq!(preview.status, 0, "{template}: {}{}", preview.stdout, preview.stderr);
        }
    }
    let preview = pcl_in(&place.join("component"), &["preview"]);
    assert!(preview.stdout.contains("RandomPassword"), "{}", preview.stdout);
}

#[test]
fn a_package_is_checked_and_has_a_schema() {
    let (place, _) = projects("package");
    let package = place.join("package");
    let settings = fs::read_to_string(package.join("PulumiPlugin.yaml")).expect("a file");
    assert_eq!(
        settings,
        "runtime:\n  name: pcl\n  options:\n    name: package\n    version: 0.1.0\n"
    );
    let formatted = pcl_in(&package, &["fmt", "--check", "-r"]);
    assert_eq!(formatted.status, 0, "{}", formatted.stdout);
    let check = pcl_in(&package, &["check"]);
    assert_eq!((check.status, &*check.stdout), (0, ""), "{}", check.stderr);
    let schema = pcl_in(&package, &["schema", "infer"]);
    assert_eq!(schema.status, 0, "{}", schema.stderr);
    assert!(schema.stdout.contains("\"package:index:Account\""), "{}", schema.stdout);
}

/// The programs have no errors with the published schemas, and the schema of `random` here agrees
/// with the published one.
#[test]
fn the_published_schemas_agree() {
    let schemas = root().join("../shared/corpus/schemas/providers");
    if !schemas.is_dir() {
        skip("PCL_REQUIRE_SHARED", format!("there are no schemas at {}", schemas.display()));
        return;
    }
    let (place, _) = projects("published");
    let schemas = schemas.to_str().expect("the path is text");
    for template in ["random", "component", "kubernetes", "azure"] {
        let project = place.join(template);
        if project.join("schemas").is_dir() {
            let own = fs::read_to_string(project.join("schemas/random.json")).expect("a schema");
            let add = pcl_in(
                &project,
                &["schema", "add", "random", "--from", schemas, "--dir", "published"],
            );
            assert_eq!(add.status, 0, "{}", add.stderr);
            let published = project.join("published/random-4.21.1.json");
            let published = fs::read_to_string(published).expect("a schema");
            assert_eq!(shape(&own), shape(&published));
        }
        let check = pcl_in(&project, &["check", "--schema-dir", schemas]);
        assert!(check.status == 0 && check.stdout.is_empty(), "{template}: {}", check.stdout);
    }
}

/// The resources of a schema without their descriptions, to compare two schemas.
fn shape(schema: &str) -> serde_json::Value {
    fn strip(value: &mut serde_json::Value) {
        let Some(object) = value.as_object_mut() else { return };
        for key in ["description", "deprecationMessage", "stateInputs", "language", "aliases"] {
            object.remove(key);
        }
        object.values_mut().for_each(strip);
    }
    let mut schema: serde_json::Value = serde_json::from_str(schema).expect("JSON");
    let mut resources = schema["resources"].take();
    strip(&mut resources);
    for resource in resources.as_object_mut().expect("resources").values_mut() {
        for list in ["required", "requiredInputs"] {
            if let Some(names) = resource[list].as_array_mut() {
                names.sort_by_key(ToString::to_string);
            }
        }
    }
    resources
}

#[test]
fn what_cannot_be_made_leaves_nothing() {
    let place = scratch_outside("new-refused");
    write(&place.join("full/notes.txt"), "");
    write(&place.join("file"), "");
    for (arguments, said) in [
        (&["new", "rondom", "demo"][..], "a similar value exists: 'random'"),
        (&["new", "random", "full"], "the directory `full` is not empty"),
        (&["new", "random", "file"], "cannot read `file`"),
        (&["new", "random", "full/my shop"], "`my shop` cannot be the name of a project"),
        (&["new", "random", "demo", "--name", ""], "expected letters"),
        (&["new", "random", "demo", "--name", "a: b"], "expected letters"),
        (&["new", "random", "demo", "--name", "a\nruntime: go"], "expected letters"),
        (&["new", "random", "demo", "--name", &"a".repeat(101)], "at most 100"),
    ] {
        let run = pcl_in(&place, arguments);
        assert_eq!((run.status, &*run.stdout), (2, ""), "{arguments:?}: {}", run.stderr);
        assert!(run.stderr.contains(said), "{arguments:?}: {}", run.stderr);
    }
    let mut names: Vec<_> = fs::read_dir(&*place).expect("it is there").flatten().collect();
    names.sort_by_key(fs::DirEntry::file_name);
    let names: Vec<_> = names.iter().map(fs::DirEntry::file_name).collect();
    assert_eq!(names, ["file", "full"]);
    assert_eq!(fs::read_dir(place.join("full")).expect("it is there").count(), 1);
}

/// A schema of the repository is used, instead of the part that comes with a template.
#[test]
fn the_schema_of_a_repository_counts() {
    let place = scratch_outside("new-repository");
    fs::create_dir(place.join(".git")).expect("a directory");
    let schema = fs::read(root().join("cli/new/templates/random.json")).expect("a schema");
    write(&place.join("schemas/random-9.0.0.json"), schema);
    let new = pcl_in(&place, &["new", "random", "infra/demo"]);
    assert_eq!(new.status, 0, "{}", new.stderr);
    assert!(!place.join("infra/demo/schemas").exists());
    let check = pcl_in(&place.join("infra/demo"), &["check"]);
    assert!(check.stderr.contains("no errors"), "{}{}", check.stdout, check.stderr);
}

/// YAML reads every name as a text.
#[test]
fn names_stay_texts() {
    let place = scratch_outside("new-names");
    for (name, line) in [
        ("shop-2", "name: shop-2"),
        ("true", "name: \"true\""),
        ("1e3", "name: \"1e3\""),
        ("-", "name: \"-\""),
        ("a.b", "name: \"a.b\""),
    ] {
        let directory = place.join(name.replace('-', "dash"));
        fs::create_dir_all(directory.join(".git")).expect("a repository");
        let new = pcl_in(&directory, &["new", &format!("--name={name}")]);
        assert_eq!(new.status, 0, "{name}: {}", new.stderr);
        let settings = fs::read_to_string(directory.join("Pulumi.yaml")).expect("a project file");
        assert_eq!(settings.lines().next(), Some(line));
    }
}
