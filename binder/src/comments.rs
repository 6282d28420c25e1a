//! The comments of nodes and attributes, placed as a code generator would place them.

use pcl_syntax::ast::{self, AstNode as _};
use pcl_syntax::{Comment, Comments};

use crate::node::{BoundAttribute, Node};
use crate::program::Module;

/// The comments of a node. Their position decides which node they belong to; see [`Comments`].
///
/// ```
/// # use std::sync::Arc;
/// # use pcl_binder::{NodeKind, Options, Sources, bind};
/// # use pcl_diagnostics::SourceMap;
/// # use pcl_schema::MemoryLoader;
/// # let mut map = SourceMap::new();
/// let text = "# where to build\nconfig region string { # of the cloud\n  default = \"north\"\n  # more\n}\n";
/// let sources = Sources::from_texts([("main.pp", text)], &mut map);
/// # let module = bind(&sources, &mut map, Arc::new(MemoryLoader::default()), &Options::default()).program.module;
/// let region = module.node(module.find(NodeKind::Config, "region").unwrap());
/// let comments = module.comments(region);
/// assert_eq!(comments.around.leading[0].lines(), [" where to build"]);
/// assert_eq!(comments.open[0].lines(), [" of the cloud"]);
/// assert_eq!(comments.close[0].lines(), [" more"]);
/// ```
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct NodeComments<'t> {
    /// Above it, and behind its end.
    pub around: Comments<'t>,
    /// Behind the `{` of its body.
    pub open: Vec<Comment<'t>>,
    /// Before the `}` of its body.
    pub close: Vec<Comment<'t>>,
}

impl Module {
    /// The comments of a node, as a generator of code would place them.
    ///
    /// # Panics
    /// Panics if the node belongs to another module.
    #[must_use]
    pub fn comments(&self, node: &Node) -> NodeComments<'_> {
        let syntax = self.syntax(node);
        let (mut open, mut close) = (Vec::new(), Vec::new());
        if let Some(block) = ast::Block::cast(syntax) {
            if let Some(brace) = block.open_brace() {
                open = brace.comments().trailing;
            }
            if let Some(brace) = block.close_brace() {
                let Comments { detached, leading, .. } = brace.comments();
                close = detached.into_iter().chain(leading).collect();
            }
        }
        NodeComments { around: syntax.comments(), open, close }
    }

    /// The comments above and behind an attribute of a node.
    ///
    /// # Panics
    /// Panics if the node belongs to another module.
    #[must_use]
    #[expect(clippy::indexing_slicing, reason = "documented; nothing is ever removed")]
    pub fn attribute_comments(&self, node: &Node, attribute: &BoundAttribute) -> Comments<'_> {
        self.trees[node.file_index].node(attribute.syntax).comments()
    }
}
