//! `read name "package:module:Type" { id = .. }`
//!
//! The rules, with examples: `tests/spec/blocks/read.md`.

use crate::binder::Binder;
use crate::node::NodeId;

impl Binder<'_, '_, '_> {
    /// Binds a read: a resource that exists already, found by its id and the state that the schema
    /// lets one give.
    pub fn bind_read(&mut self, node: NodeId) {
        self.bind_resource_like(node, true);
    }
}
