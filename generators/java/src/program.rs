//! The statements of a file, and the file around them.

use pcl::document::{Body, ExpressionIndex, Node, NodeIndex};
use pcl::generated::Unsupported;
use pcl_codegen::Limit;

use crate::module::{Value, Writer};
use crate::place::Place;
use crate::syntax::{Class, Expr, Member, Stmt, file, mentions};
use crate::types::Ty;

impl<'d> Writer<'d> {
    /// The names of the files with their texts, and what they do not have.
    pub fn files(mut self) -> (Vec<(String, String)>, Vec<Unsupported>) {
        let component = self.component;
        let (mut body, ()) = self.block(|writer| {
            if let Some(component) = component {
                writer.begin_component(component);
                writer.emit(Stmt::Blank);
            }
            writer.statements();
            if component.is_some() {
                writer.end_component();
            }
        });
        if self.has_config && mentions(&body, "config") {
            let value = Expr::text("ctx").method("config", []);
            body.insert(0, Stmt::define("config", value));
        }
        let at = self.module_index.saturating_sub(1);
        let mut classes = Vec::new();
        match component {
            Some(component) => {
                let mut class = self.component_class(component, body);
                class.members.append(&mut self.members);
                classes.push((self.component_name(at), class));
                if crate::component::has_inputs(component) {
                    classes.push((self.component_args(at), self.args_class(component)));
                }
            }
            None => {
                let mut class = program(body);
                class.members.append(&mut self.members);
                classes.push(("App".to_owned(), class));
            }
        }
        let files = classes.into_iter().map(|(name, class)| {
            let text = file(&class);
            (name, self.imports.head(&text) + &text)
        });
        (files.collect(), self.unsupported)
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
            Body::Hook(_) => {
                self.limit(Limit::Option, node.name_range, "the SDK has no hooks");
                self.nodes.insert(index, Value::null());
            }
            Body::Pulumi { required_version: Some(version) } => {
                let version = self.value_in(*version, &Place::Plain(Ty::Text)).expr;
                let deployment = Expr::text("Deployment").method("getInstance", []);
                self.emit(Stmt::Evaluate(deployment.method("requirePulumiVersion", [version])));
            }
            Body::Local { value: None }
            | Body::Output { value: None }
            | Body::Pulumi { required_version: None } => {}
        }
    }

    /// A variable of the program.
    fn local_value(&mut self, index: NodeIndex, value: ExpressionIndex) {
        let key = self.key(index);
        let value = self.value(value);
        let value = self.define(&key, value);
        self.nodes.insert(index, value);
    }

    fn output(&mut self, index: NodeIndex, node: &'d Node, value: ExpressionIndex) {
        if self.component.is_some() {
            let value = self.value(value);
            let value = self.component_output(node, value);
            self.nodes.insert(index, value);
            return;
        }
        let value = self.value_in(value, &Place::Input(Ty::Any));
        let expr = if value.expr.is_null() {
            Expr::call("Output.ofNullable", [value.expr])
        } else {
            value.expr
        };
        let name = Expr::quoted(node.logical_name());
        self.emit(Stmt::Evaluate(Expr::call("ctx.export", [name, expr])));
    }
}

/// The class of the program itself.
fn program(body: Vec<Stmt>) -> Class {
    let run = Expr::call("Pulumi.run", [Expr::text("App::stack")]);
    Class {
        comments: Vec::new(),
        head: "public class App".to_owned(),
        members: vec![
            Member::Method {
                comments: Vec::new(),
                head: "public static void main".to_owned(),
                parameters: vec!["String[] args".to_owned()],
                body: vec![Stmt::Evaluate(run)],
            },
            Member::Method {
                comments: Vec::new(),
                head: "private static void stack".to_owned(),
                parameters: vec!["Context ctx".to_owned()],
                body,
            },
        ],
    }
}
