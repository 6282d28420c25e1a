//! Resources, reads and components.

use std::rc::Rc;

use pcl::document::{
    Body, ExpressionIndex, MemberIndex, Node, NodeIndex, Repeat, Resource, comment_lines,
};
use pcl_codegen::Limit;

use crate::convert::{Setter, builder};
use crate::module::{Value, Writer};
use crate::names::property;
use crate::place::Place;
use crate::syntax::{Expr, Stmt};
use crate::types::{Kind, Named, Ty};

/// The class that a block makes instances of.
struct Instances<'d> {
    node: &'d Node,
    /// The name of the class in code.
    class: String,
    /// The name of the class of inputs.
    args: String,
    ty: Ty,
    member: Option<MemberIndex>,
    is_read: bool,
    /// True if the options are those of components.
    is_component: bool,
    /// The position of a component of the project.
    own: Option<usize>,
}

impl<'d> Writer<'d> {
    /// The statements of a resource, read or component.
    pub fn resource(&mut self, index: NodeIndex, node: &'d Node) {
        let Some(instances) = self.instances(node) else {
            let message = format!("the type of `{}` is not known", node.name);
            self.limit(Limit::Unbound, node.name_range, message);
            return;
        };
        let repeat = match &node.body {
            Body::Resource(resource) | Body::Read(resource) => resource.repeat,
            Body::Component(component) => component.repeat,
            _ => return,
        };
        self.declare_deferred(node);
        let key = self.key(index);
        let value = match (repeat, node.option("range")) {
            (Repeat::Single, _) | (_, None) => {
                let instance = self.instance(&instances, None);
                let ty = instance.ty.clone();
                self.emit(Stmt::define(&key, instance.expr));
                Value::text(&key, ty)
            }
            (_, Some(range)) => self.repeated(&instances, &key, repeat, range),
        };
        self.nodes.insert(index, value);
        self.resolve_deferred(index);
    }

