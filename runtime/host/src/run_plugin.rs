//! `RunPlugin`: a directory of PCL as the plugin of a package of components. The plugin is served
//! by this process, at a port of its own, for as long as the request for it lasts.

use std::collections::BTreeMap;
use std::path::Path;

use pcl::ComponentPackage;
use tokio::net::TcpListener;
use tokio::sync::{mpsc, watch};
use tokio_stream::wrappers::ReceiverStream;
use tonic::Status;

use crate::calls::{Engine, blocking};
use crate::component_provider::{ComponentProvider, Surroundings};
use crate::protocol::language::{PluginOutput, RunPluginRequest, RunPluginResponse};
use crate::server::serve;

/// The messages of a plugin that runs.
pub(crate) type Output = ReceiverStream<Result<RunPluginResponse, Status>>;

/// The exit code of a plugin that cannot be served.
const FAILURE: i32 = 1;

/// Serves a plugin. Its output is the port; it ends when the messages are read no more.
///
/// # Errors
/// Returns an error for a plugin of another kind than a package of components.
pub(crate) async fn run_plugin(
    request: RunPluginRequest,
    engine: Option<Engine>,
    cancelled: watch::Sender<bool>,
) -> Result<Output, Status> {
    if request.attach_debugger {
        return Err(Status::unimplemented("there is no debugger for PCL"));
    }
    if request.kind != "resource" {
        let message = format!("PCL has no plugins of the kind `{}`", request.kind);
        return Err(Status::unimplemented(message));
    }
    let missing = || Status::invalid_argument("the request has no information about the plugin");
    let directory = request.info.clone().ok_or_else(missing)?.root_directory;
    let package = blocking(move || package(Path::new(&directory))).await;
    // Room for the messages of a plugin that nobody reads.
    let (sender, receiver) = mpsc::channel(2);
    let started = match package {
        Ok(package) => start(package, request, engine, cancelled, sender.clone()).await,
        Err(status) => Err(status.message().to_owned()),
    };
    let outputs = match started {
        Ok(port) => vec![PluginOutput::Stdout(format!("{port}\n").into_bytes())],
        Err(reason) => vec![
            PluginOutput::Stderr(format!("{reason}\n").into_bytes()),
            PluginOutput::ExitCode(FAILURE),
        ],
    };
    for output in outputs {
        _ = sender.send(Ok(RunPluginResponse { output: Some(output) })).await;
    }
    Ok(ReceiverStream::new(receiver))
}

fn package(directory: &Path) -> Result<ComponentPackage, String> {
    let found = ComponentPackage::find(directory);
    found.ok_or_else(|| format!("`{}` is no package of components in PCL", directory.display()))
}

/// Starts to serve a package, until its messages are read no more. The result is the port.
async fn start(
    package: ComponentPackage,
    request: RunPluginRequest,
    engine: Option<Engine>,
    cancelled: watch::Sender<bool>,
    output: mpsc::Sender<Result<RunPluginResponse, Status>>,
) -> Result<u16, String> {
    let unserved = |error| format!("the plugin cannot be served: {error}");
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.map_err(unserved)?;
    let address = listener.local_addr().map_err(unserved)?;
    let surroundings = Surroundings {
        address: address.to_string(),
        environment: environment(request.environment),
        cancelled: cancelled.clone(),
        engine,
        loader: request.loader_target,
    };
    let provider = ComponentProvider::new(package, surroundings);
    provider.prepare_schema();
    tokio::spawn(async move {
        // Constructions that are under way have nobody to answer then.
        let end = async {
            output.closed().await;
            cancelled.send_replace(true);
        };
        _ = serve(listener, provider, end).await;
    });
    Ok(address.port())
}

/// The environment of a plugin.
fn environment(variables: Vec<String>) -> BTreeMap<String, String> {
    let variables = variables.iter().filter_map(|variable| variable.split_once('='));
    variables.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
}
