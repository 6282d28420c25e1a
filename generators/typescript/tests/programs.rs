//! Projects of the corpus: the text of some, and laws for all.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use pcl::generated::Project;
use pcl::lower::{SdkOptions, sdk};
use pcl::{Checked, SchemaPlaces, Settings, Target, Workspace};

/// The programs whose projects are compared with what was read and found right.
const SHOWN: [&str; 14] = [
    "components",
    "components-mutual",
    "config-attributes",
    "conversions",
    "eventuals",
    "for-expressions",
    "functions-collections",
    "functions-outputs",
    "hooks",
    "invokes",
    "ranges",
    "read",
    "resource-options",
    "webserver",
];

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus")
}

fn check(target: &Target) -> Checked {
    let mut settings = Settings {
        schemas: SchemaPlaces {
            directories: vec![corpus().join("schemas")],
            ..SchemaPlaces::default()
        },
        ..Settings::default()
    };
    settings.options.prefer_output_versioned_invokes = true;
    Workspace::new(settings).check(target)
}

fn project(target: &Target) -> Project {
    let mut checked = check(target);
    assert!(checked.is_valid(), "{}", target.display());
    checked.program = sdk(checked.program, &SdkOptions::nodejs());
    pcl_typescript::generate(&checked.document(), "demo")
}

/// The valid programs of the corpus, by name.
fn programs() -> Vec<(String, Target)> {
    let mut programs = Vec::new();
    for entry in fs::read_dir(corpus().join("valid")).expect("the corpus") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            let name = path.file_name().expect("a name").to_string_lossy();
            programs.push((name.into_owned(), Target::Path(path)));
        }
    }
    programs.sort_by(|a, b| a.0.cmp(&b.0));
    assert!(programs.len() > 50);
    programs
}

#[test]
fn projects_are_as_they_were_read() {
    let programs = programs();
    for shown in SHOWN {
        let (name, target) =
            programs.iter().find(|(name, _)| name == shown).expect("a program of the corpus");
        let project = project(target);
        let mut text = String::new();
        for unsupported in &project.unsupported {
            text.push_str(&format!("not supported: {}\n", unsupported.message));
        }
        for file in &project.files {
            if file.path != "tsconfig.json" {
                text.push_str(&format!("=== {}\n{}", file.path, file.text));
            }
        }
        insta::assert_snapshot!(name.as_str(), text);
    }
}

/// The names that a module declares at its top level or at the top level of its constructor.
fn declared(text: &str) -> Vec<&str> {
    let mut names = Vec::new();
    let is_component = text.contains("\nexport class ");
    let indent = if is_component { "    const " } else { "const " };
    for line in text.lines() {
        let line = line.strip_prefix("export ").unwrap_or(line);
        if let Some(rest) = line.strip_prefix(indent) {
            let end = rest.find([' ', ':', '=']).unwrap_or(rest.len());
            names.push(&rest[..end]);
        }
    }
    names
}

#[test]
fn every_program_has_a_project_with_unique_names() {
    for (name, target) in programs() {
        let project = project(&target);
        assert_eq!(project.files[0].path, "index.ts", "{name}");
        let paths: BTreeSet<&str> = project.files.iter().map(|file| &*file.path).collect();
        assert_eq!(paths.len(), project.files.len(), "{name}: a file is there twice");
        for file in &project.files {
            assert!(file.text.ends_with('\n'), "{name}: {}", file.path);
            for line in file.text.lines() {
                let in_text = file.path == "index.ts" && file.text.contains('`');
                assert!(in_text || !line.ends_with(' '), "{name}: {line:?}");
            }
            if file.path.ends_with(".ts") {
                let names = declared(&file.text);
                let unique: BTreeSet<&str> = names.iter().copied().collect();
                assert_eq!(unique.len(), names.len(), "{name}: {names:?}");
            }
        }
    }
}

#[test]
fn the_project_of_a_program_is_always_the_same() {
    for (name, target) in programs() {
        assert_eq!(project(&target), project(&target), "{name}");
    }
}

#[test]
fn long_chains_and_deep_nesting_need_no_stack() {
    let sum = vec!["1"; 50_000].join(" + ");
    let choice = "true ? 1 : ".repeat(200);
    let list = format!("{}1{}", "[".repeat(200), "]".repeat(200));
    let names: Vec<String> = (0..2000).map(|at| format!("x{at} = x{}\n", at + 1)).collect();
    let text = format!(
        "sum = {sum}\nchoice = {choice} 2\nlist = {list}\n{}x2000 = secret(1)\ny = x0 + 1\n",
        names.concat()
    );
    let project = project(&Target::text("main.pp", text));
    assert!(project.unsupported.is_empty());
    assert!(project.files[0].text.len() > 50_000 * 4);
}
