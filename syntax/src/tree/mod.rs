//! The lossless tree: tokens that tile the file, and one array of nodes over them.
//!
//! Tokens are two parallel arrays of kinds and starts. Nodes are in preorder, eight bytes each. A
//! node knows its tokens, never its text; every text is a slice of the source.

mod comments;
mod cursor;
mod dump;
mod navigate;
mod nodes;
mod production;
mod verify;

use std::sync::{Arc, OnceLock};

use pcl_diagnostics::{LineIndex, SourceText, TextRange};

use crate::error::{Repetition, Rewrite, SyntaxError};
use crate::kind::SyntaxKind;
use crate::language::Language;

pub use comments::{Comment, Comments};
pub use cursor::{Children, Descendants, Element, Elements, SyntaxNode, SyntaxToken, TokenRange};
pub use dump::dump;
pub use navigate::SyntaxPtr;
pub(crate) use nodes::{Node, NodeFlags, Nodes};
pub use verify::BrokenLaw;

/// The tokens of a text: token `i` covers `start(i)..start(i + 1)`, so that they tile it. The last
/// one is the end of the file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tokens {
    pub(crate) kinds: Vec<SyntaxKind>,
    pub(crate) starts: Vec<u32>,
}

impl Tokens {
    /// The number of tokens, the end of the file included; at least 1.
    #[must_use]
    #[expect(
        clippy::len_without_is_empty,
        reason = "there is always an end of file"
    )]
    pub fn len(&self) -> usize {
        self.kinds.len()
    }

    /// The kind of token `index`; the end of the file beyond the last one.
    #[must_use]
    pub fn kind(&self, index: u32) -> SyntaxKind {
        self.kinds
            .get(index as usize)
            .copied()
            .unwrap_or(SyntaxKind::EndOfFile)
    }

    /// The offset at which token `index` begins; the end of the text beyond the last one.
    #[must_use]
    pub fn start(&self, index: u32) -> u32 {
        let last = self.starts.last().copied().unwrap_or(0);
        self.starts.get(index as usize).copied().unwrap_or(last)
    }

    /// The bytes of token `index`.
    #[must_use]
    pub fn range(&self, index: u32) -> TextRange {
        match self.starts.get(index as usize..) {
            Some(&[start, end, ..]) => TextRange::new(start, end),
            _ => TextRange::empty(self.start(index)),
        }
    }

    /// The bytes from token `first` up to token `end`.
    #[expect(
        clippy::indexing_slicing,
        reason = "a tree's nodes name tokens of the tree alone, which `verify` checks"
    )]
    pub(crate) fn between(&self, first: u32, end: u32) -> TextRange {
        TextRange::new(self.starts[first as usize], self.starts[end as usize])
    }

    /// Kinds and ranges in order.
    pub fn iter(&self) -> impl Iterator<Item = (SyntaxKind, TextRange)> + '_ {
        (0..self.len() as u32).map(|index| (self.kind(index), self.range(index)))
    }

    /// The index of the end of the file.
    pub(crate) fn end(&self) -> u32 {
        self.kinds.len() as u32 - 1
    }

    /// The first token that is neither blank nor comment within a line: where the body of a file
    /// begins.
    pub(crate) fn first_visible(&self) -> u32 {
        let hidden = |kind: &SyntaxKind| kind.is_trivia() && *kind != SyntaxKind::LineComment;
        let first = self.kinds.iter().take_while(|kind| hidden(kind)).count() as u32;
        // A comment line that ends with the file counts as a space.
        let is_last = first + 1 == self.end();
        first + u32::from(is_last && self.kind(first) == SyntaxKind::LineComment)
    }
}

/// Names a node of one tree.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct NodeId(pub u32);

/// One parsed file. Immutable; share it as `Arc<SyntaxTree>`.
#[derive(Debug)]
pub struct SyntaxTree {
    pub(crate) source: SourceText,
    pub(crate) original: Option<Arc<[u8]>>,
    pub(crate) tokens: Tokens,
    pub(crate) nodes: Nodes,
    pub(crate) errors: Box<[SyntaxError]>,
    /// The PCL for what is written in the notation of another language.
    pub(crate) rewrites: Box<[Rewrite]>,
    /// The further places of errors, in the order of the text.
    pub(crate) repetitions: Box<[Repetition]>,
    /// The language that the name of the file tells, if it is not PCL.
    pub(crate) language: Option<Language>,
    lines: OnceLock<LineIndex>,
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
            rewrites: Box::default(),
            repetitions: Box::default(),
            language: None,
            lines: OnceLock::new(),
        };
        debug_assert_eq!(
            tree.verify(),
            Ok(()),
            "a tree broke its laws: {}",
            dump(&tree)
        );
        tree
    }

    /// The tree with the PCL for what is written in the notation of another language.
    pub(crate) fn with_rewrites(mut self, rewrites: Vec<Rewrite>) -> Self {
        self.rewrites = rewrites.into_boxed_slice();
        self
    }

    /// The tree with the further places of its errors.
    pub(crate) fn with_repetitions(mut self, mut repetitions: Vec<Repetition>) -> Self {
        repetitions.sort_by_key(|repetition| (repetition.at, repetition.code));
        self.repetitions = repetitions.into_boxed_slice();
        self
    }

    /// The further errors that `error` represents.
    pub(crate) fn repetitions_of(&self, error: &SyntaxError) -> &[SyntaxError] {
        let key = (error.range().start(), error.code());
        let all = &self.repetitions;
        let found = all.binary_search_by_key(&key, |repetition| (repetition.at, repetition.code));
        let found = found.ok().and_then(|index| all.get(index));
        found.map_or(&[], |repetition| &repetition.errors)
    }

    /// The root, of kind [`SyntaxKind::File`].
    #[must_use]
    pub fn root(&self) -> SyntaxNode<'_> {
        SyntaxNode::new(self, NodeId(0))
    }

    /// Everything that is wrong, in the order of the text; warnings included.
    #[must_use]
    pub fn errors(&self) -> &[SyntaxError] {
        &self.errors
    }

    /// Returns whether the file is refused: some of [`errors`](Self::errors) is more than a
    /// warning.
    #[must_use]
    pub fn is_refused(&self) -> bool {
        self.errors.iter().any(SyntaxError::is_error)
    }

    /// The text that all ranges are about. Bytes that were not UTF-8 are placeholders in it, one
    /// each.
    #[must_use]
    pub fn text(&self) -> &SourceText {
        &self.source
    }

    /// The bytes of the file as they were read.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        self.original
            .as_deref()
            .unwrap_or_else(|| self.source.as_bytes())
    }

    /// Every token of the text in order, including spaces and comments, up to the end of the file.
    #[must_use]
    pub fn tokens(&self) -> &Tokens {
        &self.tokens
    }

    /// The number of nodes; their ids are `0..node_count()`.
    #[must_use]
    pub fn node_count(&self) -> u32 {
        self.nodes.len()
    }

    /// The node of this id; the root for an id of another tree that is too large here.
    #[must_use]
    pub fn node(&self, id: NodeId) -> SyntaxNode<'_> {
        if id.0 < self.nodes.len() {
            SyntaxNode::new(self, id)
        } else {
            self.root()
        }
    }

    /// The starts of the lines, computed on the first use.
    #[must_use]
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
