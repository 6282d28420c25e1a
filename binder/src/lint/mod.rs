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

/// One lint, under the code of its diagnostics.
struct Lint {
    code: Code,
    check: fn(&Finished<'_>, &mut Vec<Diagnostic>),
}

/// The lints that run after binding. [`Code::is_default`] tells which run unless an option says
/// otherwise.
static LINTS: [Lint; 13] = [
    Lint {
        code: Code::UnusedLocal,
        check: unused::locals,
    },
    Lint {
        code: Code::UnusedConfig,
        check: unused::configs,
    },
    Lint {
        code: Code::Deprecated,
        check: deprecated::check,
    },
    Lint {
        code: Code::ExposedSecret,
        check: exposed_secret::check,
    },
    Lint {
        code: Code::ShadowedName,
        check: shadowed_name::check,
    },
    Lint {
        code: Code::RedundantInterpolation,
        check: redundant_interpolation::check,
    },
    Lint {
        code: Code::ImpliedDependency,
        check: implied_dependency::check,
    },
    Lint {
        code: Code::TextForResource,
        check: text_for_resource::check,
    },
    Lint {
        code: Code::ForeignInterpolation,
        check: foreign_interpolation::check,
    },
    Lint {
        code: Code::UnpinnedVersion,
        check: unpinned_version::check,
    },
    Lint {
        code: Code::DateArithmetic,
        check: date_arithmetic::check,
    },
    Lint {
        code: Code::ConstantCondition,
        check: constant_condition::check,
    },
    Lint {
        code: Code::Naming,
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

/// Runs the chosen lints over a bound module.
pub(crate) fn run(lints: &Lints, bound: &Finished<'_>) -> impl Iterator<Item = Diagnostic> + use<> {
    let mut diagnostics = Vec::new();
    for lint in LINTS.iter().filter(|lint| lints.contains(lint.code)) {
        (lint.check)(bound, &mut diagnostics);
    }
    diagnostics.into_iter().map(Diagnostic::ours)
}
