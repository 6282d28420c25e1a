//! Configuration of the program, and inputs of components.

use pcl::document::{Body, Config, Constant, Node, NodeIndex, Type, text_lines};

use crate::module::Writer;
use crate::names::is_identifier;
use crate::print::{self, Id};
use crate::types;

impl<'d> Writer<'d> {
    /// The statements for a config of the program, or for an input of a component.
    pub fn config(&mut self, index: NodeIndex, node: &'d Node, config: &'d Config) -> Vec<Id> {
        let default = config
            .default
            .filter(|&default| self.document.literal(default) != Some(&Constant::Null));
        if self.component.is_some() {
            return self.component_input(index, node, config);
        }
        let mut statements = self.description(config);
        self.has_config = true;
        let key = self.key(index);
        // The SDK takes a default that is known; others are computed where they are needed.
        let is_known = default.is_none_or(|default| {
            self.document.literal(default).is_some() || config.secret && self.is_literal(default)
        });
        let given = default.map(|default| self.value(default));
        let call = self.configured(node, config, given.filter(|_| is_known));
        match given.filter(|_| !is_known) {
            None => statements.push(self.tree.assign(&key, call)),
            Some(default) => {
                statements.push(self.tree.assign(&key, call));
                statements.push(self.if_missing(&key, default, config.secret));
            }
        }
        statements
    }

    /// Returns true for data that is written out.
    fn is_literal(&self, value: pcl::document::ExpressionIndex) -> bool {
        use pcl::document::ExpressionKind as Kind;
        let document = self.document;
        document.walk(value).into_iter().all(|part| {
            document.literal(part).is_some()
                || matches!(
                    document.expression(part).kind,
                    Kind::Tuple { .. }
                        | Kind::Object { .. }
                        | Kind::Literal { .. }
                        | Kind::Template { .. }
                        | Kind::Convert { .. }
                )
        })
    }

    /// `if name is None:`, and then the name is the default.
    fn if_missing(&mut self, key: &str, default: Id, secret: bool) -> Id {
        let default =
            if secret { self.tree.call("pulumi.Output.secret", [default]) } else { default };
        let assigned = self.tree.assign(key, default);
        let (own, none) = (self.tree.name(key), self.tree.name("None"));
        let condition = self.tree.binary(own, "is", none);
        self.tree.add(print::Node::If { condition, body: vec![assigned] })
    }

    fn description(&mut self, config: &Config) -> Vec<Id> {
        let text = config.description.as_deref().unwrap_or_default();
        let lines: Vec<String> = text_lines(text).iter().map(|line| format!(" {line}")).collect();
        if lines.is_empty() { Vec::new() } else { vec![self.tree.add(print::Node::Comment(lines))] }
    }

    /// `config.require("name")` and its like.
    fn configured(&mut self, node: &Node, config: &Config, default: Option<Id>) -> Id {
        let document = self.document;
        let ty = types::content(document, node.ty);
        let is_optional = config.nullable || config.default.is_some();
        let kind = match document.ty(document.strip(ty)) {
            Type::String | Type::Id => "",
            Type::Int => "_int",
            Type::Number => "_float",
            Type::Bool => "_bool",
            _ => "_object",
        };
        let verb = if is_optional { "get" } else { "require" };
        let secret = if config.secret { "_secret" } else { "" };
        let name = self.tree.text(node.logical_name());
        let arguments: Vec<Id> = [name].into_iter().chain(default).collect();
        self.tree.call(&format!("config.{verb}{secret}{kind}"), arguments)
    }

    /// The statements for an input of a component.
    fn component_input(&mut self, index: NodeIndex, node: &'d Node, config: &'d Config) -> Vec<Id> {
        if self.is_unused(index) {
            return Vec::new();
        }
        let key = self.key(index);
        let args = self.tree.name("args");
        let name = self.tree.text(node.logical_name());
        let is_optional = config.nullable || config.default.is_some();
        let value = if is_optional {
            self.tree.method(args, "get", [name])
        } else {
            self.tree.index(args, name)
        };
        let default = config
            .default
            .filter(|&default| self.document.literal(default) != Some(&Constant::Null));
        if let Some(default) = default {
            let default = self.value(default);
            let mut statements = vec![self.assign(index, &key, value)];
            statements.push(self.if_missing(&key, default, false));
            if config.secret {
                let own = self.tree.name(&key);
                let secret = self.tree.call("pulumi.Output.secret", [own]);
                statements.push(self.tree.assign(&key, secret));
            }
            return statements;
        }
        let value =
            if config.secret { self.tree.call("pulumi.Output.secret", [value]) } else { value };
        vec![self.assign(index, &key, value)]
    }

    /// The class of the inputs of a component; `None` if it has none.
    pub fn inputs_class(&mut self, class: &str) -> Option<Vec<Id>> {
        let module = self.module;
        let mut fields = Vec::new();
        for node in &module.nodes {
            let Body::Config(config) = &node.body else { continue };
            let inner = types::content(self.document, node.ty);
            let ty = if types::is_late(self.document, node.ty) {
                types::input(self.document, inner)
            } else {
                types::annotation(self.document, inner)
            };
            let is_nullable = config.nullable || types::may_be_null(self.document, inner);
            let ty = if is_nullable && ty != "Any" { format!("{ty} | None") } else { ty };
            self.use_names_of(&ty);
            let ty = if config.default.is_some() || config.nullable {
                self.used.insert("NotRequired");
                format!("NotRequired[{ty}]")
            } else {
                ty
            };
            fields.push((node.logical_name(), ty, config.description.as_deref()));
        }
        if fields.is_empty() {
            return None;
        }
        self.used.insert("TypedDict");
        // A name that begins with two underscores means something else inside of a class.
        let is_plain = |name: &str| {
            is_identifier(name) && !name.starts_with("__") && !types::is_in_annotations(name)
        };
        if fields.iter().all(|(name, ..)| is_plain(name)) {
            let mut body = Vec::new();
            for (name, ty, description) in fields {
                body.push(self.tree.declare(name, ty, None));
                let lines = text_lines(description.unwrap_or_default());
                if !lines.is_empty() {
                    body.push(self.tree.add(print::Node::Documentation(lines)));
                    body.push(self.tree.add(print::Node::Empty));
                }
            }
            let (name, base) = (class.to_owned(), "TypedDict".to_owned());
            return Some(vec![self.tree.add(print::Node::Class { name, base, body })]);
        }
        let mut items = Vec::new();
        for (name, ty, _) in fields {
            let ty = self.tree.name(ty);
            items.push(print::Item::entry(name, ty));
        }
        let (name, items) = (self.tree.text(class), self.tree.dict(items));
        let value = self.tree.call("TypedDict", [name, items]);
        let empty = self.tree.add(print::Node::Empty);
        Some(vec![empty, self.tree.assign(class, value)])
    }
}
