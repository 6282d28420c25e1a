//! Package schemas of Pulumi, read lazily.
//!
//! A schema is one JSON document, up to hundreds of megabytes of it, of which a program uses a few members. So a document is mapped, walked once to
//! learn where each member is, and a member is read when it is asked for.
//!
//! Laws:
//! - Nothing that a document holds makes this crate panic, recurse without limit, or take more than linear time.
//! - A bad member never spoils another one.
//! - A member is read once, whoever asks and from however many threads.
//! - Every answer depends on the documents and the requests alone, never on the order of a hash table.

mod builtin;
mod canonical;
mod document;
mod error;
mod header;
mod index;
mod loader;
mod lower;
mod package;
mod problem;
mod raw;
mod reach;
mod reference;
mod scan;
mod section;
mod spec;
mod token;
mod version;

pub use builtin::builtin_package;
pub use canonical::Match;
pub use error::{DocumentError, DocumentErrorKind, LoadError, MemberError, NotFound, Position};
pub use header::BaseProvider;
pub use loader::{
    ChainLoader, DirectoryLoader, FileLoader, Loader, MemoryLoader, PackageRequest,
    Parameterization,
};
pub use package::{MemberId, Package};
pub use problem::{ProblemKind, ProblemSeverity, SchemaProblem};
pub use reach::{Reach, ReachProblem, ReachProblemKind, check_reach};
pub use section::Section;
pub use spec::{
    Constant, Discriminator, EnumSpec, EnumValue, ExternalReference, ExternalTarget, FunctionSpec,
    MethodSpec, Primitive, Properties, PropertySpec, Reference, ResourceSpec, ReturnSpec, TypeDef,
    TypeKind, TypeSpec, UnionSpec,
};
pub use token::Token;
pub use version::parse_version;
