//! Editing: a new tree from an old one.
//!
//! The lines of the top-level items that an edit touches are parsed alone. If they, and all that is
//! kept, are free of errors, the result is put together from what stood before them, their own
//! tree, and what stood after them. Nothing at the top level depends on what is before it, except
//! that names must differ. A text with errors is parsed whole, since what a bracket without a
//! counterpart means is decided by all of the text.

use std::collections::HashSet;

use pcl_diagnostics::{TextEdit, TextRange};

use crate::ast::{AstNode, Attribute};
use crate::kind::SyntaxKind;
use crate::parse::{parse, parse_bytes, parse_expression};
use crate::tree::{Node, NodeFlags, NodeId, Nodes, SyntaxNode, SyntaxTree, TokensWriter};

/// The nodes above the items of a file: the file and its body.
const ROOTS: u32 = 2;

impl SyntaxTree {
    /// The tree of the text after `edits`, each of which replaces a range of this text; the same
    /// tree as of parsing that text.
    ///
    /// Top-level items that are not touched are reused if the new text has no errors. Several
    /// insertions at one place are applied in the given order. `None` if edits overlap or do not
    /// fit the text. The file of the edits is not checked.
    #[must_use]
    pub fn edit(&self, edits: &[TextEdit]) -> Option<SyntaxTree> {
        edit(self, edits)
    }
}

fn edit(tree: &SyntaxTree, edits: &[TextEdit]) -> Option<SyntaxTree> {
    let edits = in_order(tree, edits)?;
    if let Some(original) = &tree.original {
        return Some(parse_bytes(apply(original, &edits)));
    }
    let bytes = apply(tree.source.as_bytes(), &edits);
    let Ok(text) = String::from_utf8(bytes) else {
        // Edits fit the text, so they leave characters whole.
        return None;
    };
    if tree.node(NodeId(1)).kind() != SyntaxKind::Body {
        return Some(parse_expression(text));
    }
    Some(match Splice::new(tree, &edits, &text) {
        Some(splice) => splice.build(text),
        None => parse(text),
    })
}

/// The edits from the first to the last, if each fits the text and none overlaps another.
fn in_order<'e>(tree: &SyntaxTree, edits: &'e [TextEdit]) -> Option<Vec<&'e TextEdit>> {
    let mut edits: Vec<&TextEdit> = edits.iter().collect();
    edits.sort_by_key(|edit| edit.span.range);
    let mut end = 0;
    for edit in &edits {
        let range = edit.span.range;
        if range.start() < end || tree.source.get(range.to_usize()).is_none() {
            return None;
        }
        end = range.end();
    }
    Some(edits)
}

fn apply(bytes: &[u8], edits: &[&TextEdit]) -> Vec<u8> {
    let mut result = Vec::with_capacity(bytes.len());
    let mut at = 0;
    for edit in edits {
        let range = edit.span.range.to_usize();
        result.extend(bytes.get(at..range.start).unwrap_or_default());
        result.extend(edit.text.as_bytes());
        at = range.end;
    }
    result.extend(bytes.get(at..).unwrap_or_default());
    result
}

/// The kept parts of a tree, and the new one between them.
struct Splice<'t> {
    old: &'t SyntaxTree,
    /// Kept are the tokens before `front.token` and those from `back.token` on, and likewise the
    /// nodes.
    front: Boundary,
    back: Boundary,
    middle: SyntaxTree,
}

/// A place between two lines at the top level.
#[derive(Clone, Copy)]
struct Boundary {
    token: u32,
    node: u32,
}

impl<'t> Splice<'t> {
    fn new(old: &'t SyntaxTree, edits: &[&TextEdit], text: &str) -> Option<Self> {
        let first = edits.first()?.span.range.start();
        let last = edits.last()?.span.range.end();
        let mut front = Boundary {
            token: 0,
            node: ROOTS,
        };
        let mut back = Boundary {
            token: old.tokens.end(),
            node: old.node_count(),
        };
        for boundary in boundaries(old) {
            let at = old.tokens.start(boundary.token);
            if at <= first {
                front = boundary;
            } else if at > last {
                back = boundary;
                break;
            }
        }
        let (from, to) = (old.tokens.start(front.token), old.tokens.start(back.token));
        let behind = old.source.len() - to as usize;
        let is_touched = |range: TextRange| {
            from <= range.start() && range.end() <= to && (range.start() < to || behind == 0)
        };
        let kept = |node: SyntaxNode<'_>| !(front.node..back.node).contains(&node.id().0);
        let changed = text.get(from as usize..text.len().checked_sub(behind)?)?;
        if !old.errors.iter().all(|error| is_touched(error.range()))
            || !old.repetitions.is_empty()
            || items(old).any(|item| kept(item) && item.contains_error())
            // A byte order mark is one at the start of a file only.
            || (from > 0 && changed.starts_with('\u{FEFF}'))
            || u32::try_from(text.len() + 1).is_err()
        {
            return None;
        }
        let middle = parse(changed);
        let ends_line = middle.tokens.len() < 2
            || middle.tokens.kind(middle.tokens.end() - 1) == SyntaxKind::Newline;
        if !middle.errors.is_empty() || (behind > 0 && !ends_line) {
            return None;
        }
        let mut names: HashSet<&str> = HashSet::new();
        let all = items(old).filter(|&item| kept(item)).chain(items(&middle));
        let unique = all
            .filter_map(|item| Attribute::cast(item)?.name())
            .all(|name| names.insert(name.text()));
        unique.then_some(Self {
            old,
            front,
            back,
            middle,
        })
    }

