//! Members of packages.

/// A member of a package. Ids are dense: `0..package.member_count()` over all sections, in document
/// order inside a section, the provider last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MemberId(pub u32);
