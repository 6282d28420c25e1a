//! Typed expressions, and the checker that makes them from syntax.
//!
//! Expressions live in one [`ExprArena`] per program, operands before the expression that uses
//! them, so that everything that belongs to an expression is one stretch of the arena that ends
//! with it ([`ExprArena::subtree`]). What is syntax only is gone: parentheses, a template that is
//! nothing but one interpolation, a minus before a number.
//!
//! ```
//! use pcl_diagnostics::{FileId, Reporter};
//! use pcl_model::TypeStore;
//! use pcl_model::expression::{Checker, Names, ExprArena, print};
//! use pcl_model::scope::{Definition, Scopes};
//!
//! let (mut types, mut scopes) = (TypeStore::new(), Scopes::new());
//! let root = scopes.new_root();
//! let ports = types.list(pcl_model::TypeId::INT);
//! let name = types.symbol("ports");
//! scopes.define(root, Definition::variable(name, ports)).unwrap();
//!
//! let tree = pcl_syntax::parse_expression("[for p in ports: (p)+1]");
//! let (mut exprs, mut reporter) = (ExprArena::new(), Reporter::default());
//! let id = Checker {
//!     types: &mut types,
//!     scopes: &mut scopes,
//!     exprs: &mut exprs,
//!     reporter: &mut reporter,
//!     names: Names::Values,
//!     own: None,
//!     file: FileId(0),
//! }
//! .bind(tree.expression().unwrap(), root);
//!
//! assert_eq!(reporter.tally().all, 0);
//! assert_eq!(types.pretty(exprs[id].ty), "list(number)");
//! assert_eq!(print(id, &exprs, &types, &scopes), "[for p in ports: p + 1]");
//! let kinds: Vec<&str> = exprs.subtree(id).map(|id| exprs[id].kind.name()).collect();
//! assert_eq!(kinds, ["traversal", "traversal", "literal", "binary", "for"]);
//! ```

pub(crate) mod arena;
mod call;
pub(crate) mod checker;
mod collection;
mod conditional;
mod dead_end;
pub(crate) mod expr;
mod for_expr;
mod free_names;
mod guesses;
mod hint;
mod inner_place;
mod literal;
mod lookup;
mod mismatch;
mod missing;
mod operator;
mod print;
mod retype;
mod splat;
mod sum;
mod template;
mod traversal;
mod unlisted;

pub use self::arena::{ArenaEnd, ExprArena};
pub use self::checker::{Checker, Names};
pub use self::collection::CollectionUse;
pub use self::dead_end::Owner;
pub use self::expr::{
    Apply, Call, Expr, ExprId, ExprKind, For, Items, Operands, Splat, Steps, Traversal,
    TraversalStep,
};
pub use self::free_names::FreeNames;
pub use self::inner_place::{members, path_to, put_inside};
pub use self::literal::key_like;
pub use self::mismatch::unreadable_constant;
pub use self::operator::{binary_types, unary_types};
pub use self::print::print;
pub use self::unlisted::{Written, candidates, unlisted, values_of};
pub use crate::wording::{
    ShortToken, in_words, optional, part_of, property_step, short_token, shown,
};
