//! The program itself, or a component, as a module of TypeScript.

use std::collections::{BTreeMap, BTreeSet};

use pcl::document::{
    Body, Component, Document, ExpressionIndex, Module, Node, NodeIndex, Place, TypeIndex,
    VariableIndex, comment_lines,
};
use pcl::generated::Unsupported;
use pcl_codegen::{Limit, LocalNames, Names, comments_of};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::config;
use crate::helper::Helper;
use crate::names::{identifier, names};
use crate::package::{Packages, Path};
use crate::print::{self, Id, Tree, is_identifier};

/// The parts that the modules of a project share.
pub(crate) struct Shared<'d> {
    pub document: &'d Document,
    pub packages: Packages<'d>,
    /// The file of each component, without its extension.
    pub component_files: Vec<String>,
    /// The type token of each component.
    pub component_tokens: Vec<&'d str>,
    /// The inputs of each component that its registration must not wait for.
    pub deferred_inputs: Vec<BTreeSet<&'d str>>,
    /// The calls of functions that give outputs in TypeScript, and promises in the language.
    pub output_calls: FxHashSet<ExpressionIndex>,
}

/// Writes a module.
pub(crate) struct Writer<'d> {
    pub shared: &'d Shared<'d>,
    pub document: &'d Document,
    pub module: &'d Module,
    /// The position of the module among those of the document.
    pub module_index: usize,
    /// The component that the module is; `None` for the program itself.
    pub component: Option<&'d Component>,
    pub tree: Tree,
    pub names: Names,
    /// The name of each declaration.
    pub keys: Vec<String>,
    /// The names of packages in the module.
    pub imports: BTreeMap<String, String>,
    /// The modules of Node.js that are used.
    pub node_modules: BTreeSet<&'static str>,
    pub helpers: BTreeSet<Helper>,
    /// The components that are used, by the name of their class.
    pub classes: BTreeMap<String, String>,
    pub unsupported: Vec<Unsupported>,
    /// The names of variables in the value that is being written.
    pub variables: FxHashMap<VariableIndex, String>,
    pub local_names: LocalNames,
    /// The code of the parts of that value.
    pub values: FxHashMap<ExpressionIndex, Id>,
    /// The parts of that value where a step that leads nowhere has to fail.
    pub checked: FxHashSet<ExpressionIndex>,
    /// The parts of that value that functions return which have to return outputs.
    pub returned: FxHashSet<ExpressionIndex>,
    /// The types of conditionals whose branches have types that TypeScript does not unify.
    pub choices: FxHashMap<Id, TypeIndex>,
    /// True if the program waits for promises.
    pub is_async: bool,
    /// The names of the variables for outputs of later components.
    pub deferred: FxHashMap<VariableIndex, String>,
    /// The functions that give these variables their values, with the values, by the component that
    /// they wait for.
    pub waiting: FxHashMap<NodeIndex, Vec<(String, ExpressionIndex)>>,
    /// True if the program has configuration.
    pub has_config: bool,
}

impl<'d> Writer<'d> {
    pub fn new(
        shared: &'d Shared<'d>,
        module: &'d Module,
        module_index: usize,
        component: Option<&'d Component>,
    ) -> Self {
        let mut names = names();
        let node_modules = ["childProcess", "crypto", "fs", "util", "config"];
        for name in node_modules {
            names.take(name);
        }
        for helper in Helper::ALL {
            names.take(helper.name());
        }
        if component.is_some() {
            for name in ["name", "args", "opts"] {
                names.take(name);
            }
        }
        for component in &shared.document.components {
            names.take(&component.name);
        }
        let mut imports = BTreeMap::new();
        for package in &module.packages {
            let name = &package.name;
            if name != "pulumi" {
                imports.insert(name.clone(), names.take(&identifier(name)));
            }
        }
        let mut writer = Self {
            shared,
            document: shared.document,
            module,
            module_index,
            component,
            tree: Tree::default(),
            names,
            keys: Vec::new(),
            imports,
            node_modules: BTreeSet::new(),
            helpers: BTreeSet::new(),
            classes: BTreeMap::new(),
            unsupported: Vec::new(),
            variables: FxHashMap::default(),
            local_names: LocalNames::default(),
            values: FxHashMap::default(),
            checked: FxHashSet::default(),
            returned: FxHashSet::default(),
            choices: FxHashMap::default(),
            is_async: false,
            deferred: FxHashMap::default(),
            waiting: FxHashMap::default(),
            has_config: false,
        };
        writer.keys = writer.name_nodes();
        writer
    }

