//! Functions inside of values: as lambdas while they are short, and else as functions above the
//! statement.

use crate::helper::Helper;
use crate::module::Writer;
use crate::print::{Id, Node};

/// The columns up to which the body of a lambda is readable.
const MAX_WIDTH: usize = 56;

impl Writer<'_> {
    /// A function with these parameters, which are variables of the value.
    pub fn function(&mut self, parameters: Vec<String>, body: Id) -> Id {
        self.tree.release(body, &parameters);
        let captures = self.captured(&parameters, body);
        if self.tree.width(body) <= MAX_WIDTH {
            return self.tree.add(Node::Lambda { parameters, captures, body });
        }
        let all: Vec<String> = parameters.iter().chain(&captures).cloned().collect();
        let name = self.define(all.clone(), Vec::new(), body);
        if captures.is_empty() {
            return self.tree.name(name);
        }
        let arguments: Vec<Id> = all.into_iter().map(|name| self.tree.local(name)).collect();
        let body = self.tree.call(&name, arguments);
        self.tree.add(Node::Lambda { parameters, captures, body })
    }

    /// A function of several values that come as a dict, by the names of these variables.
    pub fn function_of_all(&mut self, names: &[String], body: Id) -> Id {
        self.tree.release(body, names);
        let captures = self.captured(names, body);
        let args = self.local("args");
        let mut entries = Vec::new();
        for name in names {
            let own = self.tree.local(&args);
            entries.push(self.tree.entry(own, name));
        }
        // A lambda looks its values up where it uses them.
        let extra: usize = names.iter().map(|_| args.len() + 4).sum();
        if self.tree.width(body) + extra <= MAX_WIDTH {
            let body = self.replaced(body, names, &entries);
            let parameters = vec![args];
            return self.tree.add(Node::Lambda { parameters, captures, body });
        }
        let variables: Vec<Id> = names.iter().map(|name| self.tree.local(name)).collect();
        let unpacked = match (&variables[..], &entries[..]) {
            (&[variable], &[entry]) => (variable, entry),
            _ => {
                let variables = self.tree.add(Node::Tuple(variables));
                (variables, self.tree.add(Node::Tuple(entries)))
            }
        };
        let (target, value) = unpacked;
        let unpack = self.tree.add(Node::Assign { target, ty: None, value: Some(value) });
        let all: Vec<String> = [args.clone()].into_iter().chain(captures.iter().cloned()).collect();
        let name = self.define(all.clone(), vec![unpack], body);
        if captures.is_empty() {
            return self.tree.name(name);
        }
        let arguments: Vec<Id> = all.into_iter().map(|name| self.tree.local(name)).collect();
        let body = self.tree.call(&name, arguments);
        self.tree.add(Node::Lambda { parameters: vec![args], captures, body })
    }

    /// A function without parameters that runs at once, or later.
    pub fn thunk(&mut self, body: Id, is_later: bool) -> Id {
        let id = self.function(Vec::new(), body);
        if !is_later && let Node::Lambda { parameters, body, .. } = self.tree.node(id).clone() {
            self.tree.replace(id, Node::Lambda { parameters, captures: Vec::new(), body });
        }
        id
    }

    /// The variables of the functions and loops around a function that it uses. Python would look
    /// them up when the function runs, which is after the last round of a loop.
    fn captured(&self, parameters: &[String], body: Id) -> Vec<String> {
        let mut free = self.tree.free(body);
        free.retain(|name| !parameters.contains(name));
        free
    }

    /// Defines a function above the statement, and returns its name.
    fn define(&mut self, parameters: Vec<String>, mut statements: Vec<Id>, body: Id) -> String {
        let place = format!("make_{}", self.place);
        let name = self.names.take(&place);
        statements.push(self.tree.add(Node::Return(body)));
        let returns = self.type_of_code(body).to_owned();
        self.used.insert("Any");
        let parameters = parameters.into_iter().map(|name| name + ": Any").collect();
        let function =
            self.tree.add(Node::Def { name: name.clone(), parameters, returns, body: statements });
        self.functions.push(function);
        name
    }

    /// The type of a value as its code tells it.
    fn type_of_code(&self, id: Id) -> &'static str {
        match self.tree.node(id) {
            Node::Text(_) | Node::Template { .. } => "str",
            Node::Call { callee, .. } => match self.tree.node(*callee) {
                Node::Name(name)
                    if [Helper::ToJson.name(), Helper::ToText.name()].contains(&&**name) =>
                {
                    "str"
                }
                _ => "Any",
            },
            _ => "Any",
        }
    }

    /// A copy of code in which a variable is something else.
    pub fn with_variable(&mut self, root: Id, name: &str, by: Id) -> Id {
        self.replaced(root, &[name.to_owned()], &[by])
    }

    /// A copy of code in which some variables are something else.
    fn replaced(&mut self, root: Id, names: &[String], by: &[Id]) -> Id {
        let mut copies = rustc_hash::FxHashMap::default();
        for id in self.tree.subtree(root) {
            let node = self.tree.node(id).clone();
            let copy = match &node {
                Node::Local(name) => {
                    let at = names.iter().position(|own| own == name);
                    at.and_then(|at| by.get(at).copied()).unwrap_or(id)
                }
                _ => {
                    let mut changed = false;
                    let node = node.map_parts(|part| {
                        let copy = copies.get(&part).copied().unwrap_or(part);
                        changed |= copy != part;
                        copy
                    });
                    if changed { self.tree.add(node) } else { id }
                }
            };
            copies.insert(id, copy);
        }
        copies.get(&root).copied().unwrap_or(root)
    }
}
