//! What is known about a type from the moment it is interned.

/// Facts that follow from a type's parts, kept beside every type so that the common questions cost nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Facts {
    flags: u8,
    /// How deep the tree of anonymous types is.
    pub(crate) depth: u16,
}

impl Facts {
    /// An output occurs in the anonymous tree.
    pub(crate) const OUTPUT: u8 = 1;
    /// A promise occurs in the anonymous tree.
    pub(crate) const PROMISE: u8 = 2;
    /// A nominal type occurs that may hold outputs or promises.
    pub(crate) const UNSURE: u8 = 4;
    /// A nominal type occurs.
    pub(crate) const NOMINAL: u8 = 8;
    /// A constant or an enum occurs in the anonymous tree.
    pub(crate) const LITERAL: u8 = 16;
    /// Any of the ways to hold an output or a promise.
    pub(crate) const EVENTUAL: u8 = Self::OUTPUT | Self::PROMISE | Self::UNSURE;

    pub(crate) fn leaf(flags: u8) -> Self {
        Self { flags, depth: 1 }
    }

    /// The facts of a type with these parts.
    pub(crate) fn of_parts(parts: impl Iterator<Item = Facts>) -> Self {
        let mut facts = Self::default();
        for part in parts {
            facts.flags |= part.flags;
            facts.depth = facts.depth.max(part.depth);
        }
        facts.depth += 1;
        facts
    }

    pub(crate) fn with(mut self, flags: u8) -> Self {
        self.flags |= flags;
        self
    }

    pub(crate) fn has(self, any: u8) -> bool {
        self.flags & any != 0
    }
}
