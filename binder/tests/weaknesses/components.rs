//! Components: circles, sources, inputs and what is said about their insides.

use std::time::Instant;

use pcl_binder::{NodeBody, NodeKind};

use crate::assert_quick;
use crate::support::{check, check_directory, scratch};

#[test]
fn w06_a_circle_of_three_components_is_reported() {
    let directory = scratch(
        "w06",
        &[
            (
                "main.pp",
                "component a \"./part\" { i = b.o }\ncomponent b \"./part\" { i = c.o }\ncomponent c \"./part\" { i = a.o }\n",
            ),
            ("part/main.pp", "config i {}\noutput o { value = i }\n"),
        ],
    );
    assert_eq!(
        check_directory(&directory).findings(),
        ["error circular-reference main.pp:1:11"]
    );
}

#[test]
fn w07_a_circle_through_a_component_is_reported() {
    let directory = scratch(
        "w07",
        &[
            ("main.pp", "component a \"./part\" { i = x }\nx = a.o\n"),
            ("part/main.pp", "config i {}\noutput o { value = i }\n"),
        ],
    );
    assert_eq!(
        check_directory(&directory).findings(),
        ["error circular-reference main.pp:1:11"]
    );
}

#[test]
fn w18_range_is_visible_in_options_and_checked_for_components() {
    let checked = check(
        "resource a \"toy:index:Box\" {}\nresource b \"toy:index:Box\" {\n  options {\n    range = [a]\n    parent = range.value\n  }\n}\n",
    );
    assert_eq!(checked.findings(), [""; 0]);
    let directory = scratch(
        "w18",
        &[
            (
                "main.pp",
                "config some \"optional(list(string))\" { default = null }\n\
                 component a \"./part\" {\n  options {\n    range = \"abc\"\n  }\n}\n\
                 component b \"./part\" {\n  options {\n    range = some\n  }\n}\n",
            ),
            ("part/main.pp", "output o { value = 1 }\n"),
        ],
    );
    assert_eq!(
        check_directory(&directory).findings(),
        ["error not-a-collection main.pp:4:13"]
    );
}

#[test]
fn w20_property_lists_see_outputs_and_the_inputs_of_components() {
    let directory = scratch(
        "w20",
        &[
            (
                "main.pp",
                "resource a \"toy:index:Box\" {\n  options {\n    additionalSecretOutputs = [since, id]\n  }\n}\n\
                 component b \"./part\" {\n  i = 1\n  options {\n    ignoreChanges = [i]\n  }\n}\n\
                 resource c \"toy:index:Box\" {\n  options {\n    ignoreChanges = [\"name\"]\n  }\n}\n",
            ),
            ("part/main.pp", "config i {}\n"),
        ],
    );
    let checked = check_directory(&directory);
    // Strings stay refused, with what to write instead.
    assert_eq!(
        checked.findings(),
        ["error type-not-assignable main.pp:14:22"]
    );
    assert!(
        checked.diagnostics[0]
            .help
            .as_ref()
            .is_some_and(|help| help.contains("without quotes"))
    );
}

#[test]
fn w23_components_outside_the_project_are_reported() {
    let directory = scratch(
        "w23",
        &[
            (
                "project/main.pp",
                "component a \"../beside\" {}\ncomponent b \"/below\" {}\n",
            ),
            ("project/below/main.pp", "x = 1\n"),
            ("beside/main.pp", "x = 1\n"),
        ],
    );
    assert_eq!(
        check_directory(directory.path().join("project")).findings(),
        [
            "warning component-outside-project main.pp:1:13",
            "warning absolute-component-source main.pp:2:13",
        ]
    );
}

#[test]
fn w24_directories_that_include_each_other_are_an_error() {
    let directory = scratch(
        "w24",
        &[
            ("main.pp", "component b \"./b\" {}\n"),
            ("b/main.pp", "component a \"..\" {}\n"),
        ],
    );
    let checked = check_directory(&directory);
    assert_eq!(
        checked.findings(),
        [
            "error component-has-errors main.pp:1:13",
            "error component-includes-itself b/main.pp:1:13",
        ]
    );
}

#[test]
fn w25_components_see_the_packages_of_the_program() {
    let package = "package {\n  baseProviderName = \"toy\"\n  baseProviderVersion = \"1.0.0\"\n}\n";
    let part = "resource a \"toy:index:Box\" {}\noutput o { value = a.since }\n";
    let directory = scratch(
        "w25",
        &[
            (
                "main.pp",
                &format!("{package}component p \"./part\" {{}}\n"),
            ),
            ("part/main.pp", part),
        ],
    );
    // Version 1.0.0 has no `since`.
    assert_eq!(
        check_directory(&directory).findings(),
        [
            "error component-has-errors main.pp:5:13",
            "error unknown-property part/main.pp:2:21",
        ]
    );
    // A block in the component's own directory counts there.
    let own = package.replace("1.0.0", "2.0.0");
    let directory = scratch(
        "w25own",
        &[
            (
                "main.pp",
                &format!("{package}component p \"./part\" {{}}\n"),
            ),
            ("part/main.pp", &format!("{own}{part}")),
        ],
    );
    assert_eq!(check_directory(&directory).findings(), [""; 0]);
}

