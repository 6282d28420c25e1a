//! Makes a component of declarations: a directory with their text, and a block that uses it. What
//! they refer to becomes inputs, and what refers to them reads outputs.
//!
//! A resource of a component has another name and parent, so each gets an alias for those that it
//! had before. Pulumi then recognizes what it deployed.

use std::collections::BTreeMap;
use std::path::Path;

use pcl::binder::{Node, NodeBody, NodeKind, Ranged};
use pcl::diagnostics::{FileId, Span, TextEdit, TextRange};
use pcl::model::types::TypeId;
use pcl::syntax::ast::{self, AstNode as _};
use pcl::syntax::{SyntaxTree, is_identifier, quoted};

use super::declare::label;
use super::extract::{free_among, free_name, taken_names};
use super::items::{
    MOST_JOINED, deletions, edited, has_comment_for_line, has_error, has_version_range, selected,
    with_comments,
};
use super::refactoring::{NewFile, Refactoring, RefactoringKind};
use super::text::newline;
use super::uses::{has_outputs, need_each_other, uses};
use crate::completion::is_provider;
use crate::option_edits::{options, with_options};
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
    /// The names of inputs and outputs, by what they stand for: a declaration and a member.
    names: BTreeMap<(String, String), String>,
    /// The inputs of the component by name.
    inputs: BTreeMap<String, Input>,
    /// The outputs of the component: the name and the value.
    outputs: BTreeMap<String, String>,
}

/// An input of the component.
struct Input {
    /// The label of its config.
    label: String,
    /// Set if the value may be null.
    is_nullable: bool,
    /// The value, as the block of the component gives it.
    value: String,
}

/// The component that the selected declarations can become.
pub(super) fn component(analysis: &Analysis, selection: Span) -> Option<Refactoring> {
    let file = selection.file;
    let tree = analysis.tree(file)?;
    let items = selected(tree, selection.range);
    let path = Path::new(analysis.checked.sources.path(file));
    let is_there = path.is_absolute() && path.is_file();
    let is_top = analysis.module_of(file)? == ModuleId::Program;
    if !is_top
        || !is_there
        || items.is_empty()
        || items.len() > MOST_JOINED
        || has_version_range(analysis)
    {
        return None;
    }
    let nodes: Option<Vec<NodeRef>> =
        items.iter().map(|item| movable(analysis, file, *item)).collect();
    let nodes = nodes.filter(|nodes| !need_each_other(analysis, nodes))?;
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
    let name = &*analysis.node(first).name;
    // A name in quotes may be any text.
    let name = if is_identifier(name) { format!("{name}Group") } else { "group".to_owned() };
    let name = free_name(analysis, first, &name);
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
        names: BTreeMap::new(),
        inputs: BTreeMap::new(),
        outputs: BTreeMap::new(),
    };
    moving.aliases()?;
    moving.replace_outer_names(&ranges)?;
    moving.replace_inner_names(&ranges, &name)?;
    let newline = newline(analysis, file);
    let text = moving.text(&items, newline);
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
            // Earlier names without a parent would be those of children of the component.
            let is_tied = options(analysis, node).is_some_and(|options| {
                let mut all = options.attributes();
                all.any(|option| option.is_named("parent") || option.is_named("aliases"))
            });
            let is_single = matches!(body.range, Ranged::Single);
            bound.kind == NodeKind::Resource && is_single && !is_tied && !is_provider(bound)
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
                let name = quoted(&bound.logical_name);
                let entry = format!("aliases = [{{ name = {name}, noParent = true }}]");
                self.inside.extend(with_options(self.analysis, node, &[entry])?);
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
                        let mut input = self.input(bound.ty, name.clone());
                        if let NodeBody::Config(config) = &bound.body {
                            input.label = self.written_label(bound).unwrap_or(input.label);
                            input.is_nullable = config.nullable;
                        }
                        self.inputs.insert(name, input);
                    }
                    (kind, Some((member, range))) if has_outputs(kind) && !place.is_indexed => {
                        let name = self.name_of(&bound.name, member);
                        let text = analysis.text(Span::new(self.file, range)).to_owned();
                        let ty = self.type_of_member(place.name);
                        let input = self.input(ty, text);
                        self.inside.push(TextEdit::replace(Span::new(self.file, range), &*name));
                        self.inputs.insert(name, input);
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
                let name = self.name_of(&bound.name, member);
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

    /// The name of the input or output for a member of a declaration. No declaration and no loop
    /// variable has it.
    fn name_of(&mut self, declared: &str, member: String) -> String {
        let wanted = joined(declared, &member);
        let mut taken = taken_names(self.analysis, ModuleId::Program);
        let key = (declared.to_owned(), member);
        if let Some(name) = self.names.get(&key) {
            return name.clone();
        }
        taken.extend(self.names.values().map(String::as_str));
        let name = free_among(&taken, &wanted);
        self.names.insert(key, name.clone());
        name
    }

    /// An input for values of a type.
    fn input(&self, ty: TypeId, value: String) -> Input {
        let label = label(&self.analysis.checked.program.types, ty).to_owned();
        Input { label, is_nullable: false, value }
    }

    /// The label of a config, as it is written.
    fn written_label(&self, config: &Node) -> Option<String> {
        let syntax = self.analysis.module(ModuleId::Program).syntax(config);
        Some(ast::Block::cast(syntax)?.labels().nth(1)?.text().into_owned())
    }

    /// The type of a member of a resource or component.
    fn type_of_member(&self, place: Span) -> TypeId {
        let traversal =
            self.analysis.tree(place.file).and_then(|it| it.covering(place.range).parent());
        let expr = traversal.and_then(|it| self.analysis.expr_of(place.file, it));
        let step = expr.and_then(|expr| self.analysis.chain(expr)).and_then(|it| it.steps.first());
        step.map_or(TypeId::DYNAMIC, |step| step.ty)
    }

    /// The program of the component.
    fn text(&self, items: &[ast::Item<'_>], newline: &str) -> String {
        let mut text = String::new();
        for (name, input) in &self.inputs {
            let nullable = if input.is_nullable { "  nullable = true\n" } else { "" };
            text += &format!("config {name} {} {{\n{nullable}}}\n\n", quoted(&input.label));
        }
        text = text.replace('\n', newline);
        let mut was_local = false;
        for item in items {
            let is_local = matches!(item, ast::Item::Attribute(_));
            if was_local && !is_local {
                text += newline;
            }
            let part = Span::new(self.file, with_comments(*item));
            text += &edited(self.analysis, part, &self.inside);
            text += newline;
            text += if is_local { "" } else { newline };
            was_local = is_local;
        }
        for (name, value) in &self.outputs {
            let output = format!("output {name} {{\n  value = {value}\n}}\n\n");
            text += &output.replace('\n', newline);
        }
        text.truncate(text.trim_end().len());
        text + newline
    }

    /// The block that uses the component.
    fn block(&self, name: &str) -> String {
        let width = self.inputs.keys().map(String::len).max().unwrap_or_default();
        let inputs = self.inputs.iter();
        let inputs = inputs.map(|(name, input)| format!("  {name:width$} = {}\n", input.value));
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
