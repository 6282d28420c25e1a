//! The steps of a plan in the graph of its program.

use std::collections::BTreeMap;

use pcl_diagnostics::SourceMap;
use serde_json::Value as Json;

use super::Graph;

/// The operations, those that matter most to people first.
const BY_WEIGHT: [(&str, &str); 6] = [
    ("replace", "#a2388b"),
    ("create", "#1a7f37"),
    ("import", "#1a7f37"),
    ("update", "#bf8700"),
    ("read", "#0969da"),
    ("same", "#6e7781"),
];

/// The colour of an operation.
pub(super) fn color(step: &str) -> &'static str {
    let mut all = BY_WEIGHT.iter();
    all.find(|(name, _)| *name == step).map_or("#6e7781", |(_, color)| color)
}

impl Graph {
    /// Gives the nodes the steps of a plan: the document that `pcl plan --output-format json`
    /// prints for the same program. A block whose resources have different steps gets the one that
    /// matters most.
    ///
    /// # Errors
    /// Returns a message if the document is another one.
    pub fn add_plan(&mut self, plan: &Json, sources: &SourceMap) -> Result<(), String> {
        let steps = plan.get("steps").and_then(Json::as_array);
        let steps =
            steps.ok_or("expected a plan, the output of `pcl plan --output-format json`")?;
        let mut by_place: BTreeMap<(String, u64, u64), usize> = BTreeMap::new();
        for step in steps {
            let op = step.get("op").and_then(Json::as_str).unwrap_or_default();
            let Some(weight) = BY_WEIGHT.iter().position(|(name, _)| *name == op) else { continue };
            let place = |name: &str| step.pointer(&format!("/source/{name}"));
            let number = |name| place(name).and_then(Json::as_u64);
            let file = place("file").and_then(Json::as_str);
            let (Some(file), Some(line), Some(column)) = (file, number("line"), number("column"))
            else {
                continue;
            };
            let known = by_place.entry((file.to_owned(), line, column)).or_insert(weight);
            *known = weight.min(*known);
        }
        for node in &mut self.nodes {
            let position = sources.position(node.span.file, node.span.range.start());
            let (line, column) = (u64::from(position.line), u64::from(position.column));
            let place = (sources.path(node.span.file).to_owned(), line, column);
            let step = by_place.get(&place).and_then(|weight| BY_WEIGHT.get(*weight));
            node.step = step.map(|(name, _)| (*name).into());
        }
        Ok(())
    }
}
