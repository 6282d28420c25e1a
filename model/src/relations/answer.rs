//! The answer to the question of how values of one type convert to another.

/// The degree to which values of one type convert to another. Ordered: `No < Unsafe < Safe`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Conversion {
    /// No value converts.
    No,
    /// Some values may convert.
    Unsafe,
    /// Every value converts.
    Safe,
}

impl Conversion {
    /// Returns whether there is a conversion at all.
    pub fn exists(self) -> bool {
        self != Self::No
    }

    /// At best [`Conversion::Unsafe`].
    pub(crate) fn unsafely(self) -> Self {
        self.min(Self::Unsafe)
    }
}
