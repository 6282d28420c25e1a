//! `name = value`
//!
//! The rules, with examples: `tests/spec/blocks/local.md`.

use pcl_model::types::TypeId;

use crate::binder::{Binder, ItemSyntax};
use crate::node::{NodeBody, NodeId};

impl Binder<'_, '_, '_> {
    /// A local has the type of its value.
    pub fn bind_local(&mut self, node: NodeId) {
        let ItemSyntax::Local(attribute) = self.items[node].syntax else {
            return;
        };
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
