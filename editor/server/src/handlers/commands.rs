//! Commands that the editor lets the server execute. None changes anything.

use lsp_types::ExecuteCommandParams;
use pcl::graph::Graph;
use pcl::render::bound_text;
use pcl_ide::Analysis;
use serde_json::Value;

use crate::message::{Answer, Failure};
use crate::server::Server;

/// The command that explains the code of a diagnostic: `{ "code": "PCL0601" }`.
pub const EXPLAIN: &str = "pcl.explain";
/// The command that shows the model of the program of a document: `{ "uri": ".." }`.
pub const SHOW_MODEL: &str = "pcl.showModel";
/// The command that shows what depends on what in the program of a document, as a flowchart of
/// Mermaid: `{ "uri": ".." }`.
pub const SHOW_GRAPH: &str = "pcl.showGraph";

/// The commands that the server executes.
pub const ALL: [&str; 3] = [EXPLAIN, SHOW_MODEL, SHOW_GRAPH];

/// Executes a command and returns its text.
pub fn execute(server: &mut Server, params: ExecuteCommandParams) -> Answer<Option<Value>> {
    let argument = |name: &str| {
        let first = params.arguments.as_ref().and_then(|all| all.first());
        let value = first.and_then(|first| first.get(name).unwrap_or(first).as_str());
        let message = format!("`{}` needs an argument with `{name}`", params.command);
        value.ok_or_else(|| Failure::new(Failure::INVALID_PARAMS, message))
    };
    let text = match &*params.command {
        EXPLAIN => explain(argument("code")?)?,
        SHOW_MODEL => bound_text(&mut analysis_of(server, argument("uri")?)?.checked),
        SHOW_GRAPH => {
            Graph::of(&analysis_of(server, argument("uri")?)?.checked.program).to_mermaid()
        }
        other => {
            let message = format!("there is no command `{other}`");
            return Err(Failure::new(Failure::INVALID_PARAMS, message));
        }
    };
    Ok(Some(Value::String(text)))
}

/// The program of a document.
fn analysis_of<'s>(server: &'s mut Server<'_>, uri: &str) -> Answer<&'s mut Analysis> {
    let message = format!("`{uri}` is not a file of a program");
    let found = server.file(uri).map(|(analysis, _)| analysis);
    found.ok_or_else(|| Failure::new(Failure::INVALID_PARAMS, message))
}

/// The page of a topic, as Markdown.
fn explain(written: &str) -> Answer<String> {
    pcl::explain::explain(written)
        .map_err(|error| Failure::new(Failure::INVALID_PARAMS, error.to_string()))
}
