//! Inputs of a resource inside of its `options` block.
//!
//! The rules, with examples: `tests/spec/habits/displaced_inputs.md`.

use pcl_diagnostics::{Code, Diagnostic, Fix, Span, TextEdit};
use pcl_language::OPTIONS;
use pcl_model::expression::ExprId;
use pcl_model::relations::Conversion;
use pcl_model::types::{Symbol, TypeId};
use pcl_syntax::{SyntaxToken, ast};

use crate::binder::Binder;
use crate::node::NodeId;
use crate::resource::options::OptionsBlock;

/// An attribute of an `options` block that is an input, with its value.
#[derive(Clone, Copy)]
pub(crate) struct DisplacedInput<'t> {
    pub attribute: ast::Attribute<'t>,
    pub name: SyntaxToken<'t>,
    pub value: Option<ExprId>,
}

impl<'t> Binder<'_, '_, 't> {
    /// Returns whether a name in an `options` block is an input, and not an option.
    pub fn is_displaced_input(&mut self, name: &str, inputs: TypeId) -> bool {
        let types = &mut self.session.types;
        let symbol = types.find_symbol(name);
        OPTIONS.attribute(name, None).is_none()
            && symbol.is_some_and(|name| types.property(inputs, name).is_some())
    }

    /// The inputs that an `options` block sets, which are not missing then.
    pub fn inputs_in_options(
        &mut self,
        options: Option<&OptionsBlock<'t>>,
        inputs: TypeId,
    ) -> Vec<Symbol> {
        let body = options.and_then(|options| options.block.body());
        let names = body.into_iter().flat_map(ast::Body::attributes);
        let names = names.filter_map(ast::Attribute::name);
        let mut found = Vec::new();
        for name in names {
            if self.is_displaced_input(name.text(), inputs) {
                found.push(self.session.types.symbol(name.text()));
            }
        }
        found
    }

    /// Reports inputs inside of an `options` block once, with the edits that move them out of it.
    pub fn report_displaced_inputs(
        &mut self,
        node: NodeId,
        options: ast::Block<'t>,
        found: &[DisplacedInput<'t>],
        inputs: TypeId,
    ) {
        let Some((first, others)) = found.split_first() else { return };
        let others: Vec<Span> =
            others.iter().map(|one| self.node_span(node, one.name.range())).collect();
        let span = self.node_span(node, first.name.range());
        let fix = self.moved_out(node, options, found, inputs);
        self.report(inputs_as_options(span, first.name.text(), &others, fix));
    }

    /// The edits that move inputs before the `options` block, which is safe where the values fit.
    /// `None` where the body sets one already.
    fn moved_out(
        &mut self,
        node: NodeId,
        options: ast::Block<'t>,
        found: &[DisplacedInput<'t>],
        inputs: TypeId,
    ) -> Option<Fix> {
        let body = self.body(node)?;
        let mover = self.mover(node);
        let start = options.syntax().range().start();
        let line = mover.line_start(start);
        let indent = mover.text.get(line as usize..start as usize)?;
        let is_one_line = body.is_one_line() || options.body()?.is_one_line();
        if is_one_line || !indent.trim().is_empty() {
            return None;
        }
        let mut is_certain = true;
        let (mut lines, mut edits) = (String::new(), Vec::new());
        for one in found {
            let name = one.name.text();
            let range = one.attribute.syntax().range();
            let is_set = self.body_names.contain(mover.file, body, name);
            let symbol = self.session.types.symbol(name);
            let target = self.session.types.property(inputs, symbol);
            if is_set {
                return None;
            }
            is_certain &= target.zip(one.value).is_some_and(|(target, value)| {
                let given = self.type_of(value);
                let types = &mut self.session.types;
                let given = types.refer_to_resources(given);
                types.convert(target, given) == Conversion::Safe
            });
            let text = mover.text.get(range.to_usize())?;
            let text =
                if text.contains("<<") { text.to_owned() } else { text.replace("\n  ", "\n") };
            lines.push_str(&format!("{indent}{text}\n"));
            edits.push(mover.removal(range));
        }
        edits.insert(0, TextEdit::insert(mover.file, line, lines));
        let title = "move it out of `options`";
        Some(Fix::safe_if(is_certain, title, edits))
    }
}

/// Inputs in the `options` block: `span` is the place of the first, called `name`, `others` are
/// those of the rest.
fn inputs_as_options(span: Span, name: &str, others: &[Span], fix: Option<Fix>) -> Diagnostic {
    let message = format!("`{name}` is an input, not an option");
    let diagnostic = Diagnostic::error(Code::UnsupportedAttribute, span, message)
        .help("write inputs one level up, outside of `options`");
    let diagnostic =
        others.iter().fold(diagnostic, |diagnostic, &place| diagnostic.label(place, "so is this"));
    diagnostic.fix(fix)
}
