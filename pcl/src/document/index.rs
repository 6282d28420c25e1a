//! Positions in the tables of a document.

use serde::{Deserialize, Serialize};

macro_rules! indexes {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub u32);

        impl $name {
            /// The position, counted from 0.
            #[must_use]
            pub const fn index(self) -> usize {
                self.0 as usize
            }

            pub(super) fn of(position: usize) -> Self {
                Self(u32::try_from(position).unwrap_or(u32::MAX))
            }
        }
    )*};
}

indexes! {
    /// A file: a position in [`Document::files`](super::Document::files).
    FileIndex;
    /// A declaration: a position in the [`nodes`](super::Module::nodes) of its own module.
    NodeIndex;
    /// A component program: a position in [`Document::components`](super::Document::components).
    ComponentIndex;
    /// A local variable: a position in [`Document::variables`](super::Document::variables).
    VariableIndex;
    /// An expression: a position in [`Document::expressions`](super::Document::expressions).
    ExpressionIndex;
    /// A type: a position in [`Document::types`](super::Document::types).
    TypeIndex;
    /// A package schema: a position in [`Document::schemas`](super::Document::schemas).
    SchemaIndex;
    /// A member of a package: a position in [`Document::members`](super::Document::members).
    MemberIndex;
    /// A resource of a package: a position in [`Document::resources`](super::Document::resources).
    ResourceIndex;
}
