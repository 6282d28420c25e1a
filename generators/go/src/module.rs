//! The program itself, or a component, as a file of Go.

use std::collections::{BTreeMap, BTreeSet};

use pcl::document::{
    Body, Component, Document, ExpressionIndex, ExpressionKind, Module, Node, NodeIndex, Place,
    Reference, TypeIndex, VariableIndex,
};
use pcl::generated::Unsupported;
use pcl_codegen::{Limit, Names, comments_of};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::helper::Helper;
use crate::names::{exported, names, variable};
use crate::package::{PULUMI, Packages, Path};
use crate::source::TypeReader;
use crate::syntax::{Expr, Stmt, names_in, tidy};
use crate::types::Ty;

/// The parts that the files of a project share.
pub(crate) struct Shared<'d> {
    pub document: &'d Document,
    pub packages: Packages<'d>,
    /// The type of each component.
    pub component_names: Vec<String>,
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

    /// `nil`
    pub fn null() -> Self {
        Self::new(Expr::nil(), Ty::Null)
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
    /// The name of each declaration.
    pub keys: Vec<String>,
    /// All of these names.
    declared: FxHashSet<String>,
    /// The code of each declaration.
    pub nodes: FxHashMap<NodeIndex, Value>,
    /// The import paths of the file, with their names.
    pub imports: BTreeMap<String, String>,
    pub unsupported: Vec<Unsupported>,
    /// The blocks that are being made, each inside of the one before.
    blocks: Vec<Vec<Stmt>>,
    /// The names of variables inside of functions and loops that are being written.
    locals: Vec<String>,
    /// All names that such variables ever had.
    all_locals: FxHashSet<String>,
    /// The names of declarations that the function which is begun refers to; its parameters may
    /// have the names of others.
    pub used: Option<FxHashSet<String>>,
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
    /// The depth of `try` and `can` around the present expression.
    pub attempts: usize,
    /// The functions that give the variables for outputs of later components their values.
    pub waiting: FxHashMap<NodeIndex, Vec<(String, ExpressionIndex)>>,
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
        for helper in Helper::ALL {
            names.take(helper.name());
        }
        if component.is_some() {
            for name in ["component", "name", "opts"] {
                names.take_exactly(name);
            }
        }
        for name in &shared.component_names {
            names.take_exactly(name);
        }
        let mut writer = Self {
            shared,
            document: shared.document,
            module,
            module_index,
            component,
            names,
            keys: Vec::new(),
            declared: FxHashSet::default(),
            nodes: FxHashMap::default(),
            imports: BTreeMap::from([(PULUMI.to_owned(), "pulumi".to_owned())]),
            unsupported: Vec::new(),
            blocks: Vec::new(),
            locals: Vec::new(),
            all_locals: FxHashSet::default(),
            used: None,
            variables: FxHashMap::default(),
            range: None,
            depth: 0,
            fuel: 0,
            at: None,
            attempts: 0,
            waiting: FxHashMap::default(),
            has_config: false,
            read_types: FxHashMap::default(),
        };
        writer.import_packages();
        writer.keys = writer.name_nodes();
        writer.declared = writer.keys.iter().cloned().collect();
        writer
    }

    /// Imports the packages of the declared resources, so that no declaration has their names.
    fn import_packages(&mut self) {
        for node in &self.module.nodes {
            if let Body::Resource(resource) | Body::Read(resource) = &node.body
                && let Some(token) = &resource.token
            {
                let member = self.document.resource_schema(node).map(|schema| schema.member);
                if let Some(path) = self.shared.packages.resource(member, token) {
                    self.import(&path);
                }
            }
        }
    }

    /// A name for each declaration.
    fn name_nodes(&mut self) -> Vec<String> {
        let mut keys = vec![String::new(); self.module.nodes.len()];
        for outputs in [false, true] {
            for (node, key) in self.module.nodes.iter().zip(&mut keys) {
                if matches!(node.body, Body::Output { .. }) == outputs {
                    *key = match &node.body {
                        Body::Pulumi { .. } => String::new(),
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

    /// The name under which a package is imported.
    fn import(&mut self, path: &Path) -> String {
        if let Some(name) = self.imports.get(&path.import) {
            return name.clone();
        }
        let mut name = path.alias.clone();
        while !self.names.is_free(&name) || self.all_locals.contains(&name) {
            name.push('_');
        }
        let name = self.names.take_exactly(&name);
        self.imports.insert(path.import.clone(), name.clone());
        name
    }

    /// A member of a package as code.
    pub fn member(&mut self, path: &Path) -> String {
        format!("{}.{}", self.import(path), path.name)
    }

    /// Reads types of the document.
    pub fn types(&mut self) -> TypeReader<'_, 'd> {
        TypeReader { writer: self }
    }

    /// The name of a component's type, as code.
    pub fn component_name(&self, at: usize) -> String {
        self.shared.component_names.get(at).cloned().unwrap_or_default()
    }

    /// The names of the inputs of a component, as struct fields.
    pub fn input_fields(component: &Component) -> Vec<(String, String)> {
        let mut names = crate::names::names();
        let configs =
            component.module.nodes.iter().filter(|node| matches!(node.body, Body::Config(_)));
        let field = |node: &Node| {
            let name = exported(node.logical_name());
            (node.logical_name().to_owned(), names.take_exactly(&name))
        };
        configs.map(field).collect()
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

    /// A variable like `hint` with this value.
    pub fn hoist(&mut self, hint: &str, value: Value) -> Value {
        let name = self.names_take(hint);
        match value.ty {
            _ if value.expr.is_nil() => {
                let ty = value.ty.text();
                self.emit(Stmt::Declare { name: name.clone(), ty, value: None });
            }
            _ => self.emit(Stmt::define([&name], value.expr)),
        }
        Value::text(name, value.ty)
    }

    /// A variable for the value of a call that gives an error as well.
    pub fn hoist_call(&mut self, hint: &str, call: Expr, ty: Ty) -> Value {
        let name = self.names_take(hint);
        self.emit(Stmt::define([&name, "err"], call));
        self.emit(Stmt::check());
        Value::text(name, ty)
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
        while !self.may_be_local(&name) {
            number += 1;
            name = format!("{base}{number}");
        }
        self.locals.push(name.clone());
        self.all_locals.insert(name.clone());
        name
    }

    fn may_be_local(&self, name: &String) -> bool {
        let hides = || match &self.used {
            Some(used) => self.declared.contains(name) && !used.contains(name),
            None => false,
        };
        !self.locals.contains(name) && (self.names.is_free(name) || hides())
    }

    /// Allows that the parameters of a function around a value have the names of declarations that
    /// it does not refer to.
    pub fn hide_for(&mut self, body: ExpressionIndex) {
        let document = self.document;
        let mut used = FxHashSet::default();
        for part in document.walk(body) {
            let ExpressionKind::Traversal(traversal) = &document.expression(part).kind else {
                continue;
            };
            match traversal.reference {
                Reference::Node(node) => _ = used.insert(self.key(node)),
                // Its code may be that of a declaration.
                Reference::Variable(variable) => {
                    if let Some(value) = self.variables.get(&variable) {
                        names_in(&value.expr, &mut used);
                    }
                }
                _ => {}
            }
        }
        self.used = Some(used);
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
        parameters: String,
        always_fails: bool,
        write: impl FnOnce(&mut Self) -> Value,
    ) -> (Expr, Ty) {
        let (mut body, value) = self.block(write);
        let ty = if value.ty == Ty::Null { Ty::Any } else { value.ty };
        let mut results = ty.text();
        if always_fails || may_return(&body) {
            results = format!("({results}, error)");
            finish(&mut body, value.expr);
            complete(&mut body, &ty.zero());
        } else {
            body.push(Stmt::Return(vec![value.expr]));
        }
        (Expr::Function { parameters, results, body }, ty)
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

/// Returns a value and no error. A call that gives both is returned as it is.
fn finish(body: &mut Vec<Stmt>, value: Expr) {
    if let [.., Stmt::Define { names, value: call, .. }, check] = &body[..]
        && *check == Stmt::check()
        && let [name, _] = &names[..]
        && value == Expr::text(name.clone())
    {
        let call = call.clone();
        body.truncate(body.len() - 2);
        body.push(Stmt::Return(vec![call]));
        return;
    }
    body.push(Stmt::Return(vec![value, Expr::nil()]));
}

/// Completes the statements that return an error: before it, they return `zero`.
pub(crate) fn complete(body: &mut [Stmt], zero: &str) {
    for statement in body {
        match statement {
            Stmt::Fail => {
                let zero = (!zero.is_empty()).then(|| Expr::text(zero));
                let values = zero.into_iter().chain([Expr::text("err")]);
                *statement = Stmt::Return(values.collect());
            }
            Stmt::If { body, otherwise, .. } => {
                complete(body, zero);
                complete(otherwise, zero);
            }
            Stmt::Range { body, .. } => complete(body, zero),
            _ => {}
        }
    }
}

/// The body of a function of the file.
pub(crate) fn finished(mut body: Vec<Stmt>, zero: &str) -> Vec<Stmt> {
    complete(&mut body, zero);
    tidy(&mut body);
    body
}

/// Returns true if statements return an error, outside of functions in them.
pub(crate) fn may_return(body: &[Stmt]) -> bool {
    body.iter().any(|statement| match statement {
        Stmt::Fail => true,
        Stmt::If { body, otherwise, .. } => may_return(body) || may_return(otherwise),
        Stmt::Range { body, .. } => may_return(body),
        _ => false,
    })
}
