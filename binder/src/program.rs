//! The semantic model: what a bound program is.

use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

use pcl_diagnostics::{Diagnostic, FileId, Policy, Reporter, Span, TextRange};
use pcl_model::expression::{Checker, ExprArena, ExprId, Names};
use pcl_model::scope::{DefinitionId, ScopeId, Scopes};
use pcl_model::types::{Symbol, TypeId, TypeStore};
use pcl_schema::MemberId;
use pcl_syntax::ast::{self, AstNode as _};
use pcl_syntax::{Comment, Comments, NodeId as SyntaxId, SyntaxNode, SyntaxTree};

use crate::order::{self, Edges, Placed};
use crate::packages::PackageIndex;
use crate::resource::range::Ranged;
use crate::schema_types::SchemaTypes;

/// A node of a [`Module`], counted from 0 in declaration order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct NodeId(pub u32);

impl NodeId {
    /// The position in [`Module::nodes`].
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A component program of a [`Program`], counted from 0 in the order in which they were bound.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ComponentId(pub u32);

/// What a node is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum NodeKind {
    /// `resource name "token" { .. }`
    Resource,
    /// `read name "token" { .. }`
    Read,
    /// `component name "source" { .. }`
    Component,
    /// `config name "type" { .. }`
    Config,
    /// `name = value`
    Local,
    /// `output name "type" { .. }`
    Output,
    /// `hook kind name { .. }`
    Hook,
    /// `pulumi { .. }`
    Pulumi,
}

impl NodeKind {
    /// The word for it in the machine formats.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Resource => "resource",
            Self::Read => "read",
            Self::Component => "component",
            Self::Config => "config",
            Self::Local => "local",
            Self::Output => "output",
            Self::Hook => "hook",
            Self::Pulumi => "pulumi",
        }
    }
}

/// A declaration of a program with all that binding found out about it.
#[derive(Clone, Debug)]
pub struct Node {
    /// What it is.
    pub kind: NodeKind,
    /// The name that the program refers to it by.
    pub name: Arc<str>,
    /// The name outside the program: of the resource, config key or export.
    pub logical_name: Arc<str>,
    /// The file that declares it.
    pub file: FileId,
    /// Its place among the program's files, by name.
    pub file_index: usize,
    /// The whole declaration.
    pub range: TextRange,
    /// Its node in the tree of the file, see [`Module::syntax`].
    pub syntax: SyntaxId,
    /// The name in the declaration, or its keyword when it has no name.
    pub name_range: TextRange,
    /// The canonical token of a resource, or the type token of a component without a source.
    pub token: Option<Arc<str>>,
    /// The type of a reference to the node; for an output its declared type.
    pub ty: TypeId,
    /// The type that the attributes of a resource, read or component make up.
    pub input_type: Option<TypeId>,
    /// The expressions of its body, which stand together in the arena.
    pub expressions: Range<u32>,
    /// What it holds.
    pub body: NodeBody,
}

impl Node {
    /// Where the whole declaration stands, from its first word to its last brace.
    #[must_use]
    pub fn span(&self) -> Span {
        Span::new(self.file, self.range)
    }

    /// The options of a resource, read or component in source order.
    #[must_use]
    pub fn options(&self) -> &[BoundAttribute] {
        match &self.body {
            NodeBody::Resource(body) => &body.options,
            NodeBody::Component(body) => &body.options,
            _ => &[],
        }
    }

    /// The first option of that name.
    #[must_use]
    pub fn option(&self, name: &str) -> Option<&BoundAttribute> {
        let mut options = self.options().iter();
        options.find(|option| *option.name == *name)
    }

    /// The name in the declaration.
    #[must_use]
    pub fn name_span(&self) -> Span {
        Span::new(self.file, self.name_range)
    }
}

/// Which nodes each node of a module refers to: one list of them all, and where the part of each node ends.
#[derive(Clone, Default, Debug)]
pub(crate) struct Dependencies {
    ends: Vec<u32>,
    targets: Vec<NodeId>,
}

impl Dependencies {
    /// No lists yet, with room for those of so many nodes.
    pub fn with_capacity(nodes: usize) -> Self {
        Self {
            ends: Vec::with_capacity(nodes),
            targets: Vec::with_capacity(2 * nodes),
        }
    }

    /// Adds the list of the next node.
    pub fn push(&mut self, targets: &[NodeId]) {
        self.targets.extend_from_slice(targets);
        self.ends.push(self.targets.len() as u32);
    }
}

impl Edges for Dependencies {
    fn count(&self) -> usize {
        self.ends.len()
    }

    fn of(&self, node: usize) -> &[NodeId] {
        let Some(&end) = self.ends.get(node) else {
            return &[];
        };
        let start = node.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.targets[start as usize..end as usize]
    }
}

