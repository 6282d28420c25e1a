//! Commands that the editor lets the server execute. None changes anything.

use lsp_types::ExecuteCommandParams;
use pcl::diagnostics::Code;
use pcl::render::bound_text;
use serde_json::Value;

use crate::message::{Answer, Failure};
use crate::server::Server;

/// The command that explains the code of a diagnostic: `{ "code": "PCL0601" }`.
pub const EXPLAIN: &str = "pcl.explain";
/// The command that shows the model of the program of a document: `{ "uri": ".." }`.
pub const SHOW_MODEL: &str = "pcl.showModel";

/// The commands that the server executes.
pub const ALL: [&str; 2] = [EXPLAIN, SHOW_MODEL];

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
        SHOW_MODEL => {
            let uri = argument("uri")?;
            let Some((analysis, _)) = server.file(uri) else {
                let message = format!("`{uri}` is not a file of a program");
                return Err(Failure::new(Failure::INVALID_PARAMS, message));
            };
            bound_text(&mut analysis.checked)
        }
        other => {
            let message = format!("there is no command `{other}`");
            return Err(Failure::new(Failure::INVALID_PARAMS, message));
        }
    };
    Ok(Some(Value::String(text)))
}

/// The page of a code, as Markdown.
fn explain(written: &str) -> Answer<String> {
    let code = Code::parse(written).ok_or_else(|| {
        let message = format!("there is no diagnostic `{written}`");
        Failure::new(Failure::INVALID_PARAMS, message)
    })?;
    Ok(code.titled_page("#"))
}
