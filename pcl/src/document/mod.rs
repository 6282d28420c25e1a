//! The whole model of a bound program as plain data: what a code generator reads, in Rust or from
//! JSON in any other language.
//!
//! A [`Document`] holds everything that `pcl dump bound --full --output-format json` prints:
//! declarations in order, expression trees with resolved names, structured types with their schema
//! annotations, comments, packages, component programs, diagnostics. Its format is published as
//! `docs/formats/document.schema.json`.
//!
//! Laws:
//! - References are positions in tables: of types, expressions, variables, files, nodes. So
//!   recursive types are finite, shared types are stored once, and no reader needs recursion to
//!   parse them.
//! - An expression comes after its operands. Walks can go through the table, and no chain of
//!   operators exhausts a stack.
//! - [`Document::from_json`] gives back an equal document, or a typed error; it never panics, and
//!   its result is consistent: every position leads somewhere.
//! - Fields may be added to the structs here, and are then in the JSON too; a new kind of
//!   expression, type or declaration is a new version of the format.
//! - Lookups never panic. A position of another document leads to the error type or the error
//!   expression.
//!
//! ```
//! use pcl::document::{Body, Document, ExpressionKind};
//! use pcl::{Settings, Target, Workspace};
//!
//! let text = "config size int { default = 3 }\noutput double { value = size * 2 }\n";
//! let target = Target::Memory {
//!     path: "demo".to_owned(),
//!     directory: None,
//!     files: vec![("main.pp".to_owned(), text.as_bytes().to_vec())],
//! };
//! let checked = Workspace::new(Settings::default()).check(&target);
//! let document = checked.document();
//!
//! let (_, double) = document.main.in_order().last().unwrap();
//! let Body::Output { value: Some(value) } = &double.body else { panic!() };
//! let ExpressionKind::Binary { operator, left, .. } = &document.expression(*value).kind else { panic!() };
//! assert_eq!(operator.text(), "*");
//! let size = document.main.node(document.referred(*left).unwrap()).unwrap();
//! assert_eq!(size.name, "size");
//!
//! let json = document.to_json();
//! assert_eq!(Document::from_json(&json).unwrap(), document);
//! ```

mod build;
mod expected;
mod expression;
mod node;
mod option;
mod package;
mod place;
mod questions;
mod read;
mod type_questions;
mod types;

use serde::{Deserialize, Serialize};

pub use expression::{
    ApplyArgument, BinaryOperator, Call, Callee, Expression, ExpressionKind, For, Key, ObjectItem,
    OtherReference, Parameter, Reference, Step, Traversal, UnaryOperator, Variable, VariableRole,
};
pub use node::{
    Attribute, Body, Comment, Comments, Component, ComponentBlock, Config, Deferred, Hook,
    ItemComments, Module, Node, NodeComments, Repeat, Resource, comment_lines, text_lines,
};
pub use option::{
    Alias, CustomTimeouts, Entry, Fields, HookBinding, InvokeOptions, List, PropertyPath,
    Providers, ResourceOptions,
};
pub use package::{Member, Package, PackageSchema, Parameterization, ResourceSchema};
pub use pcl_binder::NodeKind;
pub use pcl_schema::Wording;
pub use pcl_schema::language;
pub use place::{
    ComponentIndex, ExpressionIndex, FileIndex, MemberIndex, NodeIndex, ResourceIndex, SchemaIndex,
    TypeIndex, VariableIndex,
};
pub use place::{File, Place, Position, Range, WideRun};
pub use questions::TypedObject;
pub use read::DocumentError;
pub use types::Constant;
pub use types::{
    Discriminator, Enum, EnumMember, Object, ObjectRole, ObjectSchema, Property, Type, Union,
    Variant,
};

/// The marker that tells a document from other JSON.
const FORMAT: &str = "pcl-document";

/// The version of the format of documents: the first number changes when a reader has to change.
/// `docs/formats/README.md` tells how to get from one to the next.
pub const FORMAT_VERSION: &str = "2.0";

