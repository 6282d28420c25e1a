//! Makes one resource with `range` of several that differ in a few values.
//!
//! Each of its instances has an alias for the name of the resource that it replaces, so that Pulumi
//! recognizes what it deployed.

use pcl::binder::{NodeBody, NodeKind, Ranged};
use pcl::diagnostics::{FileId, Span, TextEdit};
use pcl::syntax::ast;
use pcl::syntax::{SyntaxKind, is_identifier, quoted};

use super::extract::{free_name, loop_variables};
use super::items::{
    MOST_JOINED, deletions, edited, has_comment_for_line, has_error, has_version_range, selected,
    with_comments,
};
use super::refactoring::{Refactoring, RefactoringKind};
use super::text::has_heredoc;
use super::uses::{need_each_other, uses};
use crate::completion::is_provider;
use crate::option_edits::{options, with_options};
use crate::{Analysis, FilePosition, ModuleId, NodeRef};

/// The number of values that may differ. With more, the resources have little in common.
const MOST: usize = 4;

/// A resource that can be an instance.
struct Instance<'t> {
    node: NodeRef,
    item: ast::Item<'t>,
    /// The attributes in the order of their names.
    attributes: Vec<(&'t str, ast::Expr<'t>)>,
    /// The text of the options without spaces.
    options: String,
}

impl<'t> Instance<'t> {
    fn names(&self) -> impl Iterator<Item = &'t str> {
        self.attributes.iter().map(|(name, _)| *name)
    }

    /// The text of the value of an attribute, by its position.
    fn value(&self, at: usize) -> Option<&'t str> {
        self.attributes.get(at).map(|(_, value)| value.syntax().text())
    }
}

/// The resource with `range` that the one with the cursor and those like it can become.
pub(super) fn resources(analysis: &Analysis, selection: Span) -> Option<Refactoring> {
    let file = selection.file;
    let tree = analysis.tree(file)?;
    let is_top = analysis.module_of(file)? == ModuleId::Program && !has_version_range(analysis);
    let [chosen] = selected(tree, selection.range).try_into().ok().filter(|_| is_top)?;
    let chosen = instance(analysis, file, chosen)?;
    let items = tree.file().body().items();
    let all = items.filter_map(|item| instance(analysis, file, item));
    let same: Vec<Instance<'_>> = all.filter(|other| is_like(analysis, &chosen, other)).collect();
    let (first, others) = same.split_first()?;
    if others.is_empty() || same.len() > MOST_JOINED {
        return None;
    }
    let differing = differing(&same);
    let nodes: Vec<NodeRef> = same.iter().map(|it| it.node).collect();
    if differing.len() > MOST || need_each_other(analysis, &nodes) {
        return None;
    }
    let names: Vec<&str> = same.iter().map(|it| &*analysis.node(it.node).name).collect();
    let common = common_name(&names);
    let mut variables = loop_variables(analysis, ModuleId::Program);
    let is_own = names.contains(&&*common) && variables.all(|name| name != common);
    let name = if is_own { common } else { free_name(analysis, first.node, &common) };
    let mut edits = references(analysis, &same, &name)?;
    let text = written(analysis, first, &same, &differing, &name)?;
    let whole = Span::new(file, with_comments(first.item));
    edits.push(TextEdit::replace(whole, text));
    let others: Vec<ast::Item<'_>> = others.iter().map(|other| other.item).collect();
    edits.extend(deletions(tree, file, &others));
    let title = format!("fold {} resources into one with `range`", same.len());
    Some(Refactoring::new(title, RefactoringKind::Rewrite, edits))
}

/// A block as an instance; `None` if it has what an instance cannot have.
fn instance<'t>(analysis: &Analysis, file: FileId, item: ast::Item<'t>) -> Option<Instance<'t>> {
    let ast::Item::Block(block) = item else { return None };
    let node = analysis.node_at(FilePosition::new(file, item.syntax().range().start()))?;
    let bound = analysis.node(node);
    let NodeBody::Resource(resource) = &bound.body else { return None };
    let fits = bound.kind == NodeKind::Resource
        && bound.range == item.syntax().range()
        && matches!(resource.range, Ranged::Single)
        && !is_provider(bound)
        && !item.syntax().contains_error()
        && !has_error(analysis, Span::new(file, with_comments(item)))
        && !has_comment_for_line(item)
        && !has_heredoc(item.syntax())
        && *bound.name == *bound.logical_name;
    let body = block.body().filter(|_| fits)?;
    let mut attributes = Vec::new();
    for attribute in body.attributes() {
        attributes.push((attribute.name()?.text(), attribute.value()?));
    }
    attributes.sort_by_key(|(name, _)| *name);
    let options = options(analysis, node);
    let has_own = options.is_some_and(|options| {
        options.attributes().any(|it| it.is_named("aliases") || it.is_named("import"))
    });
    let has_others = body.blocks().any(|inner| !inner.has_keyword("options"));
    if has_own || has_others {
        return None;
    }
    let options = options.map_or(String::new(), |it| it.syntax().text().to_owned());
    let options = options.split_whitespace().collect::<Vec<_>>().join(" ");
    Some(Instance { node, item, attributes, options })
}

