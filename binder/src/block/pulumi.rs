//! `pulumi { requiredVersionRange = ".." }`

use pcl_model::types::TypeId;
use pcl_syntax::ast;

use crate::binder::Binder;
use crate::program::{NodeBody, NodeId};

/// What the `pulumi` block may hold.
pub(crate) const ATTRIBUTES: &[&str] = &["requiredVersionRange"];

impl Binder<'_, '_, '_> {
    /// Binds the `pulumi` block: the version range has to convert to a string.
    pub fn bind_pulumi(&mut self, node: NodeId) {
        let mut range = None;
        for item in self.body_items(node) {
            let ast::Item::Attribute(attribute) = item else {
                self.ignored_item(node, item, "pulumi", self.root);
                continue;
            };
            let Some(name) = attribute.name() else {
                continue;
            };
            if name.text() == "requiredVersionRange" {
                range = self.bind_value(node, attribute, self.root);
            } else {
                self.ignored_attribute(node, attribute, "pulumi", ATTRIBUTES, self.root);
            }
        }
        if let Some(value) = range
            && let Some(finding) = self.mismatch(value, TypeId::STRING, &"`requiredVersionRange`")
        {
            self.report(finding);
        }
        self.nodes[node.index()].body = NodeBody::Pulumi(range);
        self.set_type(node, TypeId::DYNAMIC);
    }
}
