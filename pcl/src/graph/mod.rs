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
mod mermaid;
mod only;
mod plan;

use std::sync::Arc;

use pcl_binder::NodeKind;
use pcl_diagnostics::Span;

use crate::document::Range;
use crate::render::Report;
use crate::render::json::{FORMAT_VERSION, Records, line, record};

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
    /// The operation of a plan on its resources, by Pulumi's name for it.
    pub step: Option<Arc<str>>,
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
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::Reference => "reference",
            Self::Option(_) => "option",
            Self::Input => "input",
            Self::Output => "output",
        }
    }

    /// The name of the option.
    pub fn option(&self) -> Option<&str> {
        match self {
            Self::Option(name) => Some(name),
            _ => None,
        }
    }
}

impl Graph {
    /// Prints the graph as one JSON document, with the diagnostics of the program or state that it
    /// is of.
    pub fn to_json(&self, report: &Report) -> Vec<u8> {
        let sources = &report.sources;
        let nodes = self.nodes.iter().map(|node| {
            record!({
                kind: node.kind.name(),
                name: &*node.name,
                logical_name: &*node.logical_name,
                token: node.token.as_deref(),
                component: node.component,
                file: sources.path(node.span.file),
                range: Range::of(node.span, sources),
                step: node.step.as_deref(),
            })
        });
        let components = self.components.iter().map(|component| {
            record!({
                name: &*component.name,
                directory: &*component.directory,
                parent: component.parent,
                node: component.node,
            })
        });
        let edges = self.edges.iter().map(|edge| {
            record!({
                from: edge.from,
                to: edge.to,
                kind: edge.kind.as_str(),
                option: edge.kind.option(),
                indirect: edge.is_indirect,
            })
        });
        line(&record!({
            format_version: FORMAT_VERSION,
            program: &report.path,
            valid: report.is_valid(),
            diagnostics: Records::all(report),
            complete: self.is_complete,
            nodes: nodes.collect::<Vec<_>>(),
            components: components.collect::<Vec<_>>(),
            edges: edges.collect::<Vec<_>>(),
        }))
    }
}

/// The next thing to print.
enum Step<'g> {
    /// A node and its position.
    Node(u32, &'g Node),
    /// The beginning of a component with its position.
    Open(u32, &'g Component),
    /// The end of the last component that has begun.
    Close,
}

/// The most levels of indentation, so that deep components do not make long lines.
const DEEPEST: usize = 32;

/// Calls `print` with everything in order. The second argument is the number of spaces in front of
/// it: two in the program, and two more in each component around it.
fn each_step<'g>(graph: &'g Graph, mut print: impl FnMut(Step<'g>, usize)) {
    let mut print = |step, depth: usize| print(step, 2 * (depth.min(DEEPEST) + 1));
    let count = graph.components.len();
    // The nodes and components in the program, and in each component.
    let mut nodes: Vec<Vec<u32>> = vec![Vec::new(); count + 1];
    let mut components: Vec<Vec<u32>> = vec![Vec::new(); count + 1];
    let slot = |component: Option<u32>| component.map_or(0, |at| at as usize + 1);
    let mut is_block = vec![false; graph.nodes.len()];
    for (at, component) in graph.components.iter().enumerate() {
        if let Some(siblings) = components.get_mut(slot(component.parent)) {
            siblings.push(at as u32);
        }
        let block = component.node.map(|node| node as usize);
        let block = block.and_then(|block| Some((block, is_block.get_mut(block)?)));
        if let Some((block, flag)) = block {
            // It is printed inside, before what it contains.
            *flag = true;
            if let Some(inside) = nodes.get_mut(at + 1) {
                inside.push(block as u32);
            }
        }
    }
    for (at, node) in graph.nodes.iter().enumerate() {
        if is_block.get(at) == Some(&false)
            && let Some(inside) = nodes.get_mut(slot(node.component))
        {
            inside.push(at as u32);
        }
    }
    let print_nodes = |of: Option<u32>, depth: usize, print: &mut dyn FnMut(Step<'g>, usize)| {
        for &at in nodes.get(slot(of)).into_iter().flatten() {
            if let Some(node) = graph.nodes.get(at as usize) {
                print(Step::Node(at, node), depth);
            }
        }
    };
    print_nodes(None, 0, &mut print);
    let inside = |of: Option<u32>| components.get(slot(of)).into_iter().flatten();
    let mut stack = vec![inside(None)];
    while let Some(rest) = stack.last_mut() {
        let Some(&at) = rest.next() else {
            stack.pop();
            if let Some(depth) = stack.len().checked_sub(1) {
                print(Step::Close, depth);
            }
            continue;
        };
        if let Some(component) = graph.components.get(at as usize) {
            print(Step::Open(at, component), stack.len() - 1);
            print_nodes(Some(at), stack.len(), &mut print);
            stack.push(inside(Some(at)));
        }
    }
}
