//! A lint, and its input: the bound nodes of a module.

use pcl_diagnostics::{Code, Diagnostic};
use pcl_model::expression::{Expr, ExprArena, ExprId, ExprKind};
use pcl_model::scope::Scopes;
use pcl_model::types::TypeStore;
use pcl_model::value::Constant;

use crate::node::{Node, NodeId};
use crate::program::Module;
use crate::schema_types::SchemaTypes;

/// The part of a bound module that a lint visits.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scope {
    /// Nodes with their expressions, one after the other. Such a lint may run for one part of the
    /// nodes after the other.
    Nodes,
    /// All nodes with their expressions at once.
    Program,
    /// The text, the declarations and what they refer to, but no expressions.
    Declarations,
}

/// One lint, under the code of its diagnostics.
pub(super) struct Lint {
    pub code: Code,
    pub scope: Scope,
    pub check: fn(&Finished<'_>, &mut Vec<Diagnostic>),
}

/// Bound nodes of a module, and the arenas that their ids refer to.
pub(crate) struct Finished<'b> {
    pub module: &'b Module,
    /// The nodes whose expressions can be visited.
    pub bound: &'b [NodeId],
    pub exprs: &'b ExprArena,
    pub types: &'b TypeStore,
    pub scopes: &'b Scopes,
    pub schemas: &'b SchemaTypes,
}

impl<'b> Finished<'b> {
    /// The nodes whose expressions can be visited.
    pub fn nodes(&self) -> impl Iterator<Item = &'b Node> + use<'b> {
        let module = self.module;
        self.bound.iter().map(|&id| module.node(id))
    }

    /// The expressions of a node's body, operands before what uses them.
    pub fn expressions(&self, node: &Node) -> impl Iterator<Item = &'b Expr> + use<'b> {
        self.exprs.range(node.expressions.clone()).map(|(_, expr)| expr)
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
