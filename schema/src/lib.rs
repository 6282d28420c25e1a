//! Package schemas of Pulumi, read lazily.
//!
//! A schema is one JSON document of up to hundreds of megabytes, of which a program uses a few
//! members. A document is therefore scanned once to learn where each member is, and a member is
//! decoded on its first use. With a cache, the scan of a large file is done once for all runs.
//!
//! Laws:
//! - No document makes this crate panic, recurse without limit, or take more than linear time.
//! - An invalid member never affects another one.
//! - A member is decoded once, regardless of who needs it and on how many threads.
//! - Every answer depends on the documents and the requests alone, never on the order of a hash
//!   table.
//!
//! ```
//! use pcl_schema::{Loader, MemoryLoader, PackageRequest, Primitive, Reference, TypeDef, TypeKind};
//!
//! let mut loader = MemoryLoader::default();
//! loader.add(r##"{
//!     "name": "zoo",
//!     "resources": { "zoo:index/cage:Cage": {
//!         "inputProperties": { "bars": { "type": "integer" }, "lock": { "$ref": "#/types/zoo:index/lock:Lock" } },
//!         "requiredInputs": ["bars"]
//!     } },
//!     "types": { "zoo:index/lock:Lock": { "type": "object", "properties": { "code": { "type": "sting" } } } },
//!     "meta": { "moduleFormat": "(.*)(?:/[^/]*)" }
//! }"##)?;
//! let zoo = loader.load(&PackageRequest::new("zoo")).unwrap();
//!
//! // A program writes a token in one of several ways.
//! let found = zoo.resource_by_canonical("zoo:Cage").unwrap();
//! assert_eq!((found.token.as_str(), found.canonical.as_str()), ("zoo:index/cage:Cage", "zoo::Cage"));
//!
//! // The member is read now, and only it.
//! let cage = zoo.resource_by_id(found.member).unwrap().unwrap();
//! let bars = cage.inputs.get("bars").unwrap();
//! assert!(bars.required && bars.ty.kind == TypeKind::Primitive(Primitive::Integer));
//! let TypeKind::Reference(Reference::Type(lock)) = &cage.inputs.get("lock").unwrap().ty.kind else { panic!() };
//! assert!(matches!(&*zoo.type_by_id(*lock).unwrap().unwrap(), TypeDef::Object(_)));
//!
//! // The diagnostics about everything that it leads to are reported together, each with its path.
//! let reach = zoo.reach(found.member);
//! assert_eq!(reach.diagnostics[0].to_string(), "#/types/zoo:index%2Flock:Lock/properties/code/type: `sting` is not a type");
//! assert_eq!(zoo.position(reach.diagnostics[0].diagnostic.primary.range.start()).line, 7);
//! # Ok::<(), pcl_schema::DocumentError>(())
//! ```

#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::unreachable,
        clippy::indexing_slicing,
        clippy::string_slice
    )
)]

mod bracket_scan;
mod canonical;
mod changes;
mod decode;
mod diagnostic;
mod error;
mod facts;
mod go_names;
mod header;
mod index;
mod index_cache;
mod input_names;
pub mod json;
pub mod language;
mod lean_facts;
mod loader;
mod other_names;
mod package;
mod parts;
mod raw;
mod reference;
mod request;
mod scan;
mod source;
mod spec;
mod token;
mod validate;
mod wording;
pub mod yaml;

pub use canonical::Match;
pub use changes::breaking_changes;
pub use diagnostic::SchemaDiagnostic;
pub use error::{DocumentError, DocumentErrorKind, LoadError, MemberError, NotFound, Unanswered};
pub use facts::{MemberFacts, Owner, PropertyFacts};
pub use header::BaseProvider;
pub use index_cache::IndexCache;
pub use input_names::{InputKind, InputOf};
pub use loader::{
    ChainLoader, DirectoryLoader, EditedTexts, FileLoader, Loader, MemoryLoader, PulumiHome,
    builtin_package, choose_plugin,
};
pub use other_names::{Named, Standing};
pub use package::{Package, Reach};
pub use pcl_diagnostics::Setting;
pub use request::{InstalledPlugin, PackageRequest, Parameterization, parse_version};
pub use semver::Version;
pub use source::{Distant, MAX_FILE_BYTES, Syntax, read_source};
pub use spec::{
    Constant, Discriminator, EnumSpec, EnumValue, ExternalReference, ExternalTarget, FunctionSpec,
    MemberId, MethodSpec, Primitive, Properties, PropertySpec, Reference, ResourceSpec, ReturnSpec,
    Section, TypeDef, TypeKind, TypeSpec, UnionSpec,
};
pub use token::{ModuleFormat, Token};
pub use validate::{validate, validate_among, validate_paths};
pub use wording::Wording;
pub use yaml::yaml_to_json;
