//! `name = value`
//!
//! The rules, with examples: `tests/spec/blocks/local.md`.

use pcl_model::types::TypeId;
use pcl_syntax::ast::{self, AstNode as _};

use crate::binder::Binder;
use crate::node::{NodeBody, NodeId};

impl Binder<'_, '_, '_> {
    /// A local has the type of its value.
    pub fn bind_local(&mut self, node: NodeId) {
        let Some(attribute) = ast::Attribute::cast(self.syntax(node)) else { return };
        let ty = match self.bind_value(node, attribute, self.root) {
            Some(value) => {
                self.nodes[node].body = NodeBody::Local(value);
                self.type_of(value)
            }
            None => TypeId::ERROR,
        };
        self.set_type(node, ty);
    }
}
