//! Makes a component of declarations: a directory with their text, and a block that uses it. What
//! they refer to becomes inputs, and what refers to them reads outputs.
//!
//! A resource of a component has another name and parent, so each gets an alias for those that it
//! had before. Pulumi then recognizes what it deployed.

use std::collections::{BTreeMap, HashSet};
use std::path::Path;

use pcl::binder::{NodeBody, NodeKind, Ranged};
use pcl::diagnostics::{FileId, Span, TextEdit, TextRange};
use pcl::syntax::ast::{self, AstNode as _};
use pcl::syntax::{SyntaxTree, quoted};

use super::declare::label;
use super::extract::free_name;
use super::items::{
    deletions, edited, has_comment_for_line, has_error, has_version_range, selected, with_comments,
};
use super::refactoring::{NewFile, Refactoring, RefactoringKind};
use super::text::newline;
use super::uses::{has_outputs, uses};
use crate::completion::is_provider;
use crate::option_edits::{options, with_alias};
use crate::{Analysis, FilePosition, ModuleId, NodeRef, links};

/// The declarations that move, and what is known about them so far.
struct Moving<'a> {
    analysis: &'a Analysis,
    file: FileId,
    nodes: Vec<NodeRef>,
    /// The edits of what moves.
    inside: Vec<TextEdit>,
    /// The edits of what stays.
    outside: Vec<TextEdit>,
    /// The inputs of the component: the name, the label of its config, and the value.
    inputs: BTreeMap<String, (String, String)>,
    /// The outputs of the component: the name and the value.
    outputs: BTreeMap<String, String>,
}

/// The component that the selected declarations can become.
pub(super) fn component(analysis: &Analysis, selection: Span) -> Option<Refactoring> {
    let file = selection.file;
    let tree = analysis.tree(file)?;
    let items = selected(tree, selection.range);
    let path = Path::new(analysis.checked.sources.path(file));
    let is_there = path.is_absolute() && path.is_file();
    let is_top = analysis.module_of(file)? == ModuleId::Program;
    if !is_top || !is_there || items.is_empty() || has_version_range(analysis) {
        return None;
    }
    let nodes: Option<Vec<NodeRef>> =
        items.iter().map(|item| movable(analysis, file, *item)).collect();
    let nodes = nodes?;
    let first = *nodes.iter().find(|&&node| analysis.node(node).kind == NodeKind::Resource)?;
    let ranges: Vec<TextRange> = items.iter().map(|item| item.syntax().range()).collect();
    // The block of a component with errors has one, too.
    if ranges.iter().any(|&range| has_error(analysis, Span::new(file, range))) {
        return None;
    }
    let reads_files = links(analysis, file)
        .iter()
        .any(|link| ranges.iter().any(|range| range.contains_range(link.range)));
    // Paths would lead from another directory.
    if reads_files {
        return None;
    }
    let name = free_name(analysis, first, &format!("{}Group", analysis.node(first).name));
    let directory = path.parent()?.join(&name);
    if directory.exists() {
        return None;
    }
    let mut moving = Moving {
        analysis,
        file,
        nodes,
        inside: Vec::new(),
        outside: Vec::new(),
        inputs: BTreeMap::new(),
        outputs: BTreeMap::new(),
    };
    moving.aliases()?;
    moving.replace_outer_names(&ranges)?;
    moving.replace_inner_names(&ranges, &name)?;
    let newline = newline(analysis, file);
    let text = moving.text(&items).replace("\r\n", "\n").replace('\n', newline);
    let block = moving.block(&name).replace('\n', newline);
    let mut edits = std::mem::take(&mut moving.outside);
    edits.extend(in_place(tree, file, &items, block));
    let created = directory.join("main.pp").to_string_lossy().into_owned();
    let created = vec![NewFile { path: created, text }];
    let title = format!("extract into the component `./{name}`");
    Some(Refactoring { created, ..Refactoring::new(title, RefactoringKind::Extract, edits) })
}

/// The declaration of an item, if it means the same in a component.
fn movable(analysis: &Analysis, file: FileId, item: ast::Item<'_>) -> Option<NodeRef> {
    let syntax = item.syntax();
    let node = analysis.node_at(FilePosition::new(file, syntax.range().start()))?;
    let bound = analysis.node(node);
    if has_comment_for_line(item) || syntax.contains_error() || bound.range != syntax.range() {
        return None;
    }
    let fits = match &bound.body {
        NodeBody::Local(_) => true,
        NodeBody::Resource(body) => {
            let names_parent = options(analysis, node).is_some_and(|options| {
                options.attributes().any(|option| option.is_named("parent"))
            });
            let is_single = matches!(body.range, Ranged::Single);
            bound.kind == NodeKind::Resource && is_single && !names_parent && !is_provider(bound)
        }
        _ => false,
    };
    fits.then_some(node)
}

