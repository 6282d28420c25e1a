//! The layout of types.

use super::layout::{Layout, Part};
use super::tree::{Field, Id, Node};
use super::{Formatter, expression};

impl Formatter<'_> {
    pub(super) fn type_part(&mut self, node: &Node) -> Option<Part> {
        Some(match node {
            Node::Generic { name, arguments } => {
                row!(self, name.as_str(), self.type_arguments(arguments))
            }
            Node::ObjectType(fields) if fields.is_empty() => self.layout.text("{}"),
            Node::ObjectType(fields) => {
                let fields = self.fields(fields);
                let semicolon = self.layout.text(";");
                let fields = self.layout.join(&fields, &[semicolon, Layout::LINE]);
                let last = self.if_broken(";");
                let fields = self.layout.parts([fields, last]);
                let all = self.enclosed("{", fields, Layout::LINE, "}");
                self.layout.group(all)
            }
            Node::ArrayType(element) => match self.node(*element) {
                Node::UnionType(_) => row!(self, "(", self.part(*element), ")[]"),
                _ => row!(self, self.part(*element), "[]"),
            },
            Node::TupleType(elements) => {
                let elements = self.parts_of(elements);
                let list = self.list("[", &elements, "]", Layout::SOFT_LINE);
                self.layout.group(list)
            }
            Node::UnionType(members) => {
                let members = self.parts_of(members);
                let between = self.layout.text(" | ");
                self.layout.join(&members, &[between])
            }
            _ => return None,
        })
    }

    /// `<arguments>`; nothing when there are none.
    pub(super) fn type_arguments(&mut self, arguments: &[Id]) -> Part {
        let parts = self.parts_of(arguments);
        match arguments {
            [] => Layout::EMPTY,
            [only] if matches!(self.node(*only), Node::Name(_) | Node::ObjectType(_)) => {
                row!(self, "<", self.part(*only), ">")
            }
            _ => {
                let list = self.list("<", &parts, ">", Layout::SOFT_LINE);
                self.layout.group(list)
            }
        }
    }

    /// The properties of an object type, without what is between them.
    pub(super) fn fields(&mut self, fields: &[Field]) -> Vec<Part> {
        let field = |field: &Field| {
            let mut parts = Vec::new();
            if !field.description.is_empty() {
                parts.push(self.documentation(&field.description));
                parts.push(Layout::HARD_LINE);
            }
            let name = expression::property_name(&field.name);
            let between = if field.optional { "?: " } else { ": " };
            parts.push(self.layout.text(name + between));
            parts.push(self.part(field.ty));
            self.layout.parts(parts)
        };
        fields.iter().map(field).collect()
    }

    /// A documentation comment.
    fn documentation(&mut self, lines: &[String]) -> Part {
        let mut parts = vec![self.layout.text("/**")];
        for line in lines {
            let line = line.replace("*/", "*\\/");
            parts.push(Layout::HARD_LINE);
            parts.push(self.layout.text(format!(" * {line}").trim_end()));
        }
        parts.push(Layout::HARD_LINE);
        parts.push(self.layout.text(" */"));
        self.layout.parts(parts)
    }
}
