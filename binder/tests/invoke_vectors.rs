//! The vectors for `invoke` and `call`: whole programs over a small package, with the type of the local `x`.
//!
//! Types and parameters are compared in full. A finding of ours has to be of the right kind and lie inside the range that the vector
//! gives, which is often the whole call where we point to a part of it.

use std::collections::BTreeMap;
use std::sync::Arc;

use pcl_binder::{NodeBody, NodeKind, Options, Sources, bind};
use pcl_diagnostics::{Code, Severity, SourceMap, TextRange};
use pcl_model::expression::ExprKind;
use pcl_model::types::{TypeStore, parse_type};
use pcl_schema::MemoryLoader;
use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Deserialize)]
struct File {
    vectors: Vec<Vector>,
}

#[derive(Deserialize)]
struct Vector {
    id: String,
    program: String,
    #[serde(default)]
    options: Vec<String>,
    r#type: Option<String>,
    parameters: Option<Vec<String>>,
    #[serde(default)]
    diagnostics: Vec<Finding>,
    fatal: Option<String>,
    /// What to do where the reference crashes or is wrong.
    recommended: Option<String>,
}

#[derive(Deserialize)]
struct Finding {
    severity: String,
    kind: String,
    start_byte: u32,
    end_byte: u32,
}

/// Where we differ on purpose, and why.
const EXCEPTIONS: &[(&str, &str)] = &[
    (
        "invoke-078",
        "a malformed call is one finding; missing arguments are not counted once more",
    ),
    (
        "invoke-079",
        "a malformed call is one finding; missing arguments are not counted once more",
    ),
];

/// The package of the vectors. The document lacks what only their text tells: the module format, and two damaged methods.
fn package() -> Vec<u8> {
    let mut package: Value = serde_json::from_str(include_str!(
        "../../tests/vectors/expressions_invoke_schema.json"
    ))
    .expect("the schema is JSON");
    package["meta"] = json!({"moduleFormat": "(.*)(?:/[^/]*)"});
    for method in ["noself", "noin"] {
        let token = format!("pkg:index:Thing/{method}");
        package["resources"]["pkg:index:Thing"]["methods"][method] = json!(token);
        package["functions"][token] = json!({"outputs": {"type": "string"}});
    }
    package["functions"]["pkg:index:Thing/noself"]["inputs"] =
        json!({"type": "object", "properties": {"arg": {"type": "string"}}});
    serde_json::to_vec(&package).expect("JSON can be written")
}

#[test]
fn programs_bind_as_recorded() {
    let file: File =
        serde_json::from_str(include_str!("../../tests/vectors/expressions_invoke.json"))
            .expect("the vectors are JSON of the documented form");
    let mut wrong = BTreeMap::new();
    for vector in &file.vectors {
        let problems = differences(vector);
        if !problems.is_empty() {
            wrong.insert(vector.id.as_str(), problems);
        }
    }
    for (id, reason) in EXCEPTIONS {
        assert!(
            wrong.remove(id).is_some(),
            "{id} passes; the exception ({reason}) is out of date"
        );
        let told = include_str!("../../docs/differences.md");
        assert!(told.contains(&format!("`{id}`")), "{id} is not told");
    }
    let report: Vec<String> = wrong
        .iter()
        .map(|(id, problems)| format!("{id}: {}", problems.join("; ")))
        .collect();
    assert!(
        wrong.is_empty(),
        "{} wrong\n{}",
        wrong.len(),
        report.join("\n")
    );
}

