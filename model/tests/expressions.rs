//! The typing of expressions against recorded answers of the reference (`tests/vectors`).

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use pcl_diagnostics::{Code, Compat, Diagnostic, FileId, Leniency, Policy, Reporter, TextRange};
use pcl_model::expression::{Checker, ExprArena, Names, print};
use pcl_model::scope::{Definition, DefinitionKind, ScopeId, Scopes};
use pcl_model::types::{Type, TypeId, TypeStore};
use pcl_model::value::{Constant, Number};
use pcl_test_support::notation::{Notation, Objects};
use pcl_test_support::type_text::parse_type;
use serde_json::Value;

/// Vectors on which we differ on purpose. A test fails when one of them starts to agree.
const EXCEPTIONS: &[(&str, &str)] = &[
    ("expr-128", "a splat over one eventual object stays eventual; the reference forgets it"),
    ("expr-216", "numbers are exact, however long they are"),
];

fn vectors(name: &str) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/vectors").join(name);
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// Something that the reference says about an expression.
#[derive(Debug)]
struct Expected {
    codes: Vec<Code>,
    severity: String,
    /// Every range that is right.
    ranges: Vec<TextRange>,
    /// True if a part of the range is right too: ours is as narrow as possible.
    may_be_narrower: bool,
}

impl Expected {
    fn covers(&self, ours: &Diagnostic) -> bool {
        let range = ours.primary.range;
        let right = self.ranges.contains(&range)
            || self.may_be_narrower && self.ranges.iter().any(|wide| wide.contains_range(range));
        right && ours.severity.as_str() == self.severity
    }
}

struct Bound {
    ty: TypeId,
    diagnostics: Vec<Diagnostic>,
}

fn bind(
    types: &mut TypeStore,
    scopes: &mut Scopes,
    scope: ScopeId,
    source: &str,
    leniency: Leniency,
) -> Bound {
    let tree = pcl_syntax::parse_expression(source);
    assert!(tree.errors().is_empty(), "does not parse: {source}");
    let mut exprs = ExprArena::new();
    let mut reporter =
        Reporter::new(Policy { leniency, compat: Compat::Pulumi, ..Policy::default() });
    let file = FileId(0);
    let mut checker = Checker {
        types,
        scopes,
        exprs: &mut exprs,
        reporter: &mut reporter,
        names: Names::Values,
        own: None,
        file,
    };
    let id = checker.bind(tree.expression().unwrap(), scope);
    let ty = checker.type_of(id);
    let diagnostics = reporter.into_diagnostics();
    Bound { ty, diagnostics }
}

/// The difference between our answer and the recorded one, if any.
fn compare(
    types: &mut TypeStore,
    bound: &Bound,
    ty: TypeId,
    expected: &[Expected],
) -> Option<String> {
    let mut wrong = Vec::new();
    for theirs in expected {
        // Ours gives one diagnostic per cause: another one at the same place is sufficient.
        if !bound.diagnostics.iter().any(|ours| theirs.covers(ours)) {
            wrong.push(format!("missing: {theirs:?}"));
        }
    }
    for ours in &bound.diagnostics {
        if !expected.iter().any(|theirs| theirs.covers(ours) && theirs.codes.contains(&ours.code)) {
            let Diagnostic { code, severity, primary, message, .. } = ours;
            wrong.push(format!("unexpected: {severity:?} {code:?} {primary:?} {message}"));
        }
    }
    // Where the reference continues with `dynamic` after an error, ours continues with a type of
    // its own.
    let failed = expected.iter().any(|theirs| theirs.severity == "error");
    if bound.ty != ty && !(failed && stands_for(types, bound.ty, ty)) {
        wrong.push(format!("type: ours {}, theirs {}", types.pretty(bound.ty), types.pretty(ty)));
    }
    (!wrong.is_empty()).then(|| wrong.join("\n    "))
}

