//! Expressions of the program.

use pcl_syntax::build;

/// An expression.
pub(crate) type Expr = build::Expr<Reference>;

/// The meaning of a reference, by its place in the program.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Reference {
    /// A configuration variable.
    Config(usize),
    /// A property of a resource.
    Output(usize, &'static str),
    /// A resource.
    Resource(usize),
}

impl Reference {
    /// The place of the resource, if it is one or a part of one.
    pub fn resource(self) -> Option<usize> {
        match self {
            Self::Output(at, _) | Self::Resource(at) => Some(at),
            Self::Config(_) => None,
        }
    }
}
