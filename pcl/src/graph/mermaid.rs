//! Flowcharts of Mermaid, which GitHub and GitLab show in Markdown.

use std::fmt::Write as _;

use pcl_binder::NodeKind;

use super::{Edge, EdgeKind, Graph};
use crate::graph::{Step, each_step};
use crate::render::text::{is_unsafe, stand_in};

impl Graph {
    /// Prints the graph as a flowchart of Mermaid. Components are subgraphs; dotted edges are
    /// indirect ones and those into and out of components.
    pub fn to_mermaid(&self) -> String {
        let mut out = String::from("flowchart LR\n");
        let mut colors = String::new();
        // Writing to a string does not fail.
        each_step(self, |step, indent| {
            let _ = match step {
                Step::Node(at, node) => {
                    let mut label = format!("{} {}", node.kind.name(), escaped(&node.name));
                    if let Some(token) = &node.token {
                        label += &format!("<br>{}", escaped(token));
                    }
                    if let Some(step) = &node.step {
                        label += &format!("<br>({})", escaped(step));
                        let color = super::plan::color(step);
                        colors += &format!("  style n{at} stroke:{color},stroke-width:2px\n");
                    }
                    let (before, after) = look(node.kind);
                    writeln!(out, "{:indent$}n{at}{before}\"{label}\"{after}", "")
                }
                Step::Open(at, component) => {
                    let [name, directory] = [&component.name, &component.directory].map(escaped);
                    writeln!(out, "{:indent$}subgraph c{at}[\"{name} ({directory})\"]", "")
                }
                Step::Close => writeln!(out, "{:indent$}end", ""),
            };
        });
        for edge in &self.edges {
            let _ = writeln!(out, "  n{} {} n{}", edge.from, arrow(edge), edge.to);
        }
        out.push_str(&colors);
        if !self.is_complete {
            out.push_str("  %% The graph is not complete: it is too large.\n");
        }
        out
    }
}

/// The brackets around the label, which make the shape.
const fn look(kind: NodeKind) -> (&'static str, &'static str) {
    match kind {
        NodeKind::Resource | NodeKind::Pulumi => ("[", "]"),
        NodeKind::Read => ("[(", ")]"),
        NodeKind::Component => ("[[", "]]"),
        NodeKind::Config => ("[/", "/]"),
        NodeKind::Local => ("(", ")"),
        NodeKind::Output => ("([", "])"),
        NodeKind::Hook => ("{{", "}}"),
    }
}

fn arrow(edge: &Edge) -> String {
    let crosses = matches!(edge.kind, EdgeKind::Input | EdgeKind::Output);
    let line = if edge.is_indirect || crosses { "-.->" } else { "-->" };
    match edge.kind.option() {
        Some(option) => format!("{line}|\"{}\"|", escaped(option)),
        None => line.to_owned(),
    }
}

/// The text for a place between quotes. Mermaid has entities with `#` instead of escapes; between
/// quotes it still looks for directives, HTML and Markdown.
fn escaped(text: impl AsRef<str>) -> String {
    let text = text.as_ref();
    // Mermaid removes the last semicolon after these words with a colon, as if it were one of CSS.
    let is_like_css = text.contains("style") || text.contains("classDef");
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '"' => out.push_str("#quot;"),
            '<' => out.push_str("#lt;"),
            '>' => out.push_str("#gt;"),
            '&' => out.push_str("#amp;"),
            '\n' => out.push_str("<br>"),
            '#' | '\\' | '`' | '%' | '$' => {
                let _ = write!(out, "#{};", c as u32);
            }
            ':' if is_like_css => out.push_str("#58;"),
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
        assert_eq!(escaped(r#"a"b\n]{c}"#), "a#quot;b#92;n]{c}");
        assert_eq!(escaped("a\nb\r\u{1b}[31m"), "a<br>b␍␛[31m");
        assert_eq!(escaped("<b>#quot;&amp;"), "#lt;b#gt;#35;quot;#amp;amp;");
        assert_eq!(escaped("%%{init: {}}%%"), "#37;#37;{init: {}}#37;#37;");
        assert_eq!(escaped("`$$x$$`"), "#96;#36;#36;x#36;#36;#96;");
        assert_eq!(escaped("style a:\""), "style a#58;#quot;");
        assert_eq!(escaped("größe 日本: 1"), "größe 日本: 1");
    }
}
