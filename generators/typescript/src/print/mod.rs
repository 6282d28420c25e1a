//! TypeScript as a tree and as text in the layout of Prettier.

mod chain;
mod expression;
mod layout;
mod operator;
mod statement;
mod text;
mod tree;
mod types;

pub(crate) use text::quoted;
pub(crate) use tree::{Entry, Field, Id, Key, Node, Tree, is_identifier};

use layout::{Layout, Part};

/// The text of a file with these statements.
pub(crate) fn print(tree: &Tree, statements: &[Id]) -> String {
    let mut formatter = Formatter::new(tree);
    for (id, node) in tree.nodes() {
        let part = formatter.part_of(id, node);
        formatter.parts.push(part);
    }
    let file = formatter.statements(statements);
    let mut text = formatter.layout.print(file);
    if !text.is_empty() {
        text.push('\n');
    }
    text
}

/// Makes the layout of each node of a tree, parts first.
struct Formatter<'t> {
    tree: &'t Tree,
    layout: Layout,
    parts: Vec<Part>,
    /// The node that contains a node.
    parents: Vec<Option<Id>>,
}

impl<'t> Formatter<'t> {
    fn new(tree: &'t Tree) -> Self {
        let mut parents = vec![None; tree.len()];
        for (id, node) in tree.nodes() {
            node.for_each_part(|part| {
                if let Some(slot) = parents.get_mut(part.0 as usize) {
                    *slot = Some(id);
                }
            });
        }
        Self { tree, layout: Layout::new(), parts: Vec::with_capacity(tree.len()), parents }
    }

    fn node(&self, id: Id) -> &'t Node {
        self.tree.node(id)
    }

    fn part(&self, id: Id) -> Part {
        let part = self.parts.get(id.0 as usize);
        part.copied().unwrap_or(Layout::EMPTY)
    }

    fn parts_of(&self, ids: &[Id]) -> Vec<Part> {
        ids.iter().map(|&id| self.part(id)).collect()
    }

    fn parent(&self, id: Id) -> Option<&'t Node> {
        let parent = self.parents.get(id.0 as usize).copied().flatten()?;
        Some(self.node(parent))
    }

    fn part_of(&mut self, id: Id, node: &'t Node) -> Part {
        self.type_part(node)
            .or_else(|| self.statement_part(node))
            .unwrap_or_else(|| self.expression_part(id, node))
    }

    /// `open`, the parts with commas between them, and `close`: on one line, or each on its own.
    fn list(&mut self, open: &str, parts: &[Part], close: &str, line: Part) -> Part {
        let comma = self.layout.text(",");
        let items = self.layout.join(parts, &[comma, Layout::LINE]);
        let items = self.layout.parts([line, items]);
        let items = self.layout.indent(items);
        let last = match close {
            // Type arguments have no comma behind the last one.
            ">" => Layout::EMPTY,
            _ => self.layout.if_break(comma, Layout::EMPTY),
        };
        let (open, close) = (self.layout.text(open), self.layout.text(close));
        self.layout.parts([open, items, last, line, close])
    }

    /// Parts in a row, with texts among them.
    fn row<const N: usize>(&mut self, pieces: [Piece<'_>; N]) -> Part {
        let parts: Vec<Part> = pieces
            .into_iter()
            .map(|piece| match piece {
                Piece::Text(text) => self.layout.text(text),
                Piece::Part(part) => part,
            })
            .collect();
        self.layout.parts(parts)
    }
}

/// A piece of a row.
enum Piece<'p> {
    Text(&'p str),
    Part(Part),
}
