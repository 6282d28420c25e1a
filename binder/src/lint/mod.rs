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
pub(crate) mod text_for_resource;
mod unpinned_version;
mod unused;

use pcl_diagnostics::{Code, Diagnostic};

use self::finished::Lint;
pub(crate) use self::finished::{Finished, Scope};

/// The lints that run after binding. [`Code::is_default`] tells which run unless an option says
/// otherwise.
static LINTS: &[&Lint] = &[
    &unused::LOCALS,
    &unused::CONFIGS,
    &deprecated::LINT,
    &exposed_secret::LINT,
    &shadowed_name::LINT,
    &redundant_interpolation::LINT,
    &implied_dependency::LINT,
    &text_for_resource::LINT,
    &foreign_interpolation::LINT,
    &unpinned_version::LINT,
    &date_arithmetic::LINT,
    &constant_condition::LINT,
    &naming::LINT,
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
    pub const fn none() -> Self {
        Self(Vec::new())
    }

    /// All lints.
    pub fn all() -> Self {
        Self(LINTS.iter().map(|lint| lint.code).collect())
    }

    /// The codes of all lints.
    pub fn codes() -> impl Iterator<Item = Code> {
        LINTS.iter().map(|lint| lint.code)
    }

    /// Returns whether the lint of that code runs.
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
    LINTS.iter().copied().filter(|lint| lints.contains(lint.code))
}
