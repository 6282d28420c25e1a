//! Which member of a union a value becomes, for languages without unions.

use pcl_diagnostics::FileId;
use pcl_lower::expression::conversion_target;
use pcl_model::expression::{CheckOptions, Checker, ExprArena};
use pcl_model::scope::{Definition, Scopes};
use pcl_model::types::{TypeId, TypeStore, parse_type};
use pcl_model::value::Constant;

/// What `text` becomes where `to` is needed. `E` is an enum of `"a"` and `"b"`.
fn target(text: &str, to: &str) -> String {
    let (mut types, mut scopes) = (TypeStore::new(), Scopes::new());
    let scope = scopes.new_root();
    for (name, ty) in [("n", "int"), ("s", "string"), ("any", "dynamic")] {
        let ty = parse_type(&mut types, ty).unwrap();
        let definition = Definition::variable(types.symbol(name), ty);
        scopes.define(scope, definition).unwrap();
    }
    let letters = ["a", "b"].map(Constant::from);
    let letters = types.enumeration("E", TypeId::STRING, &letters);
    let members = to.split(" | ").map(|member| match member {
        "E" => letters,
        member => parse_type(&mut types, member).unwrap(),
    });
    let members: Vec<TypeId> = members.collect();
    let to = types.union(members);
    let (mut exprs, mut findings) = (ExprArena::new(), Vec::new());
    let tree = pcl_syntax::parse_expression(text);
    let id = Checker {
        types: &mut types,
        scopes: &mut scopes,
        exprs: &mut exprs,
        diagnostics: &mut findings,
        options: CheckOptions::default(),
        file: FileId(0),
    }
    .bind(tree.expression().unwrap(), scope);
    let target = conversion_target(&mut types, &exprs, id, to);
    types.pretty(target)
}

#[test]
fn one_member_of_a_union_is_meant() {
    // What is no union stays.
    assert_eq!(target("n", "string"), "string");
    // A member that takes the value as it is, or an enum that has it.
    assert_eq!(target("n", "int | string"), "int");
    assert_eq!(target("\"a\"", "E | int"), "enum(\"a\" | \"b\")");
    assert_eq!(target("\"c\"", "int | string"), "string");
    // One that it converts to without loss, before one that it may not convert to.
    assert_eq!(target("n", "bool | number"), "number");
    assert_eq!(target("s", "bool | int"), "bool");
    // None at all.
    assert_eq!(
        target("n", "list(int) | list(string)"),
        "list(int) | list(string)"
    );
    assert_eq!(target("[n]", "list(string) | map(string)"), "list(string)");
}
