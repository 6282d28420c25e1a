//! The reasons why an expression has no value.

use std::sync::Arc;

use pcl_diagnostics::{Code, Diagnostic};
use rustc_hash::FxHashSet;

/// The diagnostics after which a loop ends.
const MOST: usize = 64;

/// The reason why an expression has no value.
#[derive(Clone, Debug)]
pub enum Stop {
    /// It needs a resource that failed, which has this name. The engine has reported the failure.
    Poisoned(Arc<str>),
    /// It fails. There is at least one diagnostic.
    Failed(Box<Vec<Diagnostic>>),
    /// The run was cancelled.
    Cancelled,
}

impl Stop {
    /// One reason out of two: a failed resource explains more than what follows from it, and the
    /// diagnostics of both are kept.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Cancelled, _) | (_, Self::Cancelled) => Self::Cancelled,
            (Self::Poisoned(name), _) | (_, Self::Poisoned(name)) => Self::Poisoned(name),
            (Self::Failed(mut diagnostics), Self::Failed(mut others)) => {
                diagnostics.append(&mut others);
                Self::Failed(diagnostics)
            }
        }
    }

    /// Returns true if there is no use in more diagnostics: there are many, or a value is too
    /// large, which took long to find out.
    pub(crate) fn is_final(&self) -> bool {
        match self {
            Self::Failed(diagnostics) => {
                let is_too_large = |it: &Diagnostic| it.code == Code::ValueTooLarge;
                diagnostics.len() >= MOST || diagnostics.iter().any(is_too_large)
            }
            Self::Poisoned(_) => false,
            Self::Cancelled => true,
        }
    }

    /// Adds this reason to those of other parts of the same expression.
    pub(crate) fn collect(self, so_far: &mut Option<Self>) {
        *so_far = Some(match so_far.take() {
            Some(first) => first.and(self),
            None => self,
        });
    }
}

impl From<Diagnostic> for Stop {
    fn from(diagnostic: Diagnostic) -> Self {
        Self::Failed(Box::new(vec![diagnostic]))
    }
}

/// Both values, or the reason why one of them has none.
pub(crate) fn both<T, U>(left: Result<T, Stop>, right: Result<U, Stop>) -> Result<(T, U), Stop> {
    match (left, right) {
        (Ok(left), Ok(right)) => Ok((left, right)),
        (Err(left), Err(right)) => Err(left.and(right)),
        (Err(stop), Ok(_)) | (Ok(_), Err(stop)) => Err(stop),
    }
}

impl Stop {
    /// The same reason with one of several diagnostics of one kind at one place, such as those of
    /// the rounds of a loop.
    pub(crate) fn once_each(self) -> Self {
        let Self::Failed(mut diagnostics) = self else {
            return self;
        };
        let mut seen = FxHashSet::default();
        diagnostics.retain(|it| seen.insert((it.code, it.primary)));
        Self::Failed(diagnostics)
    }

    /// The same reason without what its diagnostics say about values, which are parts of a secret
    /// one.
    pub(crate) fn redacted(self) -> Self {
        self.about(|diagnostic| redacted(&diagnostic))
    }

    /// The same reason, redacted if the marks are those of a secret.
    pub(crate) fn unless_shown(self, marks: &crate::value::Marks) -> Self {
        if marks.is_secret() { self.redacted() } else { self }
    }

    /// The same reason with other words for its diagnostics.
    pub(crate) fn about(self, reword: impl FnMut(Diagnostic) -> Diagnostic) -> Self {
        match self {
            Self::Failed(diagnostics) => {
                Self::Failed(Box::new(diagnostics.into_iter().map(reword).collect()))
            }
            other => other,
        }
    }
}

/// The same diagnostic without a word about the value, which is part of a secret one.
fn redacted(diagnostic: &Diagnostic) -> Diagnostic {
    let message = "this expression fails for a secret value";
    Diagnostic::error(diagnostic.code, diagnostic.primary, message)
        .note("the reason would tell something about the secret, so it is not shown")
        .help("try the expression with a value that is not secret")
}
