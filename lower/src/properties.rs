//! Property references: a path to a property, as in `ignoreChanges`, becomes the text of the path.
//! See `tests/spec/lowering/properties.md`.

use std::fmt::Write as _;
use std::sync::Arc;

use pcl_model::TypeId;
use pcl_model::expression::{Checker, ExprArena, ExprId, ExprKind, Operands, Traversal};
use pcl_model::relations::Key;
use pcl_model::scope::ScopeId;
use pcl_model::types::TypeStore;
use pcl_model::value::{Constant, Number};

use crate::walk;

/// `root` with the text of a path in the place of every path to a property.
pub fn property_references(checker: &mut Checker<'_>, scope: ScopeId, root: ExprId) -> ExprId {
    walk::replace_all(
        checker,
        scope,
        root,
        |_, _| false,
        |checker, id| {
            let expr = &checker.exprs[id];
            match &expr.kind {
                ExprKind::Traversal(traversal) if expr.ty == TypeId::PROPERTY => {
                    let text = path(checker.types, checker.exprs, traversal);
                    let literal = ExprKind::Literal(Constant::String(text));
                    let part = walk::in_place_of(checker, id, literal);
                    walk::in_place_of(
                        checker,
                        id,
                        ExprKind::Template(Operands::from_slice(&[part])),
                    )
                }
                _ => id,
            }
        },
    )
}

/// `tags["x y"].list[0]`
fn path(types: &TypeStore, exprs: &ExprArena, traversal: &Traversal) -> Arc<str> {
    let mut path = types.name(traversal.root).to_owned();
    for step in exprs.steps(traversal.steps) {
        // Writing to a string cannot fail.
        let _ = match &step.key {
            Key::Name(name) => write!(path, ".{}", types.name(*name)),
            Key::Constant(Constant::String(key)) => write!(path, "[{}]", quoted_key(key)),
            Key::Constant(Constant::Number(number)) => write!(path, "[{}]", whole(number)),
            Key::Constant(key) => write!(path, "[{key}]"),
            Key::Unknown(_) => Ok(()),
        };
    }
    path.into()
}

/// The number without what follows its point.
fn whole(number: &Number) -> String {
    let text = number.to_string();
    text.split('.').next().unwrap_or_default().to_owned()
}

/// A key of a path to a property in the quotes of the engine, whose escapes are few.
///
/// ```
/// assert_eq!(pcl_lower::quoted_key("a \"b\""), r#""a \"b\"""#);
/// ```
#[must_use]
pub fn quoted_key(key: &str) -> String {
    let mut quoted = String::from('"');
    for c in key.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}
