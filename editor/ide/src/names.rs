//! The names of a program: their declarations, the places that refer to them, and renaming: the
//! edits that give a name another text, if the program keeps its meaning.

use std::collections::{BTreeMap, HashMap};

use pcl::binder::{NodeBody, NodeKind};
use pcl::diagnostics::{FileId, Span, TextRange};
use pcl::model::expression::{ExprId, ExprKind, Steps};
use pcl::model::relations::Key;
use pcl::model::scope::DefinitionId;
use pcl::model::value::Constant;
use pcl::syntax::ast::{self, AstNode as _};
use pcl::syntax::is_identifier;

use crate::analysis::variables;
use crate::element::{Element, element_at};
use crate::{Analysis, FilePosition, ModuleId, NodeRef};

/// A name that a program declares.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Name {
    /// A node of the program or of one of its components. Configs and outputs of a component are
    /// what its users know as inputs and outputs.
    Node(NodeRef),
    /// A variable of a loop, by the place of its declaration.
    Variable(Span),
    /// The `range` of a resource or component.
    Range(NodeRef),
}

/// The references to the names of a program, by name and in order.
#[derive(Debug, Default)]
pub(crate) struct References(BTreeMap<Name, Vec<Span>>);

impl References {
    /// Finds all references in one pass over the expressions.
    pub(crate) fn new(analysis: &Analysis) -> Self {
        let mut found = Finder::new(analysis);
        found.expressions();
        found.inputs();
        let mut references = found.references;
        for spans in references.values_mut() {
            spans.sort();
            spans.dedup();
        }
        Self(references)
    }

    fn of(&self, name: Name) -> &[Span] {
        self.0.get(&name).map_or(&[], Vec::as_slice)
    }
}

struct Finder<'a> {
    analysis: &'a Analysis,
    references: BTreeMap<Name, Vec<Span>>,
    /// The component that the value of an expression is, or is an element of.
    components: HashMap<ExprId, NodeRef>,
    /// The collections that the items of splats and loops come from.
    sources: HashMap<DefinitionId, ExprId>,
}

impl<'a> Finder<'a> {
    fn new(analysis: &'a Analysis) -> Self {
        let exprs = analysis.checked.program.exprs.iter();
        let sources = exprs.filter_map(|(_, expr)| match &expr.kind {
            ExprKind::Splat(splat) => Some((splat.item, splat.source)),
            ExprKind::For(for_expr) => Some((for_expr.value_variable?, for_expr.collection)),
            _ => None,
        });
        Self {
            analysis,
            references: BTreeMap::new(),
            components: HashMap::new(),
            sources: sources.collect(),
        }
    }

    /// Adds a reference, unless its text is another word: one that is misspelled.
    fn add(&mut self, name: Name, span: Span, word: &str) {
        if self.analysis.text(span) == word {
            self.references.entry(name).or_default().push(span);
        }
    }

    fn expressions(&mut self) {
        let program = &self.analysis.checked.program;
        for (id, expr) in program.exprs.iter() {
            match &expr.kind {
                ExprKind::Traversal(traversal) => {
                    let Some(definition) = traversal.definition else { continue };
                    let word = program.types.name(traversal.root);
                    let span = Span::new(expr.file, traversal.root_range);
                    let name = name_of(self.analysis, span, definition);
                    if let Some(name) = name {
                        self.add(name, span, word);
                    }
                    let component = match name {
                        Some(Name::Node(node)) => Some(node),
                        _ => {
                            let source = self.sources.get(&definition);
                            source.and_then(|source| self.components.get(source).copied())
                        }
                    };
                    self.steps(id, component, expr.file, traversal.steps);
                }
                ExprKind::RelativeTraversal { source, steps } => {
                    let component = self.components.get(source).copied();
                    self.steps(id, component, expr.file, *steps);
                }
                ExprKind::Index { collection, .. } => {
                    if let Some(&component) = self.components.get(collection) {
                        self.components.insert(id, component);
                    }
                }
                _ => {}
            }
        }
    }

    /// Follows steps from a component: the first name is an output.
    fn steps(&mut self, id: ExprId, component: Option<NodeRef>, file: FileId, steps: Steps) {
        let program = &self.analysis.checked.program;
        let Some(component) = component else { return };
        let Some(module) = self.analysis.program_of(component) else { return };
        for step in program.exprs.steps(steps) {
            match &step.key {
                Key::Name(name) => {
                    let name = program.types.name(*name).to_owned();
                    return self.output(module, file, step.range, &name);
                }
                Key::Constant(Constant::String(name)) => {
                    let found = self.analysis.module(module);
                    if found.find(NodeKind::Output, name).is_some() {
                        return;
                    }
                }
                Key::Constant(_) | Key::Unknown(_) => {}
            }
        }
        self.components.insert(id, component);
    }

