//! Resources, reads and components.

use pcl::document::{
    Attribute, Body, ExpressionIndex, Node, NodeIndex, Repeat, Resource, TypeIndex, comment_lines,
};
use pcl_codegen::Limit;

use crate::keys::Form;
use crate::module::Writer;
use crate::names::parameter;
use crate::print::{self, Id, Item, Key};
use crate::types;

/// The class that a block makes instances of.
struct Instances<'d> {
    node: &'d Node,
    class: Id,
    /// The name of the class.
    class_name: String,
    /// The attribute `id` and the state of a `read`.
    is_read: bool,
    /// True if the options are those of components.
    is_component: bool,
    /// True if the class is that of a component of the project.
    is_own: bool,
    /// True if the class takes inputs.
    takes_inputs: bool,
}

impl<'d> Writer<'d> {
    /// The statements of a resource, read or component.
    pub fn resource(&mut self, index: NodeIndex, node: &'d Node) -> Vec<Id> {
        let Some(class) = self.class(node) else {
            let message = format!("the type of `{}` is not known", node.name);
            self.limit(Limit::Unbound, node.name_range, message);
            return Vec::new();
        };
        let (repeat, schema) = match &node.body {
            Body::Resource(resource) | Body::Read(resource) => {
                (resource.repeat, self.document.resource_schema(node))
            }
            Body::Component(component) => (component.repeat, None),
            _ => return Vec::new(),
        };
        let program = match &node.body {
            Body::Component(component) => component.program,
            _ => None,
        };
        let component = program.and_then(|program| self.document.component(program));
        let takes_inputs = component.is_none_or(|component| {
            let mut nodes = component.module.nodes.iter();
            nodes.any(|node| matches!(node.body, Body::Config(_)))
        });
        let class_name = match self.tree.node(class) {
            print::Node::Name(name) => name.clone(),
            _ => String::new(),
        };
        let instances = Instances {
            node,
            class,
            class_name,
            is_read: matches!(node.body, Body::Read(_)),
            is_component: matches!(node.body, Body::Component(_))
                || schema.is_some_and(|schema| schema.is_component),
            is_own: component.is_some(),
            takes_inputs,
        };
        let key = self.key(index);
        let mut statements = self.deferred(node);
        let range = node.option("range");
        match (repeat, range) {
            (Repeat::Single, _) | (_, None) => {
                let value = self.instance(&instances, None);
                let is_needed = self.waiting.contains_key(&index) || !self.is_unused(index);
                statements.push(if is_needed {
                    self.tree.assign(&key, value)
                } else {
                    self.tree.add(print::Node::Evaluate(value))
                });
            }
            (_, Some(range)) => statements.extend(self.repeated(&instances, key, repeat, range)),
        }
        statements.extend(self.resolved(index));
        statements
    }

    /// The class of a block's instances.
    fn class(&mut self, node: &Node) -> Option<Id> {
        let schema = self.document.resource_schema(node);
        let member = schema.map(|schema| schema.member);
        let token = match &node.body {
            Body::Resource(Resource { token, .. }) | Body::Read(Resource { token, .. }) => {
                token.as_deref()
            }
            Body::Component(component) => {
                if let Some(program) = component.program {
                    let own = self.document.component(program)?;
                    let file = self.shared.component_files.get(program.index())?;
                    self.classes.insert(own.name.clone(), file.clone());
                    return Some(self.tree.name(&own.name));
                }
                component.token.as_deref().filter(|_| component.source.is_none())
            }
            _ => None,
        }?;
        if matches!(node.body, Body::Component(_)) && !self.shared.packages.knows(token) {
            return Some(self.tree.name("pulumi.ComponentResource"));
        }
        let path = self.shared.packages.resource(member, token)?;
        Some(self.member(&path))
    }

    /// The name of an instance: that of the block, and the key of the instance.
    fn instance_name(&mut self, node: &Node, key: Option<Id>) -> Id {
        let own = node.logical_name();
        let mut texts = vec![own.to_owned()];
        let mut values = Vec::new();
        if self.component.is_some() {
            values.push(self.tree.name("name"));
            texts = vec![String::new(), format!("-{own}")];
        }
        if let (Some(key), Some(last)) = (key, texts.last_mut()) {
            last.push('-');
            texts.push(String::new());
            values.push(key);
        }
        self.formatted(texts, values)
    }