#[test]
fn w26_a_directory_is_bound_once() {
    let blocks: String = (0..50)
        .map(|n| format!("component c{n} \"./part\" {{}}\n"))
        .collect();
    let directory = scratch(
        "w26",
        &[("main.pp", &blocks), ("part/main.pp", "x = nowhere\n")],
    );
    let checked = check_directory(&directory);
    assert_eq!(checked.program.components.len(), 1);
    let at_the_blocks = (1..=50).map(|line| format!("error component-has-errors main.pp:{line}:"));
    let in_the_part = ["error undefined-variable part/main.pp:1:".to_owned()];
    let errors = checked.errors();
    assert_eq!(errors.len(), 50 + 1);
    for (error, expected) in errors.iter().zip(at_the_blocks.chain(in_the_part)) {
        assert!(error.starts_with(&expected), "{error}");
    }
}

#[test]
fn w27_what_is_wrong_with_a_component_is_said_in_its_files() {
    let directory = scratch(
        "w27",
        &[
            (
                "main.pp",
                "component s \"./syntax\" {}\ncomponent w \"./warns\" {}\ncomponent n \"./none\" {}\n",
            ),
            ("syntax/main.pp", "x = = 1\n"),
            ("warns/main.pp", "pulumi {\n  colour = 1\n}\n"),
        ],
    );
    assert_eq!(
        check_directory(&directory).findings(),
        [
            "error component-has-errors main.pp:1:13",
            "error component-source main.pp:3:13",
            "error expr-invalid syntax/main.pp:1:5",
            "warning ignored-attribute warns/main.pp:2:3",
        ]
    );
}

#[test]
fn w28_what_comes_from_maps_has_an_order() {
    let directory = scratch(
        "w28",
        &[
            ("main.pp", "component c \"./part\" {}\n"),
            (
                "part/main.pp",
                "config zeta {}\nconfig alpha {}\nconfig mid {}\n",
            ),
        ],
    );
    let checked = check_directory(&directory);
    let [finding] = &checked.diagnostics[..] else {
        panic!("{:?}", checked.findings());
    };
    let at = |name| finding.message.find(name);
    assert!(at("`alpha`") < at("`mid`") && at("`mid`") < at("`zeta`"));
    let attributes = "package {\n  baseProviderVersion = \"x\"\n  baseProviderName = 1\n  baseProviderDownloadUrl = \"y\"\n}\n";
    let found = check(attributes).findings();
    assert_eq!(
        found,
        [
            "error invalid-version main.pp:2:25",
            "error not-a-string-literal main.pp:3:22",
            "error invalid-package-field main.pp:4:29",
        ]
    );
    assert!((0..5).all(|_| check(attributes).findings() == found));
}

#[test]
fn w42_deep_components_cost_as_much_as_there_are_directories() {
    const DEPTH: usize = 30;
    let mut files = Vec::new();
    let mut path = String::new();
    for level in 0..DEPTH {
        let text = if level + 1 < DEPTH {
            format!("component l \"./d{level}\" {{}}\ncomponent r \"./d{level}\" {{}}\n")
        } else {
            "x = invoke(\"other:index:one\", {})\n".to_owned()
        };
        files.push((format!("{path}main.pp"), text));
        path.push_str(&format!("d{level}/"));
    }
    let files: Vec<(&str, &str)> = files.iter().map(|(n, t)| (&**n, &**t)).collect();
    let start = Instant::now();
    let checked = check_directory(scratch("w42", &files));
    assert_eq!(checked.program.components.len(), DEPTH - 1);
    assert_eq!(checked.packages(), ["other"]);
    assert_quick(start);
}

#[test]
fn w43_a_component_without_a_source_has_no_program() {
    let checked = check("component c { token = \"toy:index:Part\" }\n");
    let node = checked.node(NodeKind::Component, "c");
    let NodeBody::Component(body) = &checked.program.module.node(node).body else {
        panic!("a component");
    };
    assert!(body.source.is_none() && body.program.is_none());
}

#[test]
fn w58_inputs_of_components_have_both_names() {
    let directory = scratch(
        "w58",
        &[
            ("main.pp", "component c \"./part\" { outer = 1 }\n"),
            (
                "part/main.pp",
                "config inner { __logicalName = \"outer\" }\noutput o { value = inner }\n",
            ),
        ],
    );
    let checked = check_directory(&directory);
    assert_eq!(checked.findings(), [""; 0]);
    let config = &checked.program.components[0].module.nodes[0];
    assert_eq!((&*config.name, &*config.logical_name), ("inner", "outer"));
}