/// Returns true if `ours` is `theirs` with the error type where they have `dynamic`. The error type
/// absorbs the types around it, so it matches any type that contains `dynamic`.
fn stands_for(types: &mut TypeStore, ours: TypeId, theirs: TypeId) -> bool {
    if ours == theirs {
        return true;
    }
    match (types.get(ours).clone(), types.get(theirs).clone()) {
        (Type::Error, _) => types.pretty(theirs).contains("dynamic"),
        (Type::List(ours), Type::List(theirs))
        | (Type::Set(ours), Type::Set(theirs))
        | (Type::Map(ours), Type::Map(theirs))
        | (Type::Output(ours), Type::Output(theirs))
        | (Type::Promise(ours), Type::Promise(theirs)) => stands_for(types, ours, theirs),
        (Type::Tuple(ours), Type::Tuple(theirs)) if ours.len() == theirs.len() => {
            let mut pairs = ours.iter().zip(theirs.iter());
            pairs.all(|(ours, theirs)| stands_for(types, *ours, *theirs))
        }
        (Type::Object(ours), Type::Object(theirs)) if ours.len() == theirs.len() => {
            let mut pairs = ours.iter().zip(theirs.iter());
            pairs.all(|(ours, theirs)| ours.0 == theirs.0 && stands_for(types, ours.1, theirs.1))
        }
        _ => false,
    }
}

fn verdict(failures: &BTreeMap<String, String>, ids: &[&str]) {
    let exception = |id: &str| EXCEPTIONS.iter().any(|(known, _)| *known == id);
    let mut report = String::new();
    for (id, wrong) in failures {
        if !exception(id) {
            report += &format!("{id}\n    {wrong}\n");
        }
    }
    for id in ids {
        if exception(id) && !failures.contains_key(*id) {
            report += &format!("{id} agrees now: take it off the list of exceptions\n");
        }
    }
    assert!(report.is_empty(), "of {} vectors:\n{report}", ids.len());
}

fn codes(kind: &str) -> Vec<Code> {
    vec![match kind {
        "undefined-variable" => Code::UndefinedVariable,
        "unknown-function" => Code::UnknownFunction,
        "missing-argument" => Code::MissingArgument,
        "extra-arguments" => Code::ExtraArguments,
        "wrong-argument-count" => {
            return vec![Code::WrongArgumentCount, Code::MissingArgument, Code::ExtraArguments];
        }
        "expr-not-convertible" => Code::TypeNotAssignable,
        "object-key-not-string" => Code::ObjectKeyNotString,
        "unknown-property" => Code::UnknownProperty,
        "property-case-mismatch" => Code::PropertyCaseMismatch,
        "cannot-traverse" => Code::CannotTraverse,
        "cannot-traverse-keyword" => Code::NotTraversable,
        "tuple-index-not-integer" => Code::TupleIndexNotInteger,
        "tuple-index-out-of-range" => Code::TupleIndexOutOfRange,
        "object-property-not-string" => Code::PropertyNameNotString,
        "not-a-collection" => Code::NotACollection,
        "duplicate-name" => Code::DuplicateLoopVariable,
        "bad-first-argument" => Code::BadArgument,
        "not-a-resource" => Code::NotAResource,
        _ => panic!("unknown kind {kind}"),
    }]
}

