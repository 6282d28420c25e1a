//! The bound model: as JSON for the code generators of other languages, and as text for people.

mod json;
mod text;

use std::collections::HashMap;
use std::sync::Arc;

use super::Report;
use pcl_binder::{Node, Program};
use pcl_model::expression::{Expr, ExprKind};
use pcl_model::types::{TypeId, TypeStore};

/// The model as one JSON document, with the findings of `report`.
#[must_use]
pub fn bound_json(report: &Report<'_>, program: &Program) -> Vec<u8> {
    json::render(report, program)
}

/// The model as text for people; the findings of `report` are only counted.
#[must_use]
pub fn bound_text(report: &Report<'_>, program: &Program) -> String {
    text::render(report, program)
}

/// Types in their pretty form, each made once.
struct TypeTexts<'a> {
    types: &'a TypeStore,
    known: HashMap<TypeId, Arc<str>>,
}

impl<'a> TypeTexts<'a> {
    fn new(program: &'a Program) -> Self {
        Self {
            types: &program.types,
            known: HashMap::new(),
        }
    }

    fn of(&mut self, ty: TypeId) -> Arc<str> {
        let text = self
            .known
            .entry(ty)
            .or_insert_with(|| self.types.pretty(ty).into());
        Arc::clone(text)
    }
}

/// The expressions of a node's body, operands before what uses them.
fn expressions<'a>(program: &'a Program, node: &Node) -> impl Iterator<Item = &'a Expr> + use<'a> {
    let range = node.expressions.start as usize..node.expressions.end as usize;
    let all = program.exprs.iter();
    all.skip(range.start)
        .take(range.len())
        .map(|(_, expression)| expression)
}

/// The word for a kind of expression in the machine formats.
fn kind_name(kind: &ExprKind) -> &'static str {
    match kind {
        ExprKind::Literal(_) => "literal",
        ExprKind::Template(_) => "template",
        ExprKind::TemplateJoin(_) => "template-join",
        ExprKind::Unary { .. } => "unary",
        ExprKind::Binary { .. } => "binary",
        ExprKind::Conditional { .. } => "conditional",
        ExprKind::Tuple(_) => "tuple",
        ExprKind::Object(_) => "object",
        ExprKind::Index { .. } => "index",
        ExprKind::For(_) => "for",
        ExprKind::Traversal(_) => "traversal",
        ExprKind::RelativeTraversal { .. } => "relative-traversal",
        ExprKind::Splat(_) => "splat",
        ExprKind::Call(_) => "call",
        ExprKind::Error => "error",
    }
}
