//! The semantic model of a bound program: modules of nodes with their comments, components,
//! expressions, types, names.

use std::path::PathBuf;
use std::sync::Arc;

use pcl_diagnostics::{Diagnostic, FileId, Policy, Reporter};
use pcl_model::expression::{Checker, ExprArena, ExprId, Names};
use pcl_model::scope::{ScopeId, Scopes};
use pcl_model::types::TypeStore;
use pcl_syntax::ast::{self, AstNode as _};
use pcl_syntax::{Comment, Comments, SyntaxNode, SyntaxTree};
use rustc_hash::FxHashMap;

use crate::node::{BoundAttribute, ComponentId, Node, NodeId, NodeKind};
use crate::order::{self, Dependencies, Placed};
use crate::packages::PackageReference;
use crate::schema_types::SchemaTypes;

/// The nodes of one directory: of the program itself or of a component.
#[derive(Clone, Debug)]
pub struct Module {
    /// The nodes: file by file in name order, in each file resources and reads before the rest.
    pub nodes: Vec<Node>,
    /// The files, by name.
    pub files: Vec<FileId>,
    /// The tree of each file.
    pub trees: Vec<Arc<SyntaxTree>>,
    /// The packages that the module itself uses, by name.
    pub packages: Vec<PackageReference>,
    /// The scope of its declarations.
    pub root: ScopeId,
    pub(crate) dependencies: Dependencies,
}

impl Module {
    /// The node behind an id.
    ///
    /// # Panics
    /// Panics if `id` comes from another module.
    #[expect(clippy::indexing_slicing, reason = "documented; nothing is ever removed")]
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    /// The nodes in declaration order, each with its id.
    pub fn nodes_with_ids(&self) -> impl Iterator<Item = (NodeId, &Node)> {
        self.nodes.iter().enumerate().map(|(at, node)| (NodeId(at as u32), node))
    }

    /// The nodes that a node refers to, by file and position; none for a node of another module.
    pub fn dependencies(&self, id: NodeId) -> &[NodeId] {
        self.dependencies.of(id.index())
    }

    /// The text of a node as the parser sees it.
    ///
    /// # Panics
    /// Panics if the node belongs to another module.
    #[expect(clippy::indexing_slicing, reason = "documented; nothing is ever removed")]
    pub fn syntax(&self, node: &Node) -> SyntaxNode<'_> {
        self.trees[node.file_index].node(node.syntax)
    }

    /// The first node of that kind and name.
    pub fn find(&self, kind: NodeKind, name: &str) -> Option<NodeId> {
        let at = self.nodes.iter().position(|node| node.kind == kind && *node.name == *name)?;
        Some(NodeId(at as u32))
    }

    /// The groups of components that need each other, each by file and position: what one of them
    /// takes from another is there before all of the other is.
    pub fn mutual_components(&self) -> Vec<Vec<NodeId>> {
        let is_component = |node: &&Node| node.kind == NodeKind::Component;
        if self.nodes.iter().filter(is_component).count() < 2 {
            return Vec::new();
        }
        let groups = order::components(&self.dependencies);
        let groups = groups.iter().filter(|group| group.members.len() > 1);
        let ids = |members: &[usize]| members.iter().map(|&at| NodeId(at as u32)).collect();
        groups.map(|group| ids(group.members)).collect()
    }

    /// The nodes in the order that generators walk: each after what it needs.
    pub fn order(&self) -> Vec<NodeId> {
        let placed: Vec<Placed> = self
            .nodes
            .iter()
            .map(|node| Placed { file: node.file_index, offset: node.range.start() })
            .collect();
        order::linearize(&placed, &self.dependencies, self.files.len())
            .into_iter()
            .map(|node| NodeId(node as u32))
            .collect()
    }
}

/// The program of a component's directory. Each directory is bound once, however many blocks use
/// it.
#[derive(Clone, Debug)]
pub struct ComponentProgram {
    /// The directory.
    pub directory: PathBuf,
    /// The directory as people would write it.
    pub display: String,
    /// The type token of its components.
    pub token: Arc<str>,
    /// Its nodes.
    pub module: Module,
    /// The configs that take its inputs, by logical name; of several with one name the first.
    pub inputs: FxHashMap<Arc<str>, NodeId>,
}

