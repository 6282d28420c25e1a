//! Checks of what works and is hardly meant, beyond all that Pulumi's binder looks at. One file for each; which are made is chosen by
//! [`Lints`].

mod deprecated;
mod exposed_secret;
mod implied_dependency;
mod redundant_interpolation;
mod shadowed_name;
mod text_for_resource;
mod unused;

use pcl_diagnostics::{Code, Diagnostic};

use crate::binder::Binder;

/// One check, under the code of its findings.
struct Lint {
    code: Code,
    /// Whether it is made when nobody chose.
    default: bool,
    check: fn(&Binder<'_, '_, '_>, &mut Vec<Diagnostic>),
}

/// Every check. What is a matter of taste, or right in many programs, is made only when it is asked for.
static LINTS: [Lint; 8] = [
    Lint {
        code: Code::UnusedLocal,
        default: false,
        check: unused::locals,
    },
    Lint {
        code: Code::UnusedConfig,
        default: false,
        check: unused::configs,
    },
    Lint {
        code: Code::Deprecated,
        default: true,
        check: deprecated::check,
    },
    Lint {
        code: Code::ExposedSecret,
        default: false,
        check: exposed_secret::check,
    },
    Lint {
        code: Code::ShadowedName,
        default: false,
        check: shadowed_name::check,
    },
    Lint {
        code: Code::RedundantInterpolation,
        default: false,
        check: redundant_interpolation::check,
    },
    Lint {
        code: Code::ImpliedDependency,
        default: false,
        check: implied_dependency::check,
    },
    Lint {
        code: Code::TextForResource,
        default: true,
        check: text_for_resource::check,
    },
];

/// Which checks are made beyond those that every program gets. What they find is a warning.
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
        let chosen = LINTS.iter().filter(|lint| lint.default);
        Self(chosen.map(|lint| lint.code).collect())
    }
}

impl Lints {
    /// No checks.
    #[must_use]
    pub const fn none() -> Self {
        Self(Vec::new())
    }

    /// Every check.
    #[must_use]
    pub fn all() -> Self {
        Self(LINTS.iter().map(|lint| lint.code).collect())
    }

    /// The codes that are findings of such checks.
    pub fn codes() -> impl Iterator<Item = Code> {
        LINTS.iter().map(|lint| lint.code)
    }

    /// Whether the check of that code is made.
    #[must_use]
    pub fn contains(&self, code: Code) -> bool {
        self.0.contains(&code)
    }

    /// Makes the check of that code, or does not. Other codes are not a matter of choice; setting them changes nothing.
    pub fn set(&mut self, code: Code, on: bool) {
        self.0.retain(|&known| known != code);
        if on {
            self.0.push(code);
        }
    }
}

impl Binder<'_, '_, '_> {
    /// Makes the checks that were chosen, when all nodes are bound.
    pub fn lint(&mut self) {
        let lints = &self.session.options.lints;
        let mut findings = Vec::new();
        for lint in LINTS.iter().filter(|lint| lints.contains(lint.code)) {
            (lint.check)(self, &mut findings);
        }
        let findings = findings.into_iter().map(Diagnostic::ours);
        self.session.reporter.report_all(findings);
    }
}
