//! The statements of a file, and the file around them.

use pcl::document::{Body, ExpressionIndex, Node, NodeIndex};
use pcl::generated::Unsupported;

use crate::import::head;
use crate::module::{Value, Writer, finished};
use crate::place::Place;
use crate::syntax::{Declaration, Expr, Stmt, file, rename};
use crate::types::Ty;

impl<'d> Writer<'d> {
    /// The text of the file.
    pub fn text(mut self) -> (String, Vec<Unsupported>, Vec<String>) {
        let at = self.module_index.saturating_sub(1);
        let component = self.component;
        let (mut body, ()) = self.block(|writer| {
            if let Some(component) = component {
                writer.begin_component(component, at);
                writer.emit(Stmt::Blank);
            }
            writer.statements();
            if component.is_some() {
                writer.end_component(at);
            }
        });
        if self.has_config {
            let value = Expr::call("config.New", [Expr::text("ctx"), Expr::quoted("")]);
            body.insert(0, Stmt::define(["cfg"], value));
        }
        let declarations = match component {
            Some(component) => self.component_declarations(component, at, body),
            None => vec![program(body)],
        };
        let text = file("", &declarations);
        let (head, imports) = head(&text, &self.imports);
        (head + &text, self.unsupported, imports)
    }

    /// The statements for all declarations.
    fn statements(&mut self) {
        let module = self.module;
        let mut exports: Vec<(NodeIndex, Vec<Stmt>)> = Vec::new();
        let mut before = None;
        for (index, node) in module.in_order() {
            let (statements, ()) = self.block(|writer| {
                writer.comment(node);
                writer.node(index, node);
            });
            if let Body::Output { value: Some(_) } = &node.body
                && self.component.is_none()
            {
                // What is exported has the order of the source, behind everything else.
                exports.push((index, statements));
                continue;
            }
            if statements.is_empty() {
                continue;
            }
            let is_block = statements.len() > 1;
            // Short declarations of one kind stand together.
            let kind = node.kind();
            if before.is_some_and(|before| before != (kind, false) || is_block) {
                self.emit(Stmt::Blank);
            }
            before = Some((kind, is_block));
            statements.into_iter().for_each(|statement| self.emit(statement));
        }
        exports.sort_by_key(|(index, _)| {
            module.node(*index).map(|node| (node.range.file.index(), node.range.start))
        });
        self.emit(Stmt::Blank);
        for (_, statements) in exports {
            statements.into_iter().for_each(|statement| self.emit(statement));
        }
    }

    fn node(&mut self, index: NodeIndex, node: &'d Node) {
        match &node.body {
            Body::Resource(_) | Body::Read(_) | Body::Component(_) => self.resource(index, node),
            Body::Config(config) => self.config(index, node, config),
            Body::Local { value: Some(value) } => self.local_value(index, *value),
            Body::Output { value: Some(value) } => self.output(index, node, *value),
            Body::Hook(hook) => self.hook(index, node, hook),
            Body::Pulumi { required_version: Some(version) } => {
                let version = self.value_in(*version, &Place::Plain(Ty::Text));
                let call = Expr::call("ctx.RequirePulumiVersion", [version]);
                self.emit(Stmt::define(["err"], call));
                self.emit(Stmt::check());
            }
            Body::Local { value: None }
            | Body::Output { value: None }
            | Body::Pulumi { required_version: None } => {}
        }
    }

    /// A variable of the program.
    fn local_value(&mut self, index: NodeIndex, value: ExpressionIndex) {
        let key = self.key(index);
        let (mut statements, value) = self.block(|writer| writer.value(value));
        let declared = match &value.expr {
            Expr::Text(name) => statements.iter().any(|statement| match statement {
                Stmt::Define { names, .. } => names.contains(name),
                Stmt::Declare { name: own, .. } => own == name,
                _ => false,
            }),
            _ => false,
        };
        let value = match (&value.expr, declared) {
            // The variable that the value is in already gets the name of the declaration.
            (Expr::Text(name), true) => {
                rename(&mut statements, name, &key);
                statements.into_iter().for_each(|statement| self.emit(statement));
                Value::text(key, value.ty)
            }
            _ => {
                statements.into_iter().for_each(|statement| self.emit(statement));
                if value.expr.is_nil() {
                    let ty = value.ty.text();
                    self.emit(Stmt::Declare { name: key.clone(), ty, value: None });
                } else {
                    self.emit(Stmt::define([&key], value.expr));
                }
                let ty = if value.ty == Ty::Null { Ty::Any } else { value.ty };
                Value::text(key, ty)
            }
        };
        self.nodes.insert(index, value);
    }

    fn output(&mut self, index: NodeIndex, node: &'d Node, value: ExpressionIndex) {
        if self.component.is_some() {
            let value = self.value(value);
            let value = self.component_output(node, value);
            self.nodes.insert(index, value);
            return;
        }
        let place = Place::input(Ty::Any, true);
        let expr = self.value_in(value, &place);
        let expr = if expr.is_nil() { Expr::call("pulumi.Any", [expr]) } else { expr };
        let name = Expr::quoted(node.logical_name());
        let call = Expr::call("ctx.Export", [name, expr]);
        self.emit(Stmt::Evaluate(call));
    }
}

/// `func main() { .. }`
fn program(mut body: Vec<Stmt>) -> Declaration {
    body.push(Stmt::Return(vec![Expr::nil()]));
    let function = Expr::Function {
        parameters: "ctx *pulumi.Context".to_owned(),
        results: "error".to_owned(),
        body: finished(body, ""),
    };
    let run = Stmt::Evaluate(Expr::call("pulumi.Run", [function]));
    Declaration::Function { comments: Vec::new(), head: "main()".to_owned(), body: vec![run] }
}
