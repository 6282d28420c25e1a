//! Invokes in one form, against the form that the reference brings them into (`tests/vectors/expressions_invoke.json`).

#[path = "../../binder/tests/support/invokes.rs"]
mod vectors;

use pcl_binder::{NodeBody, NodeKind};
use pcl_model::expression::{ExprKind, print};
use vectors::Vector;

/// Where we differ on purpose. The test fails when one of them starts to agree.
const EXCEPTIONS: &[(&str, &str)] = &[(
    "invoke-056",
    "a tuple that is spread gives one value for each input; the reference makes all of it the first input",
)];

#[test]
fn invokes_have_the_form_of_the_reference() {
    let mut report = String::new();
    let mut compared = 0;
    for vector in vectors::vectors() {
        let Some(canonical) = &vector.canonical else {
            continue;
        };
        compared += 1;
        let id = &vector.id;
        let problems = differences(&vector, canonical);
        let is_exception = EXCEPTIONS.iter().any(|(known, _)| known == id);
        if problems.is_empty() == is_exception {
            report += &format!("{id}: {problems:?}, exception: {is_exception}\n");
        }
    }
    assert!(report.is_empty(), "of {compared}:\n{report}");
    assert!(compared > 40);
}

fn differences(vector: &Vector, canonical: &str) -> Vec<String> {
    let mut program = pcl_lower::invokes(vector.bind().program);
    let x = program.module.find(NodeKind::Local, "x").unwrap();
    let NodeBody::Local(value) = program.module.node(x).body else {
        panic!("`x` has no value");
    };
    let mut problems = Vec::new();
    let printed = print(value, &program.exprs, &program.types, &program.scopes);
    if printed != canonical {
        problems.push(format!("{printed}, wanted {canonical}"));
    }
    let expr = &program.exprs[value];
    problems.extend(vector.type_difference(expr.ty, &mut program.types));
    if let ExprKind::Call(call) = &expr.kind {
        problems.extend(vector.parameter_difference(call, &mut program.types));
    }
    problems
}
