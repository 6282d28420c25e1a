//! The sections of a document.

/// One of the maps of a schema that hold members.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Section {
    /// Object types and enumerations.
    Types,
    /// Resources and components.
    Resources,
    /// Functions, which are invokes and methods.
    Functions,
    /// The provider: a section of at most one member, whose token is `pulumi:providers:NAME`.
    Provider,
}

impl Section {
    /// Every section, in the order in which members are counted.
    pub const ALL: [Self; 4] = [Self::Types, Self::Resources, Self::Functions, Self::Provider];

    /// The noun for a member of the section, in messages.
    pub fn noun(self) -> &'static str {
        match self {
            Self::Types => "type",
            Self::Resources => "resource",
            Self::Functions => "function",
            Self::Provider => "provider",
        }
    }

    /// The key of the section in a document.
    pub fn key(self) -> &'static str {
        match self {
            Self::Types => "types",
            Self::Resources => "resources",
            Self::Functions => "functions",
            Self::Provider => "provider",
        }
    }
}
