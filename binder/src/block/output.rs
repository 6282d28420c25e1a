//! `output name "type" { value = .. }`

use pcl_diagnostics::{Code, Diagnostic};
use pcl_model::types::TypeId;
use pcl_syntax::ast;

use crate::binder::Binder;
use crate::declare::UNNAMED;
use crate::program::{NodeBody, NodeId};

/// What an `output` block may hold.
pub(crate) const ATTRIBUTES: &[&str] = &["__logicalName", "value"];

impl Binder<'_, '_, '_> {
    /// Binds an output: its type is the declared one, dynamic without a label; the value has to convert to it.
    pub fn bind_output(&mut self, node: NodeId) {
        let label = self.block(node).and_then(|block| block.labels().nth(1));
        let ty = match label {
            Some(label) => self.type_label(node, label),
            None => TypeId::DYNAMIC,
        };
        let mut value = None;
        let mut has_value = false;
        for item in self.body_items(node) {
            let ast::Item::Attribute(attribute) = item else {
                self.ignored_item(node, item, "output", self.root);
                continue;
            };
            let Some(name) = attribute.name() else {
                continue;
            };
            match name.text() {
                "value" => {
                    has_value = true;
                    value = self.bind_value(node, attribute, self.root);
                }
                "__logicalName" => self.bind_logical_name(node, attribute),
                _ => self.ignored_attribute(node, attribute, "output", ATTRIBUTES, self.root),
            }
        }
        if let Some(value) = value
            && let Some(finding) = self.mismatch(value, ty, &"this output")
        {
            let finding = match label {
                Some(label) => {
                    let span = self.node_span(node, label.range());
                    finding.label(span, "the type is declared here")
                }
                None => finding,
            };
            self.report(finding);
        }
        let name = self.nodes[node.index()].name.clone();
        if !has_value && name != UNNAMED && !self.body_is_broken(node) {
            let span = self.nodes[node.index()].name_span();
            self.report(
                Diagnostic::error(
                    Code::MissingOutputValue,
                    span,
                    format!("output `{name}` has no value"),
                )
                .help("add `value = ..` to its body, or remove the output")
                .ours(),
            );
        }
        self.nodes[node.index()].body = NodeBody::Output(value);
        self.set_type(node, ty);
    }
}
