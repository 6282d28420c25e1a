//! The known weaknesses of Pulumi's own binder, one by one: what happens here instead.
//!
//! Each test bears the number of the weakness. Those that cannot occur in this crate are named at the end, with the reason; the last
//! test sees to it that no number is left out.

mod support;

use std::sync::Arc;
use std::time::{Duration, Instant};

use pcl_binder::{NodeBody, NodeKind, Options, PackageCache, Sources, snippet};
use pcl_diagnostics::SourceMap;
use pcl_model::expression::ExprKind;
use pcl_schema::{MemoryLoader, PackageRequest, Parameterization};
use support::{Checked, check, check_directory, check_files, check_with, loader, scratch};

/// Far more than any of these programs takes, even in a debug build on a busy machine; far less than the reference takes for them.
const PATIENCE: Duration = Duration::from_secs(20);

#[track_caller]
fn assert_quick(start: Instant) {
    let took = start.elapsed();
    assert!(took < PATIENCE, "took {took:?}");
}

#[test]
fn w01_a_syntax_error_is_reported_once() {
    let checked = check_files(&[
        ("a.pp", "x = = 1\n"),
        ("b.pp", "y = 1\n"),
        ("c.pp", "z = 1\n"),
    ]);
    assert_eq!(checked.findings(), ["error expr-invalid a.pp:1:5"]);
}

#[test]
fn w02_what_would_be_ignored_is_reported() {
    for (text, expected) in [
        ("foo \"x\" {}\n", "error unknown-block-type main.pp:1:1"),
        ("output a {}\n", "error missing-output-value main.pp:1:8"),
        (
            "config a {\n  colour = 1\n}\n",
            "warning ignored-attribute main.pp:2:3",
        ),
        (
            "config a {\n  more {}\n}\n",
            "error ignored-block main.pp:2:3",
        ),
        (
            "output a {\n  value = 1\n  note = 2\n}\n",
            "warning ignored-attribute main.pp:3:3",
        ),
        (
            "output a {\n  value = 1\n  more {}\n}\n",
            "error ignored-block main.pp:3:3",
        ),
        (
            "pulumi {\n  version = 1\n}\n",
            "warning ignored-attribute main.pp:2:3",
        ),
        (
            "pulumi {\n  more {}\n}\n",
            "error ignored-block main.pp:2:3",
        ),
        (
            "package {\n  baseProviderName = \"toy\"\n  colour = 1\n}\n",
            "warning ignored-attribute main.pp:3:3",
        ),
        (
            "package {\n  baseProviderName = \"toy\"\n  more {}\n}\n",
            "error ignored-block main.pp:3:3",
        ),
        (
            "x = invoke(\"toy:index:find\", { name = \"a\" }, { colour = 1 })\n",
            "warning ignored-key main.pp:1:48",
        ),
        (
            "resource a \"toy:index:Box\" {\n  options {\n    aliases = [{ colour = 1 }]\n  }\n}\n",
            "warning ignored-key main.pp:3:18",
        ),
        (
            "resource a \"toy:index:Box\" {\n  options {\n    customTimeouts = { creat = \"1m\" }\n  }\n}\n",
            "warning ignored-key main.pp:3:24",
        ),
    ] {
        assert_eq!(check(text).findings(), [expected], "{text}");
    }
}

#[test]
fn w03_a_reference_to_an_output_is_reported() {
    let mut checked = check("output a {\n  value = { foo = 1 }\n}\nx = a.foo\n");
    assert_eq!(
        checked.findings(),
        ["warning output-referenced main.pp:4:5"]
    );
    assert_eq!(checked.ty(NodeKind::Local, "x"), "dynamic");
    // A config of that name is what is meant.
    let checked = check("config a {}\noutput a { value = a }\n");
    assert_eq!(checked.findings(), [""; 0]);
}

#[test]
fn w04_local_scopes_and_functions_make_no_circles() {
    let checked = check(
        "ys = [1]\nx = [for x in ys : x]\nlength = length(ys)\nargs = [for a in ys : a]\n\
         hook resource h { command = [args.urn] }\n",
    );
    assert_eq!(checked.findings(), [""; 0]);
    let hook = checked.node(NodeKind::Hook, "h");
    assert!(checked.program.module.node(hook).dependencies.is_empty());
}

