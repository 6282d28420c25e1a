//! `resource name "package:module:Type" { .. }` and `read`, a resource that exists already: the
//! steps that both share, and the parts that components have too.
//!
//! The rules, with examples: `tests/spec/blocks/resource.md`.

pub(crate) mod discriminated;
pub(crate) mod inputs;
pub(crate) mod options;
pub(crate) mod range;
mod read;
pub(crate) mod resolve;

use std::sync::Arc;

use pcl_language::OPTIONS;
use pcl_model::scope::ScopeId;
use pcl_model::types::TypeId;
use pcl_syntax::ast;

use crate::binder::Binder;
use crate::habits::displaced::Displaced;
use crate::node::{BoundAttribute, NodeBody, NodeId, ResourceBody};
use crate::resource::options::OptionsBlock;
use crate::resource::range::Range;
use crate::resource::resolve::Resolved;

/// The value of the option `range`, in its place or outside of it.
pub(crate) fn range_of<'t>(
    options: Option<&OptionsBlock<'t>>,
    displaced: &[Displaced<'t>],
) -> Option<ast::Expr<'t>> {
    let own = options.and_then(|options| options.range);
    let other = || displaced.iter().find(|one| one.option == "range");
    match own {
        Some(own) => own.value(),
        None => other().map(|one| one.value),
    }
}

impl<'t> Binder<'_, '_, 't> {
    /// Binds a `resource` or a `read`.
    pub fn bind_resource(&mut self, node: NodeId, read: bool) {
        let options = self.options_block(node);
        let package_options = self.package_options(node, options.as_ref());
        let resolved = self.resolve_resource(node, read, &package_options);
        let (inputs, single) = match &resolved {
            Resolved::Known(known) => (known.inputs, known.single),
            Resolved::Unknown => (TypeId::DYNAMIC, TypeId::DYNAMIC),
            Resolved::Failed => (TypeId::ERROR, TypeId::ERROR),
        };
        let displaced = self.displaced_options(node, inputs);
        let range = range_of(options.as_ref(), &displaced);
        let range = self.bind_range(node, range, false);
        let scope = range.scope;
        self.report_elements(node, scope != self.root);
        let attributes = self.bind_attributes(node, &displaced, scope);
        let mut misplaced = self.inputs_in_options(options.as_ref(), inputs);
        misplaced.extend(self.report_nested_blocks(node, options.as_ref(), inputs, scope));
        let input_type = match &resolved {
            Resolved::Known(known) => self.check_inputs(node, read, known, &attributes, &misplaced),
            _ => self.object_of(&attributes),
        };
        self.report_displaced(node, &displaced, options.as_ref());
        let types = [inputs, single];
        self.bind_displaced(node, &displaced, scope, types, &range);
        let options = self.bind_options(node, options.as_ref(), scope, inputs, single, &range);
        let ty = self.ranged_type(single, &range, false);
        let bound = &mut self.nodes[node];
        bound.input_type = Some(input_type);
        let mut schema = None;
        if let Resolved::Known(known) = resolved {
            schema = Some((known.found.package, known.found.member));
            bound.token = Some(Arc::clone(&known.found.token));
        }
        bound.body = NodeBody::Resource(Box::new(ResourceBody {
            inputs: attributes,
            options,
            range: range.kind,
            single,
            schema,
        }));
        self.set_type(node, ty);
    }

    /// Binds options outside of the `options` block.
    pub fn bind_displaced(
        &mut self,
        node: NodeId,
        displaced: &[Displaced<'t>],
        scope: ScopeId,
        types: [TypeId; 2],
        range: &Range,
    ) {
        for one in displaced {
            if let Some(rule) = OPTIONS.attribute(one.option, None) {
                self.bind_option(node, rule, Some(one.value), scope, types, range);
            }
        }
    }

    /// Binds the attributes of a body in source order; `__logicalName` is read and left out, and so
    /// are options.
    pub fn bind_attributes(
        &mut self,
        node: NodeId,
        displaced: &[Displaced<'t>],
        scope: ScopeId,
    ) -> Vec<BoundAttribute> {
        let Some(body) = self.body(node) else { return Vec::new() };
        let mut bound = Vec::with_capacity(body.attributes().count());
        for attribute in body.attributes() {
            let Some(name) = attribute.name() else { continue };
            let is_displaced = |one: &Displaced<'_>| one.attribute == attribute;
            if displaced.iter().any(is_displaced) {
                continue;
            }
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
