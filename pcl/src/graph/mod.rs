//! The dependency graph of a program as plain data: its declarations, those of its components, and
//! the references between them.
//!
//! Laws:
//! - The order of nodes and edges depends on the program alone. No edge occurs twice.
//! - A component's directory that several blocks use is in the graph once for each of them.
//! - Circular programs have a graph too, and no chain or cycle of declarations needs stack.
//! - Building takes time in proportion to the program and to the graph. A program whose components
//!   multiply is cut at [`MOST_NODES`] nodes or [`MOST_EDGES`] edges: [`Graph::is_complete`] tells.
//! - Labels are escaped in every format, and no control character is printed.
//!
//! ```
//! use pcl::graph::{EdgeKind, Graph};
//! use pcl::{Settings, Target, Workspace, binder::NodeKind};
//!
//! let text = "config size int {}\ndouble = size * 2\noutput area { value = double * double }\n";
//! let checked = Workspace::new(Settings::default()).check(&Target::text("main.pp", text));
//! let graph = Graph::of(&checked.program);
//! let names: Vec<&str> = graph.nodes.iter().map(|node| &*node.name).collect();
//! assert_eq!(names, ["size", "double", "area"]);
//! assert_eq!(graph.edges.len(), 2);
//!
//! // What is left out still connects the rest.
//! let graph = graph.only(&[NodeKind::Config, NodeKind::Output]);
//! let [edge] = &graph.edges[..] else { panic!() };
//! assert_eq!((edge.from, edge.to), (1, 0));
//! assert!(edge.kind == EdgeKind::Reference && edge.is_indirect);
//! assert!(graph.to_mermaid().contains("n1 -.-> n0"));
//! ```

mod build;
mod dot;
mod json;
mod mermaid;
mod only;
mod tree;

use std::sync::Arc;

use pcl_binder::NodeKind;
use pcl_diagnostics::Span;

/// The number of nodes from which on no further component is entered. The nodes of the program
/// itself are always in its graph.
pub const MOST_NODES: usize = 100_000;

/// The number of edges from which on no further component is entered, and no further edges are
/// drawn through nodes that are left out.
pub const MOST_EDGES: usize = 1_000_000;

/// The dependency graph of a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Graph {
    /// The nodes: those of the program in the order of its files, then those of each component.
    pub nodes: Vec<Node>,
    /// The components that were entered, the ones around others first.
    pub components: Vec<Component>,
    /// The edges, by the positions of their nodes.
    pub edges: Vec<Edge>,
    /// Set unless [`MOST_NODES`] or [`MOST_EDGES`] left something out.
    pub is_complete: bool,
}

impl Graph {
    /// The graph of nothing.
    #[must_use]
    pub const fn empty() -> Self {
        Self { nodes: Vec::new(), components: Vec::new(), edges: Vec::new(), is_complete: true }
    }
}

/// A declaration. The block `pulumi` is none: it has no name, and nothing depends on it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Node {
    /// The kind of declaration.
    pub kind: NodeKind,
    /// The name that the program refers to it by.
    pub name: Arc<str>,
    /// The name outside the program: of the resource, config key or export.
    pub logical_name: Arc<str>,
    /// The canonical token of a resource, or the type token of a component.
    pub token: Option<Arc<str>>,
    /// The position in [`Graph::components`] of the component whose program declares it.
    pub component: Option<u32>,
    /// The declaration in the text.
    pub span: Span,
}

/// The program of one `component` block.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Component {
    /// The name of the block.
    pub name: Arc<str>,
    /// The directory of the program, as people would write it.
    pub directory: Arc<str>,
    /// The position in [`Graph::components`] of the component around it.
    pub parent: Option<u32>,
    /// The node of the block, unless it is left out.
    pub node: Option<u32>,
}

/// A node that needs another one.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Edge {
    /// The position of the node that needs another one.
    pub from: u32,
    /// The position of the node that is needed.
    pub to: u32,
    /// The way in which it is needed.
    pub kind: EdgeKind,
    /// Set if there are only nodes between them that are left out. The kind is then that of the
    /// first step if it is an option, and [`EdgeKind::Reference`] otherwise.
    pub is_indirect: bool,
}

/// The way in which a node needs another one.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum EdgeKind {
    /// The node refers to the other one anywhere but in an option.
    Reference,
    /// The option of this name refers to it.
    Option(Arc<str>),
    /// The config of a component takes the value of an input, which refers to it.
    Input,
    /// The other one is an output of the component.
    Output,
}

impl EdgeKind {
    /// The name of the kind in machine formats.
    #[must_use]
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::Reference => "reference",
            Self::Option(_) => "option",
            Self::Input => "input",
            Self::Output => "output",
        }
    }

    /// The name of the option.
    #[must_use]
    pub fn option(&self) -> Option<&str> {
        match self {
            Self::Option(name) => Some(name),
            _ => None,
        }
    }
}
