//! The commands that an editor lets the server execute. None of them changes a document.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use lsp_types::ExecuteCommandParams;
use pcl::graph::Graph;
use pcl::render::bound_text;
use serde_json::{Value, json};

use crate::convert;
use crate::message::{Answer, Failure, Message};
use crate::server::{AddSchema, Server};

/// The command that explains the code of a diagnostic: `{ "code": "PCL0601" }`.
pub const EXPLAIN: &str = "pcl.explain";
/// The command that shows the model of the program of a document: `{ "uri": ".." }`.
const SHOW_MODEL: &str = "pcl.showModel";
/// The command that shows what depends on what in the program of a document, as a flowchart of
/// Mermaid: `{ "uri": ".." }`.
const SHOW_GRAPH: &str = "pcl.showGraph";
/// The command that gets a schema for the program of a document, as `pcl schema add` does:
/// `{ "uri": "..", "package": "aws@7.0.0" }`.
pub const ADD_SCHEMA: &str = "pcl.addSchema";

/// The commands of a server, which gets schemas only if it was started so.
pub fn commands(adds_schemas: bool) -> Vec<String> {
    let adds = adds_schemas.then_some(ADD_SCHEMA);
    let names = [EXPLAIN, SHOW_MODEL, SHOW_GRAPH].into_iter().chain(adds);
    names.map(str::to_owned).collect()
}

/// Executes a command and returns its text.
pub fn execute(server: &mut Server, params: ExecuteCommandParams) -> Answer<Option<Value>> {
    let argument = |name: &str| {
        let first = params.arguments.as_ref().and_then(|all| all.first());
        let value = first.and_then(|first| first.get(name).unwrap_or(first).as_str());
        let message = format!("`{}` needs an argument with `{name}`", params.command);
        value.ok_or_else(|| Failure::invalid(message))
    };
    let text = match &*params.command {
        EXPLAIN => pcl::explain::explain(argument("code")?)
            .map_err(|error| Failure::invalid(error.to_string()))?,
        SHOW_MODEL | SHOW_GRAPH => {
            let uri = argument("uri")?;
            let unknown = || Failure::invalid(format!("`{uri}` is not a file of a program"));
            let (snapshot, _) = server.file(uri).ok_or_else(unknown)?;
            let checked = &mut snapshot.analysis.checked;
            if params.command == SHOW_MODEL {
                bound_text(checked)
            } else {
                Graph::of(&checked.program).to_mermaid()
            }
        }
        ADD_SCHEMA => {
            let add = server.add_schema.clone().ok_or_else(|| unknown(ADD_SCHEMA))?;
            let directory = directory_of(argument("uri")?)?;
            add_schema(server, add, directory, argument("package")?.to_owned());
            return Ok(None);
        }
        other => return Err(unknown(other)),
    };
    Ok(Some(Value::String(text)))
}

fn unknown(command: &str) -> Failure {
    Failure::invalid(format!("there is no command `{command}`"))
}

/// The directory of a document on disk.
fn directory_of(uri: &str) -> Answer<PathBuf> {
    let path = convert::to_path(uri).map(PathBuf::from);
    let directory = path.as_deref().and_then(Path::parent).filter(|it| it.is_dir());
    let unknown = || Failure::invalid(format!("`{uri}` is in no directory"));
    directory.map(Path::to_owned).ok_or_else(unknown)
}

/// Gets a schema in a thread of its own, since a provider may have to be installed for it, and
/// tells the user how that ended. The programs are checked again then.
fn add_schema(server: &Server, add: AddSchema, directory: PathBuf, package: String) {
    let inbox = Arc::downgrade(&server.inbox);
    let client = server.client.clone();
    std::thread::spawn(move || {
        client.log(3, &format!("running `pcl schema add {package}`"));
        match add(&directory, &package) {
            Ok(text) => client.show(3, text.trim()),
            Err(text) => client.show(1, text.trim()),
        }
        if let Some(inbox) = inbox.upgrade() {
            // An editor that watches files may not watch this directory.
            let changed = json!({ "changes": [{ "uri": convert::of_path(&directory.display().to_string()), "type": 2 }] });
            inbox.push(Ok(Message::notification("workspace/didChangeWatchedFiles", changed)));
        }
    });
}
