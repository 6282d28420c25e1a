//! The program itself, or a component, as a file of Java.

use std::collections::BTreeSet;

use pcl::document::{
    Body as NodeBody, Component, Document, ExpressionIndex, Module, Node, NodeIndex, Place,
    TypeIndex, VariableIndex,
};
use pcl::generated::Unsupported;
use pcl_codegen::{Limit, Names, comments_of};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::import::Imports;
use crate::names::{names, variable};
use crate::package::Packages;
use crate::source::TypeReader;
use crate::syntax::{Body, Expr, Member, Stmt};
use crate::types::Ty;

/// The parts that the files of a project share.
pub(crate) struct Shared<'d> {
    pub document: &'d Document,
    pub packages: Packages<'d>,
    /// The class of each component, and that of its inputs.
    pub component_names: Vec<(String, String)>,
    /// The type token of each component.
    pub component_tokens: Vec<&'d str>,
    /// The inputs of each component that its registration must not wait for.
    pub deferred_inputs: Vec<BTreeSet<&'d str>>,
    /// The types of declarations that are components, by the type of the document.
    pub component_types: FxHashMap<TypeIndex, usize>,
}

/// The code of a value, and its type.
#[derive(Clone, Debug)]
pub(crate) struct Value {
    pub expr: Expr,
    pub ty: Ty,
}

impl Value {
    pub fn new(expr: Expr, ty: Ty) -> Self {
        Self { expr, ty }
    }

    pub fn text(text: impl Into<String>, ty: Ty) -> Self {
        Self::new(Expr::text(text), ty)
    }

    /// `null`
    pub fn null() -> Self {
        Self::new(Expr::null(), Ty::Null)
    }
}

/// Writes a file.
pub(crate) struct Writer<'d> {
    pub shared: &'d Shared<'d>,
    pub document: &'d Document,
    pub module: &'d Module,
    /// The position of the module among those of the document.
    pub module_index: usize,
    /// The component that the module is; `None` for the program itself.
    pub component: Option<&'d Component>,
    pub names: Names,
    pub imports: Imports,
    /// The name of each declaration.
    pub keys: Vec<String>,
    /// All of these names.
    declared: FxHashSet<String>,
    /// The code of each declaration.
    pub nodes: FxHashMap<NodeIndex, Value>,
    pub unsupported: Vec<Unsupported>,
    /// The classes that values of the file need.
    pub members: Vec<Member>,
    /// The blocks that are being made, each inside of the one before.
    blocks: Vec<Vec<Stmt>>,
    /// The names of variables inside of functions and loops that are being written.
    locals: Vec<String>,
    /// All names that such variables ever had.
    all_locals: FxHashSet<String>,
    /// The code of variables inside of values.
    pub variables: FxHashMap<VariableIndex, Value>,
    /// The key and the value of the range of the present block.
    pub range: Option<(Value, Value)>,
    /// The depth of the present expression.
    pub depth: usize,
    /// The number of expressions that may still be written for the present value.
    pub fuel: usize,
    /// The place in the program of the present value.
    pub at: Option<Place>,
    /// Set while a value is written that is a secret as a whole.
    pub is_in_secret: bool,
    /// The depth of `try` and `can` around the present expression.
    pub attempts: usize,
    /// The variables that wait for the outputs of later components.
    pub waiting: FxHashMap<NodeIndex, Vec<(String, Ty, ExpressionIndex)>>,
    /// True if the program has configuration.
    pub has_config: bool,
    /// The types that were read, each with the depth up to which it was.
    pub read_types: FxHashMap<(TypeIndex, usize), Ty>,
}

impl<'d> Writer<'d> {
    pub fn new(
        shared: &'d Shared<'d>,
        module: &'d Module,
        module_index: usize,
        component: Option<&'d Component>,
    ) -> Self {
        let mut names = names();
        if component.is_some() {
            names.take_exactly("name");
        }
        let own = shared.component_names.iter().flat_map(|(a, b)| [a.as_str(), b.as_str()]);
        let mut writer = Self {
            shared,
            document: shared.document,
            module,
            module_index,
            component,
            names,
            imports: Imports::new(["App", "Helpers"].into_iter().chain(own)),
            keys: Vec::new(),
            declared: FxHashSet::default(),
            nodes: FxHashMap::default(),
            unsupported: Vec::new(),
            members: Vec::new(),
            blocks: Vec::new(),
            locals: Vec::new(),
            all_locals: FxHashSet::default(),
            variables: FxHashMap::default(),
            range: None,
            depth: 0,
            fuel: 0,
            at: None,
            is_in_secret: false,
            attempts: 0,
            waiting: FxHashMap::default(),
            has_config: false,
            read_types: FxHashMap::default(),
        };
        writer.keys = writer.name_nodes();
        writer.declared = writer.keys.iter().cloned().collect();
        writer
    }

