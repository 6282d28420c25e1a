//! The passes against recorded rewrites of the reference
//! (`tests/vectors/expressions_rewrites.json`).

use std::path::Path;
use std::sync::Arc;

use pcl_diagnostics::{Code, FileId, Reporter, Severity};
use pcl_lower::expression::{Applies, applies, conversions};
use pcl_model::expression::{Checker, ExprArena, Names, print};
use pcl_model::scope::{Definition, ScopeId, Scopes};
use pcl_model::types::{TypeId, TypeStore};
use pcl_test_support::notation::{Notation, Objects};
use serde_json::Value;

/// Vectors on which we differ on purpose. The test fails when one of them starts to agree.
const EXCEPTIONS: &[(&str, &str)] = &[];

#[test]
fn expressions_are_lowered_as_recorded() {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/vectors/expressions_rewrites.json");
    let vectors: Vec<Value> =
        serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    assert_eq!(vectors.len(), 166);
    let mut report = String::new();
    for vector in &vectors {
        let id = vector["id"].as_str().unwrap();
        let exception = EXCEPTIONS.iter().find(|(known, _)| *known == id);
        match (lower(vector), exception) {
            (Some(wrong), None) => report += &format!("{id}: {}\n    {wrong}\n", vector["source"]),
            (None, Some(_)) => {
                report += &format!("{id} agrees now: take it off the list of exceptions\n");
            }
            _ => {}
        }
    }
    assert!(
        report.is_empty(),
        "{} of {} vectors:\n{report}",
        report.matches("\n    ").count(),
        vectors.len()
    );
}

/// The difference between our answer and the recorded one, if any.
fn lower(vector: &Value) -> Option<String> {
    let objects = Arc::new(Objects::default());
    let mut types = TypeStore::with_materializer(objects.clone());
    let mut scopes = Scopes::new();
    let scope = if vector["builtins"] == true {
        scopes.new_root()
    } else {
        scopes.new_scope(None)
    };
    for (name, ty) in vector["scope"].as_object().unwrap() {
        let ty = Notation::new(ty.as_str().unwrap(), &mut types, &objects).ty();
        let definition = Definition::variable(types.symbol(name), ty);
        scopes.define(scope, definition).unwrap();
    }
    for (name, signature) in vector["functions"].as_object().into_iter().flatten() {
        let text = signature.as_str().unwrap();
        let signature = Notation::new(text, &mut types, &objects).signature();
        scopes.define_function(scope, name, Arc::new(signature));
    }
    let tree = pcl_syntax::parse_expression(vector["source"].as_str().unwrap());
    let (mut exprs, mut reporter) = (ExprArena::new(), Reporter::default());
    let mut checker = Checker {
        types: &mut types,
        scopes: &mut scopes,
        exprs: &mut exprs,
        reporter: &mut reporter,
        names: Names::Values,
        file: FileId(0),
    };
    let mut root = checker.bind(tree.expression().unwrap(), scope);
    *checker.reporter = Reporter::default();
    for pass in vector["passes"].as_array().unwrap() {
        root = run(
            &mut checker,
            scope,
            root,
            pass.as_str().unwrap(),
            vector,
            &objects,
        );
    }
    let ty = checker.type_of(root);
    let found: Vec<(Code, Severity, u32, u32)> = reporter
        .into_diagnostics()
        .iter()
        .map(|diagnostic| {
            let range = diagnostic.primary.range;
            (
                diagnostic.code,
                diagnostic.severity,
                range.start(),
                range.end(),
            )
        })
        .collect();
    let printed = print(root, &exprs, &types, &scopes);
    let expected = vector["canonical"].as_str().unwrap();
    let expected_type = Notation::new(vector["type"].as_str().unwrap(), &mut types, &objects).ty();
    let expected_diagnostics: Vec<_> = vector["diagnostics"]
        .as_array()
        .unwrap()
        .iter()
        .map(recorded)
        .collect();
    let mut wrong = Vec::new();
    if printed != expected {
        wrong.push(format!("ours   {printed}\n    theirs {expected}"));
    }
    if ty != expected_type && !is_lost(&mut types, ty, expected_type) {
        let [ours, theirs] = [ty, expected_type].map(|ty| types.pretty(ty));
        wrong.push(format!("type: ours {ours}, theirs {theirs}"));
    }
    if found != expected_diagnostics {
        wrong.push(format!(
            "ours   {found:?}\n    theirs {expected_diagnostics:?}"
        ));
    }
    (!wrong.is_empty()).then(|| wrong.join("\n    "))
}

/// True where the reference continues with `dynamic` after an error: ours continues with a type of
/// its own, which absorbs outputs.
fn is_lost(types: &mut TypeStore, ours: TypeId, theirs: TypeId) -> bool {
    ours == TypeId::ERROR && types.resolve(theirs) == TypeId::DYNAMIC
}

fn run(
    checker: &mut Checker<'_>,
    scope: ScopeId,
    root: pcl_model::expression::ExprId,
    pass: &str,
    vector: &Value,
    objects: &Arc<Objects>,
) -> pcl_model::expression::ExprId {
    let options = match pass {
        "apply" => Applies::default(),
        "apply-nopromise" => Applies {
            promises: false,
            ..Applies::default()
        },
        "apply-skipjson" => Applies {
            skip_to_json: true,
            ..Applies::default()
        },
        _ => {
            let to = match vector["to"].as_str().unwrap() {
                "(the expression's own type)" => checker.type_of(root),
                to => Notation::new(to, checker.types, objects).ty(),
            };
            return conversions(checker, root, to);
        }
    };
    applies(checker, scope, root, &options)
}

fn recorded(diagnostic: &Value) -> (Code, Severity, u32, u32) {
    let code = match diagnostic["kind"].as_str().unwrap() {
        "cannot-traverse" => Code::CannotTraverse,
        "unknown-property" => Code::UnknownProperty,
        "property-case-mismatch" => Code::PropertyCaseMismatch,
        kind => panic!("unknown kind {kind}"),
    };
    let severity = match diagnostic["severity"].as_str().unwrap() {
        "error" => Severity::Error,
        _ => Severity::Warning,
    };
    let [start, end] =
        ["start_byte", "end_byte"].map(|key| diagnostic[key].as_u64().unwrap() as u32);
    (code, severity, start, end)
}