    /// `Class("name", input=value, opts=..)`; the key is that of one of several instances.
    fn instance(&mut self, instances: &Instances<'d>, key: Option<Id>) -> Id {
        let node = instances.node;
        let mut arguments: Vec<Item> = Vec::new();
        // A component that no package has is given its type.
        let is_bare = match &node.body {
            Body::Component(component) => {
                component.source.is_none()
                    && component
                        .token
                        .as_ref()
                        .is_some_and(|token| !self.shared.packages.knows(token))
            }
            _ => false,
        };
        if is_bare
            && let Body::Component(component) = &node.body
            && let Some(token) = &component.token
        {
            arguments.push(self.tree.text(token).into());
        }
        arguments.push(self.instance_name(node, key).into());
        let inputs = self.input_items(instances, is_bare || instances.is_own);
        let options = self.options(node, instances.is_component);
        let callee = instances.class;
        let expanded = inputs.iter().any(has_comments);
        if instances.is_read {
            let is_id = |item: &Item| item.key == Key::Keyword("id".to_owned());
            let (id, state): (Vec<Item>, Vec<Item>) = inputs.into_iter().partition(is_id);
            let id = match id.first() {
                Some(id) => id.value,
                None => self.tree.text(""),
            };
            arguments.push(id.into());
            arguments.extend(state);
            arguments.extend(options);
            let callee = self.tree.member(callee, "get");
            return self.tree.add(print::Node::Call { callee, arguments, expanded });
        }
        if is_bare || instances.is_own {
            if instances.takes_inputs && (is_bare || !inputs.is_empty() || instances.is_own) {
                let expanded = !inputs.is_empty();
                let inputs = self.tree.add(print::Node::Dict { items: inputs, expanded });
                arguments.push(inputs.into());
            }
            arguments.extend(options);
            return self.tree.call_of(callee, arguments);
        }
        arguments.extend(inputs);
        arguments.extend(options);
        self.tree.add(print::Node::Call { callee, arguments, expanded })
    }

    /// The inputs of a resource or component: as arguments, or as entries of a dict.
    fn input_items(&mut self, instances: &Instances<'d>, is_dict: bool) -> Vec<Item> {
        let document = self.document;
        let node = instances.node;
        let place = std::mem::take(&mut self.place);
        let mut inputs = Vec::new();
        for input in node.inputs() {
            self.place = format!("{place}_{}", crate::names::variable(&input.name));
            let ty = document.input_property(node, &input.name).map(|property| property.ty);
            let form = if is_dict { Form::Plain } else { self.input_form(ty) };
            let value = self.value_as(input.value, form);
            let key = if is_dict {
                Key::Text(input.name.clone())
            } else {
                Key::Keyword(self.parameter_of(instances, &input.name))
            };
            inputs.push(self.item_of(input, key, value));
        }
        self.place = place;
        let Body::Resource(_) = node.body else { return inputs };
        // Pulumi's SDK takes properties of these names for its own.
        for input in node.inputs().iter().filter(|input| ["id", "urn"].contains(&&*input.name)) {
            let message = format!("the SDK does not send the input `{}` of a resource", input.name);
            self.limit(Limit::Input, input.name_range, message);
        }
        for (name, constant) in document.omitted_constants(node) {
            let value = self.constant(constant);
            inputs.push(Item::keyword(parameter(name), value));
        }
        inputs
    }

    /// The name of the parameter for an input.
    fn parameter_of(&self, instances: &Instances<'_>, name: &str) -> String {
        match (&*instances.class_name, name) {
            ("pulumi.StackReference", "name") => "stack_name".to_owned(),
            _ => parameter(name),
        }
    }

    pub fn item_of(&mut self, attribute: &Attribute, key: Key, value: Id) -> Item {
        let comments = &attribute.comments;
        let mut item = Item::new(key, value);
        match &comments.trailing[..] {
            [only] if only.lines.len() == 1 => {
                let above = comments.detached.iter().chain(&comments.leading);
                item.comments = comment_lines(above);
                item.trailing = comment_lines([only]).pop();
            }
            _ => item.comments = comment_lines(comments.around()),
        }
        item
    }

