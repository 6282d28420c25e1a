//! Configuration of the program, and inputs of components.

use pcl::document::{Config, Constant, ExpressionIndex, Node, NodeIndex, text_lines};
use pcl_codegen::types::content;

use crate::module::{Value, Writer};
use crate::place::Place;
use crate::syntax::{Expr, Stmt};
use crate::types::Ty;

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

    pub fn default_of(&self, config: &Config) -> Option<ExpressionIndex> {
        let is_null = |default| self.document.literal(default) == Some(&Constant::Null);
        config.default.filter(|&default| !is_null(default))
    }

    fn configured(&mut self, node: &'d Node, config: &'d Config, key: &str) -> Value {
        let document = self.document;
        let inner = self.types().value(content(document, node.ty));
        let ty = match inner.resolved() {
            Ty::Nullable(inner) => (*inner).clone(),
            Ty::Null => Ty::Any,
            ty => ty,
        };
        let method = match &ty {
            Ty::Text => "",
            Ty::Int => "Integer",
            Ty::Float => "Double",
            Ty::Bool => "Boolean",
            _ => "Object",
        };
        let mut arguments = vec![Expr::quoted(node.logical_name())];
        if method == "Object" {
            arguments.push(shape(&ty));
        }
        let is_optional = config.nullable || config.default.is_some();
        let source = Expr::text("config");
        let name = node.logical_name().to_owned();
        let read =
            |verb: &str| source.clone().method(&format!("{verb}{method}"), arguments.clone());
        if !is_optional {
            let value = Value::new(read("require"), ty);
            let value = if config.secret { self.secret_of(value) } else { value };
            return self.define(key, value);
        }
        let _ = name;
        let Some(default) = self.default_of(config) else {
            let value = Value::new(read("get").method("orElse", [Expr::null()]), ty.nullable());
            let value = if config.secret { self.secret_of(value) } else { value };
            return self.define(key, value);
        };
        let (statements, computed) = self.block(|writer| writer.value(default));
        if statements.is_empty() && !computed.ty.holds_outputs() {
            let (_, other) =
                self.block(|writer| writer.value_in(default, &Place::Plain(ty.clone())));
            let is_written = document.literal(default).is_some();
            let value = if is_written {
                read("get").method("orElse", [other.expr])
            } else {
                read("get").method("orElseGet", [Expr::lambda("()", other.expr)])
            };
            let value = Value::new(value, ty);
            let value = if config.secret { self.secret_of(value) } else { value };
            return self.define(key, value);
        }
        // The default is computed only if it is needed.
        let to = if computed.ty.holds_outputs() { Ty::output(ty.clone()) } else { ty.clone() };
        let given = self.names_take("given");
        self.emit(Stmt::define(&given, read("get")));
        let condition = Expr::text(&given).method("isPresent", []);
        let own = Value::new(Expr::text(&given).method("get", []), ty);
        let (body, own) = self.block(|writer| writer.coerce(own, &to));
        let (otherwise, other) = self.block(|writer| {
            let value = writer.value(default);
            writer.coerce(value, &to)
        });
        let value = self.choose(key, to, condition, (body, own), (otherwise, other));
        let value = if config.secret { self.secret_of(value) } else { value };
        self.define(key, value)
    }

    /// The type of an input of a component, and whether it takes outputs and may be missing.
    pub fn input_type(&mut self, node: &Node, config: &Config) -> (Ty, bool, bool) {
        let ty = self.types().value(node.ty);
        let is_late = ty.is_output();
        let is_optional =
            config.nullable || config.default.is_some() || matches!(ty.content(), Ty::Nullable(_));
        let inner = match ty.content() {
            Ty::Nullable(inner) => (**inner).clone(),
            Ty::Null => Ty::Any,
            ty => ty.clone(),
        };
        (inner, is_late, is_optional)
    }

    /// The statements for an input of a component.
    fn component_input(&mut self, node: &'d Node, config: &'d Config, key: &str) -> Value {
        let Some(component) = self.component else { return Value::null() };
        let fields = crate::component::input_fields(component);
        let field = fields.into_iter().find(|(name, ..)| name == node.logical_name());
        let method = field.map(|(_, _, method)| method).unwrap_or_default();
        let given = Expr::text("args").method(&method, []);
        let (ty, is_late, is_optional) = self.input_type(node, config);
        let late = Ty::output(ty.clone());
        let value = match self.default_of(config) {
            Some(default) => {
                let given = self.hoist("given", Value::new(given, Ty::Any)).expr;
                let (otherwise, other) = self.block(|writer| writer.value(default));
                let is_late = is_late || other.ty.holds_outputs();
                let to = if is_late { late.clone() } else { ty.clone() };
                let (otherwise, other) =
                    self.resumed(otherwise, |writer| writer.coerce(other, &to));
                let own = self.input_type(node, config).1;
                let own = if own { late } else { ty };
                let (body, own) =
                    self.block(|writer| writer.coerce(Value::new(given.clone(), own), &to));
                let condition = Expr::binary("!=", given, Expr::null());
                self.choose(key, to, condition, (body, own), (otherwise, other))
            }
            None if is_late && is_optional => {
                let given = self.hoist("given", Value::new(given, Ty::Any)).expr;
                let to = Ty::output(ty.nullable());
                let (otherwise, other) = self.block(|writer| writer.coerce(Value::null(), &to));
                let condition = Expr::binary("!=", given.clone(), Expr::null());
                self.choose(key, to, condition, (Vec::new(), given), (otherwise, other))
            }
            None if is_late => Value::new(given, late),
            None if is_optional => Value::new(given, ty.nullable()),
            None => Value::new(given, ty),
        };
        let value = if config.secret { self.secret_of(value) } else { value };
        self.define(key, value)
    }
}

/// The shape of a type, as configuration is read with.
pub(crate) fn shape(ty: &Ty) -> Expr {
    let class = |ty: &Ty| Expr::text(format!("{}.class", ty.text()));
    let is_flat = |ty: &Ty| ty.is_simple() || matches!(ty, Ty::Any);
    match ty {
        Ty::List(element) if is_flat(element) => Expr::call("TypeShape.list", [class(element)]),
        Ty::Map(element) if is_flat(element) => {
            Expr::call("TypeShape.map", [Expr::text("String.class"), class(element)])
        }
        Ty::List(element) => Expr::text("TypeShape")
            .method(&format!("<{}>builder", ty.text()), [Expr::text("List.class")])
            .method("addParameter", [shape(element)])
            .method("build", []),
        Ty::Map(_) | Ty::Record(_) => {
            let entry = ty.entry().unwrap_or(Ty::Any);
            Expr::text("TypeShape")
                .method(&format!("<{}>builder", ty.text()), [Expr::text("Map.class")])
                .method("addParameter", [Expr::text("String.class")])
                .method("addParameter", [shape(&entry)])
                .method("build", [])
        }
        Ty::Nullable(inner) => shape(inner),
        Ty::Either(left, right) => Expr::text("TypeShape")
            .method(&format!("<{}>builder", ty.text()), [Expr::text("Either.class")])
            .method("addParameter", [shape(left)])
            .method("addParameter", [shape(right)])
            .method("build", []),
        ty => class(ty),
    }
}