/// The model of a program.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Document {
    /// Always `pcl-document`.
    pub format: String,
    /// The version of the format: the first number changes when a reader has to change; fields may
    /// be added at any time.
    pub format_version: String,
    /// The program as it was named.
    pub program: String,
    /// True if there is no error among the diagnostics.
    pub valid: bool,
    /// The diagnostics, in the order of the text.
    pub diagnostics: Vec<DiagnosticRecord>,
    /// The files of the program and its components.
    pub files: Vec<File>,
    /// The packages that the program and its components use, by name; where both use one, the
    /// program's version counts.
    pub packages: Vec<Package>,
    /// The schemas of these packages, and of those that their types lead to.
    pub schemas: Vec<PackageSchema>,
    /// The members of packages that anything in the document is.
    pub members: Vec<Member>,
    /// The resources of packages that the program declares or reads.
    pub resources: Vec<ResourceSchema>,
    /// The program's own declarations.
    pub main: Module,
    /// The programs of its components, at any depth; each directory once.
    pub components: Vec<Component>,
    /// The variables that expressions declare or are given.
    pub variables: Vec<Variable>,
    /// The expressions of all modules.
    pub expressions: Vec<Expression>,
    /// The types.
    pub types: Vec<Type>,
}

/// The parts of a document that it has on request.
///
/// ```
/// # use pcl::{Settings, Target, Workspace, document::*};
/// # use std::sync::Arc;
/// # use pcl::schema::MemoryLoader;
/// let mut schemas = MemoryLoader::default();
/// schemas.add(r#"{ "name": "zoo", "resources": { "zoo:index:Cage": { "description": "A cage.",
///     "inputProperties": { "bars": { "type": "integer", "description": "How many." } } } } }"#)?;
/// let workspace = Workspace::new(Settings::default()).with_loader(Arc::new(schemas));
/// let checked = workspace.check(&Target::text("main.pp", "resource a \"zoo:index:Cage\" {}\n"));
///
/// let mut options = DocumentOptions::default();
/// options.descriptions = true;
/// let document = checked.document_with(&options);
/// let cage = &document.main.nodes[0];
/// let member = document.member(document.resource_schema(cage).unwrap().member);
/// assert_eq!(member.description.as_deref(), Some("A cage."));
/// let bars = document.input_property(cage, "bars").unwrap();
/// assert_eq!(bars.description.as_deref(), Some("How many."));
/// # Ok::<(), pcl::schema::DocumentError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[non_exhaustive]
pub struct DocumentOptions {
    /// The descriptions of packages, members, properties and values of enumerations, which are
    /// long.
    pub descriptions: bool,
    /// The language whose names descriptions and the messages of deprecations use: that of the
    /// generator.
    pub wording: Wording,
}

/// Returns true for the value of a field that is left out.
fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// A reported diagnostic.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct DiagnosticRecord {
    /// The stable number, such as `PCL0301`.
    pub code: String,
    /// The stable name, such as `type-not-assignable`.
    pub name: String,
    /// `warning`, `error`, or `bug` for a bug in the front end itself.
    pub severity: String,
    /// The headline, in one sentence.
    pub message: String,
    /// The path of the file, as the program was named.
    pub file: String,
    /// The range of the place in the text.
    pub range: Range,
    /// Second places that explain the first.
    pub labels: Vec<Label>,
    /// Rules and facts that explain it.
    pub notes: Vec<String>,
    /// Advice on how to solve it.
    pub help: Option<String>,
    /// Edits that fix it.
    pub fixes: Vec<Fix>,
    /// Names the diagnostic across runs and across edits elsewhere in the file.
    pub fingerprint: String,
    /// The address of the page about the code.
    #[serde(default)]
    pub url: String,
}

/// A second place of a [`DiagnosticRecord`].
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Label {
    /// The path of the file.
    pub file: String,
    /// The range of the place in the text.
    pub range: Range,
    /// A description of the place.
    pub message: String,
}

/// Edits that belong together.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Fix {
    /// A description of the edits.
    pub title: String,
    /// The reliability of the fix: `safe`, `unsafe`, or `display-only`.
    pub applicability: String,
    /// The edits.
    pub edits: Vec<Edit>,
}

/// Replaces a range by a text; an empty range inserts.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Edit {
    /// The path of the file.
    pub file: String,
    /// The range that is replaced.
    pub range: Range,
    /// The replacement.
    pub text: String,
}
