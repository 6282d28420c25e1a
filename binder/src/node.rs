//! The nodes of a bound program: declarations with what binding learned about each, and lists with
//! an element for each node.

use std::ops::{Index, IndexMut, Range};
use std::sync::Arc;

use pcl_diagnostics::{FileId, Span, TextRange};
pub use pcl_language::NodeKind;
use pcl_model::expression::ExprId;
use pcl_model::scope::DefinitionId;
use pcl_model::types::{Symbol, TypeId, TypeStore};
use pcl_schema::MemberId;
use pcl_syntax::NodeId as SyntaxId;

use crate::packages::PackageIndex;

/// A node of a [`Module`](crate::Module), counted from 0 in declaration order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct NodeId(pub u32);

impl NodeId {
    /// The position in [`Module::nodes`](crate::Module::nodes).
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A component program of a [`Program`](crate::Program), counted from 0 in the order in which they
/// were bound.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ComponentId(pub u32);

/// A declaration of a program with all that binding found out about it.
#[derive(Clone, Debug)]
pub struct Node {
    /// The kind of declaration.
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
    /// Its node in the tree of the file, see [`Module::syntax`](crate::Module::syntax).
    pub syntax: SyntaxId,
    /// The name in the declaration, or its keyword when it has no name.
    pub name_range: TextRange,
    /// The canonical token of a resource, or the type token of a component.
    pub token: Option<Arc<str>>,
    /// The type of a reference to the node; for an output its declared type.
    pub ty: TypeId,
    /// The type that the attributes of a resource, read or component make up.
    pub input_type: Option<TypeId>,
    /// The expressions of its body, which are contiguous in the arena.
    pub expressions: Range<u32>,
    /// The bound body.
    pub body: NodeBody,
}

impl Node {
    /// The effect of its `range`.
    pub const fn ranged(&self) -> Ranged {
        match &self.body {
            NodeBody::Resource(body) => body.range,
            NodeBody::Component(body) => body.range,
            _ => Ranged::Single,
        }
    }

    /// The range of the whole declaration, from its first word to its last brace.
    pub fn span(&self) -> Span {
        Span::new(self.file, self.range)
    }

    /// The options of a resource, read or component in source order.
    pub fn options(&self) -> &[BoundAttribute] {
        match &self.body {
            NodeBody::Resource(body) => &body.options,
            NodeBody::Component(body) => &body.options,
            _ => &[],
        }
    }

    /// The first option of that name.
    pub fn option(&self, name: &str) -> Option<&BoundAttribute> {
        self.options().iter().find(|option| *option.name == *name)
    }

