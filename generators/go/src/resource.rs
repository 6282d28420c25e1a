//! Resources, reads and components.

use pcl::document::{
    Attribute, Body, ExpressionIndex, Node, NodeIndex, Repeat, Resource, comment_lines,
};
use pcl_codegen::Limit;

use crate::module::{Value, Writer};
use crate::names::resource_field;
use crate::place::Place;
use crate::syntax::{Expr, Item, Stmt};
use crate::types::{Kind, Ty};

/// The struct that a block makes instances of.
struct Instances<'d> {
    node: &'d Node,
    /// The name of the struct in code.
    class: String,
    ty: Ty,
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
            (Repeat::Single, _) | (_, None) => self.instance(&instances, None, &key),
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
        let token = match &node.body {
            Body::Resource(Resource { token, .. }) | Body::Read(Resource { token, .. }) => {
                token.as_deref()
            }
            Body::Component(component) => {
                if let Some(program) = component.program {
                    let own = program.index();
                    let ty = self.component_type(own);
                    let class = self.component_name(own);
                    let own = Some(own);
                    return Some(Instances { node, class, ty, is_read, is_component, own });
                }
                component.token.as_deref().filter(|_| component.source.is_none())
            }
            _ => None,
        }?;
        // A component that no package has is given its type.
        if matches!(node.body, Body::Component(_)) && !self.shared.packages.knows(token) {
            let class = "pulumi.ResourceState".to_owned();
            let ty = Ty::Named(std::rc::Rc::new(crate::types::Named {
                kind: Kind::Resource,
                name: class.clone(),
                member: None,
                ty: None,
                has_list: false,
                has_map: false,
                has_pointer: false,
            }));
            return Some(Instances { node, class, ty, is_read, is_component, own: None });
        }
        let path = self.shared.packages.resource(member, token)?;
        let class = self.member(&path);
        let outputs = schema.map(|schema| schema.outputs);
        let ty = match outputs {
            Some(outputs) => self.types().named(outputs),
            None => Ty::Any,
        };
        let ty = match ty {
            Ty::Named(named) if named.kind == Kind::Resource => {
                Ty::Named(std::rc::Rc::new(crate::types::Named {
                    name: class.clone(),
                    ..(*named).clone()
                }))
            }
            _ => Ty::Named(std::rc::Rc::new(crate::types::Named {
                kind: Kind::Resource,
                name: class.clone(),
                member,
                ty: outputs,
                has_list: false,
                has_map: false,
                has_pointer: false,
            })),
        };
        Some(Instances { node, class, ty, is_read, is_component, own: None })
    }

    /// The name of an instance: that of the block, and the key of the instance.
    fn instance_name(&mut self, node: &Node, key: Option<Value>) -> Expr {
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
        self.formatted(&texts, values).expr
    }

    /// `name, err := NewClass(ctx, "name", &ClassArgs{ .. }, options)`; the key is that of one of
    /// several instances.
    fn instance(&mut self, instances: &Instances<'d>, key: Option<Value>, name: &str) -> Value {
        let node = instances.node;
        if let Body::Component(component) = &node.body
            && instances.own.is_none()
        {
            let token = component.token.clone().unwrap_or_default();
            return self.bare_component(instances, &token, key, name);
        }
        let inputs = self.input_items(instances);
        let options = self.options(node, instances.is_component);
        let own_name = self.instance_name(node, key);
        let (package, class) = match instances.class.rsplit_once('.') {
            Some((package, class)) => (format!("{package}."), class),
            None => (String::new(), instances.class.as_str()),
        };
        let mut arguments = vec![Expr::text("ctx"), own_name];
        let verb = if instances.is_read { "Get" } else { "New" };
        let (id, inputs): (Vec<Item>, Vec<Item>) = inputs
            .into_iter()
            .partition(|item| instances.is_read && item.key.as_deref() == Some("\0id"));
        if instances.is_read {
            let id = id.into_iter().next().map(|item| item.value);
            arguments.push(id.unwrap_or_else(|| Expr::call("pulumi.ID", [Expr::quoted("")])));
        }
        let suffix = if instances.is_read { "State" } else { "Args" };
        if !inputs.is_empty() {
            let ty = format!("{package}{class}{suffix}");
            let inputs = Expr::Composite { ty, items: inputs, on_lines: true };
            arguments.push(Expr::unary("&", inputs));
        } else if self.takes_inputs(instances) {
            arguments.push(Expr::nil());
        }
        arguments.extend(options);
        let call = Expr::call(format!("{package}{verb}{class}"), arguments);
        self.emit(Stmt::define([name, "err"], call));
        self.emit(Stmt::check());
        Value::text(name, instances.ty.clone())
    }

    /// A component that no package has, which has no more than its name and inputs.
    fn bare_component(
        &mut self,
        instances: &Instances<'d>,
        token: &str,
        key: Option<Value>,
        name: &str,
    ) -> Value {
        let node = instances.node;
        let mut items = Vec::new();
        for input in node.inputs() {
            let value = self.value_in(input.value, &Place::input(Ty::Any, false));
            items.push(item_of(input, crate::syntax::quoted(&input.name), value));
        }
        let options = self.options(node, true);
        let own_name = self.instance_name(node, key);
        let on_lines = !items.is_empty();
        let inputs = Expr::Composite { ty: "pulumi.Map".to_owned(), items, on_lines };
        let empty = Expr::text(format!("&{}{{}}", instances.class));
        self.emit(Stmt::define([name], empty));
        let mut arguments = vec![Expr::quoted(token), own_name, inputs, Expr::text(name)];
        arguments.extend(options);
        let call = Expr::call("ctx.RegisterComponentResourceV2", arguments);
        self.emit(Stmt::define(["err"], call));
        self.emit(Stmt::check());
        Value::text(name, instances.ty.clone())
    }

    /// Returns true if the function that makes instances takes inputs.
    fn takes_inputs(&self, instances: &Instances<'_>) -> bool {
        match instances.own.and_then(|own| self.document.components.get(own)) {
            Some(component) => !Self::input_fields(component).is_empty(),
            None => true,
        }
    }

    /// The inputs of a resource or component, as fields of a struct.
    fn input_items(&mut self, instances: &Instances<'d>) -> Vec<Item> {
        let document = self.document;
        let node = instances.node;
        if let Some(own) = instances.own {
            return self.component_inputs(node, own);
        }
        let around = Place::input(Ty::Any, false);
        let class = instances.class.rsplit('.').next().unwrap_or_default().to_owned();
        let is_builtin = instances.class.starts_with("pulumi.");
        let mut inputs = Vec::new();
        for input in node.inputs() {
            if instances.is_read && input.name == "id" {
                let id = self.value_in(input.value, &Place::input(Ty::Id, false));
                inputs.push(Item::keyed("\0id", id));
                continue;
            }
            if !instances.is_read && ["id", "urn"].contains(&&*input.name) {
                let message =
                    format!("the SDK does not send the input `{}` of a resource", input.name);
                self.limit(Limit::Input, input.name_range, message);
            }
            let property = document.input_property(node, &input.name);
            let place = match property {
                Some(property) => {
                    // The state of a resource may lack everything.
                    let place = self.property_place(&around, property.ty, property.plain);
                    match place {
                        Place::Input { ty, .. } if instances.is_read => Place::input(ty, true),
                        Place::Input { ty: Ty::Any, .. }
                            if is_builtin && class == "StackReference" =>
                        {
                            Place::input(Ty::Text, false)
                        }
                        place => place,
                    }
                }
                None => around.clone(),
            };
            let value = self.value_in(input.value, &place);
            if value.is_nil() {
                continue;
            }
            let key = resource_field(&class, &input.name);
            inputs.push(item_of(input, key, value));
        }
        for (name, constant) in document.omitted_constants(node) {
            let property = document.input_property(node, name);
            let Some(property) = property else { continue };
            let place = self.property_place(&around, property.ty, property.plain);
            let value = self.constant_in(constant, &place);
            inputs.push(Item::keyed(resource_field(&class, name), value));
        }
        inputs
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
        self.emit(Stmt::define([key], value.expr));
        Value::text(key, value.ty)
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
                let created = self.names_take("created");
                let (mut body, _) = self.block(|writer| writer.instance(instances, None, &created));
                body.push(Stmt::assign(name, Expr::text(created)));
                self.emit(Stmt::Declare { name: name.to_owned(), ty: own.text(), value: None });
                self.emit(Stmt::If { condition, body, otherwise: Vec::new() });
                Value::text(name, own)
            }
            Repeat::Count => {
                let number = self.coerce(collection, &Ty::Int);
                let index = self.local("index");
                let position = Value::text(&index, Ty::Int);
                self.range = Some((position.clone(), position.clone()));
                let ty = Ty::list(own);
                self.begin(name, &ty);
                let body = self.round(instances, name, position);
                let value = String::new();
                self.emit(Stmt::Range { key: index, value, over: number, body });
                Value::text(name, ty)
            }
            Repeat::List | Repeat::Map => {
                let rounds = self.rounds(collection, "key", "value");
                self.range = Some((rounds.key.clone(), rounds.value.clone()));
                let is_map = repeat == Repeat::Map;
                let ty = if is_map { Ty::map(own) } else { Ty::list(own) };
                self.begin(name, &ty);
                let key = rounds.key.clone();
                let body = if is_map {
                    self.keyed_round(instances, name, key)
                } else {
                    self.round(instances, name, key)
                };
                self.loop_of(rounds, body);
                Value::text(name, ty)
            }
        };
        self.release(count);
        self.range = outer;
        value
    }

    /// `name := type{}`
    fn begin(&mut self, name: &str, ty: &Ty) {
        let empty = Expr::Composite { ty: ty.text(), items: Vec::new(), on_lines: false };
        self.emit(Stmt::define([name], empty));
    }

    fn round(&mut self, instances: &Instances<'d>, name: &str, key: Value) -> Vec<Stmt> {
        let created = self.names_take("created");
        let (mut body, _) = self.block(|writer| writer.instance(instances, Some(key), &created));
        let added = Expr::call("append", [Expr::text(name), Expr::text(created)]);
        body.push(Stmt::assign(name, added));
        body
    }

    fn keyed_round(&mut self, instances: &Instances<'d>, name: &str, key: Value) -> Vec<Stmt> {
        let created = self.names_take("created");
        let own = key.clone();
        let (mut body, key) = self.block(|writer| {
            writer.instance(instances, Some(own), &created);
            writer.coerce(key, &Ty::Text)
        });
        let target = Expr::text(name).index(key);
        body.push(Stmt::Assign { target, value: Expr::text(created) });
        body
    }
}

/// A field with the comments of an attribute.
pub(crate) fn item_of(attribute: &Attribute, key: String, value: Expr) -> Item {
    let comments = comment_lines(attribute.comments.around());
    Item { comments, key: Some(key), value }
}
