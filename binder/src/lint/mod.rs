//! Lints: checks for valid code that is probably a mistake, beyond those of Pulumi's binder. One
//! file for each; [`Lints`] chooses which run.

mod constant_condition;
mod date_arithmetic;
mod deprecated;
mod exposed_secret;
mod finished;
mod foreign_interpolation;
mod implied_dependency;
mod naming;
pub(crate) mod near_value;
mod redundant_interpolation;
mod shadowed_name;
mod text_for_resource;
mod unpinned_version;
mod unused;

use pcl_diagnostics::{Code, Diagnostic};

pub(crate) use self::finished::Finished;

/// The part of a bound module that a lint visits.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scope {
    /// Nodes with their expressions, one after the other. Such a lint may run for one part of the
    /// nodes after the other.
    Nodes,
    /// All nodes with their expressions at once.
    Program,
    /// The text, the declarations and what they refer to, but no expressions.
    Declarations,
}

/// One lint, under the code of its diagnostics.
struct Lint {
    code: Code,
    scope: Scope,
    check: fn(&Finished<'_>, &mut Vec<Diagnostic>),
}

/// The lints that run after binding. [`Code::is_default`] tells which run unless an option says
/// otherwise.
static LINTS: [Lint; 13] = [
    Lint {
        code: Code::UnusedLocal,
        scope: Scope::Declarations,
        check: unused::locals,
    },
    Lint {
        code: Code::UnusedConfig,
        scope: Scope::Declarations,
        check: unused::configs,
    },
    Lint {
        code: Code::Deprecated,
        scope: Scope::Nodes,
        check: deprecated::check,
    },
    Lint {
        code: Code::ExposedSecret,
        scope: Scope::Nodes,
        check: exposed_secret::check,
    },
    Lint {
        code: Code::ShadowedName,
        scope: Scope::Nodes,
        check: shadowed_name::check,
    },
    Lint {
        code: Code::RedundantInterpolation,
        scope: Scope::Declarations,
        check: redundant_interpolation::check,
    },
    Lint {
        code: Code::ImpliedDependency,
        scope: Scope::Nodes,
        check: implied_dependency::check,
    },
    Lint {
        code: Code::TextForResource,
        scope: Scope::Nodes,
        check: text_for_resource::check,
    },
    Lint {
        code: Code::ForeignInterpolation,
        scope: Scope::Declarations,
        check: foreign_interpolation::check,
    },
    Lint {
        code: Code::UnpinnedVersion,
        scope: Scope::Program,
        check: unpinned_version::check,
    },
    Lint {
        code: Code::DateArithmetic,
        scope: Scope::Declarations,
        check: date_arithmetic::check,
    },
    Lint {
        code: Code::ConstantCondition,
        scope: Scope::Nodes,
        check: constant_condition::check,
    },
    Lint {
        code: Code::Naming,
        scope: Scope::Program,
        check: naming::check,
    },
];

/// The lints to run. Their diagnostics are warnings.
///
/// ```
/// use pcl_binder::Lints;
/// use pcl_diagnostics::Code;
/// let mut lints = Lints::default();
/// assert!(lints.contains(Code::Deprecated) && !lints.contains(Code::UnusedLocal));
/// lints.set(Code::UnusedLocal, true);
/// assert!(lints.contains(Code::UnusedLocal));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lints(Vec<Code>);

impl Default for Lints {
    fn default() -> Self {
        let chosen = Self::codes().filter(|code| code.is_default());
        Self(chosen.collect())
    }
}

impl Lints {
    /// No lints.
    #[must_use]
    pub const fn none() -> Self {
        Self(Vec::new())
    }

    /// All lints.
    #[must_use]
    pub fn all() -> Self {
        Self(LINTS.iter().map(|lint| lint.code).collect())
    }

    /// The codes of all lints.
    pub fn codes() -> impl Iterator<Item = Code> {
        LINTS.iter().map(|lint| lint.code)
    }

    /// Returns whether the lint of that code runs.
    #[must_use]
    pub fn contains(&self, code: Code) -> bool {
        self.0.contains(&code)
    }

    /// Chooses whether the lint of that code runs. Codes of other diagnostics are ignored.
    pub fn set(&mut self, code: Code, on: bool) {
        self.0.retain(|&known| known != code);
        if on {
            self.0.push(code);
        }
    }
}

/// Runs the chosen lints of these scopes.
pub(crate) fn run(
    lints: &Lints,
    scopes: &[Scope],
    bound: &Finished<'_>,
) -> impl Iterator<Item = Diagnostic> + use<> {
    let mut diagnostics = Vec::new();
    for lint in chosen(lints).filter(|lint| scopes.contains(&lint.scope)) {
        (lint.check)(bound, &mut diagnostics);
    }
    diagnostics.into_iter().map(Diagnostic::ours)
}

/// Returns true if a chosen lint visits the expressions of all nodes at once.
pub(crate) fn need_program(lints: &Lints) -> bool {
    chosen(lints).any(|lint| lint.scope == Scope::Program)
}

fn chosen(lints: &Lints) -> impl Iterator<Item = &'static Lint> {
    LINTS.iter().filter(|lint| lints.contains(lint.code))
}
