//! Two inputs of a resource with each other's values: one mistake.
//!
//! The rules, with examples: `tests/spec/habits/swapped_values.md`.

use pcl_diagnostics::{Code, Diagnostic, Fix, Mark, Matter, TextEdit};
use pcl_model::types::TypeId;

use crate::binder::Binder;
use crate::node::{BoundAttribute, NodeId};

impl Binder<'_, '_, '_> {
    /// Makes one diagnostic of the two since `mark`, if they are about the values of two inputs
    /// each of which fits the other one.
    pub fn report_swapped_values(
        &mut self,
        node: NodeId,
        mark: Mark,
        attributes: &[BoundAttribute],
        inputs: TypeId,
    ) {
        let [first, second] = self.session.reporter.since(mark) else { return };
        let (places, origin) = ([first.primary, second.primary], first.origin);
        let are_misfits = [first, second].iter().all(|it| it.code == Code::TypeNotAssignable);
        if !are_misfits || first.severity != second.severity || origin != second.origin {
            return;
        }
        let at = |place| attributes.iter().find(|it| self.expr_span(it.value) == place);
        let (Some(one), Some(other)) = (at(places[0]), at(places[1])) else { return };
        if !self.takes(inputs, one, other) || !self.takes(inputs, other, one) {
            return;
        }
        let message = format!("the values of `{}` and `{}` are swapped", one.name, other.name);
        let label = format!("this is a value of `{}`", one.name);
        let edits = [(places[0], places[1]), (places[1], places[0])];
        let edits = edits.map(|(place, text)| TextEdit::replace(place, self.text_of(node, text)));
        let mut diagnostic = Diagnostic::error(Code::TypeNotAssignable, places[0], message)
            .label(places[1], label)
            .help("swap the values")
            .fix(Fix::unsafe_("swap the values", edits.into()));
        diagnostic.origin = origin;
        self.session.reporter.retract(mark);
        self.report_about(Matter::ResourceInput, diagnostic);
    }

    /// Returns true if an input takes the value of another one.
    fn takes(&mut self, inputs: TypeId, one: &BoundAttribute, other: &BoundAttribute) -> bool {
        let Some(ty) = self.session.types.property(inputs, one.symbol) else { return false };
        let value = self.type_of(other.value);
        let given = self.session.types.refer_to_resources(value);
        self.session.types.convert(ty, given).exists()
    }
}
