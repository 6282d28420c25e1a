//! Configuration of the program, and inputs of components.

use pcl::document::{
    Body, Component, Config, Constant, ExpressionIndex, Node, NodeIndex, text_lines,
};
use pcl_codegen::types::content;

use crate::convert::short;
use crate::helper::Helper;
use crate::module::{Value, Writer};
use crate::place::Place;
use crate::syntax::{Expr, Field, Item, Stmt};
use crate::types::{Ty, class, input_class};

impl<'d> Writer<'d> {
    /// The statements for a config of the program, or for an input of a component.
    pub fn config(&mut self, index: NodeIndex, node: &'d Node, config: &'d Config) {
        let key = self.key(index);
        let value = if self.component.is_some() {
            self.component_input(node, config, &key)
        } else {
            if let Some(text) = &config.description {
                let lines = text_lines(text).iter().map(|line| format!(" {line}")).collect();
                self.emit(Stmt::Comment(lines));
            }
            self.has_config = true;
            self.configured(node, config, &key)
        };
        self.nodes.insert(index, value);
    }

    fn default_of(&self, config: &Config) -> Option<ExpressionIndex> {
        let is_null = |default| self.document.literal(default) == Some(&Constant::Null);
        config.default.filter(|&default| !is_null(default))
    }

    fn configured(&mut self, node: &'d Node, config: &'d Config, key: &str) -> Value {
        let document = self.document;
        let inner = self.types().value(content(document, node.ty));
        let ty = match inner.resolved() {
            Ty::Pointer(inner) => (*inner).clone(),
            Ty::Null => Ty::Any,
            ty => ty,
        };
        let method = match &ty {
            Ty::Text => "",
            Ty::Int => "Int",
            Ty::Float => "Float64",
            Ty::Bool => "Bool",
            _ => "Object",
        };
        let is_object = method == "Object";
        let name = Expr::quoted(node.logical_name());
        let is_optional = config.nullable || config.default.is_some();
        let secret = if config.secret { "Secret" } else { "" };
        let own = if config.secret { Ty::output(ty.clone()) } else { ty.clone() };
        if !is_optional {
            let cfg = format!("cfg.Require{secret}{method}");
            if is_object {
                self.emit(Stmt::Declare { name: key.to_owned(), ty: ty.text(), value: None });
                let target = Expr::unary("&", Expr::text(key));
                self.emit(Stmt::Evaluate(Expr::call(cfg, [name, target])));
                let value = Value::text(key, ty);
                return if config.secret { self.secret_of(value) } else { value };
            }
            self.emit(Stmt::define([key], Expr::call(cfg, [name])));
            return Value::text(key, own);
        }
        let (reader, read) = if is_object {
            let reader = format!("{}[{}]", Helper::ConfigObject.name(), ty.text());
            (Expr::call(reader, [Expr::text("cfg")]), ty.clone())
        } else {
            (Expr::text(format!("cfg.Try{secret}{method}")), own.clone())
        };
        let Some(default) = self.default_of(config) else {
            let call = Expr::call(Helper::Optional.name(), [reader, name]);
            let pointer = Ty::Pointer(std::rc::Rc::new(read.clone()));
            let given = self.hoist_call(key, call, pointer);
            let to = own.nullable();
            let expr = self.coerce_config(given, &read, &to, config.secret && is_object);
            return Value::new(expr, to);
        };
        let (statements, value) = self.block(|writer| writer.value(default));
        if statements.is_empty() && !value.ty.is_output() && !config.secret {
            let value = self.constant_default(default, &ty);
            let function = match ty {
                Ty::Any => format!("{}[any]", Helper::Configured.name()),
                _ => Helper::Configured.name().to_owned(),
            };
            let call = Expr::call(function, [reader, name, value]);
            self.emit(Stmt::define([key, "err"], call));
            self.emit(Stmt::check());
            return Value::text(key, ty);
        }
        self.computed_default(
            key,
            Expr::call(Helper::Optional.name(), [reader, name]),
            &read,
            &own,
            (statements, value),
        )
    }

    /// A default that is written out, as a value of the type.
    fn constant_default(&mut self, default: ExpressionIndex, ty: &Ty) -> Expr {
        match self.document.literal(default) {
            Some(constant) => self.constant_in(constant, &Place::Plain(ty.clone())),
            None => self.value_in(default, &Place::Plain(ty.clone())),
        }
    }

