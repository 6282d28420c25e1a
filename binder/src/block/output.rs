//! `output name "type" { value = .. }`
//!
//! The rules, with examples: `tests/spec/blocks/output.md`.

use pcl_diagnostics::{Code, Diagnostic, Span};
use pcl_language::OUTPUT;
use pcl_model::types::TypeId;

use crate::binder::Binder;
use crate::block::attributes::Given;
use crate::declare::UNNAMED;
use crate::node::{NodeBody, NodeId};

impl Binder<'_, '_, '_> {
    /// Binds an output: its type is the declared one, dynamic without a label; the value has to
    /// convert to it.
    pub fn bind_output(&mut self, node: NodeId) {
        let label = self.second_label(node);
        let mut ty = match label {
            Some(label) => self.type_label(node, label),
            None => TypeId::DYNAMIC,
        };
        if let Some(meant) = self.type_attribute(node) {
            ty = meant;
        }
        let mut value = None;
        let mut has_value = false;
        for item in self.body_items(node) {
            let Some((rule, attribute)) = self.known_attribute(node, item, &OUTPUT, None) else {
                continue;
            };
            match self.read_attribute(node, rule, attribute, self.root) {
                Given::Value(found) => (value, has_value) = (found, true),
                Given::Text(text) => self.set_logical_name(node, text),
                Given::Switch(_) => {}
            }
        }
        let name = self.nodes[node].name.clone();
        let role = format_args!("the value of output `{name}`");
        let mismatch = value.and_then(|value| self.mismatch(value, ty, &role));
        if let (Some(value), None) = (value, &mismatch) {
            self.check_written(value, ty, &role);
        }
        if let Some(diagnostic) = mismatch {
            let diagnostic = self.with_declared_type(node, diagnostic, label);
            self.report(diagnostic);
        }
        let has_value = has_value || self.misspelled_attribute(node, &OUTPUT, None).is_some();
        let bound = &self.nodes[node];
        if !has_value && *bound.name != *UNNAMED && !self.body_is_broken(node) {
            let (name, span) = (&bound.name, bound.name_span());
            self.report(missing_value(span, name));
        }
        self.nodes[node].body = NodeBody::Output(value);
        self.set_type(node, ty);
    }
}

/// An output without a value.
fn missing_value(span: Span, name: &str) -> Diagnostic {
    let message = format!("output `{name}` has no value");
    Diagnostic::error(Code::MissingOutputValue, span, message)
        .help("add `value = ..` to its body, or remove the output")
        .ours()
}
