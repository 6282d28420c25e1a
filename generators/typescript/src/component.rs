//! Components as classes, and components that need each other.

use std::collections::BTreeSet;

use pcl::document::{Body, Document, ExpressionKind, Node, NodeIndex, Reference, VariableIndex};
use pcl::syntax::capitalized;

use crate::module::Writer;
use crate::print::{self, Entry, Id};
use crate::types;

/// The type tokens of the components of a document.
pub(crate) fn tokens(document: &Document) -> Vec<&str> {
    let mut tokens = vec![""; document.components.len()];
    for node in document.modules().flat_map(|module| &module.nodes) {
        if let Body::Component(component) = &node.body
            && let (Some(program), Some(token)) = (component.program, &component.token)
            && let Some(known @ &mut "") = tokens.get_mut(program.index())
        {
            *known = token;
        }
    }
    tokens
}

/// The inputs of each component of a document that need a later component somewhere.
pub(crate) fn deferred_inputs(document: &Document) -> Vec<BTreeSet<&str>> {
    let mut found = vec![BTreeSet::new(); document.components.len()];
    for node in document.modules().flat_map(|module| &module.nodes) {
        let Body::Component(component) = &node.body else { continue };
        let Some(program) = component.program else { continue };
        let later: Vec<VariableIndex> = component.deferred.iter().map(|it| it.variable).collect();
        let is_later = |part| match &document.expression(part).kind {
            ExpressionKind::Traversal(traversal) => {
                matches!(traversal.reference, Reference::Variable(it) if later.contains(&it))
            }
            _ => false,
        };
        let needs_later =
            |value| !later.is_empty() && document.walk(value).into_iter().any(is_later);
        let inputs = component.inputs.iter().filter(|input| needs_later(input.value));
        if let Some(known) = found.get_mut(program.index()) {
            known.extend(inputs.map(|input| &*input.name));
        }
    }
    found
}

impl<'d> Writer<'d> {
    /// The interface of the inputs and the class of a component. `statements` are those of its
    /// declarations.
    pub fn component_class(&mut self, class: &str, statements: Vec<Id>) -> Vec<Id> {
        let mut all = Vec::new();
        let inputs = self.inputs();
        let takes_inputs = !inputs.is_empty();
        let interface = format!("{class}Args");
        if takes_inputs {
            all.push(
                self.tree.add(print::Node::Interface { name: interface.clone(), fields: inputs }),
            );
            all.push(self.tree.add(print::Node::Empty));
        }
        let module = self.module;
        let mut members = Vec::new();
        let mut registered = Vec::new();
        let mut body = vec![self.super_call(takes_inputs)];
        if !statements.is_empty() {
            body.push(self.tree.add(print::Node::Empty));
            body.extend(statements);
        }
        body.push(self.tree.add(print::Node::Empty));
        for node in &module.nodes {
            let Body::Output { value } = &node.body else { continue };
            let ty = match value {
                Some(value) if types::is_dynamic(self.document, node.ty) => {
                    self.document.expression(*value).ty
                }
                _ => node.ty,
            };
            let inner = types::content(self.document, ty);
            let inner = match value {
                Some(value) if self.differs(*value) => self.any_record(),
                _ => types::unwrapped(self.document, &mut self.tree, inner),
            };
            let ty = self.tree.generic("pulumi.Output", [inner]);
            let name = node.logical_name().to_owned();
            let name = if print::is_identifier(&name) && name != "constructor" {
                name
            } else {
                print::quoted(&name)
            };
            members.push(self.tree.add(print::Node::Property { name, ty }));
            let this = self.tree.name("this");
            let target = self.tree.member(this, node.logical_name());
            registered.push(Entry::new(node.logical_name(), target));
        }
        let registered =
            if registered.is_empty() { Vec::new() } else { vec![self.expanded(registered)] };
        let done = self.tree.call("this.registerOutputs", registered);
        body.push(self.tree.add(print::Node::Evaluate(done)));
        if !members.is_empty() {
            members.push(self.tree.add(print::Node::Empty));
        }
        members.push(self.constructor(&interface, takes_inputs, body));
        all.push(self.tree.add(print::Node::Class {
            name: class.to_owned(),
            base: "pulumi.ComponentResource",
            members,
        }));
        all
    }