    /// A name for each declaration. Outputs come last: what they are called outside is not their
    /// name in the module.
    fn name_nodes(&mut self) -> Vec<String> {
        let mut keys = vec![String::new(); self.module.nodes.len()];
        for outputs in [false, true] {
            for (node, key) in self.module.nodes.iter().zip(&mut keys) {
                if matches!(node.body, Body::Output { .. }) == outputs {
                    *key = match &node.body {
                        Body::Pulumi { .. } => String::new(),
                        Body::Config(config)
                            if self.component.is_some() && config::is_bare(config) =>
                        {
                            format!("args.{}", node.logical_name())
                        }
                        Body::Output { .. }
                            if self.component.is_some() && is_identifier(node.logical_name()) =>
                        {
                            format!("this.{}", node.logical_name())
                        }
                        _ => self.names.declare(&node.name),
                    };
                }
            }
        }
        keys
    }

    pub fn key(&self, node: NodeIndex) -> String {
        self.keys.get(node.index()).cloned().unwrap_or_default()
    }

    pub fn limit(&mut self, limit: Limit, place: Place, message: impl Into<String>) {
        self.unsupported.push(limit.at(place, message));
    }

    /// A member of a package as code.
    pub fn member(&mut self, path: &Path) -> Id {
        let root = match &path.package {
            None => "pulumi".to_owned(),
            Some(package) => match self.imports.get(package) {
                Some(name) => name.clone(),
                None => {
                    let name = self.names.take(&identifier(package));
                    self.imports.insert(package.clone(), name.clone());
                    name
                }
            },
        };
        let mut id = self.tree.name(root);
        for name in &path.names {
            id = self.tree.member(id, name);
        }
        id
    }

    /// A name for a variable inside of a value.
    pub fn variable(&mut self, variable: VariableIndex) -> String {
        if let Some(name) = self.variables.get(&variable) {
            return name.clone();
        }
        if let Some(name) = self.deferred.get(&variable) {
            return name.clone();
        }
        let own = &self.document.variable(variable).name;
        let own = if own.is_empty() { "item" } else { own };
        let name = self.local(own);
        self.variables.insert(variable, name.clone());
        name
    }

    /// A variable inside of a value.
    pub fn variable_id(&mut self, variable: VariableIndex) -> Id {
        let name = self.variable(variable);
        self.tree.name(name)
    }

    /// A new variable with a name like `text` that is free inside of the value.
    pub fn local_id(&mut self, text: &str) -> Id {
        let name = self.local(text);
        self.tree.name(name)
    }

    /// A name like `text` that is free inside of the value.
    fn local(&mut self, text: &str) -> String {
        self.names.local(&mut self.local_names, text)
    }

    /// Statements for a declaration, with its comments.
    pub fn with_comments(&mut self, node: &Node, statements: Vec<Id>) -> Vec<Id> {
        let comments = comments_of(node);
        let mut all = Vec::new();
        if !comments.is_empty() {
            all.push(self.tree.add(print::Node::Comment(comments)));
        }
        all.extend(statements);
        let trailing = comment_lines(&node.comments.trailing);
        if !trailing.is_empty()
            && let Some(node) = all.pop()
        {
            let comment = trailing.join(" ");
            all.push(self.tree.add(print::Node::WithComment { node, comment }));
        }
        all
    }
}