#[test]
fn expressions_are_typed_as_recorded() {
    let vectors = vectors("expressions_vectors.json");
    let vectors = vectors.as_array().unwrap();
    let mut failures = BTreeMap::new();
    for vector in vectors {
        let id = vector["id"].as_str().unwrap();
        let objects = Arc::new(Objects::default());
        let mut types = TypeStore::with_materializer(objects.clone());
        let mut scopes = Scopes::new();
        let scope = match vector["scope_kind"].as_str() {
            Some("types") => scopes.new_type_labels(&mut types),
            _ if vector["builtins"] == true => scopes.new_root(),
            _ => scopes.new_scope(None),
        };
        for (name, ty) in vector["scope"].as_object().unwrap() {
            let ty = ty.as_str().unwrap();
            let name = types.symbol(name);
            let definition = match (ty, ty.strip_prefix("constant:")) {
                ("keyword", _) => Definition {
                    kind: DefinitionKind::Keyword,
                    ..Definition::variable(name, TypeId::DYNAMIC)
                },
                (_, Some(value)) => {
                    let value = match serde_json::from_str(value).unwrap() {
                        Value::String(text) => Constant::from(&*text),
                        Value::Number(number) => {
                            Constant::Number(Number::parse(&number.to_string()).unwrap())
                        }
                        _ => Constant::Null,
                    };
                    let kind = DefinitionKind::Constant(value);
                    Definition { kind, ..Definition::variable(name, TypeId::DYNAMIC) }
                }
                _ => Definition::variable(name, Notation::new(ty, &mut types, &objects).ty()),
            };
            scopes.define(scope, definition).unwrap();
        }
        for (name, signature) in vector["functions"].as_object().into_iter().flatten() {
            let signature =
                Notation::new(signature.as_str().unwrap(), &mut types, &objects).signature();
            scopes.define_function(scope, name, Arc::new(signature));
        }
        let has = |option: &str| {
            vector["options"].as_array().is_some_and(|options| options.iter().any(|o| o == option))
        };
        let leniency = Leniency {
            missing_variables: has("allowMissingVariables"),
            range_types: has("skipRangeTypecheck"),
            ..Leniency::default()
        };
        let bound =
            bind(&mut types, &mut scopes, scope, vector["source"].as_str().unwrap(), leniency);
        let expected: Vec<Expected> =
            vector["diagnostics"].as_array().unwrap().iter().map(expected).collect();
        let ty = Notation::new(vector["type"].as_str().unwrap(), &mut types, &objects).ty();
        if let Some(wrong) = compare(&mut types, &bound, ty, &expected) {
            failures.insert(id.to_owned(), format!("{}\n    {wrong}", vector["source"]));
        }
    }
    let ids: Vec<&str> = vectors.iter().map(|vector| vector["id"].as_str().unwrap()).collect();
    verdict(&failures, &ids);
}

fn expected(diagnostic: &Value) -> Expected {
    let kind = diagnostic["kind"].as_str().unwrap();
    let range = |start: &str, end: &str| {
        let [start, end] = [&diagnostic[start], &diagnostic[end]].map(|offset| offset.as_u64());
        Some(TextRange::new(start? as u32, end? as u32))
    };
    let ranges =
        [range("start_byte", "end_byte"), range("recommended_start_byte", "recommended_end_byte")];
    Expected {
        codes: codes(kind),
        severity: diagnostic["severity"].as_str().unwrap().to_owned(),
        ranges: ranges.into_iter().flatten().collect(),
        may_be_narrower: matches!(
            kind,
            "missing-argument"
                | "extra-arguments"
                | "wrong-argument-count"
                | "duplicate-name"
                | "expr-not-convertible"
        ),
    }
}

#[test]
fn expressions_of_the_type_vectors_are_typed_as_recorded() {
    let vectors = vectors("types_vectors.json");
    let vectors: Vec<&Value> = vectors["vectors"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|vector| vector["op"] == "expr")
        .collect();
    let mut failures = BTreeMap::new();
    for vector in &vectors {
        let id = vector["id"].as_str().unwrap();
        let source = vector["expr"].as_str().unwrap();
        let Some(ty) = vector["expect"]["type"].as_str() else {
            // It does not parse; the parser's tests look at what it says.
            assert!(!pcl_syntax::parse_expression(source).errors().is_empty(), "parses: {source}");
            continue;
        };
        let mut types = TypeStore::new();
        let mut scopes = Scopes::new();
        let scope = scopes.new_root();
        for (name, ty) in vector["scope"].as_object().into_iter().flatten() {
            let ty = parse_type(&mut types, ty.as_str().unwrap()).unwrap();
            let definition = Definition::variable(types.symbol(name), ty);
            scopes.define(scope, definition).unwrap();
        }
        let bound = bind(&mut types, &mut scopes, scope, source, Leniency::default());
        let expected: Vec<Expected> =
            vector["expect"]["diags"].as_array().unwrap().iter().map(expected_by_text).collect();
        let ty = parse_type(&mut types, ty).unwrap();
        if let Some(wrong) = compare(&mut types, &bound, ty, &expected) {
            failures.insert(id.to_owned(), format!("{source}\n    {wrong}"));
        }
    }
    let ids: Vec<&str> = vectors.iter().map(|vector| vector["id"].as_str().unwrap()).collect();
    verdict(&failures, &ids);
}

