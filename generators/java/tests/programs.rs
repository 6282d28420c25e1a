//! Projects of the corpus: the text of some, and laws for all.

use std::collections::BTreeSet;

use pcl::Target;
use pcl::generated::Project;
use pcl::lower::{SdkOptions, sdk};
use pcl_test_support::projects::{
    assert_tidy, checked_for_outputs, deep_program, shown_programs, text_of, valid_programs,
};
use pcl_to_java::{BuildTool, generate};

fn project(target: &Target) -> Project {
    let mut checked = checked_for_outputs(target);
    checked.program = sdk(checked.program, &SdkOptions::java());
    generate(&checked.document(), "demo", BuildTool::Maven)
}

/// The text of `Helpers.java` is compared by itself.
#[test]
fn projects_are_as_they_were_read() {
    for (name, target) in shown_programs() {
        let helpers = "src/main/java/generated_program/Helpers.java";
        let text = text_of(&project(&target), &["Pulumi.yaml", "pom.xml", helpers]);
        insta::assert_snapshot!(name.as_str(), text);
    }
}

#[test]
fn every_program_has_a_project() {
    for (name, target) in valid_programs() {
        let project = project(&target);
        assert_eq!(project.files[0].path, "src/main/java/generated_program/App.java", "{name}");
        assert_tidy(&name, &project, "\"\"\"");
    }
}

#[test]
fn the_project_of_a_program_is_always_the_same() {
    for (name, target) in valid_programs() {
        assert_eq!(project(&target), project(&target), "{name}");
    }
}

/// google-java-format takes an import away that the text does not use.
#[test]
fn files_import_what_they_use() {
    for (name, target) in valid_programs() {
        for file in project(&target).files.iter().filter(|file| file.path.ends_with(".java")) {
            let imports = file.text.lines().filter_map(|line| line.strip_prefix("import "));
            for import in imports {
                let class = import.trim_end_matches(';').rsplit('.').next().unwrap_or_default();
                let body = file.text.lines().filter(|line| !line.starts_with("import "));
                let used = body.filter(|line| line.contains(class)).count();
                assert!(used > 0, "{name}: {} uses no {import}", file.path);
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
