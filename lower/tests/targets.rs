//! The choice of the union member that a value becomes, for languages without unions.

mod support;

use pcl_lower::expression::conversion_target;
use pcl_model::types::TypeId;
use pcl_model::value::Constant;
use pcl_test_support::type_text::parse_type;
use support::case::{Case, Variables};

const NAMES: Variables = &[("n", "int"), ("s", "string"), ("any", "dynamic")];

/// The conversion of `text` to the type `to`. `E` is an enum of `"a"` and `"b"`.
fn target(text: &str, to: &str) -> String {
    let mut case = Case::bind_any(text, &[NAMES]);
    let types = &mut case.types;
    let letters = ["a", "b"].map(Constant::from);
    let letters = types.enumeration("E", TypeId::STRING, &letters);
    let members = to.split(" | ").map(|member| match member {
        "E" => letters,
        member => parse_type(types, member).unwrap(),
    });
    let members: Vec<TypeId> = members.collect();
    let to = types.union(members);
    let target = conversion_target(types, &case.exprs, case.root, to);
    types.pretty(target)
}

#[test]
fn one_member_of_a_union_is_meant() {
    // A type that is not a union stays.
    assert_eq!(target("n", "string"), "string");
    // An enum that has the value, wherever it is, or a member that takes it as it is.
    assert_eq!(target("\"a\"", "string | E"), "enum(\"a\" | \"b\")");
    assert_eq!(target("n", "int | string"), "int");
    assert_eq!(target("\"a\"", "E | int"), "enum(\"a\" | \"b\")");
    assert_eq!(target("\"c\"", "int | string"), "string");
    // One that it converts to without loss, before one that it may not convert to.
    assert_eq!(target("n", "bool | number"), "number");
    assert_eq!(target("s", "bool | int"), "bool");
    // One that is not eventual, of those that take it alike; never `none`.
    assert_eq!(target("s", "output(bool) | int"), "int");
    assert_eq!(target("s", "none | int"), "int");
    // None at all, and none that is better than another.
    assert_eq!(target("any", "int | string"), "int | string");
    assert_eq!(target("n", "list(int) | list(string)"), "list(int) | list(string)");
    assert_eq!(target("[n]", "list(string) | map(string)"), "list(string)");
}
