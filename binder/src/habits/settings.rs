//! Attributes of `config` and `output` blocks that other languages have: `type`, `sensitive` and
//! `description`.
//!
//! The rules, with examples: `tests/spec/habits/settings.md`.

use pcl_diagnostics::{Code, Diagnostic, Fix, Severity, Span, TextEdit};
use pcl_language::{BlockRule, OUTPUT};
use pcl_model::types::TypeId;
use pcl_syntax::{SyntaxToken, ast};

use crate::binder::Binder;
use crate::block::literal::string_of;
use crate::node::{NodeId, NodeKind};

impl<'t> Binder<'_, '_, 't> {
    /// The attribute `type` of a `config` or `output`, whose type is a label. Reported with the
    /// edits that write the label. The result is the type, where the block has no such label.
    pub fn type_attribute(&mut self, node: NodeId) -> Option<TypeId> {
        let mut attributes = self.block(node)?.body()?.attributes();
        let is_type = |attribute: &ast::Attribute<'_>| attribute.name().is_some_and(is_type_name);
        let attribute = attributes.find(is_type)?;
        let (name, value) = (attribute.name()?, attribute.value()?);
        let written = string_of(value);
        let is_quoted = written.is_some();
        let text = written.unwrap_or_else(|| value.syntax().text().to_owned());
        let file = self.nodes[node].file;
        let span = self.node_span(node, name.range());
        let keyword = self.nodes[node].kind.name();
        let (text, ty) = self.type_of_text(&text);
        let removal = self.mover(node).removal(attribute.syntax().range());
        let edits = match (self.first_label(node), self.second_label(node), ty) {
            (Some(_), Some(_), _) => Some(vec![removal]),
            (Some(label), None, Some(_)) if !text.contains(['"', '\n']) => {
                let label = TextEdit::insert(file, label.range().end(), format!(" \"{text}\""));
                Some(vec![label, removal])
            }
            _ => None,
        };
        // Pulumi ignores a quoted one, so what the program means changes.
        let fix = edits.map(|edits| Fix::safe_if(!is_quoted, "write the type as a label", edits));
        let label = self.first_label(node).map(|label| label.syntax().text());
        let diagnostic = type_attribute(span, keyword, label, &text, fix);
        self.report(if is_quoted { ignored(diagnostic) } else { diagnostic });
        if is_quoted || self.second_label(node).is_some() {
            return None;
        }
        ty
    }

    /// Reports an unknown attribute of a `config` or `output` that other languages have. Returns
    /// `false` when it is none.
    pub fn report_foreign_setting(
        &mut self,
        node: NodeId,
        attribute: ast::Attribute<'t>,
        name: SyntaxToken<'t>,
        rule: &BlockRule,
    ) -> bool {
        let is_output = rule.keyword == OUTPUT.keyword;
        if !is_output && self.nodes[node].kind != NodeKind::Config {
            return false;
        }
        let span = self.node_span(node, name.range());
        let file = span.file;
        let Some(body) = self.body(node) else { return false };
        let named = |wanted: &str| body.attributes().find(|other| other.is_named(wanted));
        let is_true = attribute.value().is_some_and(|value| value.syntax().text() == "true");
        let removal = || self.mover(node).removal(attribute.syntax().range());
        let (message, help, title, edits) = match (is_output, name.text()) {
            (false, "sensitive") => {
                let is_literal = attribute
                    .value()
                    .is_some_and(|value| matches!(value.syntax().text(), "true" | "false"));
                let is_free = is_literal && named("secret").is_none();
                let edits = is_free.then(|| vec![TextEdit::replace(span, "secret")]);
                let message = "`sensitive` is called `secret` in PCL".to_owned();
                (message, "write `secret = true`", "write `secret`", edits)
            }
            (true, "sensitive" | "secret") => {
                let value = named("value").and_then(ast::Attribute::value);
                let edits = value.filter(|_| is_true).map(|value| {
                    let range = value.range();
                    vec![
                        TextEdit::insert(file, range.start(), "secret("),
                        TextEdit::insert(file, range.end(), ")"),
                        removal(),
                    ]
                });
                let message =
                    format!("`output` blocks have no `{}`: make the value secret", name.text());
                (message, "write `value = secret(..)`", "make the value secret", edits)
            }
            (true, "description") => {
                let text = attribute.value().and_then(string_of);
                let text = text.filter(|text| !text.contains('\n'));
                let place = Span::new(file, attribute.syntax().range());
                let edits = text.map(|text| vec![TextEdit::replace(place, format!("# {text}"))]);
                let message = "`output` blocks have no `description`".to_owned();
                (message, "write a comment, `# ..`", "make it a comment", edits)
            }
            _ => return false,
        };
        // A comment is not what a description was meant for.
        let is_safe = name.text() != "description";
        let fix = edits.map(|edits| Fix::safe_if(is_safe, title, edits));
        let diagnostic = Diagnostic::warning(Code::IgnoredAttribute, span, message).help(help);
        self.report(ignored(diagnostic.fix(fix)));
        true
    }
}

/// Returns whether an attribute has the name `type`.
pub(crate) fn is_type_name(name: SyntaxToken<'_>) -> bool {
    name.text() == "type"
}

/// A type in an attribute instead of a label; `label` is the first label as it is written.
fn type_attribute(
    span: Span,
    keyword: &str,
    label: Option<&str>,
    text: &str,
    fix: Option<Fix>,
) -> Diagnostic {
    let article = if keyword == "output" { "an" } else { "a" };
    let message =
        format!("the type of {article} `{keyword}` block is its second label, not an attribute");
    let label = label.unwrap_or("name");
    Diagnostic::error(Code::IgnoredAttribute, span, message)
        .help(format!("write `{keyword} {label} \"{text}\"`"))
        .fix(fix)
}

/// Makes a warning of a diagnostic about an attribute that Pulumi ignores.
fn ignored(diagnostic: Diagnostic) -> Diagnostic {
    diagnostic.with_severity(Severity::Warning).note("Pulumi ignores it").ours()
}
