//! Notices: events on the way to the steps that people need to hear about.

use pcl_diagnostics::Span;
use pcl_values::{PropertyPath, Urn};

/// Something that people need to hear besides the steps.
#[derive(Clone, Debug, PartialEq)]
pub enum Notice {
    /// A protected resource would be replaced.
    ProtectedReplaced {
        /// The resource.
        urn: Urn,
        /// Its block.
        source: Option<Span>,
    },
    /// A protected resource would be replaced, because one that it needs is deleted first.
    ProtectedDependent {
        /// The resource.
        urn: Urn,
        /// The resource that it needs.
        needs: Urn,
        /// The block of that one.
        source: Option<Span>,
    },
    /// A protected resource would be deleted.
    ProtectedDeleted {
        /// The resource.
        urn: Urn,
        /// Its place in the state.
        source: Option<Span>,
    },
    /// A resource that still has the option `import` would be replaced.
    ImportReplaced {
        /// The resource.
        urn: Urn,
        /// Its block.
        source: Option<Span>,
    },
    /// A secret of the state is no secret in the program.
    SecretExposed {
        /// The resource.
        urn: Urn,
        /// The input.
        path: PropertyPath,
        /// Its block.
        source: Option<Span>,
    },
    /// Two resources of the program are one of the state, by name or alias.
    Claimed {
        /// The resource of the state.
        urn: Urn,
        /// The block of the second one.
        source: Option<Span>,
    },
    /// A target needs a resource that would be created, and is none.
    NotCreated {
        /// The target.
        urn: Urn,
        /// The resource that it needs.
        needs: Urn,
        /// The block of the target.
        source: Option<Span>,
    },
    /// A resource that is not a target would be deleted with one.
    NotATarget {
        /// The resource.
        urn: Urn,
    },
    /// The engine keeps a resource for one that needed it, before the program registers it.
    KeptBefore {
        /// The resource.
        urn: Urn,
        /// Its block.
        source: Option<Span>,
    },
    /// Neither the state nor the program has a target.
    UnknownTarget {
        /// The target.
        urn: Urn,
    },
}