    /// Several instances of a block, or perhaps one.
    fn repeated(
        &mut self,
        instances: &Instances<'d>,
        key: String,
        repeat: Repeat,
        range: ExpressionIndex,
    ) -> Vec<Id> {
        let document = self.document;
        let ty = document.expression(range).ty;
        let collection = self.value(range);
        let is_late = types::is_late(document, ty);
        if !is_late {
            let collection = self.countable(collection, repeat, range);
            return self.instances_for(instances, &key, repeat, ty, collection);
        }
        // The instances are there once the range is known.
        let sure = self.is_sure(range) && types::is_output(document, ty);
        let source = self.as_output(collection, sure);
        let is_inner = types::is_late(document, instances.node.ty);
        let name = if is_inner { "instances".to_owned() } else { key.clone() };
        let given = self.tree.name("ranges");
        let given = if repeat == Repeat::Count { self.tree.call("int", [given]) } else { given };
        let mut inside = self.instances_for(instances, &name, repeat, ty, given);
        let function = self.names.take(&format!("create_{}", instances.node.name));
        let mut statements = Vec::new();
        let returns = if is_inner || repeat == Repeat::Optional {
            let value = self.tree.name(&name);
            inside.push(self.tree.add(print::Node::Return(value)));
            self.type_of_instances(instances, repeat)
        } else {
            let declared = inside.remove(0);
            statements.push(declared);
            "None".to_owned()
        };
        self.used.insert("Any");
        let functions = std::mem::take(&mut self.functions);
        statements.splice(0..0, functions);
        statements.push(self.tree.add(print::Node::Def {
            name: function.clone(),
            parameters: vec!["ranges: Any".to_owned()],
            returns: returns.clone(),
            body: inside,
        }));
        let function = self.tree.name(function);
        let applied = self.tree.method(source, "apply", [function]);
        statements.push(if returns == "None" {
            self.tree.add(print::Node::Evaluate(applied))
        } else {
            self.tree.assign(&key, applied)
        });
        statements
    }

    /// A range that is a number as an `int`.
    fn countable(&mut self, collection: Id, repeat: Repeat, range: ExpressionIndex) -> Id {
        let document = self.document;
        let is_nullable = types::may_be_null(document, document.expression(range).ty);
        let collection = match repeat {
            Repeat::List if is_nullable => {
                let none = self.tree.list([]);
                self.tree.binary(collection, "or", none)
            }
            Repeat::Map if is_nullable => {
                let none = self.tree.dict(Vec::new());
                self.tree.binary(collection, "or", none)
            }
            Repeat::Count if is_nullable => {
                let none = self.tree.name("0");
                self.tree.binary(collection, "or", none)
            }
            _ => collection,
        };
        if repeat == Repeat::Count { self.as_index(collection, range) } else { collection }
    }

    /// The type of the variable for the instances of a block.
    fn type_of_instances(&self, instances: &Instances<'_>, repeat: Repeat) -> String {
        let class = &instances.class_name;
        match repeat {
            Repeat::Single => class.clone(),
            Repeat::Optional => format!("{class} | None"),
            Repeat::Count | Repeat::List => format!("list[{class}]"),
            Repeat::Map => format!("dict[str, {class}]"),
        }
    }

    /// The declaration of the variable for the instances of a block, and the statement that fills
    /// it: for each element of `collection`, a range of type `ty`.
    fn instances_for(
        &mut self,
        instances: &Instances<'d>,
        name: &str,
        repeat: Repeat,
        ty: TypeIndex,
        collection: Id,
    ) -> Vec<Id> {
        let declared = self.type_of_instances(instances, repeat);
        if matches!(repeat, Repeat::Single | Repeat::Optional) {
            let none = self.tree.name("None");
            let declared = self.tree.declare(name, declared, Some(none));
            let value = self.instance(instances, None);
            let body = vec![self.tree.assign(name, value)];
            let condition = collection;
            return vec![declared, self.tree.add(print::Node::If { condition, body })];
        }
        let is_map = repeat == Repeat::Map;
        let counts = repeat == Repeat::Count;
        let key = self.tree.local(if counts { "range_value" } else { "range_key" });
        let instance = self.instance(instances, Some(key));
        let empty = if is_map { self.tree.dict(Vec::new()) } else { self.tree.list([]) };
        let declared = self.tree.declare(name, declared, Some(empty));
        let list = self.tree.name(name);
        let added = if is_map {
            let target = self.tree.index(list, key);
            let (ty, value) = (None, Some(instance));
            self.tree.add(print::Node::Assign { target, ty, value })
        } else {
            let append = self.tree.method(list, "append", [instance]);
            self.tree.add(print::Node::Evaluate(append))
        };
        let (target, iterable) = if counts {
            let range = self.tree.call("range", [collection]);
            (vec!["range_value".to_owned()], range)
        } else {
            let is_used = self.tree.free(instance).iter().any(|name| name == "range_value");
            let value = is_used.then(|| "range_value".to_owned());
            let known = types::content(self.document, ty);
            self.rounds(collection, known, Some("range_key".to_owned()), value)
        };
        let target = target.join(", ");
        vec![declared, self.tree.add(print::Node::For { target, iterable, body: vec![added] })]
    }
}

fn has_comments(item: &Item) -> bool {
    !item.comments.is_empty() || item.trailing.is_some()
}
