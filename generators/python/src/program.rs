//! The statements of a module.

use pcl::document::{Body, ExpressionIndex, Node, NodeIndex};
use pcl::generated::Unsupported;

use crate::helper::Helper;
use crate::keys::Form;
use crate::module::Writer;
use crate::print::{self, Id, print};
use crate::types;

impl<'d> Writer<'d> {
    /// The text of the module.
    pub fn text(mut self) -> (String, Vec<Unsupported>) {
        let module = self.module;
        let mut body: Vec<Id> = Vec::new();
        let mut exports: Vec<(NodeIndex, Vec<Id>)> = Vec::new();
        let mut before = None;
        for (index, node) in module.in_order() {
            let statements = self.node(index, node);
            let functions = std::mem::take(&mut self.functions);
            // What is exported has the order of the source, behind everything else.
            if let Body::Output { value: Some(_) } = &node.body
                && self.component.is_none()
                && !self.referred.contains(&index)
            {
                let statements = self.with_comments(node, statements);
                exports.push((index, functions.into_iter().chain(statements).collect()));
                continue;
            }
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
            body.extend(functions);
            let statements = self.with_comments(node, statements);
            body.extend(statements);
            if let Body::Output { .. } = &node.body
                && self.component.is_none()
            {
                let name = self.tree.text(node.logical_name());
                let key = self.key(index);
                let value = self.tree.name(key);
                let call = self.tree.call("pulumi.export", [name, value]);
                exports.push((index, vec![self.tree.add(print::Node::Evaluate(call))]));
            }
        }
        exports.sort_by_key(|(index, _)| {
            module.node(*index).map(|node| (node.range.file.index(), node.range.start))
        });
        if !exports.is_empty() && !body.is_empty() {
            body.push(self.tree.add(print::Node::Empty));
        }
        body.extend(exports.into_iter().flat_map(|(_, statements)| statements));
        if let Some(component) = self.component {
            body = self.component_class(&component.name, body);
        }
        let mut statements = self.import_statements();
        for helper in std::mem::take(&mut self.helpers) {
            statements.extend(self.helper(helper));
        }
        if self.has_config {
            statements.push(self.tree.add(print::Node::Empty));
            let value = self.tree.call("pulumi.Config", [] as [Id; 0]);
            statements.push(self.tree.assign("config", value));
        }
        if !body.is_empty() {
            statements.push(self.tree.add(print::Node::Empty));
        }
        statements.extend(body);
        (print(&self.tree, &statements), self.unsupported)
    }

    /// The lines of a function that the module contains.
    fn helper(&mut self, helper: Helper) -> Vec<Id> {
        let text = helper.text();
        let (head, body) = text.split_once('\n').unwrap_or((text, ""));
        let head = head.strip_prefix("def ").unwrap_or(head);
        let (name, rest) = head.split_once('(').unwrap_or((head, ""));
        let (parameters, returns) = rest.split_once(") -> ").unwrap_or((rest, ""));
        let lines = body.lines().map(|line| line.strip_prefix("    ").unwrap_or(line).to_owned());
        let body = lines.map(|line| self.tree.add(print::Node::Line(line))).collect();
        vec![self.tree.add(print::Node::Def {
            name: name.to_owned(),
            parameters: vec![parameters.to_owned()],
            returns: returns.trim_end_matches(':').to_owned(),
            body,
        })]
    }

    fn node(&mut self, index: NodeIndex, node: &'d Node) -> Vec<Id> {
        self.place = crate::names::variable(&node.name);
        match &node.body {
            Body::Resource(_) | Body::Read(_) | Body::Component(_) => self.resource(index, node),
            Body::Config(config) => self.config(index, node, config),
            Body::Local { value: Some(value) } => {
                let value = self.value(*value);
                let name = self.key(index);
                // An unused variable of a function begins with an underscore.
                let name = if self.is_unused(index) { format!("_{name}") } else { name };
                vec![self.assign(index, &name, value)]
            }
            Body::Output { value: Some(value) } => self.output(index, node, *value),
            Body::Hook(hook) => self.hook(index, node, hook),
            Body::Pulumi { required_version: Some(version) } => {
                let version = self.value(*version);
                let call = self.tree.call("pulumi.require_pulumi_version", [version]);
                vec![self.tree.add(print::Node::Evaluate(call))]
            }
            Body::Local { value: None }
            | Body::Output { value: None }
            | Body::Pulumi { required_version: None } => Vec::new(),
        }
    }

    fn output(&mut self, index: NodeIndex, node: &'d Node, value: ExpressionIndex) -> Vec<Id> {
        let ty = self.document.expression(value).ty;
        let is_output = self.is_sure(value) && types::is_output(self.document, ty);
        let id = self.value_as(value, Form::Plain);
        if self.component.is_some() {
            let id = if is_output || self.is_output_code(id) { id } else { self.output_of(id) };
            return vec![self.tree.assign(&self.key(index), id)];
        }
        if self.referred.contains(&index) {
            return vec![self.tree.assign(&self.key(index), id)];
        }
        let name = self.tree.text(node.logical_name());
        let call = self.tree.call("pulumi.export", [name, id]);
        vec![self.tree.add(print::Node::Evaluate(call))]
    }
}
