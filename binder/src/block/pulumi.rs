//! `pulumi { requiredVersionRange = ".." }`
//!
//! The rules, with examples: `tests/spec/blocks/pulumi.md`.

use pcl_model::types::TypeId;

use super::attributes::Given;
use super::rules::PULUMI;
use crate::binder::Binder;
use crate::node::{NodeBody, NodeId};

impl Binder<'_, '_, '_> {
    /// Binds the `pulumi` block: the version range has to convert to a string.
    pub fn bind_pulumi(&mut self, node: NodeId) {
        let mut range = None;
        for item in self.body_items(node) {
            if let Some((rule, attribute)) = self.known_attribute(node, item, &PULUMI, None)
                && let Given::Value(value) = self.read_attribute(node, rule, attribute, self.root)
            {
                range = value;
            }
        }
        self.nodes[node].body = NodeBody::Pulumi(range);
        self.set_type(node, TypeId::DYNAMIC);
    }
}
