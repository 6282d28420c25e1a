//! The values that are known at once in the language, and later in TypeScript: inputs of components
//! and configuration with an output as its default, and what is computed of them.

use std::collections::{BTreeSet, HashMap, HashSet};

use pcl::document::{
    Body, Document, ExpressionIndex, ExpressionKind, Module, Node, NodeIndex, Reference,
};

use crate::module::Writer;
use crate::option;
use crate::print::{Id, Node as Code};
use crate::types::{Eventual, eventual};

/// The declarations of all modules whose values are known later.
#[derive(Debug, Default)]
pub(crate) struct Late {
    nodes: HashSet<(usize, NodeIndex)>,
}

impl Late {
    /// Decides for every input of a component: it is known later unless the component needs its
    /// value at once and every user of the component has it at once.
    pub fn of(document: &Document) -> Self {
        let modules: Vec<&Module> = document.modules().collect();
        let needed = needed(document, &modules);
        let mut late = Self::default();
        for (at, module) in modules.iter().enumerate() {
            for (index, node) in indexed(module) {
                let Body::Config(config) = &node.body else { continue };
                let is_input = at > 0 && !needed.contains(&(at, index));
                let default = config.default.is_some_and(|default| is_eventual(document, default));
                if !config.secret && (is_input || default) {
                    late.nodes.insert((at, index));
                }
            }
        }
        // Each round finds what the round before made late; there are at most as many rounds as
        // declarations, and few in practice.
        loop {
            let before = late.nodes.len();
            for (at, module) in modules.iter().enumerate() {
                late.visit(document, &modules, at, module);
            }
            if late.nodes.len() == before {
                return late;
            }
        }
    }

    fn visit(&mut self, document: &Document, modules: &[&Module], at: usize, module: &Module) {
        for (index, node) in module.in_order() {
            match &node.body {
                Body::Local { value: Some(value) } | Body::Output { value: Some(value) }
                    if self.refers(document, at, *value) =>
                {
                    self.nodes.insert((at, index));
                }
                Body::Component(component) => {
                    let Some(program) = component.program else { continue };
                    let inner = program.index() + 1;
                    for input in &component.inputs {
                        let is_late = self.refers(document, at, input.value)
                            || is_eventual(document, input.value);
                        let target = modules.get(inner).and_then(|module| {
                            let mut nodes = indexed(module);
                            nodes.find(|(_, node)| is_input(node, &input.name))
                        });
                        if let (true, Some((index, _))) = (is_late, target) {
                            self.nodes.insert((inner, index));
                        }
                    }
                }
                _ => {}
            }
        }
    }

    /// Returns true if a value refers to one that is known later.
    fn refers(&self, document: &Document, module: usize, value: ExpressionIndex) -> bool {
        references(document, value).into_iter().any(|node| self.contains(module, node))
    }

    /// Returns true if the value of a declaration is known later.
    pub fn contains(&self, module: usize, node: NodeIndex) -> bool {
        self.nodes.contains(&(module, node))
    }
}

fn is_input(node: &Node, name: &str) -> bool {
    matches!(node.body, Body::Config(_)) && node.logical_name() == name
}

fn indexed(module: &Module) -> impl Iterator<Item = (NodeIndex, &Node)> {
    (0..).map(NodeIndex).zip(&module.nodes)
}

/// Returns true if a value, or a part of it, is an output or promise.
fn is_eventual(document: &Document, value: ExpressionIndex) -> bool {
    document
        .walk(value)
        .into_iter()
        .any(|part| eventual(document, document.expression(part).ty) != Eventual::No)
}

/// The declarations that a value refers to.
fn references(document: &Document, value: ExpressionIndex) -> BTreeSet<NodeIndex> {
    let parts = document.walk(value).into_iter();
    parts.filter_map(|part| document.referred(part)).collect()
}

/// The inputs of components whose values are needed at once: for ranges, for options, for inputs
/// that accept plain values only, and for inputs of other components that are needed at once.
fn needed(document: &Document, modules: &[&Module]) -> HashSet<(usize, NodeIndex)> {
    let mut needed = HashSet::new();
    let mut open: Vec<(usize, ExpressionIndex)> = Vec::new();
    // The values that inputs of components get.
    let mut given: HashMap<(usize, String), Vec<(usize, ExpressionIndex)>> = HashMap::new();
    for (at, module) in modules.iter().enumerate() {
        for node in &module.nodes {
            for option in node.options() {
                if option::is_plain(&option.name) {
                    open.push((at, option.value));
                }
            }
            match &node.body {
                Body::Hook(hook) => {
                    let values = [hook.command, hook.on_dry_run, hook.ignore_errors];
                    open.extend(values.into_iter().flatten().map(|value| (at, value)));
                }
                Body::Pulumi { required_version } => {
                    open.extend(required_version.iter().map(|&value| (at, value)));
                }
                Body::Resource(resource) => {
                    for input in &resource.inputs {
                        let property = document.input_property(node, &input.name);
                        if property.is_some_and(|property| property.plain) {
                            open.push((at, input.value));
                        }
                    }
                }
                Body::Component(component) => {
                    let Some(program) = component.program else { continue };
                    for input in &component.inputs {
                        let key = (program.index() + 1, input.name.clone());
                        given.entry(key).or_default().push((at, input.value));
                    }
                }
                _ => {}
            }
        }
    }
    while let Some((at, value)) = open.pop() {
        let Some(module) = modules.get(at) else { continue };
        for index in references(document, value) {
            let Some(node) = module.node(index) else { continue };
            if !needed.insert((at, index)) {
                continue;
            }
            match &node.body {
                Body::Local { value: Some(value) } => open.push((at, *value)),
                Body::Config(config) => {
                    open.extend(config.default.map(|default| (at, default)));
                    let key = (at, node.logical_name().to_owned());
                    open.extend(given.get(&key).into_iter().flatten());
                }
                _ => {}
            }
        }
    }
    needed
}

