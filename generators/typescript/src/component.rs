//! Components as classes, and the variables of those that need each other.

use std::collections::BTreeSet;

use pcl::document::{Body, Node, NodeIndex};
use pcl::syntax::capitalized;

use crate::module::Writer;
use crate::print::{self, Entry, Id, Key};
use crate::types;

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
        let args = self.registered_inputs(deferred, takes_inputs);
        let opts = self.tree.name("opts");
        let call = self.tree.call("super", [token, name, args, opts]);
        self.tree.add(print::Node::Evaluate(call))
    }

    /// The inputs that the component is registered with: without those that are `deferred`, and
    /// with those as secrets that are declared so.
    fn registered_inputs(&mut self, deferred: Option<&BTreeSet<&str>>, takes_inputs: bool) -> Id {
        let module = self.module;
        let configs = module.nodes.iter().filter_map(|node| match &node.body {
            Body::Config(config) => Some((node.logical_name(), config)),
            _ => None,
        });
        let has_secrets = configs.clone().any(|(_, config)| config.secret);
        let deferred = deferred.filter(|deferred| !deferred.is_empty());
        if takes_inputs && deferred.is_none() && !has_secrets {
            return self.tree.name("args");
        }
        let mut entries = Vec::new();
        if deferred.is_none() && takes_inputs {
            entries.push(Entry::with_key(Key::Spread, self.tree.name("args")));
        }
        for (name, config) in configs {
            let is_written = match deferred {
                Some(deferred) => !deferred.contains(name),
                None => config.secret,
            };
            if is_written {
                let args = self.tree.name("args");
                let mut value = self.tree.member(args, name);
                if config.secret {
                    value = self.secret_input(value, config.default.is_some() || config.nullable);
                }
                entries.push(Entry::new(name, value));
            }
        }
        self.tree.object(entries)
    }

    /// An input as a secret; one that is not given is none.
    fn secret_input(&mut self, value: Id, is_optional: bool) -> Id {
        let secret = self.tree.call("pulumi.secret", [value]);
        if !is_optional {
            return secret;
        }
        let undefined = self.tree.name("undefined");
        let is_missing = self.tree.binary(value, "===", undefined);
        self.tree.conditional(is_missing, undefined, secret)
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
            self.deferred.insert(deferred.variable, name.clone());
            let waiting = self.waiting.entry(deferred.component).or_default();
            waiting.push((resolve.clone(), deferred.value));
            let value = self.tree.typed_call("pulumi.deferredOutput", [ty], []);
            statements.push(self.tree.constant(format!("[{name}, {resolve}]"), value));
        }
        statements
    }

    /// The statements that give the variables which wait for a component their values.
    pub fn resolved(&mut self, index: NodeIndex) -> Vec<Id> {
        let mut statements = Vec::new();
        for (resolve, value) in self.waiting.remove(&index).unwrap_or_default() {
            let value = self.value(value);
            let value = self.output_of(value);
            let call = self.tree.call(&resolve, [value]);
            statements.push(self.tree.add(print::Node::Evaluate(call)));
        }
        statements
    }
}
