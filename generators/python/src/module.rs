//! The program itself, or a component, as a module of Python.

use std::collections::{BTreeMap, BTreeSet};

use pcl::document::{
    Body, Component, Document, ExpressionIndex, Module, Node, NodeIndex, Place, VariableIndex,
    comment_lines,
};
use pcl::generated::Unsupported;
use pcl_codegen::{Limit, LocalNames, Names, comments_of};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::component::ComponentTypes;
use crate::helper::Helper;
use crate::keys::Form;
use crate::names::names;
use crate::package::{BUILT_IN, Packages, Path};
use crate::print::{self, Id, Tree};
use crate::types;

/// The parts that the modules of a project share.
pub(crate) struct Shared<'d> {
    pub document: &'d Document,
    pub packages: Packages<'d>,
    /// The file of each component, without its extension.
    pub component_files: Vec<String>,
    /// The type token of each component.
    pub component_tokens: Vec<&'d str>,
    pub component_types: ComponentTypes,
    /// The inputs of each component that its registration must not wait for.
    pub deferred_inputs: Vec<BTreeSet<&'d str>>,
    /// True to write nested inputs as instances of classes.
    pub has_classes: bool,
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
    /// The declarations that another one refers to.
    pub referred: FxHashSet<NodeIndex>,
    /// The declarations of plain objects that are used where an SDK has a type of its own.
    pub untyped: FxHashSet<NodeIndex>,
    /// The names of packages in the module.
    pub imports: BTreeMap<String, String>,
    /// The packages that are used.
    pub imported: BTreeSet<String>,
    /// The modules of Python, and the names in them, that are used.
    pub used: BTreeSet<&'static str>,
    pub helpers: BTreeSet<Helper>,
    /// The components that are used, by the name of their class.
    pub classes: BTreeMap<String, String>,
    pub unsupported: Vec<Unsupported>,
    /// The functions that the present statement needs.
    pub functions: Vec<Id>,
    /// The name of what is being written, for the functions that it needs.
    pub place: String,
    /// The names of variables in the value that is being written.
    pub variables: FxHashMap<VariableIndex, String>,
    pub local_names: LocalNames,
    /// The code of the parts of that value.
    pub values: FxHashMap<ExpressionIndex, Id>,
    /// The parts of that value where a step that leads nowhere has to fail.
    pub checked: FxHashSet<ExpressionIndex>,
    /// The parts of that value that functions return which have to return outputs.
    pub returned: FxHashSet<ExpressionIndex>,
    /// The forms of the objects in that value.
    pub forms: FxHashMap<ExpressionIndex, Form>,
    /// The variables in that value whose objects may be dicts.
    pub flat: FxHashSet<VariableIndex>,
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
        for helper in Helper::ALL {
            names.take(helper.name());
        }
        if component.is_some() {
            for name in ["self", "name", "args", "opts"] {
                names.take(name);
            }
        }
        let mut imports = BTreeMap::new();
        for package in &module.packages {
            let name = &package.name;
            if name != BUILT_IN {
                imports.insert(name.clone(), names.take(name));
            }
        }
        let referred = module.nodes.iter().flat_map(|node| node.dependencies.iter().copied());
        let mut writer = Self {
            shared,
            document: shared.document,
            module,
            module_index,
            component,
            tree: Tree::default(),
            names,
            keys: Vec::new(),
            referred: referred.collect(),
            untyped: FxHashSet::default(),
            imports,
            imported: BTreeSet::new(),
            used: BTreeSet::new(),
            helpers: BTreeSet::new(),
            classes: BTreeMap::new(),
            unsupported: Vec::new(),
            functions: Vec::new(),
            place: String::new(),
            variables: FxHashMap::default(),
            local_names: LocalNames::default(),
            values: FxHashMap::default(),
            checked: FxHashSet::default(),
            returned: FxHashSet::default(),
            forms: FxHashMap::default(),
            flat: FxHashSet::default(),
            deferred: FxHashMap::default(),
            waiting: FxHashMap::default(),
            has_config: false,
        };
        writer.keys = writer.name_nodes();
        writer.untyped = writer.untyped();
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
                        Body::Output { .. } if self.component.is_some() => {
                            format!("self.{}", crate::names::attribute(node.logical_name()))
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

    /// Returns true if a declaration needs no name in a function, where Python's linters take an
    /// unused one for a mistake.
    pub fn is_unused(&self, node: NodeIndex) -> bool {
        self.component.is_some() && !self.referred.contains(&node)
    }

    pub fn limit(&mut self, limit: Limit, place: Place, message: impl Into<String>) {
        self.unsupported.push(limit.at(place, message));
    }

    /// A member of a package as code.
    pub fn member(&mut self, path: &Path) -> Id {
        self.imported.extend(path.package.iter().cloned());
        let root = match &path.package {
            None => BUILT_IN.to_owned(),
            Some(package) => match self.imports.get(package) {
                Some(name) => name.clone(),
                None => {
                    let name = self.names.take(package);
                    self.imports.insert(package.clone(), name.clone());
                    name
                }
            },
        };
        let names = path.names.iter().fold(root, |path, name| format!("{path}.{name}"));
        self.tree.name(names)
    }

    /// The statement that gives the variable of a declaration its value.
    pub fn assign(&mut self, index: NodeIndex, name: &str, value: Id) -> Id {
        if !self.untyped.contains(&index) {
            return self.tree.assign(name, value);
        }
        self.used.insert("Any");
        self.tree.declare(name, "Any", Some(value))
    }

    /// A call of a function that the module contains.
    pub fn help<const N: usize>(&mut self, helper: Helper, arguments: [Id; N]) -> Id {
        self.need(helper);
        self.tree.call(helper.name(), arguments)
    }

    /// Makes a function part of the module, with those that it needs.
    pub fn need(&mut self, helper: Helper) {
        self.helpers.insert(helper);
        self.used.extend(helper.modules());
        match helper {
            Helper::SizeOf => self.need(Helper::CountCharacters),
            Helper::ToJsonOutput => self.need(Helper::ToJson),
            Helper::ToJson => self.need(Helper::Whole),
            _ => {}
        }
    }

    /// Imports the names in an annotation.
    pub fn use_names_of(&mut self, annotation: &str) {
        self.used.extend(types::IMPORTED.iter().filter(|name| annotation.contains(**name)));
    }

    /// A member of a module of Python, such as `base64.b64encode`.
    pub fn library(&mut self, module: &'static str) {
        self.used.insert(module);
    }

    /// A name for a variable inside of a value.
    pub fn variable(&mut self, variable: VariableIndex) -> String {
        if let Some(name) = self.variables.get(&variable) {
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
        if let Some(name) = self.deferred.get(&variable) {
            let name = name.clone();
            return self.tree.name(name);
        }
        let name = self.variable(variable);
        self.tree.local(name)
    }

    /// A name like `text` that is free inside of the value.
    pub fn local(&mut self, text: &str) -> String {
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
