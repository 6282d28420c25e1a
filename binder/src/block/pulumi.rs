//! `pulumi { requiredVersionRange = ".." }`
//!
//! The rules, with examples: `tests/spec/blocks/pulumi.md`.

use pcl_language::PULUMI;
use pcl_model::expression::ExprId;
use pcl_model::types::TypeId;

use super::attributes::Given;
use crate::binder::Binder;
use crate::edition::range::{empty_range, malformed_range};
use crate::edition::{Bound, VersionRange};
use crate::node::{NodeBody, NodeId};

impl Binder<'_, '_, '_> {
    /// Binds the `pulumi` block: the version range has to convert to a string, which has to be a
    /// range if it is written out.
    pub fn bind_pulumi(&mut self, node: NodeId) {
        let mut range = None;
        for item in self.body_items(node) {
            if let Some((rule, attribute)) = self.known_attribute(node, item, &PULUMI, None)
                && let Given::Value(value) = self.read_attribute(node, rule, attribute, self.root)
            {
                range = value;
            }
        }
        if let Some(range) = range {
            self.check_version_range(range);
        }
        self.nodes[node].body = NodeBody::Pulumi(range);
        self.set_type(node, TypeId::DYNAMIC);
    }

    /// Checks a range that is written out: Pulumi refuses to run a program with a malformed one.
    fn check_version_range(&mut self, range: ExprId) {
        let span = self.expr_span(range);
        self.checker(span.file).revise_text(range, |text| VersionRange::parse(text).is_ok());
        let Some(text) = self.session.exprs.literal_string(range) else { return };
        match VersionRange::parse(&text).map(|range| range.bound()) {
            // Without a range every version will do.
            _ if text.is_empty() => {}
            Err(error) => self.report(malformed_range(span, &text, &error)),
            Ok(Bound::Empty) => self.report(empty_range(span, &text)),
            Ok(Bound::Lowest(_) | Bound::Open) => {}
        }
    }
}