/// Returns true for resources of one type that have the same inputs and the same options.
fn is_like(analysis: &Analysis, one: &Instance<'_>, other: &Instance<'_>) -> bool {
    let tokens = [one, other].map(|it| analysis.node(it.node).token.clone());
    tokens[0] == tokens[1] && one.options == other.options && one.names().eq(other.names())
}

/// The positions of the attributes whose values are not the same in all.
fn differing(all: &[Instance<'_>]) -> Vec<usize> {
    let Some(first) = all.first() else { return Vec::new() };
    let differs = |at: &usize| all.iter().any(|it| it.value(*at) != first.value(*at));
    (0..first.attributes.len()).filter(differs).collect()
}

/// The edits of what names one of the resources; `None` if they name each other.
fn references(analysis: &Analysis, all: &[Instance<'_>], name: &str) -> Option<Vec<TextEdit>> {
    let mut edits = Vec::new();
    for it in all {
        let key = quoted(&analysis.node(it.node).name);
        for place in uses(analysis, it.node)? {
            let is_inside = |other: &Instance<'_>| {
                let bound = analysis.node(other.node);
                bound.file == place.name.file && bound.range.contains_range(place.name.range)
            };
            if all.iter().any(is_inside) {
                return None;
            }
            edits.push(TextEdit::replace(place.name, format!("{name}[{key}]")));
        }
    }
    Some(edits)
}

/// The text of the resource with `range`.
fn written(
    analysis: &Analysis,
    first: &Instance<'_>,
    all: &[Instance<'_>],
    differing: &[usize],
    name: &str,
) -> Option<String> {
    let bound = analysis.node(first.node);
    let file = bound.file;
    let label = if is_identifier(name) { name.to_owned() } else { quoted(name) };
    let mut edits = vec![TextEdit::replace(Span::new(file, bound.name_range), label)];
    for &at in differing {
        let (key, value) = first.attributes.get(at)?;
        let text = match differing {
            [_] => "range.value".to_owned(),
            _ => format!("range.value.{key}"),
        };
        edits.push(TextEdit::replace(Span::new(file, value.range()), text));
    }
    let mut range = "range = {\n".to_owned();
    for it in all {
        let own = &analysis.node(it.node).name;
        let values = differing.iter().filter_map(|&at| it.attributes.get(at));
        let values: Vec<String> = values
            .map(|(key, value)| (key, value.syntax().text().to_owned()))
            .map(|(key, value)| match differing {
                [_] => value,
                _ => format!("{key} = {value}"),
            })
            .collect();
        let value = match (differing, &values[..]) {
            ([], _) => quoted(own),
            ([_], [value]) => value.clone(),
            _ => format!("{{ {} }}", values.join(", ")),
        };
        // Behind a brace, `for` begins a loop.
        let is_bare = is_identifier(own) && **own != *"for";
        let key = if is_bare { own.to_string() } else { quoted(own) };
        range += &format!("      {key} = {value}\n");
    }
    range += "    }";
    let attributes = [range, "aliases = [{ name = range.key }]".to_owned()];
    edits.extend(with_options(analysis, first.node, &attributes)?);
    // A comment inside one of the others would be lost.
    let has_comment = |it: &Instance<'_>| {
        let all = it.item.syntax().tokens();
        let own = with_comments(it.item) != it.item.syntax().range();
        let mut kinds = all.map(|token| token.kind());
        own || kinds.any(|kind| matches!(kind, SyntaxKind::LineComment | SyntaxKind::BlockComment))
    };
    if all.iter().skip(1).any(has_comment) {
        return None;
    }
    Some(edited(analysis, Span::new(file, with_comments(first.item)), &edits))
}

/// The name that several names begin with; the first one if that is no name.
fn common_name(names: &[&str]) -> String {
    let first = names.first().copied().unwrap_or_default();
    let is_common = |end: &usize| {
        let start = first.get(..*end);
        start.is_some_and(|start| names.iter().all(|name| name.starts_with(start)))
    };
    let end = (1..=first.len()).rev().find(is_common).unwrap_or_default();
    let common = first.get(..end).unwrap_or_default();
    let common = common.trim_end_matches(|it: char| !it.is_alphabetic());
    if common.len() > 1 && is_identifier(common) { common.to_owned() } else { first.to_owned() }
}
