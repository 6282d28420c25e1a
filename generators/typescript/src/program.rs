//! The statements of a module.

use pcl::document::{Body, ExpressionIndex, Node, NodeIndex};
use pcl::generated::Unsupported;

use crate::helper::Helper;
use crate::module::Writer;
use crate::print::{self, Id, is_identifier, print};

impl<'d> Writer<'d> {
    /// The text of the module.
    pub fn text(mut self) -> (String, Vec<Unsupported>) {
        let module = self.module;
        let mut body: Vec<Id> = Vec::new();
        let mut before = None;
        for (index, node) in module.in_order() {
            let statements = self.node(index, node);
            if statements.is_empty() {
                continue;
            }
            let is_block = !matches!(
                node.body,
                Body::Config(_) | Body::Local { .. } | Body::Output { .. }
            );
            let kind = node.kind();
            // Short declarations of one kind stand together.
            if before.is_some_and(|before| before != (kind, false) || is_block) {
                body.push(self.tree.add(print::Node::Empty));
            }
            before = Some((kind, is_block));
            let statements = self.with_comments(node, statements);
            body.extend(statements);
        }
        if let Some(component) = self.component {
            body = self.component_class(&component.name, body);
        }
        let mut statements = self.imports();
        let helpers: Vec<Helper> = self.helpers.iter().copied().collect();
        for helper in helpers {
            statements.push(self.tree.add(print::Node::Empty));
            for line in helper.text().lines() {
                let line = self.tree.add(print::Node::Line(line.to_owned()));
                statements.push(line);
            }
        }
        if self.has_config {
            statements.push(self.tree.add(print::Node::Empty));
            let value = self.new_of("pulumi.Config", []);
            statements.push(self.tree.add(print::Node::Declare {
                words: "const",
                name: "config".to_owned(),
                ty: None,
                value: Some(value),
            }));
        }
        if !body.is_empty() {
            statements.push(self.tree.add(print::Node::Empty));
        }
        statements.extend(body);
        (print(&self.tree, &statements), self.unsupported)
    }

    fn imports(&mut self) -> Vec<Id> {
        let mut lines = vec!["import * as pulumi from \"@pulumi/pulumi\";".to_owned()];
        for (package, name) in &self.imports {
            let npm = self.shared.packages.npm_name(package);
            lines.push(format!("import * as {name} from \"{npm}\";"));
        }
        for module in &self.node_modules {
            let from = match *module {
                "childProcess" => "child_process",
                other => other,
            };
            lines.push(format!("import * as {module} from \"{from}\";"));
        }
        for (class, file) in &self.classes {
            lines.push(format!("import {{ {class} }} from \"./{file}\";"));
        }
        let lines = lines.into_iter();
        lines
            .map(|line| self.tree.add(print::Node::Line(line)))
            .collect()
    }

    fn node(&mut self, index: NodeIndex, node: &'d Node) -> Vec<Id> {
        match &node.body {
            Body::Resource(_) | Body::Read(_) | Body::Component(_) => self.resource(index, node),
            Body::Config(config) => self.config(index, node, config),
            Body::Local { value: Some(value) } => {
                let value = self.value(*value);
                vec![self.constant_of(index, value)]
            }
            Body::Output { value: Some(value) } => self.output(index, node, *value),
            Body::Hook(hook) => self.hook(index, node, hook),
            Body::Pulumi {
                required_version: Some(version),
            } => {
                let version = self.value(*version);
                let call = self.tree.call("pulumi.requirePulumiVersion", [version]);
                vec![self.tree.add(print::Node::Evaluate(call))]
            }
            Body::Local { value: None }
            | Body::Output { value: None }
            | Body::Pulumi {
                required_version: None,
            } => Vec::new(),
        }
    }

    /// `const name = value;`
    fn constant_of(&mut self, index: NodeIndex, value: Id) -> Id {
        self.tree.add(print::Node::Declare {
            words: "const",
            name: self.key(index),
            ty: None,
            value: Some(value),
        })
    }

    fn output(&mut self, index: NodeIndex, node: &'d Node, value: ExpressionIndex) -> Vec<Id> {
        let value = self.value(value);
        let key = self.key(index);
        let name = &node.logical_name;
        if self.component.is_some() {
            return vec![self.constant_of(index, value)];
        }
        if key == *name {
            return vec![self.tree.add(print::Node::Declare {
                words: "export const",
                name: key,
                ty: None,
                value: Some(value),
            })];
        }
        let shown = match is_identifier(name) {
            true => name.clone(),
            false => print::quoted(name),
        };
        let declared = self.constant_of(index, value);
        let exported = format!("export {{ {key} as {shown} }};");
        let exported = self.tree.add(print::Node::Line(exported));
        vec![declared, exported]
    }
}