/// An attribute of a body, bound.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BoundAttribute {
    /// The name as written.
    pub name: Arc<str>,
    /// The name as the program's types have it.
    pub symbol: Symbol,
    /// The name in the text.
    pub name_range: TextRange,
    /// Its node in the tree of the file, see [`Module::attribute_comments`].
    pub syntax: SyntaxId,
    /// The value.
    pub value: ExprId,
}

/// What a node holds besides its name and type.
#[derive(Clone, Debug, Default)]
pub enum NodeBody {
    /// Nothing was bound.
    #[default]
    Empty,
    /// A local's value.
    Local(ExprId),
    /// A config variable.
    Config(ConfigBody),
    /// An output's value, if it has one.
    Output(Option<ExprId>),
    /// A resource or read.
    Resource(ResourceBody),
    /// A component.
    Component(Box<ComponentBody>),
    /// A hook.
    Hook(HookBody),
    /// The version range that the `pulumi` block requires.
    Pulumi(Option<ExprId>),
}

/// What a `config` block says.
#[derive(Clone, Debug, Default)]
pub struct ConfigBody {
    /// The value when none is configured.
    pub default: Option<ExprId>,
    /// The description for people.
    pub description: Option<Arc<str>>,
    /// Whether the value may be missing.
    pub nullable: bool,
    /// Whether the value is secret.
    pub secret: bool,
}

/// What a `resource` or `read` block says.
#[derive(Clone, Debug, Default)]
pub struct ResourceBody {
    /// The attributes in source order, without `__logicalName`.
    pub inputs: Vec<BoundAttribute>,
    /// The attributes of the `options` block in source order.
    pub options: Vec<BoundAttribute>,
    /// What the option `range` makes of it.
    pub range: Ranged,
    /// The resource in the schema; `None` when the token leads nowhere.
    pub schema: Option<(PackageIndex, MemberId)>,
}

/// What a `component` block says.
#[derive(Clone, Debug, Default)]
pub struct ComponentBody {
    /// The directory as written; `None` for a component without a source.
    pub source: Option<String>,
    /// The bound program of that directory.
    pub program: Option<ComponentId>,
    /// The attributes in source order, without `__logicalName` and `token`.
    pub inputs: Vec<BoundAttribute>,
    /// The attributes of the `options` block in source order.
    pub options: Vec<BoundAttribute>,
    /// What the option `range` makes of it.
    pub range: Ranged,
    /// The variables that stand for outputs of components which come later. Made by lowering alone.
    pub deferred: Vec<DeferredOutput>,
}

/// A variable that stands for an output of a component before the component is there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DeferredOutput {
    /// The name of the variable, unlike every other name in the program.
    pub name: String,
    /// What references to it lead to.
    pub definition: DefinitionId,
    /// The component that comes later.
    pub component: NodeId,
    /// The value that the variable gets once the component is there.
    pub value: ExprId,
}

/// What a `hook` block says.
#[derive(Clone, Debug, Default)]
pub struct HookBody {
    /// Whether it runs on errors rather than around changes.
    pub on_error: bool,
    /// The command and its arguments.
    pub command: Option<ExprId>,
    /// Whether it runs in a preview too.
    pub on_dry_run: Option<ExprId>,
    /// Whether its failure is passed over.
    pub ignore_errors: Option<ExprId>,
}

/// A package that a program uses.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PackageReference {
    /// The package's name.
    pub name: String,
    /// Its version, when known.
    pub version: Option<String>,
    /// Where its plugin can be got, if the program says so.
    pub download_url: Option<String>,
    /// The plugin that makes the package of a parameter; of other packages the plugin is that of their name.
    pub base: Option<BasePlugin>,
}

/// The plugin behind a parameterized package.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct BasePlugin {
    /// The plugin's name.
    pub name: String,
    /// The plugin's version, when known.
    pub version: Option<String>,
    /// The parameter, meaningful to the plugin alone.
    pub parameter: Vec<u8>,
    /// Whether the package extends that of the plugin rather than replacing it.
    pub extends: bool,
}

