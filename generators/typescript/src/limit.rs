//! The limits of TypeScript and of Pulumi's SDK for it.

use pcl::diagnostics::Code;
use pcl::document::Place;
use pcl::generated::Unsupported;

/// The kinds of constructs that have no counterpart in TypeScript.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum Limit {
    /// An option of a resource that Pulumi's SDK does not have, or not for this resource.
    Option,
    /// A call in a form that Pulumi's SDK does not have.
    Call,
    /// A value that is an output where the SDK accepts a plain value only.
    Output,
    /// A type or name that did not bind.
    Unbound,
}

impl Limit {
    /// A description for people, which is [`Unsupported::kind`].
    #[must_use]
    pub const fn description(self) -> &'static str {
        match self {
            Self::Option => "options that Pulumi's SDK does not have",
            Self::Call => "calls in a form that Pulumi's SDK does not have",
            Self::Output => "outputs where the SDK accepts plain values only",
            Self::Unbound => "what did not bind",
        }
    }

    /// Something at a place that exceeds this limit.
    pub(crate) fn at(self, place: Place, message: impl Into<String>) -> Unsupported {
        Unsupported::new(Code::NoCounterpart, self.description(), place, message)
    }
}
