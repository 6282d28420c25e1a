//! Quoted strings and heredocs.
//!
//! The rules, with examples: `tests/spec/expressions/template.md`.

use pcl_diagnostics::{Code, Diagnostic, Span, TextRange};
use pcl_syntax::NodeId;
use pcl_syntax::ast::{ForDirective, IfDirective, TemplatePart, TemplateParts};

use super::checker::Checker;
use super::expr::{ExprId, ExprKind, For, Operands};
use super::print::print;
use crate::expression::hint::with_outputs;
use crate::scope::ScopeId;
use crate::types::{Type, TypeId, TypeStore};
use crate::value::Constant;
use crate::wording::in_words;

impl Checker<'_> {
    /// A string made of `parts`; any eventual part makes it eventual, and one of text alone is a
    /// constant. The parts are not checked against string: that is left to the program that runs.
    pub(super) fn bind_template(
        &mut self,
        parts: TemplateParts<'_>,
        range: TextRange,
        node: NodeId,
        scope: ScopeId,
    ) -> ExprId {
        let mark = self.exprs.mark();
        for part in parts {
            let id = match part {
                TemplatePart::Literal { value, range } => self.push_text(&value, range, node),
                TemplatePart::Interpolation(expr) => {
                    let id = self.bind(expr, scope);
                    self.warn_of_collection(id);
                    id
                }
                TemplatePart::If(directive) => self.bind_if_directive(&directive, scope),
                TemplatePart::For(directive) => self.bind_for_directive(&directive, scope),
            };
            self.exprs.hold(id);
        }
        let bound = self.exprs.held_since(mark);
        let ty = self.template_type(&bound);
        self.push(ExprKind::Template(bound), ty, range, node)
    }

    /// A string of one part, the text at `part`.
    pub(super) fn bind_text(
        &mut self,
        text: &str,
        part: TextRange,
        range: TextRange,
        node: NodeId,
    ) -> ExprId {
        let part = self.push_text(text, part, node);
        let ty = self.type_of(part);
        let parts = Operands::from_slice(&[part]);
        self.push(ExprKind::Template(parts), ty, range, node)
    }

    /// The type of a string that holds `parts`.
    pub(super) fn template_type(&mut self, parts: &[ExprId]) -> TypeId {
        let text = parts.iter().map(|&id| match &self.exprs[id].kind {
            ExprKind::Literal(Constant::String(text)) => Some(&**text),
            _ => None,
        });
        if let Some(text) = text.collect::<Option<String>>() {
            return self.types.string_constant(&text).0;
        }
        let parts = parts.iter().map(|&id| self.exprs[id].ty);
        self.types.lift_by(TypeId::STRING, parts)
    }

    /// A collection has no text of its own: what comes out differs from language to language, and
    /// is of no use in any.
    fn warn_of_collection(&mut self, part: ExprId) {
        self.revise_guess(part, |checker, ty| !checker.is_collection(ty));
        let stripped = self.types.strip(self.exprs[part].ty);
        if self.is_collection(stripped) {
            let span = self.span_of(part);
            let diagnostic = if self.types.is_resource(stripped) {
                let names = self.outputs_with_text(stripped);
                let message = "cannot interpolate a resource";
                let diagnostic = Diagnostic::warning(Code::TypeNotAssignable, span, message);
                with_outputs(diagnostic, span, &self.outputs_of(part, names))
            } else {
                // A name with its steps stays readable in the advice.
                let value = match &self.exprs[part].kind {
                    ExprKind::Traversal(_) => print(part, self.exprs, self.types, self.scopes),
                    _ => "..".to_owned(),
                };
                not_interpolated(span, self.types, stripped, &value)
            };
            self.reporter.report(diagnostic.ours());
        }
    }

    /// Returns true for a type whose values are collections, eventual or optional ones included.
    pub(super) fn is_collection(&mut self, ty: TypeId) -> bool {
        let stripped = self.types.strip(ty);
        matches!(
            self.types.get(stripped),
            Type::List(_)
                | Type::Set(_)
                | Type::Map(_)
                | Type::Tuple(_)
                | Type::Object(_)
                | Type::Nominal(_)
        )
    }

    fn bind_if_directive(&mut self, directive: &IfDirective<'_>, scope: ScopeId) -> ExprId {
        let node = directive.syntax().id();
        let condition = match directive.condition() {
            Some(condition) => self.bind(condition, scope),
            None => self.push(ExprKind::Error, TypeId::ERROR, directive.range(), node),
        };
        let then_parts = directive.then_parts();
        let if_true = self.bind_template(then_parts, directive.then_range(), node, scope);
        let else_parts = directive.else_parts();
        let if_false = self.bind_template(else_parts, directive.else_range(), node, scope);
        self.push_conditional([condition, if_true, if_false], directive.range(), node)
    }

    fn bind_for_directive(&mut self, directive: &ForDirective<'_>, scope: ScopeId) -> ExprId {
        let node = directive.syntax().id();
        let range = directive.range();
        let collection = match directive.collection() {
            Some(collection) => self.bind(collection, scope),
            None => self.push(ExprKind::Error, TypeId::ERROR, range, node),
        };
        let raw = directive.collection().map_or(self.exprs[collection].range, |expr| expr.range());
        let variables = [directive.key_variable(), directive.value_variable()];
        let (inner, variables) = self.enter_loop(collection, raw, variables, scope);
        let parts = directive.parts();
        let value = self.bind_template(parts, directive.body_range(), node, inner);
        let [key_variable, value_variable] = variables;
        let (key, condition, groups) = (None, None, false);
        let made = For { key_variable, value_variable, collection, key, value, condition, groups };
        let made = self.push_for(made, range, node);
        let ty = self.template_type(&[made]);
        self.push(ExprKind::TemplateJoin(made), ty, range, node)
    }
}

/// A collection of the type `given` in a template, which is written `value`.
fn not_interpolated(span: Span, types: &mut TypeStore, given: TypeId, value: &str) -> Diagnostic {
    let is_list = matches!(types.get(given), Type::List(_) | Type::Set(_) | Type::Tuple(_));
    let message = format!("cannot interpolate {}", in_words(types, given));
    Diagnostic::warning(Code::TypeNotAssignable, span, message).help(if is_list {
        format!("join the elements, as in `join(\", \", {value})`, or name one with `[0]`")
    } else {
        format!("name one of its properties, or write it as JSON with `toJSON({value})`")
    })
}
