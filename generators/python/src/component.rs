//! Components as classes, and the variables of those that need each other.

use std::collections::BTreeSet;

use pcl::document::{
    self, Body, Deferred, Document, ExpressionKind, Node, NodeIndex, Type, TypeIndex,
};
use rustc_hash::FxHashSet;

use crate::module::Writer;
use crate::names::attribute;
use crate::print::{self, Id, Item, Key};
use crate::types;

/// The types of the components of a document.
pub(crate) struct ComponentTypes {
    components: FxHashSet<TypeIndex>,
    /// The types of objects that a program writes out.
    objects: FxHashSet<TypeIndex>,
}

/// The answer to the question whether a value is a component.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Found {
    No,
    Component,
    /// It may be a dict as well.
    Perhaps,
}

impl ComponentTypes {
    pub fn new(document: &Document) -> Self {
        let mut components = FxHashSet::default();
        for node in document.modules().flat_map(|module| &module.nodes) {
            let Body::Component(body) = &node.body else { continue };
            if body.program.is_none() {
                continue;
            }
            let mut open = vec![node.ty];
            let waiting =
                body.deferred.iter().filter(|deferred| holds_components(document, deferred));
            open.extend(waiting.map(|deferred| document.variable(deferred.variable).ty));
            while let Some(ty) = open.pop() {
                for ty in document.alternatives(types::content(document, ty)) {
                    match document.ty(ty) {
                        Type::List { element } | Type::Map { element } => open.push(*element),
                        Type::Tuple { elements } => open.extend(elements),
                        Type::Object(object) if object.schema.is_none() => {
                            components.insert(ty);
                        }
                        _ => {}
                    }
                }
            }
        }
        let mut objects = FxHashSet::default();
        if !components.is_empty() {
            for expression in &document.expressions {
                if matches!(expression.kind, ExpressionKind::Object { .. }) {
                    objects.insert(expression.ty);
                }
            }
        }
        Self { components, objects }
    }

    /// Returns true if a value of a type is a component.
    pub fn find(&self, ty: TypeIndex, document: &Document) -> Found {
        if self.components.is_empty() {
            return Found::No;
        }
        let kinds = document.alternatives(ty);
        if !kinds.iter().any(|ty| self.components.contains(ty)) {
            return Found::No;
        }
        let is_object = kinds.iter().any(|ty| self.objects.contains(ty));
        if is_object { Found::Perhaps } else { Found::Component }
    }
}

/// Returns true if a variable waits for components themselves, and not for their outputs.
fn holds_components(document: &Document, deferred: &Deferred) -> bool {
    let value = document.unconverted(deferred.value);
    match &document.expression(value).kind {
        ExpressionKind::Traversal(traversal) => {
            traversal.steps.iter().all(|step| matches!(step.key, document::Key::Index(_)))
        }
        _ => false,
    }
}

