//! Expressions beside a program, and what a caller may add to a program's scope.

mod support;

use pcl_binder::{ExtraVariable, NodeKind, Options};
use pcl_diagnostics::{Diagnostic, SourceMap};
use pcl_language::StaticType;
use pcl_schema::PackageRequest;
use support::check_with;

/// The diagnostics of an expression as severity, name and range.
fn shown(diagnostics: &[Diagnostic]) -> Vec<String> {
    let show = |diagnostic: &Diagnostic| {
        let (severity, name) = (diagnostic.severity.as_str(), diagnostic.code.name());
        format!("{severity} {name} {:?}", diagnostic.primary.range)
    };
    diagnostics.iter().map(show).collect()
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
        (r#"invoke("other:index:one", {}).value"#, "promise(string)", vec![]),
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
    let (_, diagnostics) = checked.program.bind_expression(&tree, map.add("question", "1 +"));
    assert_eq!(diagnostics.len(), 1);
}

#[test]
fn a_caller_may_add_variables_and_packages() {
    let options = Options {
        variables: vec![ExtraVariable {
            name: "bucket".to_owned(),
            ty: StaticType::Object(&[("id", StaticType::Output(&StaticType::String))]),
        }],
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
    assert_eq!(checked.diagnostics(), ["error unsupported-attribute main.pp:6:30"]);
    assert_eq!(checked.ty(NodeKind::Local, "x"), "output(string)");
    let taken = check_with("bucket = 1\n", &options);
    assert_eq!(taken.diagnostics(), ["error already-declared main.pp:1:1"]);
}

#[test]
fn packages_around_a_program_yield_to_its_own() {
    let options = Options {
        outer_packages: vec![
            PackageRequest::new("toy").with_version(semver::Version::new(1, 0, 0)),
        ],
        ..Options::default()
    };
    let version = |text: &str| {
        let packages = check_with(text, &options).program.packages();
        packages.first().and_then(|package| package.version.as_ref().map(ToString::to_string))
    };
    let resource = "resource a \"toy:index:Box\" {}\n";
    assert_eq!(version(resource).as_deref(), Some("1.0.0"));
    let block = "package {\n  baseProviderName = \"toy\"\n  baseProviderVersion = \"2.0.0\"\n}\n";
    assert_eq!(version(&format!("{block}{resource}")).as_deref(), Some("2.0.0"));
}
