//! TypeScript as a tree and as text in the layout of Prettier.

/// Parts in a row, with texts among them.
macro_rules! row {
    ($formatter:expr, $($piece:expr),* $(,)?) => {
        match [$($crate::print::Piece::from($piece)),*] {
            pieces => $formatter.row(pieces),
        }
    };
}

mod chain;
mod expression;
mod operator;
mod statement;
mod tree;

pub(crate) use tree::{Entry, Field, Id, Key, Node, Tree, is_identifier};

use pcl_codegen::{Layout, Measures, Part};

/// The measures of Prettier.
const MEASURES: Measures = Measures { width: 80, level: 2 };

/// The text of a file with these statements.
pub(crate) fn print(tree: &Tree, statements: &[Id]) -> String {
    let mut formatter = Formatter::new(tree);
    let mut text = String::new();
    for &statement in statements {
        text.push_str(&formatter.statement(statement));
        text.push('\n');
    }
    text
}

/// Makes the layout of each node of a statement, parts first. No statement has a bearing on the
/// lines of another, and a layout of the whole file would be many times its size.
struct Formatter<'t> {
    tree: &'t Tree,
    layout: Layout,
    /// The layout of each node, as far as it belongs to the present statement.
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
        Self {
            tree,
            layout: Layout::new(MEASURES),
            parts: vec![Layout::EMPTY; tree.len()],
            parents,
        }
    }

    /// The text of a statement.
    fn statement(&mut self, statement: Id) -> String {
        self.layout.clear();
        for id in self.tree.subtree(statement) {
            let part = self.part_of(id, self.node(id));
            if let Some(slot) = self.parts.get_mut(id.0 as usize) {
                *slot = part;
            }
        }
        self.layout.print(self.part(statement))
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
        // Type arguments have no comma behind the last one.
        let last = if close == ">" { "" } else { "," };
        let last = self.if_broken(last);
        let items = self.layout.parts([items, last]);
        self.enclosed(open, items, line, close)
    }

    /// `open`, a part on lines of its own if `line` breaks, and `close`.
    fn enclosed<'p>(
        &mut self,
        open: impl Into<Piece<'p>>,
        inside: Part,
        line: Part,
        close: impl Into<Piece<'p>>,
    ) -> Part {
        let inside = self.layout.parts([line, inside]);
        let inside = self.layout.indent(inside);
        row!(self, open.into(), inside, line, close.into())
    }

    /// A text where the group around it breaks.
    fn if_broken(&mut self, text: &str) -> Part {
        let text = self.layout.text(text);
        self.layout.if_break(text, Layout::EMPTY)
    }

    /// A text where the group around it does not break.
    fn if_flat(&mut self, text: &str) -> Part {
        let text = self.layout.text(text);
        self.layout.if_break(Layout::EMPTY, text)
    }

    /// Parts in a row, with texts among them.
    fn row<const N: usize>(&mut self, pieces: [Piece<'_>; N]) -> Part {
        let parts = pieces.map(|piece| match piece {
            Piece::Text(text) => self.layout.text(text),
            Piece::Part(part) => part,
        });
        self.layout.parts(parts)
    }
}

/// A piece of a row.
enum Piece<'p> {
    Text(&'p str),
    Part(Part),
}

impl<'p> From<&'p str> for Piece<'p> {
    fn from(text: &'p str) -> Self {
        Self::Text(text)
    }
}

impl From<Part> for Piece<'_> {
    fn from(part: Part) -> Self {
        Self::Part(part)
    }
}

/// A string in quotes: double ones, unless single ones need fewer escapes.
pub(crate) fn quoted(text: &str) -> String {
    let is_plain = |b: u8| matches!(b, b' '..=b'~') && !matches!(b, b'"' | b'\'' | b'\\');
    if text.bytes().all(is_plain) {
        return ["\"", text, "\""].concat();
    }
    let count = |quote| text.chars().filter(|&c| c == quote).count();
    let quote = if count('"') > count('\'') { '\'' } else { '"' };
    let mut out = String::from(quote);
    for c in text.chars() {
        if c == quote {
            out.push('\\');
        }
        escape(c, &mut out);
    }
    out.push(quote);
    out
}

/// A text in a template, line by line.
fn template(text: &str) -> String {
    let mut out = String::new();
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '`' => out.push_str("\\`"),
            '$' if chars.peek() == Some(&'{') => out.push_str("\\$"),
            '\n' => out.push('\n'),
            c => escape(c, &mut out),
        }
    }
    out
}

fn escape(c: char, out: &mut String) {
    match c {
        '\\' => out.push_str("\\\\"),
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        '\t' => out.push_str("\\t"),
        c if is_hidden(c) && u32::from(c) > 0xffff => {
            out.push_str(&format!("\\u{{{:x}}}", u32::from(c)));
        }
        c if is_hidden(c) => out.push_str(&format!("\\u{:04x}", u32::from(c))),
        c => out.push(c),
    }
}

/// Returns true for characters that cannot be seen, or that change how what is around them looks.
fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_quoted() {
        for (text, expected) in [
            ("plain", "\"plain\""),
            ("say \"hi\"", "'say \"hi\"'"),
            ("it's", "\"it's\""),
            ("both ' and \"", "\"both ' and \\\"\""),
            ("a\nb\\", "\"a\\nb\\\\\""),
            ("\u{202e}x\u{0}", "\"\\u202ex\\u0000\""),
            ("${x}", "\"${x}\""),
        ] {
            assert_eq!(quoted(text), expected);
        }
        assert_eq!(template("a`${b}$c\n\\"), "a\\`\\${b}$c\n\\\\");
    }
}
