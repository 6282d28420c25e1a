//! Literals: numbers, `true`, `false`, `null`, and names as keys.
//!
//! The rules, with examples: `tests/spec/expressions/literal.md`.

use pcl_diagnostics::TextRange;
use pcl_syntax::ast::{self, LiteralKind};
use pcl_syntax::{NodeId, quoted};

use super::checker::Checker;
use super::expr::{ExprId, ExprKind};
use crate::value::{Constant, Number};

impl Checker<'_> {
    pub(super) fn bind_literal(&mut self, literal: ast::Literal<'_>) -> ExprId {
        let syntax = literal.syntax();
        self.push_constant(constant(literal), syntax.range(), syntax.id())
    }

    /// A literal string without a syntax node: a bare key, the text of a template.
    pub(super) fn push_text(&mut self, text: &str, range: TextRange, node: NodeId) -> ExprId {
        let (ty, text) = self.types.string_constant(text);
        self.push(ExprKind::Literal(text), ty, range, node)
    }

    pub(super) fn push_constant(
        &mut self,
        value: Constant,
        range: TextRange,
        node: NodeId,
    ) -> ExprId {
        let ty = self.types.constant(value.clone());
        self.push(ExprKind::Literal(value), ty, range, node)
    }
}

/// The value of a literal. A number that cannot be read, which the parser reports, is 0.
pub(super) fn constant(literal: ast::Literal<'_>) -> Constant {
    match literal.kind() {
        LiteralKind::Number(text) => number(text),
        LiteralKind::Bool(value) => Constant::Bool(value),
        LiteralKind::Null => Constant::Null,
    }
}

pub(super) fn number(text: &str) -> Constant {
    Constant::Number(Number::parse(text).unwrap_or_else(|| Number::from(0)))
}

/// A name in place of the key `key` of an object: without quotes if it is an identifier and `key`
/// has none.
pub fn key_like(key: &ExprKind, name: &str) -> String {
    match key {
        ExprKind::Literal(_) if pcl_syntax::is_identifier(name) => name.to_owned(),
        _ => quoted(name),
    }
}
