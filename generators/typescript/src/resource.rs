//! Resources, reads and components.

use pcl::document::{
    Attribute, Body, ExpressionIndex, Node, NodeIndex, Repeat, Resource, Type, TypeIndex,
    comment_lines,
};

use crate::module::Writer;
use crate::print::{self, Entry, Id};
use crate::types::{self, Eventual, eventual};
use pcl_codegen::Limit;

/// The class that a block makes instances of.
struct Instances<'d> {
    node: &'d Node,
    class: Id,
    /// The attribute `id` and the state of a `read`.
    is_read: bool,
    /// True if the options are those of components.
    is_component: bool,
    /// True if the class takes inputs.
    takes_inputs: bool,
    /// True if the class knows properties that help to find a resource.
    has_state: bool,
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
        let component = match &node.body {
            Body::Component(component) => component.program,
            _ => None,
        };
        let component = component.and_then(|program| self.document.component(program));
        let takes_inputs = component.is_none_or(|component| {
            let mut nodes = component.module.nodes.iter();
            nodes.any(|node| matches!(node.body, Body::Config(_)))
        });
        let instances = Instances {
            node,
            class,
            is_read: matches!(node.body, Body::Read(_)),
            is_component: matches!(node.body, Body::Component(_))
                || schema.is_some_and(|schema| schema.is_component),
            takes_inputs,
            has_state: schema.is_some_and(|schema| {
                let mut state = self.document.properties(schema.inputs).into_iter();
                state.any(|property| property.name != "id")
            }),
        };
        let key = self.key(index);
        let mut statements = self.deferred(node);
        let range = node.option("range");
        match (repeat, range) {
            (Repeat::Single, _) | (_, None) => {
                let value = self.instance(&instances, None);
                statements.push(self.tree.constant(key, value));
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
            return Some(self.tree.path("pulumi.ComponentResource"));
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
        if values.is_empty() {
            return self.tree.text(texts.concat());
        }
        self.tree.add(print::Node::Template { tag: None, texts, values })
    }

    /// `new Class("name", { .. }, { .. })`; the key is that of one of several instances.
    fn instance(&mut self, instances: &Instances<'d>, key: Option<Id>) -> Id {
        let node = instances.node;
        let name = self.instance_name(node, key);
        let options = self.options(node, instances.is_component);
        let mut arguments = Vec::new();
        // A component that no package has is given its type.
        if let Body::Component(component) = &node.body
            && component.source.is_none()
            && let Some(token) = &component.token
            && !self.shared.packages.knows(token)
        {
            arguments.push(self.tree.text(token));
        }
        arguments.push(name);
        let callee = instances.class;
        if instances.is_read {
            let is_id = |attribute: &&Attribute| attribute.name == "id";
            let id = node.inputs().iter().find(is_id);
            let id = match id {
                Some(id) => self.value(id.value),
                None => self.tree.text(""),
            };
            arguments.push(id);
            let mut state = node.inputs().iter().filter(|input| !is_id(input)).peekable();
            let has_state = state.peek().is_some();
            let state: Vec<Entry> = state.map(|input| self.entry(input)).collect();
            if has_state {
                arguments.push(self.expanded(state));
            } else if options.is_some() && instances.has_state {
                arguments.push(self.tree.name("undefined"));
            }
            arguments.extend(options);
            return self.tree.method(callee, "get", arguments);
        }
        let inputs = self.input_entries(node);
        let takes_inputs = instances.takes_inputs;
        if takes_inputs && (!inputs.is_empty() || options.is_some() || instances.is_component) {
            arguments.push(if inputs.is_empty() {
                self.tree.object(inputs)
            } else {
                self.expanded(inputs)
            });
        }
        arguments.extend(options);
        self.tree.add(print::Node::New { callee, arguments })
    }

    /// The inputs of a resource or component.
    fn input_entries(&mut self, node: &Node) -> Vec<Entry> {
        let document = self.document;
        let mut inputs: Vec<Entry> = node.inputs().iter().map(|input| self.entry(input)).collect();
        let Body::Resource(_) = node.body else { return inputs };
        // Pulumi's SDK takes properties of these names for its own.
        for input in node.inputs().iter().filter(|input| ["id", "urn"].contains(&&*input.name)) {
            let message = format!("the SDK does not send the input `{}` of a resource", input.name);
            self.limit(Limit::Input, input.name_range, message);
        }
        for (name, constant) in document.omitted_constants(node) {
            let value = self.constant(constant, None);
            inputs.push(Entry::new(name, value));
        }
        inputs
    }

    /// An object whose entries are on lines of their own.
    pub fn expanded(&mut self, entries: Vec<Entry>) -> Id {
        let expanded = true;
        self.tree.add(print::Node::Object { entries, expanded })
    }

    /// An entry for an attribute, with its comments.
    fn entry(&mut self, attribute: &Attribute) -> Entry {
        let value = self.value(attribute.value);
        self.entry_of(attribute, &attribute.name, value)
    }

    pub fn entry_of(&mut self, attribute: &Attribute, name: &str, value: Id) -> Entry {
        let comments = &attribute.comments;
        let mut entry = Entry::new(name, value);
        match &comments.trailing[..] {
            [only] if only.lines.len() == 1 => {
                let above = comments.detached.iter().chain(&comments.leading);
                entry.comments = comment_lines(above);
                entry.trailing = comment_lines([only]).pop();
            }
            _ => entry.comments = comment_lines(comments.around()),
        }
        entry
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
        let mut collection = self.value(range);
        let late = eventual(document, ty);
        let sure = self.is_sure(range);
        // The instances are there once the range is known.
        let outer = (late != Eventual::No).then(|| {
            let source = if late == Eventual::Output && sure {
                collection
            } else {
                self.output_of(collection)
            };
            collection = self.tree.name("ranges");
            source
        });
        let is_inner = outer.is_some() && self.is_late(instances.node.ty);
        match repeat {
            Repeat::Single | Repeat::Optional => {
                let value = self.instance(instances, None);
                let none = self.tree.name("undefined");
                let value = self.tree.conditional(collection, value, none);
                let value = self.after(outer, value);
                vec![self.tree.constant(key, value)]
            }
            Repeat::Count | Repeat::List | Repeat::Map => {
                let name = if is_inner { "instances" } else { &key };
                let [declared, each] = self.loop_over(instances, name, repeat, ty, collection);
                if outer.is_none() {
                    return vec![declared, each];
                }
                let mut inside = vec![each];
                if is_inner {
                    let value = self.tree.name(name);
                    let word = "return";
                    inside.insert(0, declared);
                    inside.push(self.tree.add(print::Node::Leave { word, value }));
                }
                let body = self.tree.add(print::Node::Block(inside));
                let value = self.after(outer, body);
                if is_inner {
                    vec![self.tree.constant(key, value)]
                } else {
                    vec![declared, self.tree.add(print::Node::Evaluate(value))]
                }
            }
        }
    }

    /// The declaration of an empty array or record called `name`, and the loop that adds an
    /// instance to it for each element of `collection`, a range of type `ty`.
    fn loop_over(
        &mut self,
        instances: &Instances<'d>,
        name: &str,
        repeat: Repeat,
        ty: TypeIndex,
        collection: Id,
    ) -> [Id; 2] {
        let is_map = repeat == Repeat::Map;
        let key = if repeat == Repeat::Count { "range.value" } else { "range.key" };
        let key = self.tree.path(key);
        let instance_type = self.instance_type(instances);
        let instance = self.instance(instances, Some(key));
        let (result_type, empty) = if is_map {
            let string = self.tree.name("string");
            let record = self.tree.generic("Record", [string, instance_type]);
            (record, self.tree.object(Vec::new()))
        } else {
            let array = types::array(&mut self.tree, instance_type);
            (array, self.tree.array([]))
        };
        let declared = self.tree.add(print::Node::Declare {
            words: "const",
            name: name.to_owned(),
            ty: Some(result_type),
            value: Some(empty),
        });
        let list = self.tree.name(name);
        let added = if is_map {
            let target = self.tree.index(list, key, false);
            let value = instance;
            self.tree.add(print::Node::Assign { target, value })
        } else {
            let push = self.tree.method(list, "push", [instance]);
            self.tree.add(print::Node::Evaluate(push))
        };
        let known = types::content(self.document, ty);
        let nullable = types::may_be_null(self.document, known);
        let values = self.range_values(repeat, known, collection, nullable);
        let body = self.tree.add(print::Node::Block(vec![added]));
        let name = self.tree.name("range");
        let each = self.tree.add(print::Node::ForOf { name, values, body });
        [declared, each]
    }

    /// `source.apply((ranges) => value)` if there is a source.
    fn after(&mut self, source: Option<Id>, value: Id) -> Id {
        let Some(source) = source else { return value };
        let ranges = self.tree.name("ranges");
        let function = self.tree.arrow([ranges], value);
        self.tree.method(source, "apply", [function])
    }

    fn is_late(&self, ty: TypeIndex) -> bool {
        eventual(self.document, ty) != Eventual::No
    }

    /// The keys and values of a range: `{ key, value }` objects.
    fn range_values(
        &mut self,
        repeat: Repeat,
        ty: TypeIndex,
        collection: Id,
        nullable: bool,
    ) -> Id {
        let mut collection = collection;
        let [key, value] = ["key", "value"].map(|name| self.tree.name(name));
        let entry = |name: &str, id| Entry::new(name, id);
        if repeat == Repeat::Count {
            if nullable {
                let zero = self.tree.name("0");
                collection = self.tree.binary(collection, "??", zero);
            }
            let length = self.tree.object(vec![entry("length", collection)]);
            let unused = self.tree.name("_");
            let pair = self.tree.object(vec![entry("value", value)]);
            let function = self.tree.arrow([unused, value], pair);
            return self.tree.call("Array.from", [length, function]);
        }
        let pair = self.tree.object(vec![entry("key", key), entry("value", value)]);
        let document = self.document;
        let is_list = types::any(document, ty, |ty| {
            matches!(ty, Type::List { .. } | Type::Tuple { .. } | Type::Set { .. })
        });
        if is_list && repeat == Repeat::List {
            if nullable {
                let none = self.tree.array([]);
                collection = self.tree.binary(collection, "??", none);
            }
            let function = self.tree.arrow([value, key], pair);
            return self.tree.method(collection, "map", [function]);
        }
        if nullable {
            let none = self.tree.object(Vec::new());
            collection = self.tree.binary(collection, "??", none);
        }
        let types = self.type_of_values(ty);
        let pairs = self.tree.typed_call("Object.entries", types, [collection]);
        let pattern = self.tree.array([key, value]);
        let function = self.tree.arrow([pattern], pair);
        self.tree.method(pairs, "map", [function])
    }

    /// The class as a type.
    fn instance_type(&mut self, instances: &Instances<'d>) -> Id {
        let mut names = Vec::new();
        let mut next = instances.class;
        loop {
            next = match self.tree.node(next) {
                print::Node::Member { object, name, .. } => {
                    names.push(name.clone());
                    *object
                }
                print::Node::Name(name) => {
                    names.push(name.clone());
                    break;
                }
                _ => break,
            };
        }
        names.reverse();
        self.tree.name(names.join("."))
    }
}