impl<'d> Writer<'d> {
    /// The class of the inputs and the class of a component. `statements` are those of its
    /// declarations.
    pub fn component_class(&mut self, class: &str, statements: Vec<Id>) -> Vec<Id> {
        let inputs = format!("{class}Args");
        let inputs_class = self.inputs_class(&inputs);
        let takes_inputs = inputs_class.is_some();
        let mut all = inputs_class.unwrap_or_default();
        let module = self.module;
        let mut members = Vec::new();
        let mut registered = Vec::new();
        for node in &module.nodes {
            let Body::Output { value } = &node.body else { continue };
            let ty = match value {
                Some(value) if types::is_dynamic(self.document, node.ty) => {
                    self.document.expression(*value).ty
                }
                _ => node.ty,
            };
            let inner = types::content(self.document, ty);
            let mut text = types::annotation(self.document, inner);
            if types::may_be_null(self.document, inner) && text != "Any" {
                text.push_str(" | None");
            }
            self.use_names_of(&text);
            let own = attribute(node.logical_name());
            members.push(self.tree.declare(&own, format!("pulumi.Output[{text}]"), None));
            let value = self.tree.name(format!("self.{own}"));
            registered.push(Item::entry(node.logical_name(), value));
        }
        if !members.is_empty() {
            members.push(self.tree.add(print::Node::Empty));
        }
        let mut body = vec![self.super_call(takes_inputs)];
        if !statements.is_empty() {
            body.push(self.tree.add(print::Node::Empty));
            body.extend(statements);
        }
        body.push(self.tree.add(print::Node::Empty));
        let expanded = !registered.is_empty();
        let outputs = self.tree.add(print::Node::Dict { items: registered, expanded });
        let done = self.tree.call("self.register_outputs", [outputs]);
        body.push(self.tree.add(print::Node::Evaluate(done)));
        let mut parameters = vec!["self".to_owned(), "name: str".to_owned()];
        if takes_inputs {
            parameters.push(format!("args: {inputs}"));
        }
        parameters.push("opts: pulumi.ResourceOptions | None = None".to_owned());
        members.push(self.tree.add(print::Node::Def {
            name: "__init__".to_owned(),
            parameters,
            returns: "None".to_owned(),
            body,
        }));
        all.push(self.tree.add(print::Node::Class {
            name: class.to_owned(),
            base: "pulumi.ComponentResource".to_owned(),
            body: members,
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
        let call = self.tree.call("super().__init__", [token, name, args, opts]);
        self.tree.add(print::Node::Evaluate(call))
    }

    /// The inputs that the component is registered with: without those that are `deferred`, and
    /// with those as secrets that are declared so.
    fn registered_inputs(&mut self, deferred: Option<&BTreeSet<&str>>, takes_inputs: bool) -> Id {
        let module = self.module;
        let configs: Vec<_> = module
            .nodes
            .iter()
            .filter_map(|node| match &node.body {
                Body::Config(config) => Some((node.logical_name(), config)),
                _ => None,
            })
            .collect();
        let deferred = deferred.filter(|deferred| !deferred.is_empty());
        let mut items = Vec::new();
        if deferred.is_none() && takes_inputs {
            items.push(Item::new(Key::Spread, self.tree.name("args")));
        }
        for (name, config) in configs {
            let is_written = match deferred {
                Some(deferred) => !deferred.contains(name),
                None => config.secret,
            };
            if !is_written {
                continue;
            }
            let args = self.tree.name("args");
            let key = self.tree.text(name);
            let is_optional = config.default.is_some() || config.nullable;
            let mut value = if is_optional {
                self.tree.method(args, "get", [key])
            } else {
                self.tree.index(args, key)
            };
            if config.secret {
                value = self.secret_input(value, is_optional);
            }
            items.push(Item::entry(name, value));
        }
        self.tree.dict(items)
    }

    /// An input as a secret; one that is not given is none.
    fn secret_input(&mut self, value: Id, is_optional: bool) -> Id {
        let secret = self.tree.call("pulumi.Output.secret", [value]);
        if !is_optional {
            return secret;
        }
        let none = self.tree.name("None");
        let is_missing = self.tree.binary(value, "is", none);
        self.tree.conditional(is_missing, none, secret)
    }

    /// The variables that hold the outputs of later components.
    pub fn deferred(&mut self, node: &Node) -> Vec<Id> {
        let Body::Component(component) = &node.body else { return Vec::new() };
        let mut statements = Vec::new();
        for deferred in &component.deferred {
            let variable = self.document.variable(deferred.variable);
            let ty = types::content(self.document, variable.ty);
            let ty = if holds_components(self.document, deferred) {
                "Any".to_owned()
            } else {
                types::annotation(self.document, ty)
            };
            self.use_names_of(&ty);
            let name = self.names.take(&variable.name);
            let resolve = self.names.take(&format!("resolve_{}", variable.name));
            self.deferred.insert(deferred.variable, name.clone());
            let waiting = self.waiting.entry(deferred.component).or_default();
            waiting.push((resolve.clone(), deferred.value));
            let declared = format!("pulumi.Output[{ty}]");
            statements.push(self.tree.declare(&name, declared, None));
            let value = self.tree.call("pulumi.deferred_output", [] as [Id; 0]);
            statements.push(self.tree.assign(&format!("{name}, {resolve}"), value));
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