impl ComponentProgram {
    /// The config that takes the input of this name.
    pub fn input(&self, name: &str) -> Option<(NodeId, &Node)> {
        let id = *self.inputs.get(name)?;
        Some((id, self.module.node(id)))
    }
}

/// A bound program. It always exists: what failed to bind has the error type.
#[derive(Clone)]
pub struct Program {
    /// The program's own nodes.
    pub module: Module,
    /// The programs of its components, at any depth.
    pub components: Vec<ComponentProgram>,
    /// Every expression of the program and its components.
    pub exprs: ExprArena,
    /// Every type.
    pub types: TypeStore,
    /// Every name.
    pub scopes: Scopes,
    /// The schemas of the members and types that the program uses.
    pub schemas: Arc<SchemaTypes>,
    /// The severity of diagnostics.
    pub(crate) policy: Policy,
}

impl Program {
    /// The program's own nodes in declaration order.
    pub fn nodes(&self) -> &[Node] {
        &self.module.nodes
    }

    /// The packages that the program and its components use, by name; where both use a package, the
    /// program's version counts.
    pub fn packages(&self) -> Vec<PackageReference> {
        let mut all = self.module.packages.clone();
        for component in &self.components {
            for package in &component.module.packages {
                if all.iter().all(|known| known.name != package.name) {
                    all.push(package.clone());
                }
            }
        }
        all.sort();
        all
    }

    /// Binds an expression that is not part of the program as if it were at its top level. `file`
    /// is the file that its text, which is all of `tree`, is attributed to. A tree without an
    /// expression binds nothing.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use pcl_binder::{Options, Sources, bind};
    /// # use pcl_diagnostics::SourceMap;
    /// # use pcl_schema::MemoryLoader;
    /// # let mut map = SourceMap::new();
    /// # let sources = Sources::from_texts([("main.pp", "names = [\"ada\", \"alan\"]\n")], &mut map);
    /// # let mut program = bind(&sources, &mut map, Arc::new(MemoryLoader::default()), &Options::default()).program;
    /// let text = "length(names[0])";
    /// let file = map.add("question", text);
    /// let (value, diagnostics) = program.bind_expression(&pcl_syntax::parse_expression(text), file);
    /// assert!(diagnostics.is_empty());
    /// let ty = program.exprs[value.unwrap()].ty;
    /// assert_eq!(program.types.pretty(ty), "int");
    /// ```
    pub fn bind_expression(
        &mut self,
        tree: &SyntaxTree,
        file: FileId,
    ) -> (Option<ExprId>, Vec<Diagnostic>) {
        let mut reporter = Reporter::new(self.policy.clone());
        reporter.report_all(tree.diagnostics(file));
        let value = tree.expression().map(|expression| {
            let mut checker = Checker {
                types: &mut self.types,
                scopes: &mut self.scopes,
                exprs: &mut self.exprs,
                reporter: &mut reporter,
                names: Names::Values,
                own: None,
                file,
            };
            checker.bind(expression, self.module.root)
        });
        let mut diagnostics = reporter.into_diagnostics();
        pcl_diagnostics::sort(&mut diagnostics);
        (value, diagnostics)
    }

    /// The policy that decided the severity of the program's diagnostics.
    pub const fn policy(&self) -> &Policy {
        &self.policy
    }

    /// The component program behind an id.
    ///
    /// # Panics
    /// Panics if `id` comes from another program.
    #[expect(clippy::indexing_slicing, reason = "documented; nothing is ever removed")]
    pub fn component(&self, id: ComponentId) -> &ComponentProgram {
        &self.components[id.0 as usize]
    }

    /// The nodes in the order that generators walk: each after what it needs.
    pub fn order(&self) -> Vec<NodeId> {
        self.module.order()
    }
}

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
    #[expect(clippy::indexing_slicing, reason = "documented; nothing is ever removed")]
    pub fn attribute_comments(&self, node: &Node, attribute: &BoundAttribute) -> Comments<'_> {
        self.trees[node.file_index].node(attribute.syntax).comments()
    }
}
