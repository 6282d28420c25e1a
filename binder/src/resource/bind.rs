//! The steps that `resource` and `read` share: token, range, attributes, options, checks.

use std::sync::Arc;

use pcl_model::scope::ScopeId;
use pcl_model::types::TypeId;

use crate::binder::Binder;
use crate::node::{BoundAttribute, NodeBody, NodeId, ResourceBody};
use crate::resource::resolve::Resolved;

impl Binder<'_, '_, '_> {
    /// Binds a `resource` or a `read`.
    pub fn bind_resource_like(&mut self, node: NodeId, read: bool) {
        let options = self.options_block(node);
        let package_options = self.package_options(node, options.as_ref());
        let resolved = self.resolve_resource(node, read, &package_options);
        let range = options.as_ref().and_then(|options| options.range);
        let range = self.bind_range(node, range, false);
        let attributes = self.bind_attributes(node, range.scope);
        let (inputs, single) = match &resolved {
            Resolved::Known(known) => (known.inputs, known.single),
            Resolved::Unknown => (TypeId::DYNAMIC, TypeId::DYNAMIC),
            Resolved::Failed => (TypeId::ERROR, TypeId::ERROR),
        };
        let input_type = match &resolved {
            Resolved::Known(known) => self.check_inputs(node, read, known, &attributes),
            _ => self.object_of(&attributes),
        };
        let scope = range.scope;
        let options = self.bind_options(node, options.as_ref(), scope, inputs, single, &range);
        let ty = self.ranged_type(single, &range, false);
        let bound = &mut self.nodes[node];
        bound.input_type = Some(input_type);
        let mut schema = None;
        if let Resolved::Known(known) = resolved {
            schema = Some((known.found.package, known.found.member));
            bound.token = Some(Arc::clone(&known.found.token));
        }
        bound.body = NodeBody::Resource(ResourceBody {
            inputs: attributes,
            options,
            range: range.kind,
            schema,
        });
        self.set_type(node, ty);
    }

    /// Binds the attributes of a body in source order; `__logicalName` is read and left out.
    pub fn bind_attributes(&mut self, node: NodeId, scope: ScopeId) -> Vec<BoundAttribute> {
        let Some(body) = self.body(node) else {
            return Vec::new();
        };
        let mut bound = Vec::with_capacity(body.attributes().count());
        for attribute in body.attributes() {
            let Some(name) = attribute.name() else {
                continue;
            };
            if name.text() == "__logicalName" {
                self.bind_logical_name(node, attribute);
                continue;
            }
            if let Some(value) = self.bind_value(node, attribute, scope) {
                bound.push(self.bound_attribute(attribute, name, value));
            }
        }
        bound
    }

    /// The object type that bound attributes make up.
    pub fn object_of(&mut self, attributes: &[BoundAttribute]) -> TypeId {
        let members: Vec<_> = attributes
            .iter()
            .map(|attribute| (attribute.symbol, self.type_of(attribute.value)))
            .collect();
        self.session.types.object(members)
    }
}
