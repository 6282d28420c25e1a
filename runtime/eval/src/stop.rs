//! The reasons why an expression has no value.

use std::sync::Arc;

use pcl_diagnostics::{Code, Diagnostic};
use rustc_hash::FxHashSet;

use crate::value::{Marks, Value};

/// The diagnostics after which a loop ends.
const MAX_DIAGNOSTICS: usize = 64;

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
                diagnostics.len() >= MAX_DIAGNOSTICS || diagnostics.iter().any(is_too_large)
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

    /// The same reason with one of several diagnostics of one kind at one place, such as those of
    /// the rounds of a loop.
    pub(crate) fn once_each(mut self) -> Self {
        if let Self::Failed(diagnostics) = &mut self {
            let mut seen = FxHashSet::default();
            diagnostics.retain(|it| seen.insert((it.code, it.primary)));
        }
        self
    }

    /// The same reason; if the marks are those of a secret, without what its diagnostics say about
    /// values, which are parts of the secret.
    pub(crate) fn unless_shown(mut self, marks: &Marks) -> Self {
        if let Self::Failed(diagnostics) = &mut self
            && marks.is_secret()
        {
            for diagnostic in diagnostics.iter_mut() {
                *diagnostic = redacted(diagnostic);
            }
        }
        self
    }

    /// The same reason, for what is done with a resource and cannot be done because of it.
    pub(crate) fn cannot(mut self, action: &str, name: &str) -> Self {
        if let Self::Failed(diagnostics) = &mut self {
            for Diagnostic { message, .. } in diagnostics.iter_mut() {
                *message = format!("cannot {action} `{name}`: {message}");
            }
        }
        self
    }
}

/// A diagnostic without a word about the value, which is part of a secret one.
fn redacted(diagnostic: &Diagnostic) -> Diagnostic {
    let message = "this expression fails for a secret value";
    Diagnostic::error(diagnostic.code, diagnostic.primary, message)
        .note("the reason would tell something about the secret, so it is not shown")
        .help("try the expression with a value that is not secret")
}

impl From<Diagnostic> for Stop {
    fn from(diagnostic: Diagnostic) -> Self {
        Self::Failed(Box::new(vec![diagnostic]))
    }
}

/// All values, or the reasons why some of them are missing.
pub(crate) fn all<T, C: FromIterator<T>>(
    results: impl IntoIterator<Item = Result<T, Stop>>,
) -> Result<C, Stop> {
    let mut stop = None;
    let values = results.into_iter().filter_map(|result| {
        let kept = result.map_err(|other| other.collect(&mut stop));
        kept.ok()
    });
    let values = values.collect();
    match stop {
        Some(stop) => Err(stop),
        None => Ok(values),
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

/// Fails for a value that depends on a failed resource, also in a part.
pub(crate) fn unless_poisoned(value: &Value) -> Result<(), Stop> {
    match value.poison() {
        Some(name) => Err(Stop::Poisoned(Arc::clone(name))),
        None => Ok(()),
    }
}
