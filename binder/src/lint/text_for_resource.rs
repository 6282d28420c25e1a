//! Options that take resources, given a text, a number or a bool: `parent = "pet"`.
//!
//! The rules, with examples: `tests/spec/lints/text_for_resource.md`.

use pcl_diagnostics::{Code, Diagnostic, Fix, Span, TextEdit};
use pcl_model::expression::{ExprId, ExprKind};
use pcl_model::types::{Type, TypeId};
use pcl_syntax::is_identifier;

use crate::binder::Binder;
use crate::program::NodeBody;

/// The options, and whether they take many.
const OPTIONS: [(&str, bool); 6] = [
    ("parent", false),
    ("provider", false),
    ("deletedWith", false),
    ("dependsOn", true),
    ("replaceWith", true),
    ("providers", true),
];

/// Looks at the values of those options; of lists and objects that are written out, at what is in them.
pub(super) fn check(binder: &Binder<'_, '_, '_>, findings: &mut Vec<Diagnostic>) {
    for node in &binder.nodes {
        let options = node.options();
        for (at, option) in options.iter().enumerate() {
            let Some((name, many)) = OPTIONS.into_iter().find(|(name, _)| **name == *option.name)
            else {
                continue;
            };
            // Of an option that is set twice the first one counts.
            if options[..at]
                .iter()
                .any(|earlier| earlier.name == option.name)
            {
                continue;
            }
            let mut look_at = |value: ExprId| {
                if is_plain(binder, value) {
                    let takes = match many {
                        true => "resources, not their names or ids",
                        false => "a resource, not its name or id",
                    };
                    let message = format!("`{name}` of `{}` takes {takes}", node.name);
                    findings.push(finding(binder, message, value));
                }
            };
            match &binder.session.exprs[option.value].kind {
                _ if !many => look_at(option.value),
                ExprKind::Tuple(elements) => elements.iter().copied().for_each(look_at),
                ExprKind::Object(items) => items.iter().for_each(|&(_, value)| look_at(value)),
                _ => {}
            }
        }
    }
}

/// Whether a value is certainly no resource.
fn is_plain(binder: &Binder<'_, '_, '_>, value: ExprId) -> bool {
    let types = &binder.session.types;
    let mut ty = types.strip(binder.session.exprs[value].ty);
    if let Type::Const { underlying, .. } = *types.get(ty) {
        ty = underlying;
    }
    matches!(
        ty,
        TypeId::STRING | TypeId::ID | TypeId::INT | TypeId::NUMBER | TypeId::BOOL
    )
}

fn finding(binder: &Binder<'_, '_, '_>, message: String, value: ExprId) -> Diagnostic {
    let exprs = &binder.session.exprs;
    let span = Span::new(exprs[value].file, exprs[value].range);
    let finding = Diagnostic::warning(Code::TextForResource, span, message);
    let text = exprs.literal_string(value);
    let meant = text.and_then(|text| {
        let resources = binder
            .nodes
            .iter()
            .filter(|node| matches!(node.body, NodeBody::Resource(_)));
        resources
            .map(|node| &node.name)
            .find(|name| ***name == *text && is_identifier(name))
    });
    match meant {
        Some(name) => finding.help("leave out the quotes").fix(Fix::unsafe_(
            format!("refer to the resource `{name}`"),
            vec![TextEdit::replace(span, &**name)],
        )),
        None => match &exprs[value].kind {
            ExprKind::Traversal(traversal) if !traversal.steps.is_empty() => {
                finding.help("refer to the resource itself, not to a part of it")
            }
            _ => finding.help("refer to a resource of the program, by its name without quotes"),
        },
    }
}
