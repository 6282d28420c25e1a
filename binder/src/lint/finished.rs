//! The input of lints: a module with all of its nodes bound.

use pcl_model::expression::{Expr, ExprArena, ExprId, ExprKind};
use pcl_model::scope::Scopes;
use pcl_model::types::TypeStore;
use pcl_model::value::Constant;

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

    /// The constant that an expression writes out; of a string without interpolations its text.
    pub fn literal(&self, expr: ExprId) -> Option<&'b Constant> {
        match &self.exprs[expr].kind {
            ExprKind::Literal(constant) => Some(constant),
            ExprKind::Template(parts) => match **parts {
                [part] => self.literal(part),
                _ => None,
            },
            _ => None,
        }
    }
}
