//! `resource name "package:module:Type" { .. }`
//!
//! The rules, with examples: `tests/spec/blocks/resource.md`.

use crate::binder::Binder;
use crate::node::NodeId;

impl Binder<'_, '_, '_> {
    /// Binds a resource.
    pub fn bind_resource(&mut self, node: NodeId) {
        self.bind_resource_like(node, false);
    }
}