    /// A name for each declaration.
    fn name_nodes(&mut self) -> Vec<String> {
        let mut keys = vec![String::new(); self.module.nodes.len()];
        for outputs in [false, true] {
            for (node, key) in self.module.nodes.iter().zip(&mut keys) {
                if matches!(node.body, NodeBody::Output { .. }) == outputs {
                    *key = match &node.body {
                        NodeBody::Pulumi { .. } => String::new(),
                        _ => self.names.take(&node.name),
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

    /// The name of a class in the file.
    pub fn class(&mut self, path: &str) -> String {
        self.imports.name(path)
    }

    /// Reads types of the document.
    pub fn types(&mut self) -> TypeReader<'_, 'd> {
        TypeReader { writer: self }
    }

    /// The class of a component.
    pub fn component_name(&self, at: usize) -> String {
        self.shared.component_names.get(at).map(|(name, _)| name.clone()).unwrap_or_default()
    }

    /// The class of a component's inputs.
    pub fn component_args(&self, at: usize) -> String {
        self.shared.component_names.get(at).map(|(_, args)| args.clone()).unwrap_or_default()
    }
}

/// Blocks of statements.
impl Writer<'_> {
    /// Adds a statement to the present block.
    pub fn emit(&mut self, statement: Stmt) {
        if let Some(block) = self.blocks.last_mut() {
            block.push(statement);
        }
    }

    /// The statement that declares a variable with a value.
    pub fn define(&mut self, name: &str, value: Value) -> Value {
        let ty = declared_type(&value);
        self.emit(Stmt::Define { ty, name: name.to_owned(), value: Some(value.expr) });
        let ty = if value.ty == Ty::Null { Ty::Any } else { value.ty };
        Value::text(name, ty)
    }

    /// A variable like `hint` with this value.
    pub fn hoist(&mut self, hint: &str, value: Value) -> Value {
        let name = self.names_take(hint);
        self.define(&name, value)
    }

    /// A value as a name, or a path of names.
    pub fn simple(&mut self, hint: &str, value: Value) -> Value {
        if value.expr.is_simple() { value } else { self.hoist(hint, value) }
    }

    /// A name that nothing else in the file has.
    pub fn names_take(&mut self, hint: &str) -> String {
        loop {
            let name = self.names.take(hint);
            if !self.all_locals.contains(&name) {
                return name;
            }
        }
    }

    /// A name for a variable of a function or loop, until [`release`](Self::release).
    pub fn local(&mut self, hint: &str) -> String {
        let base = variable(hint);
        let mut name = base.clone();
        let mut number = 1;
        // Java lets no parameter have the name of a variable around it.
        while self.locals.contains(&name) || !self.names.is_free(&name) {
            number += 1;
            name = format!("{base}{number}");
        }
        self.locals.push(name.clone());
        self.all_locals.insert(name.clone());
        name
    }

    pub fn locals(&self) -> usize {
        self.locals.len()
    }

    /// Forgets the variables of functions and loops behind the first `count`.
    pub fn release(&mut self, count: usize) {
        self.locals.truncate(count);
    }

    /// The statements that `write` makes, as a block.
    pub fn block<R>(&mut self, write: impl FnOnce(&mut Self) -> R) -> (Vec<Stmt>, R) {
        self.resumed(Vec::new(), write)
    }

    /// A block with further statements.
    pub fn resumed<R>(
        &mut self,
        statements: Vec<Stmt>,
        write: impl FnOnce(&mut Self) -> R,
    ) -> (Vec<Stmt>, R) {
        self.blocks.push(statements);
        let result = write(self);
        (self.blocks.pop().unwrap_or_default(), result)
    }

    /// A function with these parameters that returns a value, and the type of the value.
    pub fn function(
        &mut self,
        parameters: &str,
        write: impl FnOnce(&mut Self) -> Value,
    ) -> (Expr, Ty) {
        let (mut body, value) = self.block(write);
        let ty = if value.ty == Ty::Null { Ty::Any } else { value.ty };
        let body = if body.is_empty() {
            Body::Value(value.expr)
        } else {
            body.push(Stmt::Return(value.expr));
            Body::Block(body)
        };
        (Expr::Lambda { parameters: parameters.to_owned(), body: Box::new(body) }, ty)
    }

    /// Statements for a declaration, with its comments.
    pub fn comment(&mut self, node: &Node) {
        let mut comments = comments_of(node);
        comments.extend(pcl::document::comment_lines(&node.comments.trailing));
        if !comments.is_empty() {
            self.emit(Stmt::Comment(comments));
        }
    }
}

/// The type in the declaration of a variable: `var` where Java finds the right one.
pub(crate) fn declared_type(value: &Value) -> String {
    let is_plain = |ty: &Ty| ty.is_simple() || matches!(ty, Ty::Named(_));
    let is_inferred = match &value.expr {
        Expr::Text(text) => text != "null",
        Expr::Lambda { .. } => false,
        _ => true,
    };
    if is_inferred && is_plain(value.ty.content()) { "var".to_owned() } else { value.ty.text() }
}