    fn output(&mut self, module: ModuleId, file: FileId, step: TextRange, name: &str) {
        let node = self.analysis.module(module).find(NodeKind::Output, name);
        if let Some(node) = node {
            let name_range = TextRange::new(step.end() - name.len() as u32, step.end());
            let output = Name::Node(NodeRef { module, node });
            self.add(output, Span::new(file, name_range), name);
        }
    }

    /// The inputs of components, which are the configs of their programs.
    fn inputs(&mut self) {
        for module in self.analysis.modules() {
            for (_, node) in self.analysis.module(module).nodes_with_ids() {
                let NodeBody::Component(body) = &node.body else { continue };
                let Some(inner) = body.program.map(ModuleId::Component) else { continue };
                for input in &body.inputs {
                    let config = self.analysis.module(inner).find(NodeKind::Config, &input.name);
                    if let Some(config) = config {
                        let name = Name::Node(NodeRef { module: inner, node: config });
                        let span = Span::new(node.file, input.name_range);
                        self.add(name, span, &input.name);
                    }
                }
            }
        }
    }
}

/// The name behind a definition that something at a place refers to.
pub(crate) fn name_of(analysis: &Analysis, place: Span, definition: DefinitionId) -> Option<Name> {
    let known = analysis.checked.program.scopes.definition(definition);
    if known.kind.node().is_some() {
        return analysis.node_of(place.file, definition).map(Name::Node);
    }
    match known.span {
        Some(span) => Some(Name::Variable(span)),
        None if analysis.text(place) == "range" => {
            let node = analysis.node_at(FilePosition::start_of(place))?;
            range_of(analysis, node).map(|_| Name::Range(node))
        }
        None => None,
    }
}

/// The place of the name in the option `range` of a node.
fn range_of(analysis: &Analysis, node: NodeRef) -> Option<Span> {
    let bound = analysis.node(node);
    let syntax = analysis.module(node.module).syntax(bound);
    let body = ast::Block::cast(syntax)?.body()?;
    let mut options = body.blocks().filter(|block| {
        let keyword = block.keyword();
        keyword.is_some_and(|keyword| keyword.text() == "options")
    });
    let attributes = options.next()?.body()?.attributes();
    let mut names = attributes.filter_map(ast::Attribute::name);
    let name = names.find(|name| name.text() == "range")?;
    Some(Span::new(bound.file, name.range()))
}

/// The name at a place, and the range of the word there.
pub fn name_at(analysis: &Analysis, at: FilePosition) -> Option<(Name, Span)> {
    let (element, span) = element_at(analysis, at)?;
    let name = match element {
        Element::Declaration(node) => Name::Node(node),
        Element::Variable(definition) => {
            Name::Variable(analysis.checked.program.scopes.definition(definition).span?)
        }
        Element::Reference(_, definition) => name_of(analysis, span, definition)?,
        Element::Input(node, input) => {
            let module = analysis.program_of(node)?;
            let node = analysis.module(module).find(NodeKind::Config, &input)?;
            Name::Node(NodeRef { module, node })
        }
        Element::Step(..) => {
            return analysis.references().0.iter().find_map(|(&name, spans)| {
                // The places are in order and do not overlap.
                let next = spans.partition_point(|other| {
                    (other.file, other.range.end()) < (at.file, at.offset)
                });
                let span = *spans.get(next)?;
                (span.file == at.file && at.touches(span.range)).then_some((name, span))
            });
        }
        Element::Attribute(_, rule) if rule.name == "range" => Name::Range(analysis.node_at(at)?),
        _ => return None,
    };
    Some((name, span))
}

/// The place of the declaration of a name, without quotes.
pub fn declaration(analysis: &Analysis, name: Name) -> Option<Span> {
    match name {
        Name::Node(node) => {
            let span = analysis.node(node).name_span();
            let text = analysis.text(span);
            let quotes = u32::from(text.len() > 1 && text.starts_with('"') && text.ends_with('"'));
            let range = TextRange::new(span.range.start() + quotes, span.range.end() - quotes);
            Some(Span::new(span.file, range))
        }
        Name::Variable(span) => Some(span),
        Name::Range(node) => range_of(analysis, node),
    }
}

