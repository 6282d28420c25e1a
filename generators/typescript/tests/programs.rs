//! Projects of the corpus: the text of some, and laws for all.

use pcl::Target;
use pcl::generated::Project;
use pcl::lower::{SdkOptions, sdk};
use pcl_test_support::projects::{
    TERMS, assert_tidy, assert_unique, checked_for_outputs, deep_program, shown_programs, text_of,
    valid_programs,
};

fn project(target: &Target) -> Project {
    let mut checked = checked_for_outputs(target);
    checked.program = sdk(checked.program, &SdkOptions::nodejs());
    pcl_typescript::generate(&checked.document(), "demo")
}

#[test]
fn projects_are_as_they_were_read() {
    for (name, target) in shown_programs() {
        let text = text_of(&project(&target), &["tsconfig.json"]);
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
    for (name, target) in valid_programs() {
        let project = project(&target);
        assert_eq!(project.files[0].path, "index.ts", "{name}");
        assert_tidy(&name, &project, "`");
        for file in project.files.iter().filter(|file| file.path.ends_with(".ts")) {
            assert_unique(&name, &declared(&file.text));
        }
    }
}

#[test]
fn the_project_of_a_program_is_always_the_same() {
    for (name, target) in valid_programs() {
        assert_eq!(project(&target), project(&target), "{name}");
    }
}

#[test]
fn long_chains_and_deep_nesting_need_no_stack() {
    let project = project(&deep_program());
    assert!(project.unsupported.is_empty());
    assert!(project.files[0].text.len() > TERMS * 4);
}
