//! Hints about steps that the engine would refuse, and about secrets that become plain.

use pcl_diagnostics::{Code, Diagnostic, Span};
use pcl_values::Urn;

use crate::notice::Notice;
use crate::plan::Plan;

pub(super) fn hints(plan: &Plan, start: Span) -> Vec<Diagnostic> {
    plan.notices.iter().map(|notice| hint(notice, start)).collect()
}

fn name(urn: &Urn) -> &str {
    urn.name().unwrap_or_default()
}

fn hint(notice: &Notice, start: Span) -> Diagnostic {
    match notice {
        Notice::ProtectedReplaced { urn, source } => {
            let message = format!("`{}` is protected, and would be replaced", name(urn));
            protected(source.unwrap_or(start), message, urn).help(
                "set the option `protect` to `false`, deploy, and set it again, or undo the change",
            )
        }
        Notice::ProtectedDependent { urn, needs, source } => {
            let (own, needs) = (name(urn), name(needs));
            let message = format!(
                "`{own}` is protected, and would be replaced because `{needs}` is deleted before \
                 its replacement is created"
            );
            protected(source.unwrap_or(start), message, urn)
                .help(format!("run `pulumi state unprotect '{urn}'`, or undo the change"))
        }
        Notice::ProtectedDeleted { urn, source } => {
            let message = format!("`{}` is protected, and would be deleted", name(urn));
            protected(source.unwrap_or(start), message, urn).help(format!(
                "keep its block in the program, or run `pulumi state unprotect '{urn}'` first"
            ))
        }
        Notice::ImportReplaced { urn, source } => {
            import_replaced(source.unwrap_or(start), name(urn))
        }
        Notice::SecretExposed { urn, path, source } => {
            exposed(source.unwrap_or(start), name(urn), &path.to_string())
        }
        Notice::Claimed { urn, source } => claimed(source.unwrap_or(start), urn),
        Notice::NotCreated { urn, needs, source } => {
            let message = format!(
                "the target `{}` needs `{}`, which would be created and is not a target",
                name(urn),
                name(needs)
            );
            not_a_target(source.unwrap_or(start), message, needs)
        }
        Notice::NotATarget { urn } => {
            let message = format!("`{}` would be deleted with a target, and is not one", name(urn));
            not_a_target(start, message, urn)
        }
        Notice::KeptBefore { urn, source } => kept_before(source.unwrap_or(start), urn),
        Notice::UnknownTarget { urn } => unknown_target(start, urn),
    }
}

/// A protected resource would go.
fn protected(at: Span, message: String, urn: &Urn) -> Diagnostic {
    Diagnostic::error(Code::PlanProtected, at, message).note(format!("its URN is {urn}"))
}

/// A resource that was imported would be replaced.
fn import_replaced(at: Span, name: &str) -> Diagnostic {
    let message = format!("`{name}` would be replaced, but the option `import` still names its id");
    Diagnostic::warning(Code::PlanImport, at, message)
        .help("remove the option `import`: the resource belongs to the stack already")
}

/// A secret becomes plain.
fn exposed(at: Span, name: &str, path: &str) -> Diagnostic {
    let message = format!("the input `{path}` of `{name}` is a secret in the state, and no more");
    Diagnostic::warning(Code::PlanSecret, at, message)
        .help(format!("write `{path} = secret(...)`, or the state will have it as plain text"))
}

/// Two resources are one of the state.
fn claimed(at: Span, urn: &Urn) -> Diagnostic {
    let message = format!("`{}` of the state is two resources of the program", name(urn));
    Diagnostic::error(Code::PlanAlias, at, message)
        .note(format!("its URN is {urn}"))
        .help("remove one of them, or the alias that names it")
}

/// A resource would have to be a target.
fn not_a_target(at: Span, message: String, urn: &Urn) -> Diagnostic {
    Diagnostic::error(Code::PlanTarget, at, message)
        .help(format!("add `--target '{urn}'`, or `--target-dependents`"))
}

/// The engine takes a resource that is no target for two.
fn kept_before(at: Span, urn: &Urn) -> Diagnostic {
    let message = format!(
        "Pulumi refuses these targets: it keeps `{}` for a resource that needed it, and takes it \
         for another one when the program registers it",
        name(urn)
    );
    not_a_target(at, message, urn)
}

/// There is no such target.
fn unknown_target(at: Span, urn: &Urn) -> Diagnostic {
    let message = format!("neither the state nor the program has the target `{urn}`");
    Diagnostic::error(Code::PlanTarget, at, message)
        .help("`pcl state ls` lists the resources of a state; quote a `$` in a shell")
}