    fn build(self, text: String) -> SyntaxTree {
        let (old, middle) = (self.old, &self.middle);
        let (front, back) = (self.front, self.back);
        let inserted = middle.tokens.end();
        let offset = old.tokens.start(self.front.token);
        let grown = (text.len() as u32).wrapping_sub(old.source.len() as u32);
        let mut tokens = TokensWriter::with_capacity(old.tokens.len() + middle.tokens.len());
        tokens.extend_moved(&old.tokens, 0, front.token, 0);
        tokens.extend_moved(&middle.tokens, 0, inserted, offset);
        tokens.extend_moved(&old.tokens, back.token, old.tokens.len() as u32, grown);
        let tokens = tokens.finish();

        let kept = old.nodes.len() - (back.node - front.node);
        let count = kept + middle.nodes.len() - ROOTS;
        let mut nodes = Nodes::with_capacity(count as usize);
        let root = |kind, len, first_token| Node {
            kind,
            flags: NodeFlags::default(),
            len,
            first_token,
            end_token: tokens.end(),
        };
        nodes.push(root(SyntaxKind::File, count, 0));
        let first = tokens.first_visible();
        nodes.push(root(SyntaxKind::Body, count - 1, first));
        let moved = (front.token + inserted).wrapping_sub(back.token);
        nodes.extend_moved(&old.nodes, ROOTS, front.node, 0);
        nodes.extend_moved(&middle.nodes, ROOTS, middle.nodes.len(), front.token);
        nodes.extend_moved(&old.nodes, back.node, old.nodes.len(), moved);
        SyntaxTree::new(text.into(), None, tokens, nodes, Box::default())
    }
}

/// The items of a file.
fn items(tree: &SyntaxTree) -> impl Iterator<Item = SyntaxNode<'_>> + Clone {
    tree.node(NodeId(1)).children()
}

/// The places after the line endings that follow items.
fn boundaries(tree: &SyntaxTree) -> impl Iterator<Item = Boundary> {
    items(tree).filter_map(|item| {
        let mut token = tree.nodes.end_token(item.id());
        while tree.tokens.kind(token).is_trivia() {
            token += 1;
        }
        (tree.tokens.kind(token) == SyntaxKind::Newline).then_some(Boundary {
            token: token + 1,
            node: item.id().0 + tree.nodes.subtree_len(item.id()),
        })
    })
}

#[cfg(test)]
mod tests {
    use pcl_diagnostics::{FileId, Span};

    use super::*;

    #[test]
    fn only_what_is_touched_is_parsed() {
        let source = "a = 1\nb = 2 # two\n\nsvc {\n  c = 3\n}\nd = 4\n";
        let tree = parse(source);
        let parsed = |at: &str, new: &str| {
            let start = source.find(at).expect("it is there") as u32;
            let range = TextRange::new(start, start + at.len() as u32);
            let edits = [TextEdit::replace(Span::new(FileId(0), range), new)];
            let edits: Vec<&TextEdit> = edits.iter().collect();
            let text = String::from_utf8(apply(source.as_bytes(), &edits)).expect("UTF-8");
            let splice = Splice::new(&tree, &edits, &text)?;
            Some(splice.middle.text().to_string())
        };
        assert_eq!(parsed("2 #", "5 #").as_deref(), Some("b = 5 # two\n"));
        assert_eq!(parsed("b", "bb").as_deref(), Some("bb = 2 # two\n"));
        assert_eq!(parsed("  c = 3\n", "").as_deref(), Some("\nsvc {\n}\n"));
        assert_eq!(parsed("4", "\"d\"").as_deref(), Some("d = \"d\"\n"));
        assert_eq!(parsed("b", "a"), None, "a name that is set elsewhere");
        assert_eq!(parsed("}", ""), None, "brackets that do not match");
    }
}
