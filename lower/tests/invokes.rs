//! Invokes in canonical form, compared with the canonical form of the reference
//! (`tests/vectors/expressions_invoke.json`).

use pcl_binder::{NodeBody, NodeKind};
use pcl_model::expression::{ExprKind, print};
use pcl_test_support::invokes::{self, Vector};

/// The deliberate differences. The test fails if one of them no longer differs.
const EXCEPTIONS: &[(&str, &str)] = &[(
    "invoke-056",
    "a tuple that is spread gives one value for each input; the reference makes all of it the first input",
)];

#[test]
fn invokes_have_the_form_of_the_reference() {
    let mut report = String::new();
    let mut compared = 0;
    for vector in invokes::vectors() {
        let Some(canonical) = &vector.canonical else { continue };
        compared += 1;
        let id = &vector.id;
        let complaints = differences(&vector, canonical);
        let is_exception = EXCEPTIONS.iter().any(|(known, _)| known == id);
        if complaints.is_empty() == is_exception {
            report += &format!("{id}: {complaints:?}, exception: {is_exception}\n");
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
    let mut complaints = Vec::new();
    let printed = print(value, &program.exprs, &program.types, &program.scopes);
    if printed != canonical {
        complaints.push(format!("{printed}, wanted {canonical}"));
    }
    let expr = &program.exprs[value];
    complaints.extend(vector.type_difference(expr.ty, &mut program.types));
    if let ExprKind::Call(call) = &expr.kind {
        complaints.extend(vector.parameter_difference(call, &mut program.types));
    }
    complaints
}