/// The comments of a node. Which belong to it is told by where they stand, see [`Comments`].
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
    /// When `id` comes from another module.
    #[must_use]
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    /// The nodes in declaration order, each with its id.
    pub fn nodes_with_ids(&self) -> impl Iterator<Item = (NodeId, &Node)> {
        let nodes = self.nodes.iter().enumerate();
        nodes.map(|(at, node)| (NodeId(at as u32), node))
    }

    /// What a node refers to, by position: file by file, in each by where it stands. Of a node of another module, nothing.
    #[must_use]
    pub fn dependencies(&self, id: NodeId) -> &[NodeId] {
        self.dependencies.of(id.index())
    }

    /// The text of a node as the parser sees it.
    ///
    /// # Panics
    /// When the node is one of another module.
    #[must_use]
    pub fn syntax(&self, node: &Node) -> SyntaxNode<'_> {
        self.trees[node.file_index].node(node.syntax)
    }

    /// The comments of a node, as a generator of code would place them.
    ///
    /// # Panics
    /// When the node is one of another module.
    #[must_use]
    pub fn comments(&self, node: &Node) -> NodeComments<'_> {
        let syntax = self.syntax(node);
        let (mut open, mut close) = (Vec::new(), Vec::new());
        if let Some(block) = ast::Block::cast(syntax) {
            if let Some(brace) = block.open_brace() {
                open = brace.comments().trailing;
            }
            if let Some(brace) = block.close_brace() {
                let Comments {
                    detached, leading, ..
                } = brace.comments();
                close = detached.into_iter().chain(leading).collect();
            }
        }
        NodeComments {
            around: syntax.comments(),
            open,
            close,
        }
    }

    /// The comments above and behind an attribute of a node.
    ///
    /// # Panics
    /// When the node is one of another module.
    #[must_use]
    pub fn attribute_comments(&self, node: &Node, attribute: &BoundAttribute) -> Comments<'_> {
        self.trees[node.file_index]
            .node(attribute.syntax)
            .comments()
    }

    /// The first node of that kind and name.
    #[must_use]
    pub fn find(&self, kind: NodeKind, name: &str) -> Option<NodeId> {
        let at = self
            .nodes
            .iter()
            .position(|node| node.kind == kind && *node.name == *name)?;
        Some(NodeId(at as u32))
    }

    /// The nodes in the order that generators walk: each after what it needs.
    #[must_use]
    pub fn order(&self) -> Vec<NodeId> {
        let placed: Vec<Placed> = self
            .nodes
            .iter()
            .map(|node| Placed {
                file: node.file_index,
                offset: node.range.start(),
            })
            .collect();
        order::linearize(&placed, &self.dependencies, self.files.len())
            .into_iter()
            .map(|node| NodeId(node as u32))
            .collect()
    }
}

/// The program of a component's directory. Each directory is bound once, however many blocks use it.
#[derive(Clone, Debug)]
pub struct ComponentProgram {
    /// The directory.
    pub directory: PathBuf,
    /// The directory as people would write it.
    pub display: String,
    /// Its nodes.
    pub module: Module,
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
    /// What schemas say of the members and types that the program uses.
    pub schemas: Arc<SchemaTypes>,
    /// The severity of diagnostics.
    pub(crate) policy: Policy,
}

impl Program {
    /// The program's own nodes in declaration order.
    #[must_use]
    pub fn nodes(&self) -> &[Node] {
        &self.module.nodes
    }

    /// The packages that the program and its components use, by name; where both use a package, the program's version counts.
    #[must_use]
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

    /// Binds an expression that is not part of the program as if it stood at its top level. `file` is where its text, which is all of
    /// `tree`, counts as being; of a tree without an expression nothing is bound.
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
    /// let (value, findings) = program.bind_expression(&pcl_syntax::parse_expression(text), file);
    /// assert!(findings.is_empty());
    /// let ty = program.exprs[value.unwrap()].ty;
    /// assert_eq!(program.types.pretty(ty), "int");
    /// ```
    pub fn bind_expression(
        &mut self,
        tree: &SyntaxTree,
        file: FileId,
    ) -> (Option<ExprId>, Vec<Diagnostic>) {
        let mut reporter = Reporter::new(self.policy.clone());
        let errors = tree.errors().iter();
        reporter.report_all(errors.map(|error| error.to_diagnostic(file, tree)));
        let value = tree.expression().map(|expression| {
            let mut checker = Checker {
                types: &mut self.types,
                scopes: &mut self.scopes,
                exprs: &mut self.exprs,
                reporter: &mut reporter,
                names: Names::Values,
                file,
            };
            checker.bind(expression, self.module.root)
        });
        let mut diagnostics = reporter.into_diagnostics();
        pcl_diagnostics::sort(&mut diagnostics);
        (value, diagnostics)
    }

    /// The policy that decided the severity of the program's diagnostics.
    #[must_use]
    pub const fn policy(&self) -> &Policy {
        &self.policy
    }

    /// The component program behind an id.
    ///
    /// # Panics
    /// When `id` comes from another program.
    #[must_use]
    pub fn component(&self, id: ComponentId) -> &ComponentProgram {
        &self.components[id.0 as usize]
    }

    /// The nodes in the order that generators walk: each after what it needs.
    #[must_use]
    pub fn order(&self) -> Vec<NodeId> {
        self.module.order()
    }
}