    fn super_call(&mut self, takes_inputs: bool) -> Id {
        // The program itself is the first module.
        let index = self.module_index.checked_sub(1);
        let token = index.and_then(|index| self.shared.component_tokens.get(index));
        let token = self.tree.text(token.copied().unwrap_or_default());
        let name = self.tree.name("name");
        let deferred = index.and_then(|index| self.shared.deferred_inputs.get(index));
        let args = match deferred {
            _ if !takes_inputs => self.tree.object(Vec::new()),
            // The registration waits for its inputs, and these wait for the registration.
            Some(deferred) if !deferred.is_empty() => self.known_inputs(deferred),
            _ => self.tree.name("args"),
        };
        let opts = self.tree.name("opts");
        let call = self.tree.call("super", [token, name, args, opts]);
        self.tree.add(print::Node::Evaluate(call))
    }

    /// The inputs without those that need a later component.
    fn known_inputs(&mut self, deferred: &BTreeSet<&str>) -> Id {
        let configs = self.module.nodes.iter().filter(|it| matches!(it.body, Body::Config(_)));
        let known = configs.map(Node::logical_name).filter(|name| !deferred.contains(name));
        let mut entries = Vec::new();
        for name in known {
            let args = self.tree.name("args");
            entries.push(Entry::new(name, self.tree.member(args, name)));
        }
        self.tree.object(entries)
    }

    fn constructor(&mut self, interface: &str, takes_inputs: bool, body: Vec<Id>) -> Id {
        let mut parameters = Vec::new();
        let mut parameter = |name: &str, optional, ty: &str| {
            let (name, ty) = (name.to_owned(), self.tree.name(ty));
            parameters.push(self.tree.add(print::Node::Parameter { name, optional, ty }));
        };
        parameter("name", false, "string");
        if takes_inputs {
            parameter("args", false, interface);
        }
        parameter("opts", true, "pulumi.ComponentResourceOptions");
        let body = self.tree.add(print::Node::Block(body));
        self.tree.add(print::Node::Constructor { parameters, body })
    }

    /// The variables that hold the outputs of later components.
    pub fn deferred(&mut self, node: &Node) -> Vec<Id> {
        let Body::Component(component) = &node.body else { return Vec::new() };
        let mut statements = Vec::new();
        for deferred in &component.deferred {
            let variable = self.document.variable(deferred.variable);
            let ty = types::content(self.document, variable.ty);
            let ty = types::unwrapped(self.document, &mut self.tree, ty);
            let name = self.names.take(&variable.name);
            let resolve = self.names.take(&format!("resolve{}", capitalized(&variable.name)));
            self.deferred.insert(deferred.variable, (name.clone(), resolve.clone()));
            let value = self.tree.typed_call("pulumi.deferredOutput", [ty], []);
            statements.push(self.tree.constant(format!("[{name}, {resolve}]"), value));
        }
        statements
    }

    /// The statements that give the variables which wait for a component their values.
    pub fn resolved(&mut self, index: NodeIndex) -> Vec<Id> {
        let module = self.module;
        let mut statements = Vec::new();
        for node in &module.nodes {
            let Body::Component(component) = &node.body else { continue };
            for deferred in &component.deferred {
                if deferred.component != index {
                    continue;
                }
                let Some((_, resolve)) = self.deferred.get(&deferred.variable).cloned() else {
                    continue;
                };
                let value = self.value(deferred.value);
                let value = self.output_of(value);
                let call = self.tree.call(&resolve, [value]);
                statements.push(self.tree.add(print::Node::Evaluate(call)));
            }
        }
        statements
    }
}