    /// The value of a configuration whose default is computed.
    fn computed_default(
        &mut self,
        key: &str,
        call: Expr,
        read: &Ty,
        own: &Ty,
        (otherwise, value): (Vec<Stmt>, Value),
    ) -> Value {
        let is_late = value.ty.is_output() || value.ty.holds_outputs();
        let to = if is_late { Ty::output(own.content().clone()) } else { own.clone() };
        let pointer = Ty::Pointer(std::rc::Rc::new(read.clone()));
        let given = self.hoist_call("given", call, pointer);
        let is_secret = own.is_output();
        let source = Value::new(Expr::unary("*", given.expr.clone()), read.clone());
        let (body, expr) = self.block(|writer| {
            let source =
                if is_secret && !read.is_output() { writer.secret_of(source) } else { source };
            writer.coerce(source, &to)
        });
        let (otherwise, other) = self.resumed(otherwise, |writer| {
            let value = if is_secret { writer.secret_of(value) } else { value };
            writer.coerce(value, &to)
        });
        let condition = Expr::binary("!=", given.expr, Expr::nil());
        self.choose(key, &to.text(), condition, (body, expr), (otherwise, other));
        Value::text(key, to)
    }

    /// The value that a pointer to configuration leads to.
    fn coerce_config(&mut self, given: Value, read: &Ty, to: &Ty, marks: bool) -> Expr {
        if !to.is_output() {
            return self.coerce(given, to);
        }
        let source = Value::new(Expr::unary("*", given.expr.clone()), read.clone());
        let (body, expr) = self.block(|writer| {
            let source = if marks { writer.secret_of(source) } else { source };
            writer.coerce(source, to)
        });
        let (otherwise, other) = self.block(|writer| writer.coerce(Value::null(), to));
        let name = self.names_take("value");
        let condition = Expr::binary("!=", given.expr, Expr::nil());
        self.choose(&name, &to.text(), condition, (body, expr), (otherwise, other));
        Expr::text(name)
    }

    /// A value as a secret.
    fn secret_of(&mut self, value: Value) -> Value {
        let content = value.ty.resolved();
        let content = if content == Ty::Null { Ty::Any } else { content };
        let value = self.coerce(value, &Ty::output(content.clone()));
        let marked = Expr::call("pulumi.ToSecret", [value]).assert(class(&content));
        Value::new(marked, Ty::output(content))
    }

    /// The type of an input of a component, and `true` if it takes outputs.
    fn input_type(&mut self, node: &Node, config: &Config) -> (Ty, bool, bool) {
        let ty = self.types().value(node.ty);
        let is_late = ty.is_output();
        let is_optional =
            config.nullable || config.default.is_some() || matches!(ty.content(), Ty::Pointer(_));
        let inner = match ty.content() {
            Ty::Pointer(inner) => (**inner).clone(),
            Ty::Null => Ty::Any,
            ty => ty.clone(),
        };
        (inner, is_late, is_optional)
    }

    /// The place of an input of a component.
    pub fn input_place_of(&mut self, node: &Node, config: &Config) -> Place {
        let (ty, is_late, is_optional) = self.input_type(node, config);
        match (is_late, is_optional) {
            (true, is_optional) => Place::input(ty, is_optional),
            (false, true) => Place::Plain(ty.nullable()),
            (false, false) => Place::Plain(ty),
        }
    }

    /// The fields of the inputs of a component.
    pub fn component_inputs(&mut self, node: &'d Node, own: usize) -> Vec<Item> {
        let document = self.document;
        let Some(component) = document.components.get(own) else { return Vec::new() };
        let fields = Self::input_fields(component);
        let mut items = Vec::new();
        for input in node.inputs() {
            let found = component.module.nodes.iter().find_map(|node| match &node.body {
                Body::Config(config) if node.logical_name() == input.name => Some((node, config)),
                _ => None,
            });
            let field = fields.iter().find(|(name, _)| *name == input.name);
            let (Some((declared, config)), Some((_, field))) = (found, field) else { continue };
            let place = self.input_place_of(declared, config);
            let value = self.value_in(input.value, &place);
            if !value.is_nil() {
                items.push(crate::resource::item_of(input, field.clone(), value));
            }
        }
        items
    }

