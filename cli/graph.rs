//! `pcl graph`: the dependency graph of a program.

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};

use super::dump::tell;
use super::hints;
use super::inputs::{ProgramArgs, SettingsArgs};
use super::output::{complain, print};
use super::status::{Failure, Outcome};
use pcl::Workspace;
use pcl::binder::NodeKind;

/// The largest file of a plan that is read.
const MAX_PLAN: u64 = 1 << 30;

#[derive(Args)]
pub(crate) struct Graph {
    #[command(flatten)]
    program: ProgramArgs,
    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "dot")]
    output_format: OutputFormat,
    /// Keep only these nodes, separated by commas, and connect them through all others
    #[arg(long, value_name = "KINDS", value_delimiter = ',', value_parser = kinds())]
    only: Vec<NodeKind>,
    /// Colour the resources by the steps of this plan, which `pcl plan --output-format json` has
    /// printed
    #[arg(long, value_name = "FILE")]
    plan: Option<PathBuf>,
    #[command(flatten)]
    settings: SettingsArgs,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum OutputFormat {
    /// The language of Graphviz
    Dot,
    /// A flowchart for Markdown
    Mermaid,
    /// One JSON document, with diagnostics
    Json,
}

/// Reads a kind of nodes that graphs have.
fn kinds() -> impl TypedValueParser<Value = NodeKind> {
    let kinds = || NodeKind::ALL.iter().copied().filter(|kind| *kind != NodeKind::Pulumi);
    let find = move |name: String| kinds().find(|kind| kind.name() == name).ok_or("no kind");
    PossibleValuesParser::new(kinds().map(NodeKind::name)).try_map(find)
}

impl Graph {
    pub(crate) fn run(&self) -> Outcome {
        let target = self.program.target()?;
        let (settings, configuration) = self.settings.of(&target)?;
        let settings = pcl::Settings { untried: true, ..settings };
        let mut checked = Workspace::new(settings).check(&target);
        hints::name_flags(&mut checked.diagnostics);
        let mut graph = pcl::graph::Graph::of(&checked.program);
        if let Some(path) = &self.plan {
            let bytes = pcl_system::read(path, MAX_PLAN)
                .map_err(|error| Failure::io("read the plan", path, error))?;
            let plan = serde_json::from_slice(&bytes).map_err(|error| error.to_string());
            let added = plan.and_then(|plan| graph.add_plan(&plan, &checked.report.sources));
            added.map_err(|reason| Failure::usage(format!("{}: {reason}", path.display())))?;
        }
        if !self.only.is_empty() {
            graph = graph.only(&self.only);
        }
        match self.output_format {
            OutputFormat::Dot => print(graph.to_dot())?,
            OutputFormat::Mermaid => print(graph.to_mermaid())?,
            OutputFormat::Json => {
                print(graph.to_json(&checked.report))?;
                return Ok(self.settings.status(&checked.report, &configuration));
            }
        };
        tell(&checked.report);
        if !graph.is_complete {
            complain("the graph is not complete: it is too large");
        }
        Ok(self.settings.status(&checked.report, &configuration))
    }
}
