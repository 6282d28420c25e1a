//! The names of a program: their declarations, and the places that refer to them.

use std::collections::{BTreeMap, HashMap};

use pcl::binder::{NodeBody, NodeId, NodeKind};
use pcl::diagnostics::{FileId, Span, TextRange};
use pcl::model::expression::{ExprId, ExprKind, Steps};
use pcl::model::relations::Key;
use pcl::model::scope::DefinitionId;
use pcl::model::value::Constant;
use pcl::syntax::ast::{self, AstNode as _};

use crate::element::{Element, element_at, program_of};
use crate::{Analysis, ModuleId, NodeRef};

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
                    let Some(definition) = traversal.definition else {
                        continue;
                    };
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
        let Some((component, module)) = component
            .and_then(|component| Some((component, program_of(self.analysis, component)?)))
        else {
            return;
        };
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
                let NodeBody::Component(body) = &node.body else {
                    continue;
                };
                let Some(inner) = body.program.map(ModuleId::Component) else {
                    continue;
                };
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
fn name_of(analysis: &Analysis, place: Span, definition: DefinitionId) -> Option<Name> {
    let known = analysis.checked.program.scopes.definition(definition);
    if let Some(node) = known.kind.node() {
        let module = analysis.module_of(place.file)?;
        let node = NodeRef { module, node: NodeId(node) };
        let is_there = node.node.index() < analysis.module(module).nodes.len();
        return is_there.then_some(Name::Node(node));
    }
    match known.span {
        Some(span) => Some(Name::Variable(span)),
        None if analysis.text(place) == "range" => {
            let node = analysis.node_at(place.file, place.range.start())?;
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
#[must_use]
pub fn name_at(analysis: &Analysis, file: FileId, offset: u32) -> Option<(Name, Span)> {
    let (element, span) = element_at(analysis, file, offset)?;
    let name = match element {
        Element::Declaration(node) => Name::Node(node),
        Element::Variable(definition) => {
            Name::Variable(analysis.checked.program.scopes.definition(definition).span?)
        }
        Element::Reference(_, definition) => name_of(analysis, span, definition)?,
        Element::Input(node, input) => {
            let module = program_of(analysis, node)?;
            let node = analysis.module(module).find(NodeKind::Config, &input)?;
            Name::Node(NodeRef { module, node })
        }
        Element::Step(..) => {
            return analysis.references().0.iter().find_map(|(&name, spans)| {
                let at = spans.binary_search_by(|other| match other.file.cmp(&file) {
                    std::cmp::Ordering::Equal if offset < other.range.start() => {
                        std::cmp::Ordering::Greater
                    }
                    std::cmp::Ordering::Equal if other.range.end() < offset => {
                        std::cmp::Ordering::Less
                    }
                    order => order,
                });
                Some((name, *spans.get(at.ok()?)?))
            });
        }
        Element::Attribute(_, rule) if rule.name == "range" => {
            Name::Range(analysis.node_at(file, offset)?)
        }
        _ => return None,
    };
    Some((name, span))
}

/// The place of the declaration of a name, without quotes.
#[must_use]
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
#[must_use]
pub fn references(analysis: &Analysis, name: Name) -> &[Span] {
    analysis.references().of(name)
}

/// The text of a name.
#[must_use]
pub fn text(analysis: &Analysis, name: Name) -> String {
    match name {
        Name::Node(node) => analysis.node(node).name.to_string(),
        Name::Variable(span) => analysis.text(span).to_owned(),
        Name::Range(_) => "range".to_owned(),
    }
}

/// The place that "go to definition" leads to: the declaration of the name at a place, or the first
/// file of the component whose source is there.
#[must_use]
pub fn definition(analysis: &Analysis, file: FileId, offset: u32) -> Option<(Span, Span)> {
    let (element, span) = element_at(analysis, file, offset)?;
    if let Element::Source(node) = element {
        let module = analysis.module(program_of(analysis, node)?);
        let first = *module.files.first()?;
        return Some((span, Span::new(first, TextRange::empty(0))));
    }
    let (name, span) = name_at(analysis, file, offset)?;
    Some((span, declaration(analysis, name)?))
}

/// The node that a definition is about, if it is one of the module of a file.
pub(crate) fn of_definition(
    analysis: &Analysis,
    file: FileId,
    definition: DefinitionId,
) -> Option<NodeRef> {
    let definition = analysis.checked.program.scopes.definition(definition);
    let node = NodeId(definition.kind.node()?);
    let module = analysis.module_of(file)?;
    let is_node = node.index() < analysis.module(module).nodes.len();
    is_node.then_some(NodeRef { module, node })
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
#[must_use]
pub fn declarations(analysis: &Analysis, file: FileId) -> Vec<Declaration> {
    let nodes = analysis.nodes_in(file);
    let nodes = nodes.filter(|&node| analysis.node(node).kind != NodeKind::Pulumi);
    let declarations = nodes.map(|node| Declaration {
        name: analysis.node(node).name_span(),
        references: references(analysis, Name::Node(node)).to_vec(),
    });
    declarations.collect()
}
