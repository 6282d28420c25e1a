//! Python as a tree and as text in the layout of `ruff format`.

mod depth;
mod expression;
mod operator;
mod quote;
mod statement;
mod tree;

use pcl_codegen::{Layout, Measures, Part};

use operator::Parts;
pub(crate) use tree::{Id, Item, Key, Node, Tree};

/// The measures of `ruff format`.
const MEASURES: Measures = Measures { width: 88, level: 4 };

/// The text of a file with these statements.
pub(crate) fn print(tree: &Tree, statements: &[Id]) -> String {
    let mut formatter = Formatter::new(tree);
    let mut text = String::new();
    for (statement, blank) in statement::with_blanks(tree, statements, 2) {
        text.extend(std::iter::repeat_n('\n', blank));
        text.push_str(&formatter.text_of(statement));
        text.push('\n');
    }
    text
}

/// Returns true if an expression may be inside of an f-string: no text in it needs an escape, and
/// nothing in it has a meaning of its own there.
pub(crate) fn fits_in_template(tree: &Tree, id: Id) -> bool {
    const MAX_WIDTH: usize = 60;
    let mut open = vec![id];
    while let Some(id) = open.pop() {
        let node = tree.node(id);
        let fits = match node {
            Node::Name(_) | Node::Local(_) | Node::Member { .. } | Node::Index { .. } => true,
            Node::Text(text) => {
                quote::plain(text, '\'').is_some() && quote::plain(text, '"').is_some()
            }
            Node::Call { arguments, .. } => {
                arguments.iter().all(|argument| operator::is_positional(&argument.key))
            }
            _ => false,
        };
        if !fits || tree.width(id) > MAX_WIDTH {
            return false;
        }
        node.for_each_part(|part| open.push(part));
    }
    true
}

/// Makes the layout of each node of a statement, parts first.
struct Formatter<'t> {
    tree: &'t Tree,
    layout: Layout,
    /// The layout of each node, as far as it belongs to the present statement.
    parts: Vec<Parts>,
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
        let parts = vec![Layout::EMPTY.into(); tree.len()];
        Self { tree, layout: Layout::new(MEASURES), parts, parents }
    }

    /// The text of a statement.
    fn text_of(&mut self, statement: Id) -> String {
        self.layout.clear();
        for id in self.tree.subtree(statement) {
            let node = self.node(id);
            let parts = match self.statement(node) {
                Some(part) => part.into(),
                None => self.expression(id, node),
            };
            if let Some(slot) = self.parts.get_mut(id.0 as usize) {
                *slot = parts;
            }
        }
        self.layout.print(self.part(statement))
    }

    fn node(&self, id: Id) -> &'t Node {
        self.tree.node(id)
    }

    fn parts_of(&self, id: Id) -> Parts {
        self.parts.get(id.0 as usize).copied().unwrap_or(Layout::EMPTY.into())
    }

    /// The layout of a node inside of parentheses.
    fn part(&self, id: Id) -> Part {
        self.parts_of(id).enclosed
    }

    fn parent(&self, id: Id) -> Option<&'t Node> {
        let parent = self.parents.get(id.0 as usize).copied().flatten()?;
        Some(self.node(parent))
    }

    /// `open`, a part that may be on lines of its own, and `close`.
    fn enclosed(&mut self, open: &str, inside: Part, close: &str) -> Part {
        let inside = self.layout.parts([Layout::SOFT_LINE, inside]);
        let inside = self.layout.indent(inside);
        let [open, close] = [open, close].map(|text| self.layout.text(text));
        self.layout.parts([open, inside, Layout::SOFT_LINE, close])
    }

    /// A text where the group around it breaks.
    fn if_broken(&mut self, text: &str) -> Part {
        let text = self.layout.text(text);
        self.layout.if_break(text, Layout::EMPTY)
    }
}
