//! Configuration of the program, and inputs of components.

use pcl::document::{Body, Config, Constant, Node, NodeIndex, Type, TypeIndex, text_lines};

use crate::module::Writer;
use crate::print::{self, Field, Id};
use crate::types::{self, Eventual, eventual};

/// Returns true if an input of a component is used as it is given.
pub(crate) fn is_bare(config: &Config) -> bool {
    config.default.is_none() && !config.secret
}

impl<'d> Writer<'d> {
    /// The statement for a config of the program, or for an input of a component that has a
    /// default.
    pub fn config(&mut self, index: NodeIndex, node: &'d Node, config: &'d Config) -> Vec<Id> {
        if self.component.is_some() && is_bare(config) {
            return Vec::new();
        }
        let default = config
            .default
            .filter(|&default| self.document.literal(default) != Some(&Constant::Null));
        let default = default.map(|default| self.value(default));
        let mut statements = self.description(config);
        let value = match self.component {
            Some(_) => {
                let args = self.tree.name("args");
                self.tree.member(args, node.logical_name())
            }
            None => {
                self.has_config = true;
                self.configured(node, config)
            }
        };
        let value = match default {
            Some(mut default) => {
                if config.secret {
                    default = self.tree.call("pulumi.secret", [default]);
                }
                self.tree.binary(value, "??", default)
            }
            None => value,
        };
        let value = if self.component.is_some() && config.secret {
            self.tree.call("pulumi.secret", [value])
        } else {
            value
        };
        statements.push(self.tree.constant(self.key(index), value));
        statements
    }

    fn description(&mut self, config: &Config) -> Vec<Id> {
        if self.component.is_some() {
            return Vec::new();
        }
        let text = config.description.as_deref().unwrap_or_default();
        let lines: Vec<String> = text_lines(text).iter().map(|line| format!(" {line}")).collect();
        if lines.is_empty() { Vec::new() } else { vec![self.tree.add(print::Node::Comment(lines))] }
    }

    /// `config.require("name")` and its like.
    fn configured(&mut self, node: &Node, config: &Config) -> Id {
        let document = self.document;
        let ty = types::content(document, node.ty);
        let optional = config.nullable || config.default.is_some();
        let kind = match document.ty(document.strip(ty)) {
            Type::String | Type::Id => "",
            Type::Int | Type::Number => "Number",
            Type::Bool => "Boolean",
            _ => "Object",
        };
        let verb = if optional { "get" } else { "require" };
        let secret = if config.secret { "Secret" } else { "" };
        let types: Vec<Id> = match kind {
            "Object" => vec![types::required(document, &mut self.tree, ty)],
            _ => Vec::new(),
        };
        let name = self.tree.text(node.logical_name());
        let callee = format!("config.{verb}{secret}{kind}");
        let call = self.tree.typed_call(&callee, types, [name]);
        // A config that may be missing has the type of one that is there.
        let missing = config.nullable && config.default.is_none();
        if missing && !types::may_be_null(document, node.ty) {
            self.tree.add(print::Node::NonNull(call))
        } else {
            call
        }
    }

    /// The properties of the inputs of a component.
    pub fn inputs(&mut self) -> Vec<Field> {
        let module = self.module;
        let mut fields = Vec::new();
        for node in &module.nodes {
            let Body::Config(config) = &node.body else { continue };
            let text = config.description.as_deref().unwrap_or_default();
            fields.push(Field {
                description: text_lines(text),
                name: node.logical_name().to_owned(),
                optional: config.default.is_some() || config.nullable,
                ty: self.input_type(node.ty, config.nullable),
            });
        }
        fields
    }

    fn input_type(&mut self, ty: TypeIndex, nullable: bool) -> Id {
        let inner = types::content(self.document, ty);
        if eventual(self.document, ty) != Eventual::No {
            let nullable = nullable || types::may_be_null(self.document, inner);
            types::input(self.document, &mut self.tree, inner, nullable)
        } else {
            types::required(self.document, &mut self.tree, inner)
        }
    }
}
