//! The layout of statements, and the blank lines between them.

use pcl_codegen::{Layout, Part};

use super::Formatter;
use super::tree::{Id, Node};

/// The number of columns of a line.
const WIDTH: usize = 88;

impl Formatter<'_> {
    pub(super) fn statement(&mut self, node: &Node) -> Option<Part> {
        Some(match node {
            Node::Assign { target, ty, value } => {
                // What a value is assigned to stays on its line.
                let target = self.layout.on_one_line(self.part(*target));
                let mut parts = vec![self.layout.text(target)];
                if let Some(ty) = ty {
                    parts.push(self.layout.texts([": ", ty]));
                }
                if let Some(value) = value {
                    parts.extend([self.layout.text(" = "), self.value(*value)]);
                }
                self.layout.parts(parts)
            }
            Node::Evaluate(value) => self.value(*value),
            Node::Return(value) => {
                let word = self.layout.text("return ");
                let value = self.value(*value);
                self.layout.parts([word, value])
            }
            Node::If { condition, body } => {
                let word = self.layout.text("if ");
                let head = self.value(*condition);
                self.block(&[word, head], body)
            }
            Node::For { target, iterable, body } => {
                let words = self.layout.texts(["for ", target, " in "]);
                let head = self.value(*iterable);
                self.block(&[words, head], body)
            }
            Node::Def { name, parameters, returns, body } => {
                let head = self.definition(name, parameters, returns);
                self.block(&[head], body)
            }
            Node::Class { name, base, body } => {
                let head = self.layout.text(format!("class {name}({base})"));
                self.block(&[head], body)
            }
            Node::Line(text) => self.layout.text(text),
            Node::Documentation(lines) => self.documentation(lines),
            Node::Comment(lines) => self.comments(lines),
            Node::WithComment { node, comment } => {
                let node = self.part(*node);
                let comment = self.layout.suffix(format!("  #{comment}"));
                self.layout.parts([node, comment])
            }
            Node::Empty => Layout::EMPTY,
            _ => return None,
        })
    }

    /// The head of a function: on one line if it fits, or each parameter on a line of its own.
    fn definition(&mut self, name: &str, parameters: &[String], returns: &str) -> Part {
        let flat = format!("def {name}({}) -> {returns}", parameters.join(", "));
        // A constructor has a line for each parameter, so that the longest head, with the
        // indentation of a method, decides for the other functions as well.
        const INDENT: usize = 8;
        if name != "__init__" && flat.chars().count() + 1 + INDENT <= WIDTH {
            return self.layout.text(flat);
        }
        let mut parts = Vec::new();
        for parameter in parameters {
            parts.extend([Layout::HARD_LINE, self.layout.texts([parameter, ","])]);
        }
        let inside = self.layout.parts(parts);
        let inside = self.layout.indent(inside);
        let open = self.layout.texts(["def ", name, "("]);
        let close = self.layout.texts([") -> ", returns]);
        self.layout.parts([open, inside, Layout::HARD_LINE, close])
    }

    /// A head with a colon, and the statements below it.
    fn block(&mut self, head: &[Part], body: &[Id]) -> Part {
        let mut parts = head.to_vec();
        parts.push(self.layout.text(":"));
        let lines = self.statements(body);
        let inside = self.layout.parts([Layout::HARD_LINE, lines]);
        parts.push(self.layout.indent(inside));
        self.layout.parts(parts)
    }

    /// The statements of a block, with the blank lines that belong between them.
    fn statements(&mut self, body: &[Id]) -> Part {
        let mut parts = Vec::new();
        for (statement, blank) in with_blanks(self.tree, body, 1) {
            if !parts.is_empty() {
                parts.push(Layout::HARD_LINE);
                parts.extend(std::iter::repeat_n(Layout::HARD_LINE, blank));
            }
            parts.push(self.part(statement));
        }
        if parts.is_empty() {
            return self.layout.text("pass");
        }
        self.layout.parts(parts)
    }

    /// A documentation text in three quotes.
    fn documentation(&mut self, lines: &[String]) -> Part {
        let escape = |line: &String| line.replace('\\', "\\\\").replace('"', "\\\"");
        let mut parts = vec![self.layout.text("\"\"\"")];
        for (at, line) in lines.iter().map(escape).enumerate() {
            if at > 0 {
                parts.push(Layout::HARD_LINE);
            }
            parts.push(self.layout.text(line.trim_end()));
        }
        if lines.len() > 1 {
            parts.push(Layout::HARD_LINE);
        }
        parts.push(self.layout.text("\"\"\""));
        self.layout.parts(parts)
    }

    /// Comments, each line after `#`.
    pub(super) fn comments(&mut self, lines: &[String]) -> Part {
        let line = |line: &String| {
            let space = if line.starts_with([' ', '!', ':', '#']) { "" } else { " " };
            self.layout.text(format!("#{space}{line}").trim_end())
        };
        let lines: Vec<Part> = lines.iter().map(line).collect();
        self.layout.join(&lines, &[Layout::HARD_LINE])
    }
}

/// The statements without the blank lines among them, each with the number of blank lines above it.
/// There are `around` of them around functions and classes.
pub(super) fn with_blanks(
    tree: &super::tree::Tree,
    statements: &[Id],
    around: usize,
) -> Vec<(Id, usize)> {
    let is_block = |id: Id| matches!(tree.node(id), Node::Def { .. } | Node::Class { .. });
    let mut found: Vec<(Id, usize)> = Vec::new();
    let mut blank = false;
    let mut after_block = false;
    for (at, &statement) in statements.iter().enumerate() {
        if *tree.node(statement) == Node::Empty {
            blank = !found.is_empty();
            continue;
        }
        // A comment belongs to the function below it.
        let below = match tree.node(statement) {
            Node::Comment(_) => statements.get(at + 1).copied(),
            _ => None,
        };
        let before_block = is_block(statement) || below.is_some_and(is_block);
        let follows_comment =
            matches!(found.last().map(|&(last, _)| tree.node(last)), Some(Node::Comment(_)))
                && is_block(statement)
                && !blank;
        let count = match () {
            () if found.is_empty() || follows_comment => 0,
            () if before_block || after_block => around,
            () => usize::from(blank),
        };
        found.push((statement, count));
        blank = false;
        after_block = is_block(statement);
    }
    found
}