/// The places that refer to a name, by file and place, without its declaration.
pub fn references(analysis: &Analysis, name: Name) -> &[Span] {
    analysis.references().of(name)
}

/// The text of a name.
pub fn text(analysis: &Analysis, name: Name) -> String {
    match name {
        Name::Node(node) => analysis.node(node).name.to_string(),
        Name::Variable(span) => analysis.text(span).to_owned(),
        Name::Range(_) => "range".to_owned(),
    }
}

/// The place that "go to definition" leads to: the declaration of the name at a place, or the first
/// file of the component whose source is there.
pub fn definition(analysis: &Analysis, at: FilePosition) -> Option<(Span, Span)> {
    let (element, span) = element_at(analysis, at)?;
    if let Element::Source(node) = element {
        let module = analysis.module(analysis.program_of(node)?);
        let first = *module.files.first()?;
        return Some((span, Span::new(first, TextRange::empty(0))));
    }
    let (name, span) = name_at(analysis, at)?;
    Some((span, declaration(analysis, name)?))
}

/// A declaration with the places that refer to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Declaration {
    /// The name in the declaration.
    pub name: Span,
    /// The places that refer to it, in order.
    pub references: Vec<Span>,
}

/// The declarations of a file that can be referred to, by place.
pub fn declarations(analysis: &Analysis, file: FileId) -> Vec<Declaration> {
    let nodes = analysis.nodes_in(file);
    let nodes = nodes.filter(|&node| analysis.node(node).kind != NodeKind::Pulumi);
    let declarations = nodes.map(|node| Declaration {
        name: analysis.node(node).name_span(),
        references: references(analysis, Name::Node(node)).to_vec(),
    });
    declarations.collect()
}

/// The reason why a name cannot be changed, for people.
pub type Refusal = String;

/// The name at a place that can be renamed, with the range of the word there.
///
/// # Errors
/// Returns the reason if there is no such name.
pub fn renamable(analysis: &Analysis, at: FilePosition) -> Result<(Name, Span), Refusal> {
    let refusal = || "only names that the program declares can be renamed".to_owned();
    let (name, span) = name_at(analysis, at).ok_or_else(refusal)?;
    match name {
        Name::Range(_) => Err("`range` is a word of the language".to_owned()),
        _ => Ok((name, span)),
    }
}

/// The places whose text a renaming replaces: the declaration and every reference.
///
/// A name that is known outside of the program, such as that of a config variable or a resource,
/// changes there too, as it does when people rename by hand.
///
/// # Errors
/// Returns the reason if the new name is none, or if something else would get its meaning.
pub fn rename(analysis: &Analysis, name: Name, new: &str) -> Result<Vec<Span>, Refusal> {
    if !is_identifier(new) || ["true", "false", "null"].contains(&new) {
        return Err(format!("`{new}` is not a name"));
    }
    let mut spans: Vec<Span> = declaration(analysis, name).into_iter().collect();
    spans.extend(references(analysis, name));
    if new == text(analysis, name) {
        return Ok(spans);
    }
    let clash = |what: &str| Err(format!("{what} is named `{new}` already"));
    let module = match name {
        Name::Node(node) => Some(node.module),
        Name::Variable(span) => analysis.module_of(span.file),
        Name::Range(_) => None,
    };
    if let Some(module) = module
        && is_declared(analysis, module, new)
    {
        return clash("another declaration");
    }
    if hides(analysis, &spans, new) {
        return clash("a variable of a loop around a reference");
    }
    if new == "range" || new == "args" {
        return Err(format!("`{new}` has a meaning of its own in some blocks"));
    }
    Ok(spans)
}

fn is_declared(analysis: &Analysis, module: ModuleId, name: &str) -> bool {
    let mut nodes = analysis.module(module).nodes.iter();
    nodes.any(|node| *node.name == *name)
}

/// Returns whether a loop that contains one of these places has a variable of a name, or a variable
/// among them is declared in a loop that contains such a loop.
fn hides(analysis: &Analysis, spans: &[Span], name: &str) -> bool {
    let program = &analysis.checked.program;
    program.exprs.iter().any(|(_, expr)| {
        let ExprKind::For(for_expr) = &expr.kind else { return false };
        let is_named = variables(for_expr)
            .any(|variable| program.types.name(program.scopes.definition(variable).name) == name);
        let contains = |span: &Span| {
            span.file == expr.file
                && expr.range.start() <= span.range.start()
                && span.range.end() <= expr.range.end()
        };
        is_named && spans.iter().any(contains)
    })
}
