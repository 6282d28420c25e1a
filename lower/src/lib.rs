//! Lowering: passes that rewrite a bound program into the form that code generators write.
//!
//! A bound program contains what its author wrote. Other languages need more to be explicit: that a
//! value is used before it is known, that a value is converted to another type, that a resource may
//! be absent. Each pass makes one of these explicit; it takes a whole [`Program`] and returns one.
//! [`sdk`] runs all of them in the right order, with [`SdkOptions`] for the SDK of a language; a
//! generator whose language needs less runs passes of its choice. To keep the original program,
//! clone it first. Ids of expressions are valid for one program only; expressions that belong to no
//! node are dropped.
//!
//! Lowering comes after binding, so it cannot change which form of an `invoke` a program uses: the
//! direct one, which gives a promise, or the output form, which takes outputs as inputs and gives
//! an output. By default the direct form is used wherever its inputs allow it. Pulumi's own
//! generators bind with [`prefer_output_versioned_invokes`], which uses the output form for every
//! function that returns something. Set it if your language has no good form for promises.
//!
//! [`prefer_output_versioned_invokes`]: pcl_binder::Options::prefer_output_versioned_invokes
//!
//! | pass | makes explicit | run it |
//! |---|---|---|
//! | [`property_references`] | a path to a property is its text | any time |
//! | [`invokes`] | an `invoke` has the token of the schema, and its inputs as one object | before [`applies`] |
//! | [`constants`] | an object inside of an input has its constants, and defaults that classes lack | before [`conversions`] |
//! | [`known_values`] | an expression whose value is known is this value | any time |
//! | [`deferred_outputs`] | a component receives the outputs of a later one through a variable | before [`applies`] |
//! | [`late`] | a declaration whose value is late in the SDK is an output | before [`applies`] |
//! | [`applies`] | values made of outputs and promises are computed once those are known | |
//! | [`conversions`] | a value is converted to another type | after [`applies`] |
//! | [`optional_guards`] | a property of an absent resource is null | after [`applies`] |
//!
//! [`expression`] has the passes for single values.
//!
//! Laws:
//! - Every expression has the type that follows from its operands, as if it had been bound. Applies
//!   and conversions, which no program contains, have the types that [`ExprKind`] states.
//! - Every program that binds without errors is lowered. A pass reports nothing about it.
//! - A pass leaves everything else as it is, and running it twice changes nothing the second time.
//! - No name that a pass creates captures or hides another name.
//! - The cost is linear, and nothing recurses: neither long chains nor deep nesting of the program
//!   matter.
//!
//! ```
//! use std::sync::Arc;
//! use pcl_binder::{NodeBody, NodeKind, Options, Program, Sources, bind};
//! use pcl_diagnostics::SourceMap;
//! use pcl_lower::expression::Applies;
//! use pcl_model::expression::print;
//! use pcl_schema::MemoryLoader;
//!
//! let text = "config port int { secret = true }\n\
//!     url = \"https://localhost:${port}\"\n\
//!     output next { value = port + 0.5 }\n";
//! let mut map = SourceMap::new();
//! let sources = Sources::from_texts([("main.pp", text)], &mut map);
//! let program = bind(&sources, &mut map, Arc::new(MemoryLoader::default()), &Options::default()).program;
//!
//! let program = pcl_lower::applies(program.clone(), &Applies::default());
//! let program = pcl_lower::conversions(program);
//! let text = |kind, name| {
//!     let node = program.module.node(program.module.find(kind, name).unwrap());
//!     let (NodeBody::Local(value) | NodeBody::Output(Some(value))) = node.body else { panic!() };
//!     print(value, &program.exprs, &program.types, &program.scopes)
//! };
//! assert_eq!(text(NodeKind::Local, "url"), "__apply(port, eval(port, \"https://localhost:${port}\"))");
//! assert_eq!(text(NodeKind::Output, "next"), "__apply(port, eval(port, __convert(port) + 0.5))");
//! ```
//!
//! [`ExprKind`]: pcl_model::expression::ExprKind
//! [`Program`]: pcl_binder::Program

#![cfg_attr(
    not(test),
    deny(
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::panic,
        clippy::string_slice,
        clippy::unreachable,
        clippy::unwrap_used
    )
)]

mod apply;
mod constants;
mod convert;
mod deferred;
mod functions;
mod guard;
mod invokes;
mod known;
mod late;
mod program;
mod properties;
mod sdk;
mod walk;

pub use self::late::late;
pub use self::program::{
    applies, constants, conversions, deferred_outputs, invokes, known_values, optional_guards,
    property_references,
};
pub use self::properties::{PathStep, path_text};
pub use self::sdk::{SdkOptions, sdk};

/// The passes over single expressions, for values that are part of no program.
///
/// Each adds what it makes to the arena of its [`Checker`], where the old expressions stay as they
/// are, and gives the new expression. Its parts are not one stretch of the arena.
///
/// ```
/// use pcl_diagnostics::{FileId, Reporter};
/// use pcl_lower::expression::{Applies, applies, conversions};
/// use pcl_model::expression::{Checker, ExprArena, Names, print};
/// use pcl_model::scope::{Definition, Scopes};
/// use pcl_model::{TypeId, TypeStore};
///
/// let (mut types, mut scopes) = (TypeStore::new(), Scopes::new());
/// let root = scopes.new_root();
/// let secret = types.output(TypeId::INT);
/// let name = types.symbol("port");
/// scopes.define(root, Definition::variable(name, secret)).unwrap();
/// let tree = pcl_syntax::parse_expression("port + 1");
/// let (mut exprs, mut reporter) = (ExprArena::new(), Reporter::default());
/// let mut checker = Checker {
///     types: &mut types,
///     scopes: &mut scopes,
///     exprs: &mut exprs,
///     reporter: &mut reporter,
///     names: Names::Values,
///     own: None,
///     file: FileId(0),
/// };
/// let sum = checker.bind(tree.expression().unwrap(), root);
/// let applied = applies(&mut checker, root, sum, &Applies::default());
/// let to = checker.types.output(TypeId::STRING);
/// let converted = conversions(&mut checker, applied, to);
///
/// let text = |id| print(id, &exprs, &types, &scopes);
/// assert_eq!(text(sum), "port + 1");
/// assert_eq!(text(applied), "__apply(port, eval(port, port + 1))");
/// assert_eq!(text(converted), "__convert(__apply(port, eval(port, port + 1)))");
/// ```
///
/// [`Checker`]: pcl_model::expression::Checker
pub mod expression {
    pub use crate::apply::{Applies, Lifts, applies};
    pub use crate::constants::{SchemaType, constants};
    pub use crate::convert::{conversion_target, conversions};
    pub use crate::guard::optional_guards;
    pub use crate::invokes::invokes;
    pub use crate::known::{Known, Replacement, known_values};
    pub use crate::properties::property_references;
}