    fn instances(&mut self, node: &'d Node) -> Option<Instances<'d>> {
        let schema = self.document.resource_schema(node);
        let member = schema.map(|schema| schema.member);
        let is_component = matches!(node.body, Body::Component(_))
            || schema.is_some_and(|schema| schema.is_component);
        let is_read = matches!(node.body, Body::Read(_));
        let named = |name: &str, ty| {
            Ty::Named(Rc::new(Named { kind: Kind::Resource, name: name.to_owned(), member, ty }))
        };
        let token = match &node.body {
            Body::Resource(Resource { token, .. }) | Body::Read(Resource { token, .. }) => {
                token.as_deref()
            }
            Body::Component(component) => {
                if let Some(program) = component.program {
                    let own = program.index();
                    return Some(Instances {
                        node,
                        class: self.component_name(own),
                        args: self.component_args(own),
                        ty: self.component_type(own),
                        member: None,
                        is_read,
                        is_component,
                        own: Some(own),
                    });
                }
                component.token.as_deref().filter(|_| component.source.is_none())
            }
            _ => None,
        }?;
        // A component that no package has is given its type.
        let is_bare = matches!(node.body, Body::Component(_)) && !self.shared.packages.knows(token);
        let path = if is_bare {
            "com.pulumi.resources.ComponentResource".to_owned()
        } else {
            self.shared.packages.resource(member, token)?
        };
        let class = self.class(&path);
        let args = match member {
            Some(member) if is_read => {
                let path = self.shared.packages.state(member);
                self.class(&path)
            }
            _ if is_bare => String::new(),
            _ => self.class(&format!("{path}Args")),
        };
        let ty = named(&class, schema.map(|schema| schema.outputs));
        Some(Instances { node, class, args, ty, member, is_read, is_component, own: None })
    }

    /// The name of an instance: that of the block, and the key of the instance.
    pub fn instance_name(&mut self, node: &Node, key: Option<Value>) -> Expr {
        let own = node.logical_name();
        let mut texts = vec![own.to_owned()];
        let mut values = Vec::new();
        if self.component.is_some() {
            values.push(Value::text("name", Ty::Text));
            texts = vec![String::new(), format!("-{own}")];
        }
        if let (Some(key), Some(last)) = (key, texts.last_mut()) {
            last.push('-');
            texts.push(String::new());
            values.push(key);
        }
        if let ([first, last], [value]) = (&texts[..], &values[..]) {
            // Two parts are added.
            let value = match value.ty {
                Ty::Text | Ty::Int => value.expr.clone(),
                _ => self.coerce(value.clone(), &Ty::Text),
            };
            return match (first.is_empty(), last.is_empty()) {
                (true, _) => Expr::binary("+", value, Expr::quoted(last)),
                (_, true) => Expr::binary("+", Expr::quoted(first), value),
                _ => self.formatted(&texts, vec![Value::new(value, Ty::Text)]).expr,
            };
        }
        self.formatted(&texts, values).expr
    }

    /// `new Class("name", ClassArgs.builder()..build(), options)`; the key is that of one of
    /// several instances.
    fn instance(&mut self, instances: &Instances<'d>, key: Option<Value>) -> Value {
        let node = instances.node;
        let (id, setters) = self.setters(instances);
        let options = self.options(node, instances.is_component);
        let mut arguments = vec![self.instance_name(node, key)];
        if let Body::Component(component) = &node.body
            && instances.args.is_empty()
        {
            let token = component.token.clone().unwrap_or_default();
            arguments.insert(0, Expr::quoted(&token));
            let inputs = node.inputs().iter().map(|input| {
                let value = self.value_in(input.value, &Place::Input(Ty::Any));
                (input.name.clone(), value.expr)
            });
            let (names, values): (Vec<String>, Vec<Expr>) = inputs.unzip();
            if !names.is_empty() {
                let class = format!("{}Inputs", crate::names::class(&node.name));
                let comment = format!("The inputs of {}.", node.name);
                let class = self.arguments_class(&class, "ResourceArgs", comment, &names);
                arguments.push(Expr::new(class, values));
            } else if options.is_some() {
                arguments.push(Expr::text("ResourceArgs.Empty"));
            }
            if !names.is_empty() && options.is_none() {
                arguments.push(Expr::null());
            }
            arguments.extend(options);
            return Value::new(Expr::new(&instances.class, arguments), instances.ty.clone());
        }
        if instances.is_read {
            arguments.push(id.unwrap_or_else(|| Expr::call("Output.of", [Expr::quoted("")])));
            let has_state = self.document.resource_schema(node).is_some_and(|schema| {
                self.document.properties(schema.inputs).iter().any(|it| it.name != "id")
            });
            if !setters.is_empty() {
                arguments.push(builder(&instances.args, setters));
            } else if has_state {
                arguments.push(Expr::null());
            }
            arguments.push(options.unwrap_or_else(Expr::null));
            let call = Expr::text(&instances.class).method("get", arguments);
            return Value::new(call, instances.ty.clone());
        }
        if !setters.is_empty() {
            arguments.push(builder(&instances.args, setters));
        } else if self.own_has_inputs(instances) || self.schema_has_inputs(node) {
            // Only a builder sets the defaults of the schema, and `Empty` has none.
            arguments.push(builder(&instances.args, Vec::new()));
        } else if options.is_some() && instances.own.is_none() {
            arguments.push(Expr::text(format!("{}.Empty", instances.args)));
        }
        match (options, instances.own) {
            (Some(options), _) => arguments.push(options),
            (None, Some(_)) => arguments.push(Expr::null()),
            (None, None) => {}
        }
        Value::new(Expr::new(&instances.class, arguments), instances.ty.clone())
    }

    /// Returns true if the schema of a resource has inputs.
    fn schema_has_inputs(&self, node: &Node) -> bool {
        let schema = self.document.resource_schema(node);
        schema.is_some_and(|schema| !self.document.properties(schema.inputs).is_empty())
    }

    /// Returns true if the component of the program takes inputs.
    fn own_has_inputs(&self, instances: &Instances<'_>) -> bool {
        let own = instances.own.and_then(|own| self.document.components.get(own));
        own.is_some_and(crate::component::has_inputs)
    }

    /// The id of a resource that is read, and the inputs of a resource or component.
    fn setters(&mut self, instances: &Instances<'d>) -> (Option<Expr>, Vec<Setter>) {
        let document = self.document;
        let node = instances.node;
        if let Some(own) = instances.own {
            return (None, self.component_setters(node, own));
        }
        if instances.args.is_empty() {
            return (None, Vec::new());
        }
        let around = Place::Input(Ty::Any);
        let mut id = None;
        let mut setters: Vec<Setter> = Vec::new();
        for input in node.inputs() {
            if instances.is_read && input.name == "id" {
                let value = self.value_in(input.value, &Place::Input(Ty::Text));
                id = Some(self.coerce(value, &Ty::output(Ty::Text)));
                continue;
            }
            let is_own = document.input_property(node, &input.name).is_none();
            if !instances.is_read && ["id", "urn"].contains(&&*input.name) && is_own {
                let message =
                    format!("the SDK does not send the input `{}` of a resource", input.name);
                self.limit(Limit::Input, input.name_range, message);
                continue;
            }
            let known = document.input_property(node, &input.name);
            let place = match known {
                Some(known) => self.property_place(&around, known),
                None => around.clone(),
            };
            let place = match place {
                Place::Input(Ty::Any) if instances.class.ends_with("StackReference") => {
                    Place::Input(Ty::Text)
                }
                place => place,
            };
            let write = |writer: &mut Self| writer.value_in(input.value, &place);
            let value = self.property_in(input.value, &place, known, write);
            if !value.expr.is_null() {
                let comments = comment_lines(input.comments.around());
                setters.push((comments, property(&input.name), value.expr));
            }
        }
        for (name, constant) in document.omitted_constants(node) {
            let Some(known) = document.input_property(node, name) else { continue };
            let place = self.property_place(&around, known);
            let value = self.constant_in(constant, &place);
            setters.push((Vec::new(), property(name), value.expr));
        }
        (id, setters)
    }

    /// Several instances of a block, or perhaps one.
    fn repeated(
        &mut self,
        instances: &Instances<'d>,
        key: &str,
        repeat: Repeat,
        range: ExpressionIndex,
    ) -> Value {
        let collection = self.value(range);
        if !collection.ty.is_output() {
            return self.instances_for(instances, key, repeat, collection);
        }
        // The instances are there once the range is known.
        let value = self.apply_one(collection, "ranges", |writer, ranges| {
            let name = writer.names_take(key);
            writer.instances_for(instances, &name, repeat, ranges)
        });
        self.define(key, value)
    }

    /// The statements that make an instance for each element of a collection that is known.
    fn instances_for(
        &mut self,
        instances: &Instances<'d>,
        name: &str,
        repeat: Repeat,
        collection: Value,
    ) -> Value {
        let own = instances.ty.clone();
        let outer = self.range.take();
        let count = self.locals();
        let value = match repeat {
            Repeat::Single | Repeat::Optional => {
                let condition = self.coerce(collection, &Ty::Bool);
                let (mut body, created) = self.block(|writer| writer.instance(instances, None));
                body.push(Stmt::assign(name, created.expr));
                let ty = own.text();
                self.emit(Stmt::Define { ty, name: name.to_owned(), value: None });
                let otherwise = vec![Stmt::assign(name, Expr::null())];
                self.emit(Stmt::If { condition, body, otherwise });
                Value::text(name, own.nullable())
            }
            Repeat::Count | Repeat::List | Repeat::Map => {
                let is_map = repeat == Repeat::Map;
                let collection = if repeat == Repeat::Count {
                    let number = self.coerce(collection, &Ty::Int);
                    let numbers = Expr::call("Helpers.numbers", [Expr::text("0"), number]);
                    Value::new(numbers, Ty::list(Ty::Int))
                } else {
                    collection
                };
                let needs_key = repeat != Repeat::Count;
                let rounds = self.rounds(collection, "index", "index", needs_key);
                let key = if needs_key { rounds.key.clone() } else { rounds.value.clone() };
                self.range = Some((key.clone(), rounds.value.clone()));
                let class = if is_map { "LinkedHashMap<String, " } else { "ArrayList<" };
                let new = Expr::new(format!("{class}{}>", own.text()), []);
                self.emit(Stmt::define(name, new));
                let (body, ()) = self.block(|writer| {
                    let created = writer.instance(instances, Some(key.clone())).expr;
                    let target = Expr::text(name);
                    let added = if is_map {
                        let key = writer.coerce(key, &Ty::Text);
                        target.method("put", [key, created])
                    } else {
                        target.method("add", [created])
                    };
                    writer.emit(Stmt::Evaluate(added));
                });
                self.loop_of(rounds, body);
                let ty = if is_map { Ty::map(own) } else { Ty::list(own) };
                Value::text(name, ty)
            }
        };
        let _ = instances.member;
        self.release(count);
        self.range = outer;
        value
    }
}