fn differences(vector: &Vector) -> Vec<String> {
    let mut loader = MemoryLoader::default();
    loader.add(package()).expect("the schema is a package");
    let mut map = SourceMap::new();
    let sources = Sources::from_texts([("main.pp", vector.program.as_str())], &mut map);
    let mut bound = bind(
        &sources,
        &mut map,
        Arc::new(loader),
        &options(&vector.options),
    );

    let mut problems = Vec::new();
    let ours: Vec<(Severity, Code, TextRange)> = bound
        .diagnostics
        .iter()
        .filter(|finding| finding.origin == pcl_diagnostics::Origin::Reference)
        .map(|finding| (finding.severity, finding.code, finding.primary.range))
        .collect();
    if vector.fatal.is_some() {
        if !ours
            .iter()
            .any(|(_, code, _)| *code == Code::UnknownPackage)
        {
            problems.push(format!("no finding about the package, but {ours:?}"));
        }
        return problems;
    }
    if let Some(recommended) = &vector.recommended {
        let found: Vec<Code> = ours.iter().map(|(_, code, _)| *code).collect();
        let wanted: &[Code] = match recommended.strip_prefix("error call-method-without-self") {
            Some(_) => &[Code::InvalidSchemaMember],
            None => &[],
        };
        if found != wanted {
            problems.push(format!("findings {found:?}, wanted {wanted:?}"));
        }
        return problems;
    }
    let matches = ours.len() == vector.diagnostics.len()
        && vector
            .diagnostics
            .iter()
            .zip(&ours)
            .all(|(wanted, (severity, code, range))| {
                wanted.severity == severity.as_str()
                    && code_of(&wanted.kind) == *code
                    && TextRange::new(wanted.start_byte, wanted.end_byte).contains_range(*range)
            });
    if !matches {
        let wanted: Vec<String> = vector
            .diagnostics
            .iter()
            .map(|f| format!("{} {} {}..{}", f.severity, f.kind, f.start_byte, f.end_byte))
            .collect();
        problems.push(format!("findings {ours:?}, wanted {wanted:?}"));
    }

    let program = &mut bound.program;
    let Some(x) = program.module.find(NodeKind::Local, "x") else {
        problems.push("no local `x`".to_owned());
        return problems;
    };
    let node = program.module.node(x);
    if let Some(wanted) = &vector.r#type {
        let found = program.types.pretty(node.ty);
        let wanted = shown(&mut program.types, wanted);
        if found != wanted {
            problems.push(format!("type {found}, wanted {wanted}"));
        }
    }
    let NodeBody::Local(value) = node.body else {
        problems.push("`x` has no value".to_owned());
        return problems;
    };
    // The vectors show a positional invoke after it was made an object; ours stay as written.
    if let (Some(wanted), ExprKind::Call(call)) = (&vector.parameters, &program.exprs[value].kind)
        && !call.signature.multi_argument
    {
        let found: Vec<String> = call
            .signature
            .parameters
            .iter()
            .map(|parameter| format!("{}: {}", parameter.name, program.types.pretty(parameter.ty)))
            .collect();
        let wanted: Vec<String> = wanted
            .iter()
            .map(|parameter| {
                let (name, ty) = parameter.split_once(": ").expect("name: type");
                format!("{name}: {}", shown(&mut program.types, ty))
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

fn options(names: &[String]) -> Options {
    let mut options = Options::default();
    for name in names {
        match name.as_str() {
            "preferOutputVersionedInvokes" => options.prefer_output_versioned_invokes = true,
            "skipInvokeTypecheck" => options.skip_invoke_typecheck = true,
            "nonstrict" => options = Options::lenient(),
            other => panic!("unknown option {other}"),
        }
    }
    options
}

fn code_of(kind: &str) -> Code {
    match kind {
        "expr-not-convertible" => Code::TypeNotAssignable,
        "extra-arguments" => Code::ExtraArguments,
        "missing-argument" => Code::MissingArgument,
        "undefined-variable" => Code::UndefinedVariable,
        "invoke-missing-arguments" => Code::MissingInvokeArguments,
        "invoke-token-not-literal" => Code::InvokeTokenNotLiteral,
        "invoke-needs-positional" => Code::PositionalInvoke,
        "malformed-token" => Code::MalformedToken,
        "unknown-function" => Code::UnknownInvoke,
        "call-receiver-not-resource" => Code::NotAResource,
        "call-needs-three-arguments" | "call-method-not-literal" => Code::MalformedCall,
        "call-unknown-method" => Code::UnknownMethod,
        "call-method-without-self" => Code::InvalidSchemaMember,
        other => panic!("unknown kind {other}"),
    }
}
