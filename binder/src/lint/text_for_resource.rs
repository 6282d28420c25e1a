//! Options that take resources, given a text, a number or a bool: `parent = "pet"`.
//!
//! The rules, with examples: `tests/spec/lints/text_for_resource.md`.

use pcl_diagnostics::{Diagnostic, Span};
use pcl_model::expression::{ExprId, ExprKind};
use pcl_model::types::{Type, TypeId};
use pcl_syntax::is_identifier;

use super::finished::Finished;
use crate::messages::lint::{self, NotAResource};

/// The options, and whether they take many.
const OPTIONS: [(&str, bool); 6] = [
    ("parent", false),
    ("provider", false),
    ("deletedWith", false),
    ("dependsOn", true),
    ("replaceWith", true),
    ("providers", true),
];

/// Looks at the values of those options; of lists and objects that are written out, at what is in
/// them.
pub(super) fn check(bound: &Finished<'_>, diagnostics: &mut Vec<Diagnostic>) {
    for node in bound.nodes() {
        let options = node.options();
        for (at, option) in options.iter().enumerate() {
            let Some((name, many)) = OPTIONS.into_iter().find(|(name, _)| **name == *option.name)
            else {
                continue;
            };
            // Of an option that is set twice the first one counts.
            let mut earlier = options.iter().take(at);
            if earlier.any(|earlier| earlier.name == option.name) {
                continue;
            }
            let mut look_at = |value: ExprId| {
                if is_plain(bound, value) {
                    let exprs = bound.exprs;
                    let span = Span::new(exprs[value].file, exprs[value].range);
                    let is_part = match &exprs[value].kind {
                        ExprKind::Traversal(traversal) => !traversal.steps.is_empty(),
                        _ => false,
                    };
                    let wrong = NotAResource {
                        option: name,
                        resource: &node.name,
                        many,
                        named: named(bound, value).filter(|&name| name != &*node.name),
                        is_part,
                    };
                    diagnostics.push(lint::text_for_resource(span, &wrong));
                }
            };
            match &bound.exprs[option.value].kind {
                _ if !many => look_at(option.value),
                ExprKind::Tuple(elements) => elements.iter().copied().for_each(look_at),
                ExprKind::Object(items) => items.iter().for_each(|&(_, value)| look_at(value)),
                _ => {}
            }
        }
    }
}

/// Returns whether a value is certainly not a resource.
fn is_plain(bound: &Finished<'_>, value: ExprId) -> bool {
    let types = bound.types;
    let mut ty = types.strip(bound.exprs[value].ty);
    if let Type::Const { underlying, .. } = *types.get(ty) {
        ty = underlying;
    }
    matches!(
        ty,
        TypeId::STRING | TypeId::ID | TypeId::INT | TypeId::NUMBER | TypeId::BOOL
    )
}

/// The resource of the program whose name a value is.
fn named<'b>(bound: &Finished<'b>, value: ExprId) -> Option<&'b str> {
    let text = bound.exprs.literal_string(value)?;
    let nodes = bound.module.nodes.iter();
    let mut names = nodes
        .filter(|node| node.kind.is_resource())
        .map(|node| &*node.name);
    names.find(|name| **name == *text && is_identifier(name))
}
