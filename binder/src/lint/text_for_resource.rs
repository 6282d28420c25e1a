//! Options that take resources, given a text, a number or a bool: `parent = "pet"`.
//!
//! The rules, with examples: `tests/spec/lints/text_for_resource.md`.

use pcl_diagnostics::{Code, Diagnostic, Fix, Span, TextEdit};
use pcl_model::expression::{ExprId, ExprKind};
use pcl_model::types::{Type, TypeId};
use pcl_syntax::is_identifier;

use super::finished::{Finished, Lint, Scope};

/// The options, and whether they take many.
const OPTIONS: [(&str, bool); 6] = [
    ("parent", false),
    ("provider", false),
    ("deletedWith", false),
    ("dependsOn", true),
    ("replaceWith", true),
    ("providers", true),
];

/// Returns true for the name of an option that takes resources.
pub(crate) fn takes_resources(option: &str) -> bool {
    OPTIONS.iter().any(|(name, _)| *name == option)
}

pub(super) static LINT: Lint = Lint { code: Code::TextForResource, scope: Scope::Nodes, check };

/// Looks at the values of those options; of lists and objects that are written out, at what is in
/// them.
fn check(bound: &Finished<'_>, diagnostics: &mut Vec<Diagnostic>) {
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
                    let whole = match &exprs[value].kind {
                        ExprKind::Traversal(traversal) if !traversal.steps.is_empty() => {
                            Some(traversal)
                        }
                        _ => None,
                    };
                    let is_part = whole.is_some();
                    let types = bound.types;
                    let whole = whole.filter(|it| types.is_resource(types.strip(it.root_type)));
                    let wrong = NotAResource {
                        option: name,
                        resource: &node.name,
                        many,
                        named: named(bound, value).filter(|&name| name != &*node.name),
                        is_part,
                        whole: whole.map(|it| types.name(it.root)),
                    };
                    diagnostics.push(text_for_resource(span, &wrong));
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
    matches!(ty, TypeId::STRING | TypeId::ID | TypeId::INT | TypeId::NUMBER | TypeId::BOOL)
}

/// The resource of the program whose name a value is.
fn named<'b>(bound: &Finished<'b>, value: ExprId) -> Option<&'b str> {
    let text = bound.exprs.literal_string(value)?;
    let nodes = bound.module.nodes.iter();
    let mut names = nodes.filter(|node| node.kind.is_resource()).map(|node| &*node.name);
    names.find(|name| **name == *text && is_identifier(name))
}

/// A value that cannot be what an option for resources takes.
struct NotAResource<'a> {
    option: &'a str,
    /// The resource that has the option.
    resource: &'a str,
    /// Set if the option takes many resources.
    many: bool,
    /// The resource of the program whose name the value is.
    named: Option<&'a str>,
    /// Set if the value is a part of another one.
    is_part: bool,
    /// The resource of the program that the value is an output of.
    whole: Option<&'a str>,
}

/// A text, a number or a bool in an option that takes resources.
fn text_for_resource(span: Span, wrong: &NotAResource<'_>) -> Diagnostic {
    let takes = if wrong.many {
        "resources, not their names or ids"
    } else {
        "a resource, not its name or id"
    };
    let message = format!("`{}` of `{}` takes {takes}", wrong.option, wrong.resource);
    let diagnostic = Diagnostic::warning(Code::TextForResource, span, message);
    match wrong.named {
        Some(name) => diagnostic.help("leave out the quotes").fix(Fix::unsafe_(
            format!("refer to the resource `{name}`"),
            vec![TextEdit::replace(span, name)],
        )),
        None if wrong.is_part => {
            let fix = wrong.whole.map(|name| {
                let edits = vec![TextEdit::replace(span, name)];
                Fix::unsafe_(format!("refer to the resource `{name}`"), edits)
            });
            diagnostic.help("refer to the resource itself, not to a part of it").fix(fix)
        }
        None => diagnostic.help("refer to a resource of the program, by its name without quotes"),
    }
}
