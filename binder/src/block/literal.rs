//! Attributes that take a literal only: they are read before anything can be computed.
//!
//! The rules, with examples: `tests/spec/blocks/literal.md`.

use std::sync::Arc;

use pcl_diagnostics::{Code, Diagnostic, Span};
use pcl_syntax::ast;

use crate::binder::Binder;
use crate::node::NodeId;
use crate::wording::not_a_string;

/// The text of an expression that is a quoted string or heredoc without interpolations.
pub(crate) fn string_of(expr: ast::Expr<'_>) -> Option<String> {
    match expr {
        ast::Expr::Template(template) => template.literal(),
        ast::Expr::Heredoc(heredoc) => heredoc.literal(),
        _ => None,
    }
    .map(std::borrow::Cow::into_owned)
}

/// The text of an expression that is [a plain string](string_of), also in parentheses or as the
/// only interpolation of another string, both of which are equivalent to the string itself.
pub(crate) fn constant_of(expr: ast::Expr<'_>) -> Option<String> {
    string_of(unwrapped(expr))
}

/// The text that a string with interpolations begins with; `None` when it begins with one.
pub(crate) fn leading_text(expr: ast::Expr<'_>) -> Option<String> {
    let first = match unwrapped(expr) {
        ast::Expr::Template(template) => template.parts().next(),
        ast::Expr::Heredoc(heredoc) => heredoc.parts().next(),
        _ => None,
    };
    match first {
        Some(ast::TemplatePart::Literal { value, .. }) => Some(value.into_owned()),
        _ => None,
    }
}

/// An expression without the parentheses and quotes around it that change nothing.
fn unwrapped(mut expr: ast::Expr<'_>) -> ast::Expr<'_> {
    loop {
        let inner = match expr {
            ast::Expr::Paren(paren) => paren.inner(),
            ast::Expr::Template(template) => template.wrapped(),
            _ => None,
        };
        match inner {
            Some(inner) => expr = inner,
            None => return expr,
        }
    }
}

impl<'t> Binder<'_, '_, 't> {
    /// The text of an attribute that takes a plain quoted string. Anything else is reported. The
    /// value is an expression of the node all the same.
    pub fn string_literal(
        &mut self,
        node: NodeId,
        attribute: ast::Attribute<'t>,
        name: &str,
    ) -> Option<Arc<str>> {
        let value = attribute.value()?;
        let mark = self.session.reporter.mark();
        let bound = self.bind(node, value, self.root);
        // A template that consists of one interpolation is equivalent to its content, which belongs
        // to another node.
        let exprs = &self.session.exprs;
        if exprs[bound].node == value.syntax().id()
            && let Some(text) = exprs.literal_string(bound)
        {
            return Some(text);
        }
        // A mistake in the text, such as `${HOME}`, may be all that keeps it from being plain.
        let is_wrong = self.session.reporter.since(mark).iter().any(Diagnostic::is_error);
        let is_text = matches!(value, ast::Expr::Template(_)) && is_wrong;
        if !matches!(value, ast::Expr::Bogus(_)) && !is_text {
            let span = self.node_span(node, value.range());
            self.report(not_a_string(span, name, READ_EARLY));
        }
        None
    }

    /// The value of an attribute that takes `true` or `false`. Anything else is reported.
    pub fn bool_literal(
        &mut self,
        node: NodeId,
        attribute: ast::Attribute<'t>,
        name: &str,
    ) -> Option<bool> {
        let value = attribute.value()?;
        self.bind(node, value, self.root);
        if let ast::Expr::Literal(literal) = value
            && let ast::LiteralKind::Bool(value) = literal.kind()
        {
            return Some(value);
        }
        if !matches!(value, ast::Expr::Bogus(_)) {
            let span = self.node_span(node, value.range());
            self.report(not_a_bool(span, name));
        }
        None
    }
}

/// The note about attributes that are read early.
const READ_EARLY: &str = "it is read before the program runs, so it cannot be computed";

/// A value that is not `true` or `false`.
fn not_a_bool(span: Span, name: &str) -> Diagnostic {
    let message = format!("`{name}` takes `true` or `false`");
    Diagnostic::error(Code::NotABoolLiteral, span, message)
        .note(READ_EARLY)
        .help(format!("write `{name} = true` or `{name} = false`"))
}
