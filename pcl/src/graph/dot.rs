//! The language DOT of Graphviz.

use std::fmt::Write as _;

use pcl_binder::NodeKind;

use super::{Edge, EdgeKind, Graph};
use crate::graph::{Step, each_step};
use crate::render::text::{is_unsafe, stand_in};

impl Graph {
    /// Prints the graph in the language DOT of Graphviz. Components are clusters; dashed edges are
    /// indirect ones and those into and out of components.
    pub fn to_dot(&self) -> String {
        let mut out = String::from("digraph {\n  rankdir = LR;\n");
        // Writing to a string does not fail.
        each_step(self, |step, indent| {
            let _ = match step {
                Step::Node(at, node) => {
                    let kind = node.kind;
                    let mut label = format!("{} {}", kind.name(), escaped(&node.name));
                    if let Some(token) = &node.token {
                        label += &format!("\\n{}", escaped(token));
                    }
                    let look = look(kind);
                    let color = node.step.as_deref().map(super::plan::color);
                    let color = color.map(|color| format!(", color=\"{color}\", penwidth=2"));
                    let color = color.unwrap_or_default();
                    if let Some(step) = &node.step {
                        label += &format!("\\n({})", escaped(step));
                    }
                    writeln!(out, "{:indent$}n{at} [label=\"{label}\", {look}{color}];", "")
                }
                Step::Open(at, component) => {
                    let [name, directory] = [&component.name, &component.directory].map(escaped);
                    let label = format!("{name} ({directory})");
                    writeln!(
                        out,
                        "{:indent$}subgraph cluster_{at} {{\n{:indent$}  label = \"{label}\";",
                        "", ""
                    )
                }
                Step::Close => writeln!(out, "{:indent$}}}", ""),
            };
        });
        for edge in &self.edges {
            let _ = writeln!(out, "  n{} -> n{}{};", edge.from, edge.to, attributes(edge));
        }
        if !self.is_complete {
            out.push_str("  // The graph is not complete: it is too large.\n");
        }
        out.push_str("}\n");
        out
    }
}

const fn look(kind: NodeKind) -> &'static str {
    match kind {
        NodeKind::Resource | NodeKind::Pulumi => "shape=box",
        NodeKind::Read => "shape=box, style=dashed",
        NodeKind::Component => "shape=component",
        NodeKind::Config => "shape=parallelogram",
        NodeKind::Local => "shape=ellipse",
        NodeKind::Output => "shape=house",
        NodeKind::Hook => "shape=hexagon",
    }
}

fn attributes(edge: &Edge) -> String {
    let label = edge.kind.option().map(escaped);
    let label = label.map(|label| format!("label=\"{label}\""));
    let crosses = matches!(edge.kind, EdgeKind::Input | EdgeKind::Output);
    let style = (edge.is_indirect || crosses).then(|| "style=dashed".to_owned());
    let attributes: Vec<String> = label.into_iter().chain(style).collect();
    if attributes.is_empty() { String::new() } else { format!(" [{}]", attributes.join(", ")) }
}

/// The text for a place between quotes, where Graphviz reads escapes, and then HTML entities.
fn escaped(text: impl AsRef<str>) -> String {
    let mut out = String::new();
    for c in text.as_ref().chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            c if is_unsafe(c) => out.push(stand_in(c)),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::escaped;

    #[test]
    fn labels_are_escaped() {
        assert_eq!(escaped(r#"a"b\n]{c}"#), r#"a\"b\\n]{c}"#);
        assert_eq!(escaped("a\nb\r\u{1b}[31m\0"), "a\\nb␍␛[31m␀");
        assert_eq!(escaped("<b>&amp; größe 日本\u{202e}"), "&lt;b&gt;&amp;amp; größe 日本\u{fffd}");
    }
}
