//! The statements of a module.

use pcl::document::{Body, ExpressionIndex, Node, NodeIndex};
use pcl::generated::Unsupported;

use crate::module::Writer;
use crate::print::{self, Entry, Id, print};
use crate::types::{self, Eventual, eventual};

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
            let is_block =
                !matches!(node.body, Body::Config(_) | Body::Local { .. } | Body::Output { .. });
            let kind = node.kind();
            // Short declarations of one kind stand together.
            if before.is_some_and(|before| before != (kind, false) || is_block) {
                body.push(self.tree.add(print::Node::Empty));
            }
            before = Some((kind, is_block));
            let statements = self.with_comments(node, statements);
            body.extend(statements);
        }
        if self.is_async {
            body = self.async_main(body);
        }
        if let Some(component) = self.component {
            body = self.component_class(&component.name, body);
        }
        let mut statements = self.imports();
        for helper in std::mem::take(&mut self.helpers) {
            statements.push(self.tree.add(print::Node::Empty));
            let lines = helper.text().lines().map(str::to_owned);
            statements.extend(lines.map(|line| self.tree.add(print::Node::Line(line))));
        }
        if self.has_config {
            statements.push(self.tree.add(print::Node::Empty));
            let value = self.tree.construct("pulumi.Config", []);
            statements.push(self.tree.constant("config".to_owned(), value));
        }
        if !body.is_empty() {
            statements.push(self.tree.add(print::Node::Empty));
        }
        statements.extend(body);
        (print(&self.tree, &statements), self.unsupported)
    }

    /// The program as a function that waits for promises and returns its outputs.
    fn async_main(&mut self, statements: Vec<Id>) -> Vec<Id> {
        let mut body = Vec::new();
        let mut outputs: Vec<Entry> = Vec::new();
        for statement in statements {
            match self.tree.node(statement).clone() {
                print::Node::Export { name, shown } => {
                    let value = self.tree.name(name);
                    outputs.push(Entry::new(shown, value));
                }
                print::Node::Declare { words: "export const", name, ty, value } => {
                    let own = self.tree.name(&name);
                    outputs.push(Entry::new(&name, own));
                    let words = "const";
                    body.push(self.tree.add(print::Node::Declare { words, name, ty, value }));
                }
                _ => body.push(statement),
            }
        }
        if !outputs.is_empty() {
            body.push(self.tree.add(print::Node::Empty));
            let value = self.tree.object(outputs);
            let word = "return";
            body.push(self.tree.add(print::Node::Leave { word, value }));
        }
        let body = self.tree.add(print::Node::Block(body));
        let main =
            self.tree.add(print::Node::Arrow { is_async: true, parameters: Vec::new(), body });
        vec![self.tree.add(print::Node::ExportAll(main))]
    }

    fn imports(&mut self) -> Vec<Id> {
        let mut lines = vec!["import * as pulumi from \"@pulumi/pulumi\";".to_owned()];
        for (package, name) in &self.imports {
            let npm = self.shared.packages.npm_name(package);
            lines.push(format!("import * as {name} from \"{npm}\";"));
        }
        for module in &self.node_modules {
            let from = if *module == "childProcess" { "child_process" } else { module };
            lines.push(format!("import * as {module} from \"{from}\";"));
        }
        for (class, file) in &self.classes {
            lines.push(format!("import {{ {class} }} from \"./{file}\";"));
        }
        let lines = lines.into_iter();
        lines.map(|line| self.tree.add(print::Node::Line(line))).collect()
    }

    fn node(&mut self, index: NodeIndex, node: &'d Node) -> Vec<Id> {
        match &node.body {
            Body::Resource(_) | Body::Read(_) | Body::Component(_) => self.resource(index, node),
            Body::Config(config) => self.config(index, node, config),
            Body::Local { value: Some(value) } => {
                let code = self.value(*value);
                if self.tree.is_empty_array(code) {
                    // TypeScript would take it for a list that grows.
                    let any = self.tree.name("any");
                    let ty = Some(types::array(&mut self.tree, any));
                    let (words, name) = ("const", self.key(index));
                    let value = Some(code);
                    return vec![self.tree.add(print::Node::Declare { words, name, ty, value })];
                }
                vec![self.constant_of(index, code)]
            }
            Body::Output { value: Some(value) } => self.output(index, node, *value),
            Body::Hook(hook) => self.hook(index, node, hook),
            Body::Pulumi { required_version: Some(version) } => {
                let version = self.value(*version);
                let call = self.tree.call("pulumi.requirePulumiVersion", [version]);
                // The SDK waits for it by itself.
                let call = self.tree.add(print::Node::Unary { operator: "void ", operand: call });
                vec![self.tree.add(print::Node::Evaluate(call))]
            }
            Body::Local { value: None }
            | Body::Output { value: None }
            | Body::Pulumi { required_version: None } => Vec::new(),
        }
    }

    /// `const name = value;`
    fn constant_of(&mut self, index: NodeIndex, value: Id) -> Id {
        self.tree.constant(self.key(index), value)
    }

    fn output(&mut self, index: NodeIndex, node: &'d Node, value: ExpressionIndex) -> Vec<Id> {
        let is_output = self.is_sure(value)
            && eventual(self.document, self.document.expression(value).ty) == Eventual::Output;
        let value = self.value(value);
        let key = self.key(index);
        let name = node.logical_name();
        if self.component.is_some() {
            let value =
                if is_output || self.is_output_code(value) { value } else { self.output_of(value) };
            let this = self.tree.name("this");
            let target = self.tree.member(this, name);
            let mut statements = vec![self.tree.add(print::Node::Assign { target, value })];
            // A name that is no identifier is referred to by another one.
            let is_referred = || {
                let mut nodes = self.module.nodes.iter();
                nodes.any(|node| node.dependencies.contains(&index))
            };
            if !key.starts_with("this.") && is_referred() {
                statements.push(self.constant_of(index, target));
            }
            return statements;
        }
        if key == name {
            return vec![self.tree.add(print::Node::Declare {
                words: "export const",
                name: key,
                ty: None,
                value: Some(value),
            })];
        }
        let declared = self.constant_of(index, value);
        let (name, shown) = (key, name.to_owned());
        let exported = self.tree.add(print::Node::Export { name, shown });
        vec![declared, exported]
    }
}
