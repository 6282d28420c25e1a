//! The vectors for `invoke` and `call`: whole programs over a small package, with the type of the
//! local `x`.
//!
//! Types and parameters are compared in full. A diagnostic of ours must be of the right kind and
//! inside the range that the vector gives, which is often the whole call where ours points to a
//! part of it.

use std::collections::BTreeMap;

use pcl_binder::{NodeBody, NodeKind};
use pcl_diagnostics::{Code, Severity, TextRange};
use pcl_model::expression::ExprKind;
use pcl_test_support::invokes::{self, Vector};

/// The deliberate differences and their reasons.
const EXCEPTIONS: &[(&str, &str)] = &[
    (
        "invoke-078",
        "a malformed call is one diagnostic; missing arguments are not counted once more",
    ),
    (
        "invoke-079",
        "a malformed call is one diagnostic; missing arguments are not counted once more",
    ),
];

#[test]
fn programs_bind_as_recorded() {
    let vectors = invokes::vectors();
    let mut wrong = BTreeMap::new();
    for vector in &vectors {
        let complaints = differences(vector);
        if !complaints.is_empty() {
            wrong.insert(vector.id.as_str(), complaints);
        }
    }
    for (id, reason) in EXCEPTIONS {
        assert!(wrong.remove(id).is_some(), "{id} passes; the exception ({reason}) is out of date");
        let told = include_str!("../../docs/differences.md");
        assert!(told.contains(&format!("`{id}`")), "{id} is not told");
    }
    let report: Vec<String> =
        wrong.iter().map(|(id, complaints)| format!("{id}: {}", complaints.join("; "))).collect();
    assert!(wrong.is_empty(), "{} wrong\n{}", wrong.len(), report.join("\n"));
}

fn differences(vector: &Vector) -> Vec<String> {
    let mut bound = vector.bind();
    let mut complaints = Vec::new();
    let ours: Vec<(Severity, Code, TextRange)> = bound
        .diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.origin == pcl_diagnostics::Origin::Reference)
        .map(|diagnostic| (diagnostic.severity, diagnostic.code, diagnostic.primary.range))
        .collect();
    if vector.fatal.is_some() {
        if !ours.iter().any(|(_, code, _)| *code == Code::UnknownPackage) {
            complaints.push(format!("no diagnostic about the package, but {ours:?}"));
        }
        return complaints;
    }
    if let Some(recommended) = &vector.recommended {
        let found: Vec<Code> = ours.iter().map(|(_, code, _)| *code).collect();
        let wanted: &[Code] = match recommended.strip_prefix("error call-method-without-self") {
            Some(_) => &[Code::InvalidSchemaMember],
            None => &[],
        };
        if found != wanted {
            complaints.push(format!("diagnostics {found:?}, wanted {wanted:?}"));
        }
        return complaints;
    }
    let matches = ours.len() == vector.diagnostics.len()
        && vector.diagnostics.iter().zip(&ours).all(|(wanted, (severity, code, range))| {
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
        complaints.push(format!("diagnostics {ours:?}, wanted {wanted:?}"));
    }

    let program = &mut bound.program;
    let Some(x) = program.module.find(NodeKind::Local, "x") else {
        complaints.push("no local `x`".to_owned());
        return complaints;
    };
    let node = program.module.node(x);
    complaints.extend(vector.type_difference(node.ty, &mut program.types));
    let NodeBody::Local(value) = node.body else {
        complaints.push("`x` has no value".to_owned());
        return complaints;
    };
    // The vectors show a positional invoke after it was made an object; ours stay as written.
    if let ExprKind::Call(call) = &program.exprs[value].kind
        && !call.signature.multi_argument
    {
        complaints.extend(vector.parameter_difference(call, &mut program.types));
    }
    complaints
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
