//! Files that are not programs, expressions beside a program, and what a caller may add to a
//! program's scope.

mod support;

use pcl_binder::{ExtraVariable, NodeKind, Options, Sources, snippet};
use pcl_diagnostics::{Diagnostic, SourceMap};
use pcl_schema::PackageRequest;
use support::{check_with, loader};

/// The diagnostics of a snippet as severity, name and range.
fn shown(diagnostics: &[Diagnostic]) -> Vec<String> {
    let show = |diagnostic: &Diagnostic| {
        let (severity, name) = (diagnostic.severity.as_str(), diagnostic.code.name());
        format!("{severity} {name} {:?}", diagnostic.primary.range)
    };
    diagnostics.iter().map(show).collect()
}

type Entry = fn(
    &Sources,
    &mut SourceMap,
    &str,
    std::sync::Arc<dyn pcl_schema::Loader>,
    &Options,
) -> snippet::Snippet;

fn bind(entry: Entry, text: &str, token: &str, options: &Options) -> (String, Vec<String>) {
    let mut map = SourceMap::new();
    let sources = Sources::from_texts([("snippet.pp", text)], &mut map);
    let mut snippet = entry(&sources, &mut map, token, loader(), options);
    let ty = snippet.program.types.pretty(snippet.input_type);
    (ty, shown(&snippet.diagnostics))
}

#[test]
fn a_resource_is_checked_against_its_inputs() {
    let options = Options::default();
    let check = |text| bind(snippet::resource, text, "toy:index:Box", &options).1;
    assert_eq!(check("size = 1 + 1\n"), [""; 0]);
    // Here Pulumi also checks inputs that are not outputs.
    assert_eq!(
        check("secretKey = [1]\n"),
        ["error type-not-assignable 12..15"]
    );
    assert_eq!(check(r#"nme = "x""#), ["error unsupported-attribute 0..3"]);
    assert_eq!(check("name = other\n"), ["error undefined-variable 7..12"]);
    assert_eq!(
        check("options {\n  protect = true\n}\n"),
        ["error unsupported-block 0..7"]
    );
    assert_eq!(
        check(r#"shape = { is = "square" }"#),
        ["error type-not-assignable 8..25"]
    );
    let odd = bind(snippet::resource, "", "toy:index:Odd", &options).1;
    assert_eq!(odd, [""; 0], "a constant need not be given");
    let invoke = r#"name = invoke("toy:index:find", { name = "a" }).name"#;
    assert_eq!(check(invoke), [""; 0]);
    let unknown = bind(snippet::resource, "a = 1\n", "toy:index:Bax", &options).1;
    assert_eq!(unknown, ["error unknown-resource-type 0..0"]);
}

#[test]
fn a_listing_is_checked_against_its_filter() {
    let options = Options::default();
    let check = |text, token| bind(snippet::resource_list, text, token, &options);
    assert_eq!(check(r#"prefix = "x""#, "toy:index:Box").1, [""; 0]);
    assert_eq!(
        check("prefix = [1]\nname = 1\n", "toy:index:Box").1,
        [
            "error type-not-assignable 9..12",
            "error unsupported-attribute 13..17",
        ]
    );
    assert_eq!(check("", "toy:index:Odd").1, ["error not-listable 0..0"]);
}

#[test]
fn a_call_takes_the_form_that_its_arguments_have() {
    let options = Options {
        variables: vec![
            ExtraVariable::new("box", "object({name = output(string)})").expect("a type"),
        ],
        ..Options::default()
    };
    let check = |text| bind(snippet::function, text, "toy:index:find", &options);
    assert_eq!(
        check(r#"name = "x""#),
        ("{ name: string }".to_owned(), vec![])
    );
    assert_eq!(
        check("name = box.name\n"),
        ("{ name: output(string) | string }".to_owned(), vec![])
    );
    assert_eq!(check("").1, ["error missing-attribute 0..0"]);
    let unknown = bind(snippet::function, "", "toy:index:fnd", &options);
    assert_eq!(unknown.1, ["error unknown-invoke 0..0"]);
    let nothing = bind(snippet::function, "x = 1\n", "other:index:one", &options);
    assert_eq!(nothing.1, ["error unsupported-attribute 0..1"]);
}

#[test]
fn a_body_is_a_whole_resource() {
    let text = r#"name = range.value
size = [1]
options {
  range = ["a"]
  parent = range.value
}
"#;
    let mut map = SourceMap::new();
    let sources = Sources::from_texts([("body.pp", text)], &mut map);
    let (token, options) = ("toy:index:Box", Options::default());
    let mut bound =
        snippet::resource_program(&sources, &mut map, "boxes", token, loader(), &options);
    assert_eq!(
        shown(&bound.diagnostics),
        ["error type-not-assignable 26..29"]
    );
    let boxes = bound
        .program
        .module
        .find(NodeKind::Resource, "boxes")
        .expect("the resource");
    let node = bound.program.module.node(boxes).clone();
    assert_eq!(node.token.as_deref(), Some("toy::Box"));
    assert!(bound.program.types.pretty(node.ty).starts_with("list({"));
    assert_eq!(bound.program.order(), [boxes]);

    // It may not refer to itself.
    let sources = Sources::from_texts([("body.pp", "name = boxes.name\n")], &mut map);
    let bound = snippet::resource_program(&sources, &mut map, "boxes", token, loader(), &options);
    assert_eq!(shown(&bound.diagnostics), ["error circular-reference 0..0"]);
}

#[test]
fn an_expression_is_bound_beside_the_program() {
    let mut checked = check_with(
        r#"
resource a "toy:index:Box" {}
sizes = [a.size]
"#,
        &Options::default(),
    );
    let mut map = SourceMap::new();
    for (text, ty, found) in [
        ("a.name", "output(string)", vec![]),
        ("[for s in sizes : s]", "list(output(number?))", vec![]),
        (
            r#"invoke("other:index:one", {}).value"#,
            "promise(string)",
            vec![],
        ),
        ("b + 1", "number", vec!["error undefined-variable 0..1"]),
    ] {
        let file = map.add("question", text);
        let tree = pcl_syntax::parse_expression(text);
        let (value, diagnostics) = checked.program.bind_expression(&tree, file);
        assert_eq!(shown(&diagnostics), found, "{text}");
        let bound = checked.program.exprs[value.expect("an expression")].ty;
        assert_eq!(checked.program.types.pretty(bound), ty, "{text}");
    }
    let tree = pcl_syntax::parse_expression("1 +");
    let (_, diagnostics) = checked
        .program
        .bind_expression(&tree, map.add("question", "1 +"));
    assert_eq!(diagnostics.len(), 1);
}

#[test]
fn a_caller_may_add_variables_and_packages() {
    let options = Options {
        variables: vec![ExtraVariable::new("bucket", "object({id = output(id)})").expect("a type")],
        packages: vec![PackageRequest::new("toy").with_version(semver::Version::new(1, 0, 0))],
        ..Options::default()
    };
    let text = r#"package {
  baseProviderName = "toy"
  baseProviderVersion = "2.0.0"
}
x = bucket.id
resource a "toy:index:Box" { colour = "red" }
"#;
    let mut checked = check_with(text, &options);
    assert_eq!(
        checked.diagnostics(),
        ["error unsupported-attribute main.pp:6:30"]
    );
    assert_eq!(checked.ty(NodeKind::Local, "x"), "output(id)");
    let taken = check_with("bucket = 1\n", &options);
    assert_eq!(taken.diagnostics(), ["error already-declared main.pp:1:1"]);
}
