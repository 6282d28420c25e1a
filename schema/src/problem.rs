//! Mistakes in what a member says, as against text that cannot be read at all.

use std::fmt;

use crate::MemberId;

/// A mistake in a schema, found when the member that holds it is read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SchemaProblem {
    /// What kind of mistake.
    pub kind: ProblemKind,
    /// Whether Pulumi refuses the package's user because of it.
    pub severity: ProblemSeverity,
    /// The member that holds the mistake.
    pub member: MemberId,
    /// Where, as a path of keys: `#/resources/pkg:mod:Name/inputProperties/size/type`.
    pub path: Box<str>,
    /// What is wrong, in terms of what is written.
    pub message: Box<str>,
    /// Where in the document, in bytes from 0. [`Package::position`](crate::Package::position) gives line and column.
    pub offset: u32,
}

impl fmt::Display for SchemaProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path, self.message)
    }
}

/// How bad a mistake is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ProblemSeverity {
    /// Whatever uses the member still means something.
    Warning,
    /// Whatever uses the member is refused.
    Error,
}

/// The mistakes that are looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum ProblemKind {
    /// The member's text cannot be read; see [`MemberError`](crate::MemberError).
    Unreadable,
    /// `type` is no word for a type.
    UnknownType,
    /// `type` stands where only a primitive may, and is none.
    UnknownPrimitive,
    /// An array without `items`.
    MissingItems,
    /// `oneOf` with fewer than two members.
    ShortUnion,
    /// A discriminator without a property name.
    EmptyDiscriminator,
    /// A `$ref` that cannot be understood.
    BadReference,
    /// A `$ref` to a type that the package does not have.
    DanglingType,
    /// A `$ref` to a resource that the package does not have.
    DanglingResource,
    /// A reference to a package that cannot be loaded.
    MissingPackage,
    /// A reference to a member of another package with which something is wrong.
    BrokenTarget,
    /// A constant that does not fit its type.
    BadConstant,
    /// `defaultInfo` that names no environment variable.
    MissingEnvironment,
    /// A property with a name that none may have in this place.
    ReservedName,
    /// A property whose name has white space or a control character.
    UnprintableName,
    /// A required name without property.
    UnknownRequired,
    /// A key that schemas no longer have.
    RemovedKey,
    /// A method that is not what a method must be.
    BadMethod,
    /// `multiArgumentInputs` that is no permutation of the inputs.
    BadMultiArgument,
    /// The document is no JSON, or no schema at all.
    NoSchema,
    /// A field at the top of the document that cannot be used.
    BadHeader,
    /// A token that no member of that section may have.
    BadToken,
    /// Object types that each need another one of them, without an end.
    EndlessType,
    /// Two members, or a member and a module, that a program cannot tell apart.
    Collision,
    /// A description that refers to what is not there.
    BadDocReference,
    /// A key that stands twice in an object.
    DuplicateKey,
}
