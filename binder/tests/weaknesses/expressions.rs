//! Types, calls and values.

use std::time::Instant;

use pcl_binder::{NodeBody, NodeKind, Options, Sources, snippet};
use pcl_diagnostics::SourceMap;

use crate::assert_quick;
use crate::support::{check, loader};

#[test]
fn w35_values_spread_over_positional_inputs_count_one_by_one() {
    let call = |list: &str| format!("xs = {list}\nx = invoke(\"mathx:index:clamp\", xs...)\n");
    assert_eq!(check(&call("[1, 2, 3]")).findings(), [""; 0]);
    assert_eq!(
        check(&call("[1, [2], 3]")).findings(),
        ["error type-not-assignable main.pp:2:33"]
    );
}

#[test]
fn w36_whole_constants_and_empty_enumerations_are_types() {
    let mut checked = check("resource a \"toy:index:Odd\" {\n  level = 3\n  none = \"x\"\n}\n");
    assert_eq!(checked.errors(), [""; 0]);
    assert!(checked.inputs("a").contains("level: 3"));
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
fn w44_builtins_with_too_few_or_odd_arguments_are_no_crash() {
    assert_eq!(
        check("x = entries()\n").findings(),
        ["error missing-argument main.pp:1:5"]
    );
    assert_eq!(check("x = lookup({}, \"k\")\n").findings(), [""; 0]);
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
fn w49_the_arguments_of_a_method_are_checked_against_its_inputs() {
    let checked = check(
        "resource r \"toy:index:Box\" {}\nx = call(r, \"open\", { wide = [1] })\ny = call(r, \"open\", { wide = true })\n",
    );
    assert_eq!(checked.errors(), ["error type-not-assignable main.pp:2:30"]);
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
