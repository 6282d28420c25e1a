//! A package: its header, and its members on demand.

use std::sync::Arc;

use semver::Version;

use crate::{
    DocumentError, ExternalReference, FunctionSpec, MemberError, PackageRequest, Position,
    ResourceSpec, SchemaProblem, TypeDef, TypeSpec,
};

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
    /// What a member of the section is called in messages.
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

/// A member of a package: dense over all sections, in document order, the provider last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MemberId(pub u32);

/// The member that a written token means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Match {
    /// The member.
    pub member: MemberId,
    /// Its token in the schema, such as `random:index/randomPet:RandomPet`.
    pub token: String,
    /// The token that a bound program shows, such as `random::RandomPet`.
    pub canonical: String,
}

/// What the specs of a member lead to.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Reach {
    /// What is wrong with the member and with the members of this package that it reaches, in the order in which they are reached.
    pub problems: Vec<SchemaProblem>,
    /// The references to other packages in all these, each once.
    pub external: Vec<ExternalReference>,
}

/// A package schema.
#[derive(Debug)]
pub struct Package;

#[allow(unused_variables, missing_docs)]
impl Package {
    /// Indexes a document that is in memory.
    pub fn from_bytes(bytes: impl Into<Vec<u8>>) -> Result<Self, DocumentError> {
        Ok(Self)
    }
    /// The package's name.
    pub fn name(&self) -> &str {
        ""
    }
    /// The version in the document, else the one of the file's name.
    pub fn version(&self) -> Option<&Version> {
        None
    }
    /// The members of a section in document order.
    pub fn members(&self, section: Section) -> impl Iterator<Item = MemberId> {
        std::iter::empty()
    }
    /// The member of exactly this token.
    pub fn find(&self, section: Section, token: &str) -> Option<MemberId> {
        None
    }
    pub fn section(&self, member: MemberId) -> Section {
        Section::Types
    }
    /// The token of a member as the document has it.
    pub fn token(&self, member: MemberId) -> &str {
        ""
    }
    /// The resource that a program means by this token (schema.md 1.13).
    pub fn resource_by_canonical(&self, written: &str) -> Option<Match> {
        None
    }
    pub fn function_by_canonical(&self, written: &str) -> Option<Match> {
        None
    }
    /// The module of a token, empty for the root module.
    pub fn module_of<'t>(&self, token: &'t str) -> &'t str {
        ""
    }
    /// `<name of this package>:<module>:<name>` for a token written in a program or in the schema; `None` when it is malformed.
    pub fn canonical(&self, token: &str) -> Option<String> {
        None
    }
    pub fn resource(&self, token: &str) -> Result<Option<Arc<ResourceSpec>>, MemberError> {
        Ok(None)
    }
    pub fn function(&self, token: &str) -> Result<Option<Arc<FunctionSpec>>, MemberError> {
        Ok(None)
    }
    pub fn type_(&self, token: &str) -> Result<Option<Arc<TypeDef>>, MemberError> {
        Ok(None)
    }
    /// The provider: a resource without properties when the document has none, `None` for an extension of another package.
    pub fn provider(&self) -> Result<Option<Arc<ResourceSpec>>, MemberError> {
        Ok(None)
    }
    pub fn provider_id(&self) -> Option<MemberId> {
        None
    }
    /// By id. `Ok(None)` when the member is of another section. The provider is a resource, too.
    pub fn resource_by_id(
        &self,
        member: MemberId,
    ) -> Result<Option<Arc<ResourceSpec>>, MemberError> {
        Ok(None)
    }
    pub fn function_by_id(
        &self,
        member: MemberId,
    ) -> Result<Option<Arc<FunctionSpec>>, MemberError> {
        Ok(None)
    }
    pub fn type_by_id(&self, member: MemberId) -> Result<Option<Arc<TypeDef>>, MemberError> {
        Ok(None)
    }
    /// What is wrong with a member and everything that it reaches inside this package; cached.
    pub fn reach(&self, member: MemberId) -> Arc<Reach> {
        Arc::default()
    }
    /// The request that loads the package of an external reference, by the `dependencies` of this one.
    pub fn external_request(&self, reference: &ExternalReference) -> PackageRequest {
        PackageRequest::new("")
    }
    /// Line and column of an offset.
    pub fn position(&self, offset: u32) -> Position {
        Position {
            offset,
            line: 1,
            column: 1,
        }
    }
    /// `config.variables`, with their types in plain shape.
    pub fn config(&self) -> Result<Arc<crate::Properties>, MemberError> {
        Ok(Arc::default())
    }
}

const _: fn(&TypeSpec) = |_| ();
