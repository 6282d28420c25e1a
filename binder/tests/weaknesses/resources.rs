//! The inputs, options and ranges of resources.

use pcl_binder::{NodeKind, Options};
use pcl_diagnostics::Origin;

use crate::support::{check, check_with};

#[test]
fn w11_attributes_of_an_unknown_resource_are_not_reported_one_by_one() {
    let text = "resource a \"toy:index:Nope\" {\n  x = 1\n  y = [2]\n  options {\n    ignoreChanges = [x]\n  }\n}\n";
    let mut checked = check_with(text, &Options::lenient());
    assert_eq!(
        checked.findings(),
        ["warning unknown-resource-type main.pp:1:12"]
    );
    assert_eq!(checked.diagnostics[0].origin, Origin::Ours);
    assert_eq!(checked.inputs("a"), "{ x: 1, y: (2) }");
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
    assert_eq!(
        checked.findings(),
        ["warning value-not-listed main.pp:1:45"]
    );
}

#[test]
fn w17_numbers_as_keys_and_deciding_values_are_reported() {
    for (value, mistakes) in [
        ("{ 1 = \"x\" }", vec!["{", "1"]),
        ("{ is = 5 }", vec!["5"]),
        ("{ is = true }", vec!["true"]),
        ("{ true = 1 }", vec!["{"]),
    ] {
        let text = format!("resource a \"toy:index:Box\" {{ shape = {value} }}\n");
        let places = mistakes.iter().map(|part| {
            let at = text.rfind(part).expect("it is there") + 1;
            format!("error type-not-assignable main.pp:1:{at}")
        });
        assert_eq!(check(&text).errors(), places.collect::<Vec<_>>(), "{value}");
    }
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
fn w47_every_expression_is_bound_once() {
    let checked = check(
        "resource a \"toy:index:Box\" {\n  name = \"n\"\n  shape = { is = \"round\", radius = 1 }\n  options {\n    range = 2\n  }\n}\n",
    );
    assert_eq!(checked.findings(), [""; 0]);
    let exprs = checked.program.exprs.iter();
    let all: Vec<_> = exprs
        .map(|(_, expr)| (expr.kind.name(), expr.range))
        .collect();
    for (nth, expr) in all.iter().enumerate() {
        assert!(!all[..nth].contains(expr), "{expr:?} is there twice");
    }
    let objects = all.iter().filter(|(kind, _)| *kind == "object").count();
    assert_eq!(objects, 1);
}

#[test]
fn w48_a_part_of_something_in_parentheses_is_the_same_everywhere() {
    let checked = check(
        "obj = { a = true, n = [1] }\nresource r \"toy:index:Box\" {\n  flag = (obj).a\n  options {\n    protect = (obj).a\n    range = (obj).n\n  }\n}\nx = (obj).a\n",
    );
    assert_eq!(checked.findings(), [""; 0]);
}

#[test]
fn w52_odd_ranges_are_findings_at_most() {
    // What each range makes of `range.key.x`, or why there is no range.
    for (range, expected) in [
        ("{}", "cannot-traverse main.pp:3:19"),
        ("[]", "cannot-traverse main.pp:3:19"),
        ("null", "type-not-assignable main.pp:5:13"),
        ("\"abc\"", "not-a-collection main.pp:5:13"),
        ("-1", "unknown-property main.pp:3:15"),
        ("1.5", "unknown-property main.pp:3:15"),
        ("[null]", "cannot-traverse main.pp:3:19"),
        ("x", "undefined-variable main.pp:5:13"),
        ("a", "circular-reference main.pp:1:10"),
        ("secret({})", "cannot-traverse main.pp:3:19"),
        ("true ? 1 : [2]", "not-a-collection main.pp:5:13"),
    ] {
        let checked = check(&format!(
            "resource a \"toy:index:Box\" {{\n  name = range.value\n  size = range.key.x\n  options {{\n    range = {range}\n  }}\n}}\n"
        ));
        assert_eq!(checked.findings(), [format!("error {expected}")], "{range}");
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
