//! Invokes in one form, against the form that the reference brings them into (`tests/vectors/expressions_invoke.json`).

use std::sync::Arc;

use pcl_binder::{NodeBody, NodeKind, Options, Sources, bind};
use pcl_diagnostics::SourceMap;
use pcl_model::expression::{ExprKind, print};
use pcl_model::types::{TypeStore, parse_type};
use pcl_schema::MemoryLoader;
use serde_json::{Value, json};

/// Where we differ on purpose. The test fails when one of them starts to agree.
const EXCEPTIONS: &[(&str, &str)] = &[(
    "invoke-056",
    "a tuple that is spread gives one value for each input; the reference makes all of it the first input",
)];

#[test]
fn invokes_have_the_form_of_the_reference() {
    let vectors: Value =
        serde_json::from_str(include_str!("../../tests/vectors/expressions_invoke.json")).unwrap();
    let mut report = String::new();
    let mut compared = 0;
    for vector in vectors["vectors"].as_array().unwrap() {
        let Some(canonical) = vector["canonical"].as_str() else {
            continue;
        };
        compared += 1;
        let id = vector["id"].as_str().unwrap();
        let problems = differences(vector, canonical);
        let is_exception = EXCEPTIONS.iter().any(|(known, _)| *known == id);
        if problems.is_empty() == is_exception {
            report += &format!("{id}: {problems:?}, exception: {is_exception}\n");
        }
    }
    assert!(report.is_empty(), "of {compared}:\n{report}");
    assert!(compared > 40);
}

fn differences(vector: &Value, canonical: &str) -> Vec<String> {
    let mut package: Value = serde_json::from_str(include_str!(
        "../../tests/vectors/expressions_invoke_schema.json"
    ))
    .unwrap();
    // Which the document leaves out: the first word of a module counts.
    package["meta"] = json!({"moduleFormat": "(\\w+)(?:/\\w+)?"});
    let mut loader = MemoryLoader::default();
    loader.add(serde_json::to_vec(&package).unwrap()).unwrap();

    let mut options = Options::default();
    for name in vector["options"].as_array().into_iter().flatten() {
        match name.as_str().unwrap() {
            "preferOutputVersionedInvokes" => options.prefer_output_versioned_invokes = true,
            "skipInvokeTypecheck" => options.skip_invoke_typecheck = true,
            "nonstrict" => options = Options::lenient(),
            other => panic!("unknown option {other}"),
        }
    }
    let mut map = SourceMap::new();
    let text = vector["program"].as_str().unwrap();
    let sources = Sources::from_texts([("main.pp", text)], &mut map);
    let bound = bind(&sources, &mut map, Arc::new(loader), &options);
    let mut program = pcl_lower::invokes(bound.program);

    let x = program.module.find(NodeKind::Local, "x").unwrap();
    let NodeBody::Local(value) = program.module.node(x).body else {
        panic!("`x` has no value");
    };
    let mut problems = Vec::new();
    let printed = print(value, &program.exprs, &program.types, &program.scopes);
    if printed != canonical {
        problems.push(format!("{printed}, wanted {canonical}"));
    }
    let types = &mut program.types;
    let expr = &program.exprs[value];
    if let Some(wanted) = vector["type"].as_str() {
        let (found, wanted) = (types.pretty(expr.ty), shown(types, wanted));
        if found != wanted {
            problems.push(format!("type {found}, wanted {wanted}"));
        }
    }
    if let (Some(wanted), ExprKind::Call(call)) = (vector["parameters"].as_array(), &expr.kind) {
        let parameters = call.signature.parameters.iter();
        let found: Vec<String> = parameters
            .map(|parameter| format!("{}: {}", parameter.name, types.pretty(parameter.ty)))
            .collect();
        let wanted: Vec<String> = wanted
            .iter()
            .map(|parameter| {
                let (name, ty) = parameter.as_str().unwrap().split_once(": ").unwrap();
                format!("{name}: {}", shown(types, ty))
            })
            .collect();
        if found != wanted {
            problems.push(format!("parameters {found:?}, wanted {wanted:?}"));
        }
    }
    problems
}

fn shown(types: &mut TypeStore, text: &str) -> String {
    let ty = parse_type(types, text).expect("the vector has a type");
    types.pretty(ty)
}
