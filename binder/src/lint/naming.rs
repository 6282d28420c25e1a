//! Names that are not in camel case.
//!
//! The rules, with examples: `tests/spec/lints/naming.md`.

use pcl_diagnostics::{Code, Diagnostic, Fix, Span, TextEdit};
use pcl_model::expression::ExprKind;
use rustc_hash::{FxHashMap, FxHashSet};

use super::finished::{Finished, Lint, Scope};
use crate::node::{NodeId, NodeKind};

pub(super) static LINT: Lint = Lint { code: Code::Naming, scope: Scope::Program, check };

/// Looks at the names of all declarations. Nothing outside of a program sees the name of a local,
/// so that it can be changed.
fn check(bound: &Finished<'_>, diagnostics: &mut Vec<Diagnostic>) {
    let module = bound.module;
    let mut taken: FxHashSet<&str> = module.nodes.iter().map(|node| &*node.name).collect();
    let meant: FxHashMap<NodeId, String> = module
        .nodes_with_ids()
        .filter(|(_, node)| node.kind != NodeKind::Pulumi && node.name_range != node.range)
        .filter_map(|(id, node)| Some((id, camel_case(&node.name)?)))
        .collect();
    if meant.is_empty() {
        return;
    }
    let mut uses = uses(bound, &meant);
    for (id, node) in module.nodes_with_ids() {
        let Some(meant) = meant.get(&id) else { continue };
        let mut edits = None;
        if node.kind == NodeKind::Local && taken.insert(meant) {
            let own = TextEdit::replace(node.name_span(), meant);
            let uses = uses.remove(&id).unwrap_or_default().into_iter();
            let uses = uses.map(|span| TextEdit::replace(span, meant));
            edits = Some(std::iter::once(own).chain(uses).collect());
        }
        diagnostics.push(not_camel_case(node.name_span(), &node.name, meant, edits));
    }
}

/// The places where the program refers to nodes by their names.
fn uses(bound: &Finished<'_>, of: &FxHashMap<NodeId, String>) -> FxHashMap<NodeId, Vec<Span>> {
    let mut uses: FxHashMap<NodeId, Vec<Span>> = FxHashMap::default();
    let module = bound.module;
    for node in &module.nodes {
        for expr in bound.expressions(node) {
            let ExprKind::Traversal(traversal) = &expr.kind else { continue };
            let definition = traversal.definition.map(|it| bound.scopes.definition(it));
            let Some(node) = definition.and_then(|definition| definition.kind.node()) else {
                continue;
            };
            if of.contains_key(&NodeId(node)) {
                let span = Span::new(expr.file, traversal.root_range);
                uses.entry(NodeId(node)).or_default().push(span);
            }
        }
    }
    uses
}

/// The name in camel case; `None` if it is, or if it has no letters to tell.
fn camel_case(name: &str) -> Option<String> {
    let bare = name.trim_start_matches('_');
    let (start, _) = name.split_at_checked(name.len() - bare.len())?;
    let first = bare.chars().next()?;
    let is_camel_case = !bare.contains(['_', '-']) && !first.is_uppercase();
    if is_camel_case || !bare.chars().any(char::is_alphabetic) {
        return None;
    }
    let is_shouted = bare.chars().all(|c| !c.is_lowercase());
    let mut meant = start.to_owned();
    for (at, word) in bare.split(['_', '-']).filter(|word| !word.is_empty()).enumerate() {
        let mut letters = word.chars();
        let Some(first) = letters.next() else { continue };
        match at {
            0 => meant.extend(first.to_lowercase()),
            _ => meant.extend(first.to_uppercase()),
        }
        if is_shouted {
            meant.extend(letters.flat_map(char::to_lowercase))
        } else {
            meant.extend(letters)
        }
    }
    (meant != name).then_some(meant)
}

/// A name that is not in camel case. `edits` change it everywhere, if that is possible.
fn not_camel_case(span: Span, name: &str, meant: &str, edits: Option<Vec<TextEdit>>) -> Diagnostic {
    let message = format!("`{name}` is not in camel case");
    let diagnostic = Diagnostic::warning(Code::Naming, span, message);
    match edits {
        Some(edits) => diagnostic
            .help(format!("call it `{meant}`"))
            .fix(Fix::unsafe_(format!("rename to `{meant}`"), edits)),
        None => diagnostic.help(format!(
            "call it `{meant}`; a resource keeps its name in the stack by `__logicalName`"
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::camel_case;

    #[test]
    fn names() {
        for (name, meant) in [
            ("my_bucket", "myBucket"),
            ("my-bucket", "myBucket"),
            ("MyBucket", "myBucket"),
            ("MAX_SIZE", "maxSize"),
            ("_my_name", "_myName"),
            ("vpc_CIDR", "vpcCIDR"),
        ] {
            assert_eq!(camel_case(name).as_deref(), Some(meant));
        }
        for name in ["bucket", "myBucket2", "_x", "url", "__"] {
            assert_eq!(camel_case(name), None, "{name}");
        }
    }
}
