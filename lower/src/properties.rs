//! Property references: a path to a property, as in `ignoreChanges`, becomes the text of the path.
//! See `tests/spec/lowering/properties.md`.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::sync::Arc;

use pcl_model::TypeId;
use pcl_model::expression::{Checker, ExprArena, ExprId, ExprKind, Traversal};
use pcl_model::relations::Key;
use pcl_model::scope::ScopeId;
use pcl_model::types::TypeStore;
use pcl_model::value::Constant;

use crate::walk;

/// `root` with the text of a path in the place of every path to a property.
pub fn property_references(checker: &mut Checker<'_>, scope: ScopeId, root: ExprId) -> ExprId {
    walk::replace_all(checker, scope, root, |checker, id| {
        let expr = &checker.exprs[id];
        match &expr.kind {
            ExprKind::Traversal(traversal) if expr.ty == TypeId::PROPERTY => {
                let text = path(checker.types, checker.exprs, traversal);
                walk::text(checker, id, text)
            }
            _ => id,
        }
    })
}

/// `tags["x y"].list[0]`
fn path(types: &TypeStore, exprs: &ExprArena, traversal: &Traversal) -> Arc<str> {
    let root = PathStep::Name(types.name(traversal.root));
    let steps = exprs.steps(traversal.steps).iter();
    let steps = steps.filter_map(|step| match &step.key {
        Key::Name(name) => Some(PathStep::Name(types.name(*name))),
        Key::Constant(key) => Some(PathStep::Key(Cow::Borrowed(key))),
        Key::Unknown(_) => None,
    });
    path_text(std::iter::once(root).chain(steps)).into()
}

/// A step of a path to a property.
pub enum PathStep<'p> {
    /// `.name`
    Name(&'p str),
    /// `["key"]` or `[0]`
    Key(Cow<'p, Constant>),
}

/// The text of a path to a property, as the engine reads it.
///
/// ```
/// use std::borrow::Cow;
/// use pcl_lower::{PathStep, path_text};
/// use pcl_model::Constant;
///
/// let key = PathStep::Key(Cow::Owned(Constant::from("a \"b\"")));
/// let path = [PathStep::Name("tags"), key, PathStep::Name("list")];
/// assert_eq!(path_text(path), r#"tags["a \"b\""].list"#);
/// ```
pub fn path_text<'p>(steps: impl IntoIterator<Item = PathStep<'p>>) -> String {
    let mut path = String::new();
    for step in steps {
        // Writing to a string cannot fail.
        let _ = match step {
            PathStep::Name(name) if path.is_empty() => write!(path, "{name}"),
            PathStep::Name(name) => write!(path, ".{name}"),
            PathStep::Key(key) => match &*key {
                Constant::String(key) => write!(path, "[{}]", quoted_key(key)),
                // What follows the point of a number is left out.
                key => {
                    let key = key.to_string();
                    write!(path, "[{}]", key.split('.').next().unwrap_or_default())
                }
            },
        };
    }
    path
}

/// A key in the quotes of the engine, whose escapes are few.
fn quoted_key(key: &str) -> String {
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