/// The parts of a value that are computed of values which are known later.
#[derive(Debug, Default)]
pub(crate) struct Wraps {
    /// The declarations that each such part is computed of.
    pub parts: HashMap<ExpressionIndex, BTreeSet<NodeIndex>>,
    /// The references inside of these parts.
    pub inside: HashSet<ExpressionIndex>,
    /// Those of the parts that are templates of nothing but references.
    pub templates: HashSet<ExpressionIndex>,
}

impl Writer<'_> {
    /// Returns true if the value of a declaration is known later in TypeScript alone.
    pub fn is_late_node(&self, node: NodeIndex) -> bool {
        self.shared.late.contains(self.module_index, node)
    }

    /// Returns true if an expression refers to values that are known later in TypeScript alone.
    pub fn is_late_value(&self, value: ExpressionIndex) -> bool {
        references(self.document, value).into_iter().any(|node| self.is_late_node(node))
    }

    /// Finds the parts of a value that have to be computed once values are known. What only passes
    /// values on is no such part.
    pub fn wraps(&self, root: ExpressionIndex) -> Wraps {
        let document = self.document;
        let mut wraps = Wraps::default();
        if !self.is_late_value(root) {
            return wraps;
        }
        let mut open = vec![root];
        while let Some(index) = open.pop() {
            if !self.is_late_value(index) {
                continue;
            }
            match &document.expression(index).kind {
                ExpressionKind::Object { items }
                    if !items.iter().any(|item| self.is_late_value(item.key)) =>
                {
                    open.extend(items.iter().map(|item| item.value));
                }
                ExpressionKind::Tuple { elements } => open.extend(elements),
                ExpressionKind::Conditional { condition, if_true, if_false }
                    if !self.is_late_value(*condition) =>
                {
                    open.extend([*if_true, *if_false])
                }
                ExpressionKind::Traversal(traversal) if traversal.steps.is_empty() => {}
                ExpressionKind::Convert { value } if self.converts_nothing(*value, index) => {
                    open.push(*value);
                }
                ExpressionKind::Template { parts } if self.is_interpolation(parts) => {
                    wraps.parts.insert(index, BTreeSet::new());
                    wraps.templates.insert(index);
                }
                _ => {
                    let mut used = BTreeSet::new();
                    for part in document.walk(index) {
                        if let Some(node) = document.referred(part)
                            && self.is_late_node(node)
                        {
                            used.insert(node);
                            wraps.inside.insert(part);
                        }
                    }
                    wraps.parts.insert(index, used);
                }
            }
        }
        wraps
    }

    /// Returns true if the parts of a template that are known later are references.
    fn is_interpolation(&self, parts: &[ExpressionIndex]) -> bool {
        parts.iter().all(|&part| {
            let is_reference = match &self.document.expression(part).kind {
                ExpressionKind::Traversal(traversal) => {
                    matches!(traversal.reference, Reference::Node(_)) && traversal.steps.is_empty()
                }
                _ => false,
            };
            is_reference || !self.is_late_value(part)
        })
    }

    /// A part of a value as a computation on the values that it refers to.
    pub fn wrapped(&mut self, index: ExpressionIndex, body: Id, used: &BTreeSet<NodeIndex>) -> Id {
        if self.wraps.templates.contains(&index)
            && let Code::Template { texts, values, .. } = self.tree.node(body).clone()
        {
            let tag = Some("pulumi.interpolate");
            return self.tree.add(Code::Template { tag, texts, values });
        }
        let names = used.iter().map(|&node| self.parameter_of(node));
        let names: Vec<String> = names.collect();
        let names: Vec<Id> = names.into_iter().map(|name| self.tree.name(name)).collect();
        let sources: Vec<Id> = used.iter().map(|&node| self.late_source(node)).collect();
        match (&names[..], &sources[..]) {
            (&[name], &[source]) => self.once_known(source, (Eventual::Mixed, false), name, body),
            _ => self.all(false, sources, names, body),
        }
    }

    /// The name of a declaration inside of what is computed of its value.
    pub fn parameter_of(&self, node: NodeIndex) -> String {
        let key = self.key(node);
        let name = key.rsplit('.').next().unwrap_or_default();
        crate::names::Names::new().free(name)
    }

    fn late_source(&mut self, node: NodeIndex) -> Id {
        let key = self.key(node);
        self.tree.path(&key)
    }
}
