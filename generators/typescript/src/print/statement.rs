//! The layout of statements and declarations.

use super::tree::{Field, Id, Node};
use super::{Formatter, expression};
use pcl_codegen::{Layout, Part};

impl Formatter<'_> {
    /// Statements, each on its own lines.
    pub(super) fn statements(&mut self, statements: &[Id]) -> Part {
        let parts = self.parts_of(statements);
        self.layout.join(&parts, &[Layout::HARD_LINE])
    }

    /// Statements in braces.
    fn block(&mut self, statements: &[Id]) -> Part {
        if statements.is_empty() {
            return self.layout.text("{}");
        }
        let statements = self.statements(statements);
        self.enclosed("{", statements, Layout::HARD_LINE, "}")
    }

    fn parameters(&mut self, parameters: &[Id]) -> Part {
        if parameters.is_empty() {
            return self.layout.text("()");
        }
        let parameters = self.parts_of(parameters);
        let list = self.list("(", &parameters, ")", Layout::SOFT_LINE);
        self.layout.group(list)
    }

    pub(super) fn statement_part(&mut self, node: &Node) -> Option<Part> {
        Some(match node {
            Node::Block(statements) => self.block(statements),
            Node::Declare { words, name, ty, value } => {
                self.declaration(&format!("{words} {name}"), *ty, *value)
            }
            Node::Assign { target, value } => {
                let target = self.part(*target);
                let assigned = self.assignment(target, " =", *value, false);
                row!(self, assigned, ";")
            }
            Node::Evaluate(value) => row!(self, self.part(*value), ";"),
            Node::Leave { word, value } => self.leave(word, *value),
            Node::ForOf { name, values, body } => {
                let [name, values, body] = [*name, *values, *body].map(|id| self.part(id));
                row!(self, "for (const ", name, " of ", values, ") ", body)
            }
            Node::Interface { name, fields } => self.interface(name, fields),
            Node::Class { name, base, members } => {
                let head = format!("export class {name} extends {base} ");
                row!(self, head.as_str(), self.block(members))
            }
            Node::Property { name, ty } => {
                row!(self, "public readonly ", name.as_str(), ": ", self.part(*ty), ";")
            }
            Node::Parameter { name, optional, ty } => {
                let colon = if *optional { "?: " } else { ": " };
                row!(self, name.as_str(), colon, self.part(*ty))
            }
            Node::Constructor { parameters, body } => {
                let parameters = self.parameters(parameters);
                row!(self, "constructor", parameters, " ", self.part(*body))
            }
            Node::Export { name, shown } => {
                let shown = expression::property_name(shown);
                self.layout.text(format!("export {{ {name} as {shown} }};"))
            }
            Node::ExportAll(value) => row!(self, "export = ", self.part(*value), ";"),
            Node::Line(text) => self.layout.text(text),
            Node::Comment(lines) => self.comments(lines),
            Node::WithComment { node, comment } => {
                let node = self.part(*node);
                let comment = self.layout.suffix(format!(" //{comment}"));
                self.layout.parts([node, comment])
            }
            Node::Empty => Layout::EMPTY,
            _ => return None,
        })
    }

    /// `words: ty = value;`
    fn declaration(&mut self, words: &str, ty: Option<Id>, value: Option<Id>) -> Part {
        let mut left = vec![self.layout.text(words)];
        if let Some(ty) = ty {
            left.extend([self.layout.text(": "), self.part(ty)]);
        }
        let left = self.layout.parts(left);
        let assigned = match value {
            Some(value) => self.assignment(left, " =", value, false),
            None => left,
        };
        row!(self, assigned, ";")
    }

    /// `return value;` or `throw value;`. A broken operation is in parentheses, since a line end
    /// behind `return` would end the statement.
    fn leave(&mut self, word: &str, value: Id) -> Part {
        let is_operation = matches!(self.node(value), Node::Binary { .. });
        let mut value = self.part(value);
        if is_operation {
            let (open, close) = (self.if_broken("("), self.if_broken(")"));
            value = self.enclosed(open, value, Layout::SOFT_LINE, close);
            value = self.layout.group(value);
        }
        row!(self, word, " ", value, ";")
    }

    fn interface(&mut self, name: &str, fields: &[Field]) -> Part {
        let head = format!("export interface {name} ");
        if fields.is_empty() {
            return self.layout.text(head + "{}");
        }
        let fields = self.fields(fields);
        let semicolon = self.layout.text(";");
        let fields = self.layout.join(&fields, &[semicolon, Layout::HARD_LINE]);
        let fields = self.layout.parts([fields, semicolon]);
        self.enclosed((head + "{").as_str(), fields, Layout::HARD_LINE, "}")
    }

    /// Comments, each line after `//`.
    pub(super) fn comments(&mut self, lines: &[String]) -> Part {
        let line = |line: &String| self.layout.text(format!("//{line}").trim_end());
        let lines: Vec<Part> = lines.iter().map(line).collect();
        self.layout.join(&lines, &[Layout::HARD_LINE])
    }
}
