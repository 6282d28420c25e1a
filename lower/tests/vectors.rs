//! The passes against recorded rewrites of the reference
//! (`tests/vectors/expressions_rewrites.json`).

use std::path::Path;
use std::sync::Arc;

use pcl_diagnostics::{Code, FileId, Reporter, Severity};
use pcl_lower::expression::{Applies, Lifts, applies, conversions};
use pcl_model::expression::{Checker, ExprArena, Names, print};
use pcl_model::scope::{Definition, ScopeId, Scopes};
use pcl_model::types::{TypeId, TypeStore};
use pcl_test_support::notation::{Notation, Objects};
use serde_json::Value;

/// Vectors on which we differ on purpose. The test fails when one of them starts to agree.
const EXCEPTIONS: &[(&str, &str)] =
    &[("apply-056", "`m[\"k\"]` would read back as a step, so the index is printed as a `lookup`")];

#[test]
fn expressions_are_lowered_as_recorded() {
    let vectors = recorded_vectors();
    let mut report = String::new();
    for vector in &vectors {
        let id = vector["id"].as_str().unwrap();
        let exception = EXCEPTIONS.iter().find(|(known, _)| *known == id);
        match (lower(vector, &Applies::default()).difference, exception) {
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

/// The steps that an SDK does not lift although the whole apply does nothing but steps, by the
/// first vector that shows the reason.
const NOT_LIFTED: &[(Lifts, &str, &str)] = &[
    (Lifts::NodeJs, "apply-008", "a computed key of a map"),
    (Lifts::NodeJs, "apply-065", "the step leads nowhere"),
    (Lifts::Python, "apply-065", "the step leads nowhere"),
    (Lifts::NodeJs, "apply-066", "the value may be none at all"),
    (Lifts::Python, "apply-066", "the value may be none at all"),
    (Lifts::NodeJs, "apply-067", "the value is a promise"),
    (Lifts::Python, "apply-067", "the value is a promise"),
];

/// SDKs lift the steps of every recorded apply that does nothing but take steps from an output.
#[test]
fn recorded_applies_of_steps_alone_are_lifted() {
    let mut report = String::new();
    let mut lifted = 0;
    for vector in recorded_vectors() {
        let is_exception = EXCEPTIONS.iter().any(|(id, _)| vector["id"] == *id);
        if is_exception || vector["passes"] != serde_json::json!(["apply"]) {
            continue;
        }
        let (id, recorded) = (vector["id"].as_str().unwrap(), &vector["canonical"]);
        let recorded = recorded.as_str().unwrap();
        for lifts in [Lifts::NodeJs, Lifts::Python] {
            let is_exception = NOT_LIFTED.iter().any(|known| (known.0, known.1) == (lifts, id));
            let expected =
                if is_exception { recorded.to_owned() } else { without_applies_of_steps(recorded) };
            let options = Applies { lifts, ..Applies::default() };
            let found = lower(&vector, &options).printed;
            lifted += usize::from(found != recorded);
            if found != expected {
                report += &format!("{id}, {lifts:?}: {found}, expected {expected}\n");
            }
        }
    }
    assert!(report.is_empty(), "{report}");
    assert!(lifted > 10, "{lifted}");
}

/// `text` with `name.steps` in the place of every `__apply(name, eval(x, x.steps))`.
fn without_applies_of_steps(text: &str) -> String {
    const APPLY: &str = "__apply(";
    let lifted = |rest: &str| {
        let (source, rest) = rest.split_once(", eval(")?;
        let (parameter, rest) = rest.split_once(", ")?;
        let (body, rest) = rest.split_once("))")?;
        let steps = body.strip_prefix(parameter)?;
        let is_plain = !source.contains(['(', ')', ',']) && !steps.contains([' ', '(', '*']);
        is_plain.then(|| (format!("{source}{steps}"), rest.to_owned()))
    };
    let mut result = String::new();
    let mut rest = text.to_owned();
    while let Some((before, after)) = rest.clone().split_once(APPLY) {
        result += before;
        rest = match lifted(after) {
            Some((lifted, rest)) => {
                result += &lifted;
                rest
            }
            None => {
                result += APPLY;
                after.to_owned()
            }
        };
    }
    result + &rest
}

fn recorded_vectors() -> Vec<Value> {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/vectors/expressions_rewrites.json");
    let vectors: Vec<Value> =
        serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    assert_eq!(vectors.len(), 166);
    vectors
}

/// An expression after the passes of a vector.
struct Lowered {
    printed: String,
    /// The differences from the recorded answer.
    difference: Option<String>,
}

/// Runs the passes of a vector. `options` are those of the applies, as far as the vector says
/// nothing about them.
fn lower(vector: &Value, options: &Applies) -> Lowered {
    let objects = Arc::new(Objects::default());
    let mut types = TypeStore::with_materializer(objects.clone());
    let mut scopes = Scopes::new();
    let scope = if vector["builtins"] == true { scopes.new_root() } else { scopes.new_scope(None) };
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
        own: None,
        file: FileId(0),
    };
    let mut root = checker.bind(tree.expression().unwrap(), scope);
    *checker.reporter = Reporter::default();
    for pass in vector["passes"].as_array().unwrap() {
        root = run(&mut checker, scope, root, pass.as_str().unwrap(), vector, &objects, options);
    }
    let ty = checker.type_of(root);
    let found: Vec<(Code, Severity, u32, u32)> = reporter
        .into_diagnostics()
        .iter()
        .map(|diagnostic| {
            let range = diagnostic.primary.range;
            (diagnostic.code, diagnostic.severity, range.start(), range.end())
        })
        .collect();
    let printed = print(root, &exprs, &types, &scopes);
    let expected = vector["canonical"].as_str().unwrap();
    let expected_type = Notation::new(vector["type"].as_str().unwrap(), &mut types, &objects).ty();
    let expected_diagnostics: Vec<_> =
        vector["diagnostics"].as_array().unwrap().iter().map(recorded).collect();
    let mut wrong = Vec::new();
    if printed != expected {
        wrong.push(format!("ours   {printed}\n    theirs {expected}"));
    }
    if ty != expected_type && !is_lost(&mut types, ty, expected_type) {
        let [ours, theirs] = [ty, expected_type].map(|ty| types.pretty(ty));
        wrong.push(format!("type: ours {ours}, theirs {theirs}"));
    }
    if found != expected_diagnostics {
        wrong.push(format!("ours   {found:?}\n    theirs {expected_diagnostics:?}"));
    }
    Lowered { printed, difference: (!wrong.is_empty()).then(|| wrong.join("\n    ")) }
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
    options: &Applies,
) -> pcl_model::expression::ExprId {
    let options = match pass {
        "apply" => *options,
        "apply-nopromise" => Applies { promises: false, ..*options },
        "apply-skipjson" => Applies { skip_to_json: true, ..*options },
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
