//! The facts about a type that are known from the moment it is interned.

/// Facts that follow from a type's parts, stored with every type so that common queries are cheap.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Facts {
    flags: u8,
    /// The number of types with parts among the members of a union, or 1 for another type with
    /// parts; at most 255.
    pub(crate) composites: u8,
    /// The depth of the tree of anonymous types.
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
    /// It is the constant `null`, or a union with that as a member.
    pub(crate) const NULL: u8 = 32;
    /// The conversion of a constant to it depends on the value of the constant, not only on whether
    /// it is a member.
    pub(crate) const CHOOSY: u8 = 64;
    /// The facts of parts that are deeper than types may be.
    pub(crate) const TOO_DEEP: Self = Self { flags: 0, composites: 0, depth: u16::MAX - 1 };
    /// Any of the ways to hold an output or a promise.
    pub(crate) const EVENTUAL: u8 = Self::OUTPUT | Self::PROMISE | Self::UNSURE;

    pub(crate) fn leaf(flags: u8) -> Self {
        Self { flags, composites: 0, depth: 1 }
    }

    /// The facts of a union with these members.
    pub(crate) fn of_members(members: impl Iterator<Item = Facts>) -> Self {
        let facts = members.fold(Self::default(), Self::beside);
        Self { depth: facts.depth + 1, ..facts }
    }

    /// The facts of another type with these parts.
    pub(crate) fn of_parts(parts: impl Iterator<Item = Facts>) -> Self {
        Self::of_members(parts).composite()
    }

    /// The facts that hold for either, and for both together.
    pub(crate) fn beside(self, other: Self) -> Self {
        Self {
            flags: self.flags | other.flags,
            composites: self.composites.saturating_add(other.composites),
            depth: self.depth.max(other.depth),
        }
    }

    /// The facts of a type with parts that is not a union.
    pub(crate) fn composite(self) -> Self {
        Self { flags: self.flags & !(Self::NULL | Self::CHOOSY), composites: 1, ..self }
    }

    /// The same of an output or promise, which takes what its element takes.
    pub(crate) fn eventual(self) -> Self {
        if self.has(Self::LITERAL) { self.with(Self::CHOOSY) } else { self }
    }

    pub(crate) fn with(mut self, flags: u8) -> Self {
        self.flags |= flags;
        self
    }

    pub(crate) fn has(self, any: u8) -> bool {
        self.flags & any != 0
    }
}
