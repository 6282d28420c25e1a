//! The model of a bound program, where a page of `tests/spec` cannot show it.

mod support;

use pcl_binder::{NodeBody, NodeKind, Options};
use pcl_model::expression::print;
use support::{check, check_directory, check_files, check_with, scratch};

#[test]
fn dependencies_are_in_the_order_of_files_as_given_then_of_the_text() {
    let files =
        [("b.pp", "second = 1\nfirst = 2\n"), ("a.pp", "all = [first, own, second]\nown = 3\n")];
    let names = |files: &[(&str, &str)]| {
        let checked = check_files(files);
        let all = checked.node(NodeKind::Local, "all");
        let module = &checked.program.module;
        let found = module.dependencies(all).iter();
        found.map(|&id| module.node(id).name.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(names(&files), ["own", "second", "first"]);
    let turned = [files[1], files[0]];
    assert_eq!(names(&turned), ["own", "second", "first"]);
}

#[test]
fn inputs_of_an_unknown_resource_are_those_that_are_written() {
    let text = r#"
resource a "toy:index:Nope" {
  x = 1
  y = [2]
}
"#;
    let mut checked = check_with(text, &Options::lenient());
    assert_eq!(checked.inputs("a"), "{ x: 1, y: (2) }");
}

#[test]
fn the_members_of_a_union_have_one_order() {
    let text = r#"
resource a "toy:index:Box" {}
x = a.shape
"#;
    let first = check(text).ty(NodeKind::Local, "x");
    assert!(first.contains('|'), "{first}");
    for _ in 0..5 {
        assert_eq!(check(text).ty(NodeKind::Local, "x"), first);
    }
}

#[test]
fn a_component_without_a_source_has_no_program() {
    let checked = check(r#"component c { token = "toy:index:Part" }"#);
    let node = checked.node(NodeKind::Component, "c");
    let NodeBody::Component(body) = &checked.program.module.node(node).body else {
        panic!("a component");
    };
    assert!(body.source.is_none() && body.program.is_none());
}

#[test]
fn inputs_of_components_have_both_names() {
    let part = r#"
config inner { __logicalName = "outer" }
output o { value = inner }
"#;
    let directory = scratch(
        "both-names",
        &[("main.pp", r#"component c "./part" { outer = 1 }"#), ("part/main.pp", part)],
    );
    let checked = check_directory(&directory);
    assert_eq!(checked.diagnostics(), [""; 0]);
    let config = &checked.program.components[0].module.nodes[0];
    assert_eq!((&*config.name, &*config.logical_name), ("inner", "outer"));
}

#[test]
fn null_as_the_default_makes_a_config_nullable() {
    for ty in ["string", "optional(string)", "any"] {
        let checked = check(&format!(r#"config x "{ty}" {{ default = null }}"#));
        let node = checked.node(NodeKind::Config, "x");
        let NodeBody::Config(config) = &checked.program.module.node(node).body else {
            panic!("a config");
        };
        assert!(config.nullable, "{ty}");
    }
}

#[test]
fn null_is_printed_wherever_it_is() {
    for text in ["null", "xs[null]", "[null, { a = null }]"] {
        let checked = check(&format!("x = {text}\nconfig xs \"list(int)\" {{}}\n"));
        let program = &checked.program;
        let node = program.module.node(checked.node(NodeKind::Local, "x"));
        let NodeBody::Local(value) = node.body else {
            panic!("a local has a value");
        };
        let printed = print(value, &program.exprs, &program.types, &program.scopes);
        assert_eq!(printed.replace("{a", "{ a").replace("l}", "l }"), text);
    }
}

#[test]
fn every_expression_is_bound_once() {
    let checked = check(
        r#"
resource a "toy:index:Box" {
  name  = "n"
  shape = { is = "round", radius = 1 }
  options {
    range = 2
  }
}
"#,
    );
    assert_eq!(checked.diagnostics(), [""; 0]);
    let exprs = checked.program.exprs.iter();
    let all: Vec<_> = exprs.map(|(_, expr)| (expr.kind.name(), expr.range)).collect();
    for (nth, expr) in all.iter().enumerate() {
        assert!(!all[..nth].contains(expr), "{expr:?} is there twice");
    }
    let objects = all.iter().filter(|(kind, _)| *kind == "object").count();
    assert_eq!(objects, 1);
}

/// A step of something in parentheses is bound in a resource as it is elsewhere.
#[test]
fn a_step_of_something_in_parentheses_is_the_same_everywhere() {
    let mut checked = check(
        r#"
obj = { a = true, n = [1] }
resource r "toy:index:Box" {
  flag = (obj).a
  options {
    protect = (obj).a
    range   = (obj).n
  }
}
x = (obj).a
"#,
    );
    assert_eq!(checked.diagnostics(), [""; 0]);
    assert_eq!(checked.ty(NodeKind::Local, "x"), "true");
}

#[test]
fn diagnostics_are_the_same_in_every_run() {
    let text = r#"
package {
  baseProviderVersion     = "x"
  baseProviderName        = 1
  baseProviderDownloadUrl = "y"
}
"#;
    let found = check(text).diagnostics();
    assert_eq!(found.len(), 3);
    assert!((0..5).all(|_| check(text).diagnostics() == found));
}