    /// The name in the declaration.
    pub fn name_span(&self) -> Span {
        Span::new(self.file, self.name_range)
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
    /// Its node in the tree of the file, see
    /// [`Module::attribute_comments`](crate::Module::attribute_comments).
    pub syntax: SyntaxId,
    /// The value.
    pub value: ExprId,
}

/// The bound body of a node.
#[derive(Clone, Debug, Default)]
pub enum NodeBody {
    /// Nothing was bound.
    #[default]
    Empty,
    /// A local's value.
    Local(ExprId),
    /// A config variable.
    Config(Box<ConfigBody>),
    /// An output's value, if it has one.
    Output(Option<ExprId>),
    /// A resource or read.
    Resource(Box<ResourceBody>),
    /// A component.
    Component(Box<ComponentBody>),
    /// A hook.
    Hook(Box<HookBody>),
    /// The version range that the `pulumi` block requires.
    Pulumi(Option<ExprId>),
}

/// The contents of a `config` block.
#[derive(Clone, Debug, Default)]
pub struct ConfigBody {
    /// The value when none is configured.
    pub default: Option<ExprId>,
    /// The description for people.
    pub description: Option<Arc<str>>,
    /// Set if the value may be missing.
    pub nullable: bool,
    /// Set if the value is secret.
    pub secret: bool,
}

/// The contents of a `resource` or `read` block.
#[derive(Clone, Debug)]
pub struct ResourceBody {
    /// The attributes in source order, without `__logicalName`.
    pub inputs: Vec<BoundAttribute>,
    /// The attributes of the `options` block in source order.
    pub options: Vec<BoundAttribute>,
    /// The effect of the option `range`.
    pub range: Ranged,
    /// The type of one instance, whatever the range.
    pub single: TypeId,
    /// The resource in the schema; `None` when the token leads nowhere.
    pub schema: Option<(PackageIndex, MemberId)>,
}

/// The contents of a `component` block.
#[derive(Clone, Debug)]
pub struct ComponentBody {
    /// The directory as written; `None` for a component without a source.
    pub source: Option<String>,
    /// The bound program of that directory.
    pub program: Option<ComponentId>,
    /// The attributes in source order, without `__logicalName` and `token`.
    pub inputs: Vec<BoundAttribute>,
    /// The attributes of the `options` block in source order.
    pub options: Vec<BoundAttribute>,
    /// The effect of the option `range`.
    pub range: Ranged,
    /// The type of one instance, whatever the range.
    pub single: TypeId,
    /// The variables for outputs of later components. Created by lowering only.
    pub deferred: Vec<DeferredOutput>,
}

/// A variable that holds the place of a component's output before the component exists.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DeferredOutput {
    /// The name of the variable, unlike every other name in the program.
    pub name: String,
    /// The definition that references to it lead to.
    pub definition: DefinitionId,
    /// The component that comes later.
    pub component: NodeId,
    /// The value of the variable once the component exists.
    pub value: ExprId,
}

/// The contents of a `hook` block.
#[derive(Clone, Debug, Default)]
pub struct HookBody {
    /// Set if it runs on errors rather than around changes.
    pub on_error: bool,
    /// The command and its arguments.
    pub command: Option<ExprId>,
    /// The value of `onDryRun`: whether the hook runs in a preview too.
    pub on_dry_run: Option<ExprId>,
    /// The value of `ignoreErrors`: whether its failure is ignored.
    pub ignore_errors: Option<ExprId>,
}

/// The effect of a `range` on a resource or component.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Ranged {
    /// The resource has no `range`.
    #[default]
    Single,
    /// A bool: the resource or nothing.
    Optional,
    /// A number: so many of them.
    Counted,
    /// A collection: one for each entry.
    Each {
        /// The type of `range.key`.
        key: TypeId,
        /// The type of `range.value`.
        value: TypeId,
    },
}

impl Ranged {
    /// The type of the variable `range`, if there is one.
    pub fn variable(self, types: &mut TypeStore) -> Option<TypeId> {
        let members = match self {
            Self::Single | Self::Optional => return None,
            Self::Counted => vec![(types.symbol("value"), TypeId::INT)],
            Self::Each { key, value } => {
                vec![(types.symbol("key"), key), (types.symbol("value"), value)]
            }
        };
        Some(types.object(members))
    }
}

/// A list with one element for each node of a module, which ids of that module index.
#[derive(Clone, Debug)]
pub(crate) struct PerNode<T>(Vec<T>);

impl<T> Default for PerNode<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> PerNode<T> {
    /// A list of these elements.
    pub fn from_vec(elements: Vec<T>) -> Self {
        Self(elements)
    }

    /// Reserves room for exactly so many more elements.
    pub fn reserve_exact(&mut self, count: usize) {
        self.0.reserve_exact(count);
    }

    /// The number of elements that fit without reallocation.
    pub fn capacity(&self) -> usize {
        self.0.capacity()
    }

    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Adds the element of the next node.
    pub fn push(&mut self, element: T) {
        self.0.push(element);
    }

    /// The id of the next node.
    pub fn next_id(&self) -> NodeId {
        NodeId(u32::try_from(self.0.len()).unwrap_or(u32::MAX))
    }

    /// The elements in the order of their nodes.
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.0.iter()
    }

    /// The ids of the nodes in order.
    pub fn ids(&self) -> impl Iterator<Item = NodeId> + use<T> {
        (0..self.next_id().0).map(NodeId)
    }

    /// The elements in the order of their nodes.
    pub fn into_vec(self) -> Vec<T> {
        self.0
    }
}

impl<T> FromIterator<T> for PerNode<T> {
    fn from_iter<I: IntoIterator<Item = T>>(elements: I) -> Self {
        Self(elements.into_iter().collect())
    }
}

#[expect(
    clippy::indexing_slicing,
    reason = "ids are made by `next_id`, and an element is pushed for each; nothing is removed"
)]
impl<T> Index<NodeId> for PerNode<T> {
    type Output = T;

    fn index(&self, node: NodeId) -> &T {
        &self.0[node.index()]
    }
}

#[expect(
    clippy::indexing_slicing,
    reason = "ids are made by `next_id`, and an element is pushed for each; nothing is removed"
)]
impl<T> IndexMut<NodeId> for PerNode<T> {
    fn index_mut(&mut self, node: NodeId) -> &mut T {
        &mut self.0[node.index()]
    }
}
