//! The sections of a program or component: `config`, or the `inputs` of a component, `variables`,
//! `resources` and `outputs`.

use std::collections::{BTreeMap, BTreeSet};

use pcl::document::{Body, Document, ExpressionIndex, Module, Node, NodeIndex, comment_lines};
use pcl::generated::Unsupported;
use pcl::names::Names;

use crate::expression::{LONG_KEY, Speaker};
use crate::limit::Limit;
use crate::package::ComponentPackages;
use crate::yaml::{Entry, Value, is_long_in_json};

/// The sections of a module.
#[derive(Default)]
pub(crate) struct Sections {
    pub required_version: Option<Value>,
    pub config: Vec<Entry>,
    pub variables: Vec<Entry>,
    pub resources: Vec<Entry>,
    pub outputs: Vec<Entry>,
    pub unsupported: Vec<Unsupported>,
}

/// The result of a declaration.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum State {
    /// Its turn has not come: what it needs comes first.
    Pending,
    Written,
    LeftOut,
}

/// Writes a module.
pub(crate) struct ModuleWriter<'d> {
    pub document: &'d Document,
    pub module: &'d Module,
    pub packages: &'d ComponentPackages,
    /// The name of each declaration in YAML; empty for what nothing can refer to.
    pub keys: Vec<String>,
    pub states: Vec<State>,
    /// Those that are outputs for Pulumi YAML.
    pub late: Vec<bool>,
    /// True for a component.
    pub is_component: bool,
    pub names: Names,
    pub sections: Sections,
    /// True if the sections are written as JSON.
    is_json: bool,
}

impl<'d> ModuleWriter<'d> {
    pub fn new(
        document: &'d Document,
        module: &'d Module,
        packages: &'d ComponentPackages,
        is_json: bool,
    ) -> Self {
        // Config, variables and resources share one space of names, in which `pulumi` is taken.
        let mut names = Names::new(&["pulumi"]);
        let is_component = !std::ptr::eq(module, &document.main);
        let dependencies = module.nodes.iter().flat_map(|node| &node.dependencies);
        let referred: BTreeSet<usize> = dependencies.map(|node| node.index()).collect();
        let mut key = |(at, node): (usize, &Node)| match node.body {
            Body::Hook(_) | Body::Pulumi { .. } => String::new(),
            Body::Output { .. } if !referred.contains(&at) => String::new(),
            _ => names.identifier(&node.name),
        };
        Self {
            document,
            module,
            packages,
            keys: module.nodes.iter().enumerate().map(&mut key).collect(),
            states: vec![State::Pending; module.nodes.len()],
            late: vec![false; module.nodes.len()],
            is_component,
            names,
            sections: Sections::default(),
            is_json,
        }
    }

    /// Writes the declarations, each after those that it needs, so that a reference knows whether
    /// its target was written.
    pub fn write(mut self) -> Sections {
        for (index, node) in self.module.in_order() {
            let is_late = match &node.body {
                Body::Config(_) => self.is_component || self.document.is_eventual(node.ty),
                Body::Local { value } | Body::Output { value } => {
                    value.is_some_and(|value| self.is_late(value))
                }
                _ => false,
            };
            if let Some(known) = self.late.get_mut(index.index()) {
                *known = is_late;
            }
            let state = if self.node(index, node) { State::Written } else { State::LeftOut };
            if let Some(known) = self.states.get_mut(index.index()) {
                *known = state;
            }
        }
        self.sections
    }

    /// Returns true if other declarations can refer to this one.
    fn node(&mut self, index: NodeIndex, node: &'d Node) -> bool {
        match &node.body {
            Body::Resource(_) | Body::Read(_) | Body::Component(_) => {
                let Some(resource) = self.resource(index, node) else { return false };
                self.sections.resources.push(resource);
            }
            Body::Config(config) => {
                let Some(config) = self.config(index, node, config) else { return false };
                self.sections.config.push(config);
            }
            Body::Local { value } => {
                let before = self.sections.unsupported.len();
                let Some(value) = value.and_then(|value| self.say(value)) else {
                    // Nothing is lost but in what refers to it.
                    let own = self.sections.unsupported.iter_mut().skip(before);
                    own.for_each(|unsupported| unsupported.is_loss = false);
                    return false;
                };
                let variable = self.entry(node, self.key(index).to_owned(), value);
                self.sections.variables.push(variable);
            }
            Body::Output { value } => {
                let Some(value) = value.and_then(|value| self.say(value)) else { return false };
                if self.sections.outputs.iter().any(|output| output.key == node.logical_name()) {
                    self.limit(Limit::Key, node, "Pulumi YAML cannot have two outputs of one name");
                    return false;
                }
                if self.is_json && is_long_in_json(node.logical_name()) {
                    self.limit(Limit::Key, node, LONG_KEY);
                    return false;
                }
                // Outputs cannot be referred to. One that is has its value in a variable.
                let key = self.key(index).to_owned();
                let value = if key.is_empty() {
                    value
                } else {
                    self.sections.variables.push(Entry::new(key.clone(), value));
                    Value::Path(key)
                };
                let output = self.entry(node, node.logical_name().to_owned(), value);
                self.sections.outputs.push(output);
            }
            Body::Hook(_) => {
                self.limit(Limit::Hook, node, "Pulumi YAML has no hooks; this one is left out");
                return false;
            }
            Body::Pulumi { required_version } => {
                let version = required_version.and_then(|version| self.say(version));
                self.sections.required_version = version;
            }
        }
        true
    }

    /// The name of a declaration in YAML.
    pub fn key(&self, node: NodeIndex) -> &str {
        self.keys.get(node.index()).map_or("", String::as_str)
    }

    /// The value of an expression. When it cannot be said, the reasons are kept.
    pub fn say(&mut self, expression: ExpressionIndex) -> Option<Value> {
        let mut speaker = Speaker {
            document: self.document,
            module: self.module,
            keys: &self.keys,
            states: &self.states,
            names: &mut self.names,
            is_json: self.is_json,
            variables: Vec::new(),
            said: BTreeMap::new(),
        };
        match speaker.say(expression) {
            Ok(value) => {
                self.sections.variables.extend(speaker.variables);
                Some(value)
            }
            Err(reasons) => {
                self.sections.unsupported.extend(reasons);
                None
            }
        }
    }

    pub fn limit(&mut self, limit: Limit, node: &Node, message: &str) {
        let unsupported = limit.at(node.name_range, message);
        self.sections.unsupported.push(unsupported);
    }

    /// An entry for a declaration, with its comments.
    pub fn entry(&self, node: &Node, key: String, value: Value) -> Entry {
        let comments = &node.comments;
        let inside = comments.items.iter().flat_map(|item| item.comments.around());
        let all = [&comments.detached, &comments.leading, &comments.open];
        let last = [&comments.close, &comments.trailing];
        let all = all.into_iter().flatten().chain(inside);
        Entry { comments: comment_lines(all.chain(last.into_iter().flatten())), key, value }
    }
}
