//! The limits of a language and of Pulumi's SDK for it.

use pcl::diagnostics::Code;
use pcl::document::Place;
use pcl::generated::Unsupported;

/// A kind of construct that has no counterpart.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Limit {
    /// An option of a resource or call that the SDK does not have, or not for this one.
    Option,
    /// A call in a form that the SDK does not have.
    Call,
    /// An input that the SDK does not send.
    Input,
    /// An output where the SDK accepts a plain value only.
    Output,
    /// An expression that the language does not read, because it is nested too deeply.
    Depth,
    /// A name or type that did not bind.
    Unbound,
}

impl Limit {
    /// A description for people, which is [`Unsupported::kind`].
    pub const fn description(self) -> &'static str {
        match self {
            Self::Option => "options without a counterpart",
            Self::Call => "calls without a counterpart",
            Self::Input => "inputs that the SDK does not send",
            Self::Output => "outputs where the SDK takes plain values",
            Self::Depth => "expressions that are nested too deeply",
            Self::Unbound => "what did not bind",
        }
    }

    /// A construct at a place that exceeds this limit.
    pub fn at(self, place: Place, message: impl Into<String>) -> Unsupported {
        Unsupported::new(Code::NoCounterpart, self.description(), place, message)
    }
}
