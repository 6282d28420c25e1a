//! Components as structs, and the variables of those that need each other.

use pcl::document::{Body, Component, Node, NodeIndex};

use crate::module::{Value, Writer, finished};
use crate::place::Place;
use crate::syntax::{Declaration, Expr, Field, Item, Stmt, quoted};
use crate::types::{Ty, class};

impl<'d> Writer<'d> {
    /// The struct of a component, that of its inputs, and the function that makes one.
    pub fn component_declarations(
        &mut self,
        component: &'d Component,
        at: usize,
        body: Vec<Stmt>,
    ) -> Vec<Declaration> {
        let name = self.component_name(at);
        let outputs = self.component_outputs(at);
        let token = self.shared.component_tokens.get(at).copied().unwrap_or_default();
        let mut declarations = Vec::new();
        let mut fields = vec![Field {
            comments: Vec::new(),
            name: "pulumi.ResourceState".to_owned(),
            ty: String::new(),
        }];
        fields.extend(outputs.iter().map(|(_, field, ty)| Field {
            comments: Vec::new(),
            name: field.clone(),
            ty: ty.text(),
        }));
        declarations.push(Declaration::Struct {
            comments: vec![format!("{name} is a component of the type {token}.")],
            name: name.clone(),
            fields,
        });
        let inputs = self.args_fields(component);
        let takes_inputs = !inputs.is_empty();
        if takes_inputs {
            declarations.push(Declaration::Struct {
                comments: vec![format!("{name}Args has the inputs of {name}.")],
                name: format!("{name}Args"),
                fields: inputs,
            });
        }
        let args = if takes_inputs { format!("args *{name}Args, ") } else { String::new() };
        declarations.push(Declaration::Function {
            comments: vec![format!("New{name} registers a {name} with the resources in it.")],
            head: format!(
                "New{name}(ctx *pulumi.Context, name string, {args}opts ...pulumi.ResourceOption) (*{name}, error)"
            ),
            body: finished(body, "nil"),
        });
        declarations
    }

    /// The statements before those of a component's declarations.
    pub fn begin_component(&mut self, component: &'d Component, at: usize) {
        let name = self.component_name(at);
        let fields = Self::input_fields(component);
        if !fields.is_empty() {
            let empty =
                Expr::Composite { ty: format!("{name}Args"), items: Vec::new(), on_lines: false };
            let condition = Expr::binary("==", Expr::text("args"), Expr::nil());
            let body = vec![Stmt::assign("args", Expr::unary("&", empty))];
            self.emit(Stmt::If { condition, body, otherwise: Vec::new() });
        }
        let empty = Expr::Composite { ty: name, items: Vec::new(), on_lines: false };
        self.emit(Stmt::define(["component"], Expr::unary("&", empty)));
        let token = self.shared.component_tokens.get(at).copied().unwrap_or_default();
        let inputs = self.registered_inputs(component, at);
        let call = Expr::Call {
            callee: Box::new(Expr::text("ctx.RegisterComponentResourceV2")),
            arguments: vec![
                Expr::quoted(token),
                Expr::text("name"),
                inputs,
                Expr::text("component"),
                Expr::text("opts"),
            ],
            expands: true,
        };
        self.emit(Stmt::define(["err"], call));
        self.emit(Stmt::check());
    }

    /// The inputs that the component is registered with: without those that it must not wait for,
    /// and with those as secrets that are declared so.
    fn registered_inputs(&mut self, component: &'d Component, at: usize) -> Expr {
        let deferred = self.shared.deferred_inputs.get(at);
        let mut items = Vec::new();
        let fields = Self::input_fields(component);
        let configs = component.module.nodes.iter().filter_map(|node| match &node.body {
            Body::Config(config) => Some((node, config)),
            _ => None,
        });
        for ((node, config), (name, field)) in configs.zip(fields) {
            if deferred.is_some_and(|deferred| deferred.contains(name.as_str())) {
                continue;
            }
            let given = Expr::text(format!("args.{field}"));
            let place = self.input_place_of(node, config);
            let value = match place {
                Place::Input { .. } => given,
                Place::Plain(ty) => self.as_input(Value::new(given, ty), &Ty::Any, true),
            };
            let value = if config.secret { Expr::call("pulumi.ToSecret", [value]) } else { value };
            items.push(Item::keyed(quoted(&name), value));
        }
        let on_lines = !items.is_empty();
        Expr::Composite { ty: "pulumi.Map".to_owned(), items, on_lines }
    }

    /// The statements behind those of a component's declarations.
    pub fn end_component(&mut self, at: usize) {
        let outputs = self.component_outputs(at);
        let item = |(name, field, _): &(String, String, Ty)| {
            Item::keyed(quoted(name), Expr::text(format!("component.{field}")))
        };
        let items: Vec<Item> = outputs.iter().map(item).collect();
        let on_lines = !items.is_empty();
        let map = Expr::Composite { ty: "pulumi.Map".to_owned(), items, on_lines };
        let call = Expr::call("ctx.RegisterResourceOutputs", [Expr::text("component"), map]);
        self.emit(Stmt::Blank);
        self.emit(Stmt::define(["err"], call));
        self.emit(Stmt::check());
        self.emit(Stmt::Return(vec![Expr::text("component"), Expr::nil()]));
    }

    /// An output of a component.
    pub fn component_output(&mut self, node: &'d Node, value: Value) -> Value {
        let at = self.module_index.saturating_sub(1);
        let outputs = self.component_outputs(at);
        let found = outputs.into_iter().find(|(name, ..)| name == node.logical_name());
        let Some((_, field, ty)) = found else { return value };
        let expr = self.coerce(value, &ty);
        let target = Expr::text(format!("component.{field}"));
        self.emit(Stmt::Assign { target: target.clone(), value: expr });
        Value::new(target, ty)
    }

    /// The variables that hold the outputs of later components.
    pub fn declare_deferred(&mut self, node: &'d Node) {
        let Body::Component(component) = &node.body else { return };
        for deferred in &component.deferred {
            let variable = self.document.variable(deferred.variable);
            let name = self.names_take(&variable.name);
            let resolve = self.names_take(&format!("resolve-{}", variable.name));
            let names = vec![name.clone(), resolve.clone(), "_".to_owned()];
            let value = Expr::call("ctx.NewOutput", []);
            self.emit(Stmt::Define { names, value, is_new: true });
            let ty = self.types().value(variable.ty).content().resolved();
            let ty = if class(&ty) == "pulumi.AnyOutput" { Ty::Any } else { ty };
            let any = Value::new(Expr::text(&name).assert("pulumi.AnyOutput"), Ty::output(Ty::Any));
            let late = Ty::output(ty);
            let expr = self.coerce(any, &late);
            self.variables.insert(deferred.variable, Value::new(expr, late));
            let waiting = self.waiting.entry(deferred.component).or_default();
            waiting.push((resolve, deferred.value));
        }
    }

    /// The statements that give the variables which wait for a component their values.
    pub fn resolve_deferred(&mut self, index: NodeIndex) {
        for (resolve, value) in self.waiting.remove(&index).unwrap_or_default() {
            let value = self.value(value);
            let value = match value.ty {
                Ty::Output(_) => value.expr,
                _ if value.ty.holds_outputs() => {
                    let input = self.any_input(value);
                    Expr::call("pulumi.ToOutput", [input])
                }
                _ => value.expr,
            };
            self.emit(Stmt::Evaluate(Expr::call(resolve, [value])));
        }
    }
}
