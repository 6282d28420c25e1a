//! Files, blocks, labels, attributes and names.

use pcl_binder::NodeKind;

use crate::support::{check, check_files};

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
    assert!(checked.program.module.dependencies(hook).is_empty());
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
        let found = module.dependencies(all).iter();
        found
            .map(|&id| module.node(id).name.to_string())
            .collect::<Vec<_>>()
    };
    assert_eq!(names(&files), ["own", "second", "first"]);
    let turned = [files[1], files[0]];
    assert_eq!(names(&turned), ["own", "second", "first"]);
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
        assert_eq!(
            check(&format!("{text}\n")).findings(),
            ["error wrong-label-count main.pp:1:1"],
            "{text}"
        );
    }
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
    assert_eq!(
        checked.findings(),
        [
            "error call-unterminated main.pp:1:15",
            "error call-unterminated main.pp:2:15",
            "error undefined-variable main.pp:3:5",
        ]
    );
}

#[test]
fn w51_all_findings_are_listed() {
    let checked = check("a = x1\nb = x2\nc = x3\n");
    assert_eq!(
        checked.findings(),
        [1, 2, 3].map(|line| format!("error undefined-variable main.pp:{line}:5"))
    );
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
    // In an object that is written out it is ignored, which is told likewise.
    let checked = check(
        "resource r \"toy:index:Box\" {\n  holder = { size = 1, shelves = [{ oldName = \"x\" }] }\n}\n",
    );
    let helps: Vec<_> = checked
        .diagnostics
        .iter()
        .filter_map(|finding| finding.help.as_deref())
        .collect();
    assert!(helps[0].contains("one level up"), "{helps:?}");
    assert!(!helps[1].contains("one level up"), "{helps:?}");
}
