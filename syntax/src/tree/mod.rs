//! The lossless tree: tokens that tile the file, and one array of nodes over them.
//!
//! Tokens are two parallel arrays of kinds and starts, one and four bytes each. Nodes are in
//! preorder. A node knows its tokens, never its text; every text is a slice of the source.

mod comments;
mod cursor;
mod navigate;
mod nodes;
mod tokens;
mod verify;

use std::fmt::Write;
use std::sync::{Arc, OnceLock};

pub use comments::{Comment, Comments};
pub use cursor::{Children, Descendants, Element, Elements, SyntaxNode, SyntaxToken, TokenRange};
pub(crate) use nodes::{Node, NodeFlags, Nodes};
use pcl_diagnostics::{LineIndex, SourceText, TextRange};
pub use tokens::Tokens;
pub use verify::BrokenLaw;

use crate::error::SyntaxError;
use crate::hook::{Hook, Note, Repetition};

/// Names a node of one tree.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct NodeId(pub u32);

/// One parsed file. Immutable; share it as `Arc<SyntaxTree>` rather than cloning it.
#[derive(Clone, Debug)]
pub struct SyntaxTree {
    pub(crate) source: SourceText,
    pub(crate) original: Option<Arc<[u8]>>,
    pub(crate) tokens: Tokens,
    pub(crate) nodes: Nodes,
    pub(crate) errors: Box<[SyntaxError]>,
    /// The hook that it was parsed with.
    pub(crate) hook: Option<&'static Hook>,
    /// The words for what is written in the notation of another language.
    pub(crate) notes: Box<[Note]>,
    /// The further places of errors, in the order of the text.
    pub(crate) repetitions: Box<[Repetition]>,
    lines: OnceLock<LineIndex>,
    /// The parent of each node, computed on the first use.
    parents: OnceLock<Box<[NodeId]>>,
}

impl SyntaxTree {
    pub(crate) fn new(
        source: SourceText,
        original: Option<Arc<[u8]>>,
        tokens: Tokens,
        mut nodes: Nodes,
        errors: Box<[SyntaxError]>,
    ) -> Self {
        nodes.shrink_to_fit();
        let tree = Self {
            source,
            original,
            tokens,
            nodes,
            errors,
            hook: None,
            notes: Box::default(),
            repetitions: Box::default(),
            lines: OnceLock::new(),
            parents: OnceLock::new(),
        };
        debug_assert_eq!(tree.verify(), Ok(()), "the tree of {:?} broke its laws", tree.source);
        tree
    }

    /// The tree with the hook that it was parsed with, and the words for what that found.
    pub(crate) fn with_hook(mut self, hook: Option<&'static Hook>, notes: Vec<Note>) -> Self {
        self.hook = hook;
        self.notes = notes.into_boxed_slice();
        if let Some(hook) = hook.filter(|_| self.errors.len() > 1) {
            let (errors, mut repetitions) = (hook.merge)(&self);
            repetitions.sort_by_key(|repetition| (repetition.at, repetition.code));
            self.errors = errors.into_boxed_slice();
            self.repetitions = repetitions.into_boxed_slice();
        }
        self
    }

    /// The words for an error that has to do with another language.
    pub(crate) fn note_of(&self, error: &SyntaxError) -> Option<&Note> {
        let key = (error.range().start(), error.code());
        let found = self.notes.binary_search_by_key(&key, |note| (note.at, note.code));
        found.ok().and_then(|index| self.notes.get(index))
    }

    /// The further errors that `error` represents.
    pub(crate) fn repetitions_of(&self, error: &SyntaxError) -> &[SyntaxError] {
        let key = (error.range().start(), error.code());
        let all = &self.repetitions;
        let found = all.binary_search_by_key(&key, |repetition| (repetition.at, repetition.code));
        found.ok().and_then(|index| all.get(index)).map_or(&[], |repetition| &repetition.errors)
    }

    /// The root, of kind [`File`](crate::SyntaxKind::File).
    pub fn root(&self) -> SyntaxNode<'_> {
        SyntaxNode::new(self, NodeId(0))
    }

    /// Everything that is wrong, in the order of the text; warnings included.
    pub fn errors(&self) -> &[SyntaxError] {
        &self.errors
    }

    /// Returns whether the file is refused: some of [`errors`](Self::errors) is more than a
    /// warning.
    pub fn is_refused(&self) -> bool {
        self.errors.iter().any(SyntaxError::is_error)
    }

    /// The text that all ranges are about. Bytes that were not UTF-8 are placeholders in it, one
    /// each.
    pub fn text(&self) -> &SourceText {
        &self.source
    }

    /// The bytes of the file as they were read.
    pub fn bytes(&self) -> &[u8] {
        self.original.as_deref().unwrap_or_else(|| self.source.as_bytes())
    }

    /// Every token of the text in order, including spaces and comments, up to the end of the file.
    pub fn tokens(&self) -> &Tokens {
        &self.tokens
    }

    /// The number of nodes; their ids are `0..node_count()`.
    pub fn node_count(&self) -> u32 {
        self.nodes.len()
    }

    /// The node of this id; the root for an id of another tree that is too large here.
    pub fn node(&self, id: NodeId) -> SyntaxNode<'_> {
        if id.0 < self.nodes.len() { SyntaxNode::new(self, id) } else { self.root() }
    }

    /// The starts of the lines, computed on the first use.
    pub fn line_index(&self) -> &LineIndex {
        self.lines.get_or_init(|| LineIndex::new(&self.source))
    }

    /// Checks the laws of the tree.
    ///
    /// # Errors
    /// Returns the first law that does not hold, and its place.
    pub fn verify(&self) -> Result<(), BrokenLaw> {
        verify::verify(self)
    }

    pub(crate) fn slice(&self, range: TextRange) -> &str {
        self.source.get(range.to_usize()).unwrap_or_default()
    }
}

impl PartialEq for SyntaxTree {
    fn eq(&self, other: &Self) -> bool {
        self.source == other.source
            && self.original == other.original
            && self.tokens == other.tokens
            && self.nodes == other.nodes
            && self.errors == other.errors
            && self.repetitions == other.repetitions
    }
}

impl Eq for SyntaxTree {}

/// The tree with kinds, ranges and the text of each token, one line each, indented by depth; then
/// the errors.
///
/// White space is left out: a token's place is seen from its range.
pub fn dump(tree: &SyntaxTree) -> String {
    let mut text = String::new();
    write_node(&mut text, tree.root());
    for error in tree.errors() {
        let _ = writeln!(text, "error {:?} {}", error.range(), error.code().name());
    }
    text
}

/// Writes iteratively: a tree may be as deep as a chain of operators is long.
fn write_node(out: &mut String, root: SyntaxNode<'_>) {
    let mut open = vec![root.elements()];
    line(out, 0, &format!("{:?}@{:?}", root.kind(), root.range()));
    while let Some(elements) = open.last_mut() {
        match elements.next() {
            None => {
                open.pop();
            }
            Some(Element::Token(token)) => {
                if token.kind() != crate::SyntaxKind::Whitespace {
                    line(out, open.len(), &format!("{token:?}"));
                }
            }
            Some(Element::Node(node)) => {
                let mark = if node.has_error() { " !" } else { "" };
                line(out, open.len(), &format!("{:?}@{:?}{mark}", node.kind(), node.range()));
                open.push(node.elements());
            }
        }
    }
}

fn line(out: &mut String, depth: usize, text: &str) {
    // Deep chains would make the dump quadratic in size.
    for _ in 0..depth.min(40) {
        out.push_str("  ");
    }
    out.push_str(text);
    out.push('\n');
}
