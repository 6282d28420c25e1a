//! The layout of statements and declarations.

use super::layout::{Layout, Part};
use super::tree::{Field, Id, Node};
use super::{Formatter, Piece, expression};

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
        let inside = self.layout.parts([Layout::HARD_LINE, statements]);
        let inside = Piece::Part(self.layout.indent(inside));
        let last = Piece::Part(Layout::HARD_LINE);
        self.row([Piece::Text("{"), inside, last, Piece::Text("}")])
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
                self.row([Piece::Part(assigned), Piece::Text(";")])
            }
            Node::Evaluate(value) => {
                let value = Piece::Part(self.part(*value));
                self.row([value, Piece::Text(";")])
            }
            Node::Leave { word, value } => self.leave(word, *value),
            Node::ForOf { name, values, body } => {
                let [name, values, body] = [*name, *values, *body].map(|id| self.part(id));
                self.row([
                    Piece::Text("for (const "),
                    Piece::Part(name),
                    Piece::Text(" of "),
                    Piece::Part(values),
                    Piece::Text(") "),
                    Piece::Part(body),
                ])
            }
            Node::Interface { name, fields } => self.interface(name, fields),
            Node::Class { name, base, members } => {
                let head = format!("export class {name} extends {base} ");
                let body = self.block(members);
                self.row([Piece::Text(&head), Piece::Part(body)])
            }
            Node::Property { name, ty } => {
                let head = format!("public readonly {name}: ");
                let ty = Piece::Part(self.part(*ty));
                self.row([Piece::Text(&head), ty, Piece::Text(";")])
            }
            Node::Parameter { name, optional, ty } => {
                let head = format!("{name}{}", if *optional { "?: " } else { ": " });
                let ty = Piece::Part(self.part(*ty));
                self.row([Piece::Text(&head), ty])
            }
            Node::Constructor { parameters, body } => {
                let parameters = Piece::Part(self.parameters(parameters));
                let body = Piece::Part(self.part(*body));
                self.row([Piece::Text("constructor"), parameters, Piece::Text(" "), body])
            }
            Node::Export { name, shown } => {
                let shown = expression::property_name(shown);
                self.layout.text(format!("export {{ {name} as {shown} }};"))
            }
            Node::ExportAll(value) => {
                let value = Piece::Part(self.part(*value));
                self.row([Piece::Text("export = "), value, Piece::Text(";")])
            }
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
        self.row([Piece::Part(assigned), Piece::Text(";")])
    }

    /// `return value;` or `throw value;`. A broken operation is in parentheses, since a line end
    /// behind `return` would end the statement.
    fn leave(&mut self, word: &str, value: Id) -> Part {
        let is_operation = matches!(self.node(value), Node::Binary { .. });
        let mut value = self.part(value);
        if is_operation {
            let (open, close) = (self.layout.text("("), self.layout.text(")"));
            let open = self.layout.if_break(open, Layout::EMPTY);
            let close = self.layout.if_break(close, Layout::EMPTY);
            let inside = self.layout.parts([Layout::SOFT_LINE, value]);
            let inside = self.layout.indent(inside);
            let all = [open, inside, Layout::SOFT_LINE, close];
            let all = self.layout.parts(all);
            value = self.layout.group(all);
        }
        let word = format!("{word} ");
        self.row([Piece::Text(&word), Piece::Part(value), Piece::Text(";")])
    }

    fn interface(&mut self, name: &str, fields: &[Field]) -> Part {
        let head = format!("export interface {name} ");
        if fields.is_empty() {
            return self.layout.text(head + "{}");
        }
        let mut parts = Vec::new();
        for field in self.fields(fields) {
            parts.extend([Layout::HARD_LINE, field, self.layout.text(";")]);
        }
        let fields = self.layout.parts(parts);
        let fields = Piece::Part(self.layout.indent(fields));
        let last = Piece::Part(Layout::HARD_LINE);
        let head = head + "{";
        self.row([Piece::Text(&head), fields, last, Piece::Text("}")])
    }

    /// Comments, each line after `//`.
    pub(super) fn comments(&mut self, lines: &[String]) -> Part {
        let line = |line: &String| self.layout.text(format!("//{line}").trim_end());
        let lines: Vec<Part> = lines.iter().map(line).collect();
        self.layout.join(&lines, &[Layout::HARD_LINE])
    }
}