#[test]
fn w05_dependencies_are_in_the_order_of_files_then_of_the_text() {
    let files = [
        ("b.pp", "second = 1\nfirst = 2\n"),
        ("a.pp", "all = [first, own, second]\nown = 3\n"),
    ];
    let names = |files: &[(&str, &str)]| {
        let checked = check_files(files);
        let all = checked.node(NodeKind::Local, "all");
        let module = &checked.program.module;
        let found = module.node(all).dependencies.iter();
        found
            .map(|&id| module.node(id).name.clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(names(&files), ["own", "second", "first"]);
    let turned = [files[1], files[0]];
    assert_eq!(names(&turned), ["own", "second", "first"]);
}

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
fn w08_a_text_made_of_a_directive_is_no_literal() {
    let directive = "\"%{ if true }a%{ endif }\"";
    let checked = check(&format!(
        "resource a \"toy:index:Box\" {{\n  __logicalName = {directive}\n}}\n\
         config b {{\n  description = {directive}\n}}\n\
         package {{\n  baseProviderName = {directive}\n}}\n",
    ));
    assert_eq!(
        checked.findings(),
        [
            "error not-a-string-literal main.pp:2:19",
            "error not-a-string-literal main.pp:5:17",
            "error not-a-string-literal main.pp:8:22",
        ]
    );
}

#[test]
fn w09_a_module_that_does_not_exist_is_reported() {
    // The module format of `mods` makes the root module of everything that it does not match.
    let checked =
        check("resource a \"mods:nowhere:Thing\" {}\nresource b \"mods:index/thing:Thing\" {}\n");
    assert_eq!(checked.findings(), ["warning wrong-module main.pp:1:12"]);
    let checked = check("resource a \"pulumi:StackReference\" { name = \"s\" }\n");
    assert_eq!(checked.findings(), ["warning wrong-module main.pp:1:12"]);
    // Of two members of one canonical form the first one of the document counts, and that is said.
    let checked = check("resource a \"mods:twin:Twin\" { first = true }\n");
    assert_eq!(checked.findings(), ["warning ambiguous-token main.pp:1:12"]);
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
fn w11_attributes_of_an_unknown_resource_are_not_reported_one_by_one() {
    let text = "resource a \"toy:index:Nope\" {\n  x = 1\n  y = [2]\n  options {\n    ignoreChanges = [x]\n  }\n}\n";
    let mut checked = check_with(text, &Options::lenient());
    assert_eq!(
        checked.findings(),
        ["warning unknown-resource-type main.pp:1:12"]
    );
    let node = checked.node(NodeKind::Resource, "a");
    let input = checked
        .program
        .module
        .node(node)
        .input_type
        .expect("inputs");
    assert_eq!(checked.program.types.pretty(input), "{ x: 1, y: (2) }");
}

#[test]
fn w12_a_read_takes_the_id_of_a_resource() {
    let checked = check(
        "resource a \"toy:index:Box\" {}\nread b \"toy:index:Box\" { id = a.id }\nread c \"toy:index:Box\" { id = [1] }\n",
    );
    assert_eq!(
        checked.findings(),
        ["error type-not-assignable main.pp:3:31"]
    );
}

#[test]
fn w13_the_parts_of_a_repeated_resource_are_lenient_as_well() {
    let text =
        "resource r \"toy:index:Box\" {\n  options {\n    range = 2\n  }\n}\nx = r[0].nope\n";
    let lenient = check_with(text, &Options::lenient());
    assert_eq!(lenient.errors(), [""; 0]);
    assert_eq!(
        check(text).findings(),
        ["error unknown-property main.pp:6:9"]
    );
}

#[test]
fn w14_the_values_of_input_only_properties_are_checked() {
    let checked = check("resource a \"toy:index:Box\" { secretKey = [1] }\n");
    assert_eq!(
        checked.findings(),
        ["error type-not-assignable main.pp:1:42"]
    );
    // A resource stands for a reference to itself.
    let checked =
        check("resource a \"toy:index:Box\" {}\nresource b \"toy:index:Box\" { inside = a }\n");
    assert_eq!(checked.findings(), [""; 0]);
}

#[test]
fn w15_constants_and_enumerations_are_checked() {
    let checked =
        check("resource a \"toy:index:Box\" {\n  kind = \"bax\"\n  colour = \"zzz\"\n}\n");
    assert_eq!(
        checked.findings(),
        [
            "warning value-not-listed main.pp:2:10",
            "warning value-not-listed main.pp:3:12",
        ]
    );
}

#[test]
fn w16_members_of_unions_are_selected_everywhere() {
    for value in [
        "shape = { \"is\" = \"round\", radius = [1] }",
        "shapes = [{ is = \"round\", radius = [1] }]",
        "shapeMap = { a = { is = \"round\", radius = [1] } }",
        "holder = { shape = { is = \"round\", radius = [1] } }",
    ] {
        let checked = check(&format!("resource a \"toy:index:Box\" {{\n  {value}\n}}\n"));
        let found = checked.findings();
        let at = 2 + value.find("[1]").expect("the mistake") + 1;
        assert_eq!(
            found,
            [format!("error type-not-assignable main.pp:2:{at}")],
            "{value}"
        );
    }
    let checked = check("resource a \"toy:index:Box\" { shape = { is = \"oval\" } }\n");
    assert_eq!(checked.findings().len(), 1);
}

#[test]
fn w17_numbers_as_keys_and_deciding_values_are_reported() {
    for value in [
        "{ 1 = \"x\" }",
        "{ is = 5 }",
        "{ is = true }",
        "{ true = 1 }",
    ] {
        let checked = check(&format!(
            "resource a \"toy:index:Box\" {{ shape = {value} }}\n"
        ));
        assert!(!checked.errors().is_empty(), "{value}");
    }
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
fn w19_a_range_may_be_null() {
    let mut checked = check(
        "config c \"bool\" {}\nresource a \"toy:index:Box\" {\n  name = range.value\n  options {\n    range = c ? [\"x\"] : null\n  }\n}\n",
    );
    assert_eq!(checked.findings(), [""; 0]);
    assert!(checked.ty(NodeKind::Resource, "a").starts_with("list("));
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
fn w22_missing_labels_are_errors() {
    for text in [
        "resource {}",
        "resource \"a\" {}",
        "read {}",
        "read a {}",
        "config {}",
        "output {}",
        "component {}",
        "hook {}",
        "hook resource {}",
    ] {
        let keyword = 1;
        assert_eq!(
            check(&format!("{text}\n")).findings(),
            [format!("error wrong-label-count main.pp:1:{keyword}")],
            "{text}"
        );
    }
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
        check_directory(&directory.join("project")).findings(),
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
    let found = check_directory(&directory).findings();
    assert_eq!(found.len(), 2, "{found:?}");
    assert_eq!(found[1], "error unknown-property part/main.pp:2:21");
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
    assert_eq!(checked.errors().len(), 50 + 1);
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
fn w31_and_w33_a_value_is_no_type_and_is_blamed_in_its_place() {
    let checked = check("config i \"1\" {}\noutput o \"lst(string)\" { value = 1 }\n");
    assert_eq!(
        checked.findings(),
        [
            "warning invalid-type-expression main.pp:1:11",
            "error unknown-function main.pp:2:11",
        ]
    );
    let checked = check("output a b c { value = 1 }\n");
    assert!(checked.diagnostics[0].message.contains("`output`"));
}

#[test]
fn w32_syntax_errors_in_labels_are_findings() {
    let checked = check("output a \"list(\" { value = 1 }\nconfig b \"list(\" {}\nx = nowhere\n");
    let found = checked.findings();
    assert_eq!(found.len(), 3, "{found:?}");
    assert_eq!(found[2], "error undefined-variable main.pp:3:5");
}

#[test]
fn w34_a_package_without_a_provider_is_an_error() {
    let checked = check("resource p \"pulumi:providers:mods\" {}\n");
    let found = checked.findings();
    assert!(found.len() <= 1, "{found:?}");
    let extension = "package {\n  baseProviderName = \"toy\"\n  parameterization {\n    name = \"extra\"\n    version = \"1.0.0\"\n    value = \"e30=\"\n  }\n}\n\
                     resource p \"pulumi:providers:extra\" {}\nresource b \"toy:index:Box\" {}\n";
    assert_eq!(
        check(extension).findings(),
        ["error unknown-resource-type main.pp:9:12"]
    );
}

#[test]
fn w35_values_spread_over_positional_inputs_count_one_by_one() {
    let call = |list: &str| format!("xs = {list}\nx = invoke(\"mathx:index:clamp\", xs...)\n");
    assert_eq!(check(&call("[1, 2, 3]")).findings(), [""; 0]);
    assert_eq!(check(&call("[1, [2], 3]")).errors().len(), 1);
}

#[test]
fn w36_whole_constants_and_empty_enumerations_are_types() {
    let mut checked = check("resource a \"toy:index:Odd\" {\n  level = 3\n  none = \"x\"\n}\n");
    assert_eq!(checked.errors(), [""; 0]);
    let node = checked.node(NodeKind::Resource, "a");
    let input = checked
        .program
        .module
        .node(node)
        .input_type
        .expect("inputs");
    assert!(checked.program.types.pretty(input).contains("level: 3"));
}

#[test]
fn w37_the_members_of_a_union_have_one_order() {
    let text = "resource a \"toy:index:Box\" {}\nx = a.shape\n";
    let first = check(text).ty(NodeKind::Local, "x");
    assert!(first.contains('|'), "{first}");
    for _ in 0..5 {
        assert_eq!(check(text).ty(NodeKind::Local, "x"), first);
    }
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
    let checked = check_directory(&scratch("w42", &files));
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
fn w44_builtins_with_too_few_or_odd_arguments_are_no_crash() {
    assert_eq!(check("x = entries()\n").errors().len(), 1);
    assert_eq!(check("x = lookup({}, \"k\")\n").errors(), [""; 0]);
}

#[test]
fn w45_snippets_may_invoke() {
    let mut map = SourceMap::new();
    let text = "name = invoke(\"toy:index:find\", { name = \"a\" }).name\n";
    let sources = Sources::from_texts([("snippet.pp", text)], &mut map);
    let (token, options) = ("toy:index:Box", Options::default());
    let bound = snippet::resource(&sources, &mut map, token, loader(), &options);
    assert!(bound.diagnostics.is_empty(), "{:?}", bound.diagnostics);
    assert_eq!(bound.arguments.len(), 1);
}

#[test]
fn w46_many_different_literals_are_quick() {
    let start = Instant::now();
    let numbers: Vec<String> = (0..600).map(|n| n.to_string()).collect();
    let objects: Vec<String> = (0..1000)
        .map(|n| format!("k{n} = {{ a = {n}, b = \"v{n}\" }}"))
        .collect();
    let checked = check(&format!(
        "x = [for v in [{}] : v]\ny = [for v in {{ {} }} : v.a]\n",
        numbers.join(", "),
        objects.join(", ")
    ));
    assert_eq!(checked.findings(), [""; 0]);
    assert_quick(start);
}

#[test]
fn w47_every_expression_is_bound_once() {
    let checked = check(
        "resource a \"toy:index:Box\" {\n  name = \"n\"\n  shape = { is = \"round\", radius = 1 }\n  options {\n    range = 2\n  }\n}\n",
    );
    assert_eq!(checked.findings(), [""; 0]);
    // "n", three parts of it none; the object with its two keys and two values; 2. Each text literal is a template and its part.
    let texts = |program: &Checked| {
        let mut places: Vec<_> = program
            .program
            .exprs
            .iter()
            .filter(|(_, expr)| matches!(expr.kind, ExprKind::Object(_)))
            .map(|(_, expr)| expr.range)
            .collect();
        let all = places.len();
        places.dedup();
        (all, places.len())
    };
    assert_eq!(texts(&checked), (1, 1));
}

#[test]
fn w48_a_part_of_something_in_parentheses_is_the_same_everywhere() {
    let checked = check(
        "obj = { a = true, n = [1] }\nresource r \"toy:index:Box\" {\n  flag = (obj).a\n  options {\n    protect = (obj).a\n    range = (obj).n\n  }\n}\nx = (obj).a\n",
    );
    assert_eq!(checked.findings(), [""; 0]);
}

#[test]
fn w49_the_arguments_of_a_method_are_checked_against_its_inputs() {
    let checked = check(
        "resource r \"toy:index:Box\" {}\nx = call(r, \"open\", { wide = [1] })\ny = call(r, \"open\", { wide = true })\n",
    );
    assert_eq!(checked.errors(), ["error type-not-assignable main.pp:2:30"]);
}

#[test]
fn w50_a_finding_says_what_is_wrong_and_what_was_meant() {
    let checked = check(
        "resource r \"toy:index:Box\" {\n  nmae = \"x\"\n  size = [1]\n  options {\n    protekt = true\n  }\n}\nx = r.sizze\n",
    );
    assert_eq!(checked.errors().len(), 4);
    assert!(
        checked
            .diagnostics
            .iter()
            .all(|finding| !finding.message.is_empty())
    );
    let helps: Vec<_> = checked
        .diagnostics
        .iter()
        .filter_map(|finding| finding.help.as_deref())
        .collect();
    assert!(
        helps
            .iter()
            .filter(|help| help.contains("did you mean"))
            .count()
            == 3,
        "{helps:?}"
    );
}

#[test]
fn w50_what_stands_a_level_too_deep_or_too_high_is_told_where_it_belongs() {
    let checked = check(
        "resource r \"toy:index:Box\" {\n  protect = true\n  options {\n    name = \"x\"\n  }\n}\n",
    );
    let helps = checked
        .diagnostics
        .iter()
        .map(|finding| finding.help.as_deref());
    let helps: Vec<&str> = helps.map(Option::unwrap_or_default).collect();
    assert!(
        helps[0].contains("put it into an `options` block"),
        "{helps:?}"
    );
    assert!(helps[1].contains("one level up"), "{helps:?}");
}

#[test]
fn w51_all_findings_are_listed() {
    let checked = check("a = x1\nb = x2\nc = x3\n");
    assert_eq!(checked.errors().len(), 3);
}

#[test]
fn w52_odd_ranges_are_findings_at_most() {
    for range in [
        "{}",
        "[]",
        "null",
        "\"abc\"",
        "-1",
        "1.5",
        "[null]",
        "x",
        "a",
        "secret({})",
        "true ? 1 : [2]",
    ] {
        check(&format!(
            "resource a \"toy:index:Box\" {{\n  name = range.value\n  size = range.key.x\n  options {{\n    range = {range}\n  }}\n}}\n"
        ));
    }
}

#[test]
fn w53_long_chains_need_no_stack() {
    let start = Instant::now();
    const COUNT: usize = 100_000;
    let mut text: String = (0..COUNT).map(|n| format!("n{n} = n{}\n", n + 1)).collect();
    text.push_str(&format!("n{COUNT} = 1\n"));
    let mut checked = check(&text);
    assert_eq!(checked.findings(), [""; 0]);
    assert_eq!(checked.ty(NodeKind::Local, "n0"), "1");
    let order = checked.program.order();
    assert_eq!(order.first().map(|id| id.index()), Some(COUNT));
    assert_quick(start);
}

#[test]
fn w54_null_as_the_default_makes_a_config_nullable() {
    for ty in ["string", "optional(string)", "any"] {
        let checked = check(&format!("config x \"{ty}\" {{ default = null }}\n"));
        let node = checked.node(NodeKind::Config, "x");
        let NodeBody::Config(config) = &checked.program.module.node(node).body else {
            panic!("a config");
        };
        assert!(config.nullable, "{ty}");
    }
}

#[test]
fn w55_a_second_options_block_does_nothing() {
    let mut checked = check(
        "resource a \"toy:index:Box\" {\n  options {\n    protect = true\n  }\n  options {\n    range = 3\n  }\n}\n",
    );
    assert_eq!(checked.findings(), ["error duplicate-block main.pp:5:3"]);
    assert!(!checked.ty(NodeKind::Resource, "a").starts_with("list"));
}

#[test]
fn w57_packages_of_reads_count_and_bad_tokens_are_findings() {
    let checked = check("read a \"toy:index:Box\" { id = \"x\" }\nx = invoke(\"oops\", {})\n");
    assert_eq!(checked.packages(), ["toy"]);
    assert_eq!(checked.findings(), ["error malformed-token main.pp:2:12"]);
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

/// What cannot occur in this crate, and why.
const ELSEWHERE: &[(u8, &str)] = &[
    (
        30,
        "names of classes are made by code generators; a component is known by its directory, which is unique",
    ),
    (
        56,
        "nothing here panics on a program, so nobody has to guard a call; the other tests and the fuzz targets see to that",
    ),
    (
        59,
        "nothing is run here; every option of a read and of a component is in the model, for whoever runs it",
    ),
];

#[test]
fn every_weakness_has_a_test_or_a_reason() {
    let source = include_str!("weaknesses.rs");
    for number in 1..=59_u8 {
        let tested = source.contains(&format!("fn w{number:02}_"))
            || source.contains(&format!("_and_w{number:02}_"));
        let explained = ELSEWHERE
            .iter()
            .any(|&(listed, reason)| listed == number && !reason.is_empty());
        assert!(tested != explained, "weakness {number}");
    }
}