impl Moving<'_> {
    /// Gives each resource the alias of its earlier name and parent.
    fn aliases(&mut self) -> Option<()> {
        for &node in &self.nodes {
            let bound = self.analysis.node(node);
            if bound.kind == NodeKind::Resource {
                let entry =
                    format!("{{ name = {}, noParent = true }}", quoted(&bound.logical_name));
                self.inside.push(with_alias(self.analysis, node, &entry)?);
            }
        }
        Some(())
    }

    /// Makes an input of each name in what moves that is declared elsewhere.
    fn replace_outer_names(&mut self, ranges: &[TextRange]) -> Option<()> {
        let analysis = self.analysis;
        let module = analysis.module(ModuleId::Program);
        for (id, bound) in module.nodes_with_ids() {
            let node = NodeRef { module: ModuleId::Program, node: id };
            if self.nodes.contains(&node) {
                continue;
            }
            // A name that is no value, such as that of a hook, stays out of components.
            for place in uses(analysis, node)? {
                if !self.moves(ranges, place.name) {
                    continue;
                }
                match (bound.kind, place.member) {
                    (NodeKind::Config | NodeKind::Local, _) => {
                        let name = bound.name.to_string();
                        let label = self.label_of(node);
                        self.inputs.insert(name.clone(), (label, name));
                    }
                    (kind, Some((member, range))) if has_outputs(kind) && !place.is_indexed => {
                        let name = self.free(&joined(&bound.name, &member));
                        let text = analysis.text(Span::new(self.file, range)).to_owned();
                        let label = self.label_of_member(place.name);
                        self.inside.push(TextEdit::replace(Span::new(self.file, range), &*name));
                        self.inputs.insert(name, (label, text));
                    }
                    _ => return None,
                }
            }
        }
        Some(())
    }

    /// Makes an output of each member of what moves that is named elsewhere.
    fn replace_inner_names(&mut self, ranges: &[TextRange], component: &str) -> Option<()> {
        for node in self.nodes.clone() {
            let bound = self.analysis.node(node);
            for place in uses(self.analysis, node)? {
                if self.moves(ranges, place.name) {
                    continue;
                }
                let (member, range) = place.member.filter(|_| has_outputs(bound.kind))?;
                let name = self.free(&joined(&bound.name, &member));
                let span = Span::new(place.name.file, range);
                if has_error(self.analysis, span) {
                    return None;
                }
                let text = self.analysis.text(span).to_owned();
                self.outside.push(TextEdit::replace(span, format!("{component}.{name}")));
                self.outputs.insert(name, text);
            }
        }
        Some(())
    }

    fn moves(&self, ranges: &[TextRange], place: Span) -> bool {
        place.file == self.file && ranges.iter().any(|range| range.contains_range(place.range))
    }

    /// A name for an input or output that no declaration has. The same wanted name gives the same
    /// name.
    fn free(&self, wanted: &str) -> String {
        let nodes = &self.analysis.module(ModuleId::Program).nodes;
        let taken: HashSet<&str> = nodes.iter().map(|node| &*node.name).collect();
        let mut name = wanted.to_owned();
        while taken.contains(&*name) {
            name.push('_');
        }
        name
    }

    /// The label of the config for a config or local.
    fn label_of(&self, node: NodeRef) -> String {
        let bound = self.analysis.node(node);
        let syntax = self.analysis.module(node.module).syntax(bound);
        let written = ast::Block::cast(syntax).and_then(|block| block.labels().nth(1));
        match written {
            Some(written) if bound.kind == NodeKind::Config => written.text().into_owned(),
            _ => label(&self.analysis.checked.program.types, bound.ty).to_owned(),
        }
    }

    /// The label of the config for a member of a resource or component.
    fn label_of_member(&self, place: Span) -> String {
        let traversal =
            self.analysis.tree(place.file).and_then(|it| it.covering(place.range).parent());
        let expr = traversal.and_then(|it| self.analysis.expr_of(place.file, it));
        let step = expr.and_then(|expr| self.analysis.chain(expr)).and_then(|it| it.steps.first());
        let types = &self.analysis.checked.program.types;
        step.map_or("any", |step| label(types, step.ty)).to_owned()
    }

    /// The program of the component.
    fn text(&self, items: &[ast::Item<'_>]) -> String {
        let mut text = String::new();
        for (name, (label, _)) in &self.inputs {
            text += &format!("config {name} {} {{\n}}\n\n", quoted(label));
        }
        let mut was_local = false;
        for item in items {
            let is_local = matches!(item, ast::Item::Attribute(_));
            if was_local && !is_local {
                text.push('\n');
            }
            let part = Span::new(self.file, with_comments(*item));
            text += &edited(self.analysis, part, self.inside.clone());
            text += if is_local { "\n" } else { "\n\n" };
            was_local = is_local;
        }
        for (name, value) in &self.outputs {
            text += &format!("output {name} {{\n  value = {value}\n}}\n\n");
        }
        text.truncate(text.trim_end().len());
        text + "\n"
    }

    /// The block that uses the component.
    fn block(&self, name: &str) -> String {
        let width = self.inputs.keys().map(String::len).max().unwrap_or_default();
        let inputs = self.inputs.iter();
        let inputs = inputs.map(|(name, (_, value))| format!("  {name:width$} = {value}\n"));
        format!("component {name} \"./{name}\" {{\n{}}}", inputs.collect::<String>())
    }
}

/// The name of a resource and its member as one: `bucketId`.
fn joined(name: &str, member: &str) -> String {
    let mut characters = member.chars();
    let first: String = characters.next().into_iter().flat_map(char::to_uppercase).collect();
    format!("{name}{first}{}", characters.as_str())
}

/// The edits that write a block in the place of the first item and delete the others.
fn in_place(
    tree: &SyntaxTree,
    file: FileId,
    items: &[ast::Item<'_>],
    block: String,
) -> Vec<TextEdit> {
    let Some((first, others)) = items.split_first() else { return Vec::new() };
    let mut edits = vec![TextEdit::replace(Span::new(file, with_comments(*first)), block)];
    edits.extend(deletions(tree, file, others));
    edits
}
