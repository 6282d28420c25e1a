//! Literals of another type than the one that is needed: the text of a number becomes the number, a
//! number its text.

use std::sync::Arc;

use pcl_model::TypeId;
use pcl_model::expression::{Checker, ExprId, ExprKind, Operands};
use pcl_model::value::{Constant, Number};

use crate::walk::in_place_of;

/// The literal of the target type `to` that is equivalent to the literal `id`. `None` if `id` is
/// not a literal, or has no equivalent in `to`.
pub(super) fn rewritten(checker: &mut Checker<'_>, id: ExprId, to: TypeId) -> Option<ExprId> {
    let text = checker.exprs.literal_string(id);
    let types = &mut *checker.types;
    let mut accepts = |ty: TypeId| types.assignable(to, ty);
    if let Some(text) = text {
        if accepts(TypeId::BOOL) {
            let value = match &*text {
                "true" | "1" => Some(true),
                "false" | "0" => Some(false),
                _ => None,
            };
            if let Some(value) = value {
                return Some(constant(checker, id, Constant::Bool(value)));
            }
        }
        if accepts(TypeId::INT) || accepts(TypeId::NUMBER) {
            let number = Number::parse(&text)?;
            return Some(constant(checker, id, Constant::Number(number)));
        }
        return None;
    }
    let is_number = matches!(checker.exprs[id].kind, ExprKind::Literal(Constant::Number(_)));
    if is_number && accepts(TypeId::NUMBER) {
        return None;
    }
    let text: Arc<str> = match &checker.exprs[id].kind {
        ExprKind::Literal(value @ (Constant::Bool(_) | Constant::Number(_))) => {
            value.as_text()?.into()
        }
        _ => return None,
    };
    if !accepts(TypeId::STRING) {
        return None;
    }
    let part = constant(checker, id, Constant::String(text));
    let kind = ExprKind::Template(Operands::from_slice(&[part]));
    Some(in_place_of(checker, id, kind))
}

fn constant(checker: &mut Checker<'_>, before: ExprId, value: Constant) -> ExprId {
    in_place_of(checker, before, ExprKind::Literal(value))
}
