//! The input of lints: a module with all of its nodes bound.

use pcl_model::expression::{Expr, ExprArena};
use pcl_model::scope::Scopes;
use pcl_model::types::TypeStore;

use crate::node::Node;
use crate::program::Module;
use crate::schema_types::SchemaTypes;

/// A module with all of its nodes bound, and the arenas that its ids refer to.
pub(crate) struct Finished<'b> {
    pub module: &'b Module,
    pub exprs: &'b ExprArena,
    pub types: &'b TypeStore,
    pub scopes: &'b Scopes,
    pub schemas: &'b SchemaTypes,
}

impl<'b> Finished<'b> {
    /// The expressions of a node's body, operands before what uses them.
    pub fn expressions(&self, node: &Node) -> impl Iterator<Item = &'b Expr> + use<'b> {
        let exprs = self.exprs.range(node.expressions.clone());
        exprs.map(|(_, expr)| expr)
    }
}