fn expected_by_text(diagnostic: &Value) -> Expected {
    let summary = diagnostic["summary"].as_str().unwrap();
    let kinds = [
        ("cannot assign", "expr-not-convertible"),
        ("tuple index out", "tuple-index-out-of-range"),
        ("tuple indices", "tuple-index-not-integer"),
        ("Found matching", "property-case-mismatch"),
        ("unknown property", "unknown-property"),
        ("cannot traverse", "cannot-traverse"),
        ("cannot iterate", "not-a-collection"),
        ("undefined variable", "undefined-variable"),
    ];
    let (_, kind) = kinds.into_iter().find(|(start, _)| summary.starts_with(start)).unwrap();
    let (start, end) = diagnostic["range"].as_str().unwrap().split_once('-').unwrap();
    Expected {
        codes: codes(kind),
        severity: diagnostic["severity"].as_str().unwrap().to_owned(),
        ranges: vec![TextRange::new(start.parse().unwrap(), end.parse().unwrap())],
        may_be_narrower: false,
    }
}

/// Each exception has a vector and a line about it. The tests above check that it differs.
#[test]
fn every_exception_is_a_vector_and_told() {
    let recorded = [vectors("expressions_vectors.json"), vectors("types_vectors.json")];
    let recorded = recorded.map(|vectors| vectors.to_string()).concat();
    let told = include_str!("../../docs/differences.md");
    for (id, _) in EXCEPTIONS {
        assert!(recorded.contains(&format!("\"id\":\"{id}\"")), "{id}");
        assert!(told.contains(&format!("`{id}`")), "{id}");
    }
}

/// The canonical text of `source`, whose names have the types in `scope`.
fn canonical(source: &str, scope: &Value) -> String {
    let tree = pcl_syntax::parse_expression(source);
    assert!(tree.errors().is_empty(), "does not parse: {source}");
    let objects = Arc::new(Objects::default());
    let mut types = TypeStore::with_materializer(objects.clone());
    let mut scopes = Scopes::new();
    let root = scopes.new_root();
    for (name, ty) in scope.as_object().into_iter().flatten() {
        let ty = Notation::new(ty.as_str().unwrap(), &mut types, &objects).ty();
        let definition = Definition::variable(types.symbol(name), ty);
        scopes.define(root, definition).unwrap();
    }
    let mut exprs = ExprArena::new();
    let id = Checker {
        types: &mut types,
        scopes: &mut scopes,
        exprs: &mut exprs,
        reporter: &mut Reporter::default(),
        names: Names::Values,
        own: None,
        file: FileId(0),
    }
    .bind(tree.expression().unwrap(), root);
    print(id, &exprs, &types, &scopes)
}

/// A conditional of an output under a promise is not the output that a string made of it is.
#[test]
fn a_lone_directive_stays_one_where_the_types_differ() {
    let scope = serde_json::json!({"p": "promise(bool)", "o": "output(string)"});
    let source = r#""%{ if p }${o} x%{ else }y%{ endif }""#;
    assert_eq!(canonical(source, &scope), source);
}

/// Vectors in which the reference prints a directive as a conditional of another type.
const DIRECTIVES: &[(&str, &str)] = &[
    ("print-034", r#""%{ if c }x%{ else }y%{ endif }""#),
    ("print-035", r#""%{ if c }x %{ else }%{ endif }""#),
];

#[test]
fn expressions_are_printed_in_canonical_form() {
    let vectors = vectors("expressions_print.json");
    for vector in vectors.as_array().unwrap() {
        let [source, expected] = ["source", "canonical"].map(|key| vector[key].as_str().unwrap());
        let directive = DIRECTIVES.iter().find(|(id, _)| vector["id"] == *id);
        let expected = directive.map_or(expected, |(_, ours)| ours);
        let printed = canonical(source, &vector["scope"]);
        assert_eq!(printed, expected, "{}", vector["id"]);
        let again = canonical(&printed, &vector["scope"]);
        assert_eq!(again, printed, "{} read back", vector["id"]);
    }
}