    /// The fields of the struct of a component's inputs.
    pub fn args_fields(&mut self, component: &'d Component) -> Vec<Field> {
        let names = Self::input_fields(component);
        let mut fields = Vec::new();
        for (name, field) in names {
            let found = component.module.nodes.iter().find_map(|node| match &node.body {
                Body::Config(config) if node.logical_name() == name => Some((node, config)),
                _ => None,
            });
            let Some((node, config)) = found else { continue };
            let (ty, is_late, is_optional) = self.input_type(node, config);
            let ty = match (is_late, is_optional) {
                (true, is_optional) => input_class(&ty, is_optional),
                (false, true) => ty.nullable().text(),
                (false, false) => ty.text(),
            };
            let text = config.description.as_deref().unwrap_or_default();
            let comments = text_lines(text).iter().map(|line| format!(" {line}")).collect();
            fields.push(Field { comments, name: field, ty });
        }
        fields
    }

    /// The statements for an input of a component.
    fn component_input(&mut self, node: &'d Node, config: &'d Config, key: &str) -> Value {
        let Some(component) = self.component else { return Value::null() };
        let fields = Self::input_fields(component);
        let field = fields.into_iter().find(|(name, _)| name == node.logical_name());
        let field = field.map(|(_, field)| field).unwrap_or_default();
        let given = Expr::text(format!("args.{field}"));
        let (ty, is_late, is_optional) = self.input_type(node, config);
        let default = self.default_of(config);
        let value = match (is_late, default) {
            (true, default) => self.late_input(given, &ty, is_optional, default, key),
            (false, None) if is_optional => Value::new(given, ty.nullable()),
            (false, None) => Value::new(given, ty),
            (false, Some(default)) => {
                let pointer = ty.clone().nullable();
                let source =
                    if pointer == ty { given.clone() } else { Expr::unary("*", given.clone()) };
                let (otherwise, other) = self.block(|writer| writer.value(default));
                let to = if other.ty.is_output() { Ty::output(ty.clone()) } else { ty.clone() };
                let (otherwise, other) =
                    self.resumed(otherwise, |writer| writer.coerce(other, &to));
                let (body, own) = self.block(|writer| writer.coerce(Value::new(source, ty), &to));
                let condition = Expr::binary("!=", given, Expr::nil());
                self.choose(key, &to.text(), condition, (body, own), (otherwise, other));
                Value::text(key, to)
            }
        };
        let value = if config.secret { self.secret_of(value) } else { value };
        if value.expr == Expr::text(key) {
            return value;
        }
        self.emit(Stmt::define([key], value.expr));
        Value::text(key, value.ty)
    }

    /// An input that takes outputs, as an output.
    fn late_input(
        &mut self,
        given: Expr,
        ty: &Ty,
        is_optional: bool,
        default: Option<ExpressionIndex>,
        key: &str,
    ) -> Value {
        let input = input_class(ty, is_optional);
        let to = if is_optional && default.is_none() { ty.clone().nullable() } else { ty.clone() };
        let convert = |writer: &mut Self, given: Expr| {
            if input == "pulumi.Input" {
                let any = Expr::call("pulumi.ToOutput", [given]);
                let any = Value::new(any, Ty::output(Ty::Any));
                return writer.coerce(Value::new(any.expr, any.ty), &Ty::output(to.clone()));
            }
            let is_pointer = is_optional && !ty.has_nil();
            let pointer = if is_pointer { "Ptr" } else { "" };
            let output = given.method(&format!("To{}{pointer}Output", short(ty)), []);
            let own = if is_pointer { ty.clone().nullable() } else { ty.clone() };
            writer.coerce(Value::new(output, Ty::output(own)), &Ty::output(to.clone()))
        };
        let late = Ty::output(to.clone());
        if !is_optional {
            let expr = convert(self, given);
            return Value::new(expr, late);
        }
        let (body, own) = self.block(|writer| convert(writer, given.clone()));
        let (otherwise, other) = self.block(|writer| match default {
            Some(default) => {
                let value = writer.value(default);
                writer.coerce(value, &late)
            }
            None => writer.coerce(Value::null(), &late),
        });
        let condition = Expr::binary("!=", given, Expr::nil());
        self.choose(key, &late.text(), condition, (body, own), (otherwise, other));
        Value::text(key, late)
    }
}
