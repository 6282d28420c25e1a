//! Projects of the corpus: the text of some, and laws for all.

use std::collections::BTreeSet;

use pcl::Target;
use pcl::generated::Project;
use pcl::lower::{SdkOptions, sdk};
use pcl_test_support::projects::{
    assert_tidy, checked_for_outputs, deep_program, shown_programs, text_of, valid_programs,
};
use pcl_to_go::generate;

fn project(target: &Target) -> Project {
    let mut checked = checked_for_outputs(target);
    checked.program = sdk(checked.program, &SdkOptions::go());
    generate(&checked.document(), "demo")
}

/// The text of `helpers.go` is compared by itself.
#[test]
fn projects_are_as_they_were_read() {
    for (name, target) in shown_programs() {
        let text = text_of(&project(&target), &["Pulumi.yaml", "helpers.go"]);
        insta::assert_snapshot!(name.as_str(), text);
    }
}

#[test]
fn every_program_has_a_project() {
    for (name, target) in valid_programs() {
        let project = project(&target);
        assert_eq!(project.files[0].path, "main.go", "{name}");
        assert_tidy(&name, &project, "\"\"\"");
    }
}

#[test]
fn the_project_of_a_program_is_always_the_same() {
    for (name, target) in valid_programs() {
        assert_eq!(project(&target), project(&target), "{name}");
    }
}

/// Go refuses a file that imports what it does not use, or uses what it does not import.
#[test]
fn files_import_what_they_use() {
    for (name, target) in valid_programs() {
        for file in project(&target).files.iter().filter(|file| file.path.ends_with(".go")) {
            let (head, body) = file.text.split_once("\n)\n").unwrap_or(("", &file.text));
            let imports = head.lines().filter_map(|line| {
                let (alias, path) = line.trim().trim_end_matches('"').split_once('"')?;
                let last = path.rsplit('/').next()?;
                Some(if alias.is_empty() { last } else { alias.trim() })
            });
            for import in imports {
                let used = format!("{import}.");
                assert!(body.contains(&used), "{name}: {} uses no {import}", file.path);
            }
        }
    }
}

#[test]
fn long_chains_and_deep_nesting_need_no_stack() {
    let project = project(&deep_program());
    let kinds: BTreeSet<&str> = project.unsupported.iter().map(|it| it.kind).collect();
    assert_eq!(kinds, BTreeSet::from(["expressions that are nested too deeply"]));
}
