//! The services of the host, by the paths of their methods.

use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};

use http::{Request, Response};
use pcl_remote::{Empty, PluginInfo};
use tokio::sync::watch;
use tonic::Status;
use tonic::body::Body;

use crate::calls::blocking;
use crate::engine_link::EngineLink;
use crate::hooks::AllHooks;
use crate::protocol::language::{
    AboutResponse, DiagnosticsResponse, GeneratePackageRequest, GenerateProgramRequest,
    GenerateProjectRequest, HandshakeRequest, LinkRequest, LinkResponse, PackRequest, PackResponse,
    ProgramDependenciesRequest, ProgramDependenciesResponse, ProgramInfo, RequiredPackagesRequest,
    RequiredPackagesResponse, RunPluginRequest, RunRequest, RunResponse,
};
use crate::run::Surroundings;
use crate::server::{Answer, Plugin, streaming, unary, unimplemented};
use crate::{packages, project, run, run_plugin};

/// The host. Clones share all state.
#[derive(Clone)]
pub(crate) struct Host {
    state: Arc<State>,
}

struct State {
    address: String,
    engine: EngineLink,
    hooks: AllHooks,
    /// The runs and the plugins that run, each with what cancels it.
    runs: Mutex<Vec<watch::Sender<bool>>>,
}

impl Host {
    /// A host that listens at an address.
    pub fn new(address: String) -> Self {
        Self {
            state: Arc::new(State {
                address,
                engine: EngineLink::default(),
                hooks: AllHooks::default(),
                runs: Mutex::default(),
            }),
        }
    }

    fn handshake(&self, request: &HandshakeRequest) -> Result<Empty, Status> {
        if request.engine_address.is_empty() {
            return Err(Status::invalid_argument("the request has no address of an engine"));
        }
        let malformed = |reason| Status::invalid_argument(format!("no address: {reason}"));
        self.state.engine.connect(&request.engine_address).map_err(malformed)?;
        Ok(Empty {})
    }

    /// A sender that cancels something that begins now, which this host does when it ends.
    fn cancellable(&self) -> watch::Sender<bool> {
        let (cancelled, _) = watch::channel(false);
        let mut runs = self.state.runs.lock().unwrap_or_else(PoisonError::into_inner);
        // A run that is over has no other owner.
        runs.retain(|run| run.sender_count() > 1);
        runs.push(cancelled.clone());
        cancelled
    }

    async fn run_plugin(self, request: RunPluginRequest) -> Result<run_plugin::Output, Status> {
        let engine = self.state.engine.current();
        run_plugin::run_plugin(request, engine, self.cancellable()).await
    }

    async fn run(self, request: RunRequest) -> Result<RunResponse, Status> {
        let cancelled = self.cancellable();
        let surroundings = Surroundings {
            engine: self.state.engine.current(),
            hooks: self.state.hooks.clone(),
            address: self.state.address.clone(),
            cancelled,
        };
        run::run(request, surroundings).await
    }
}

impl Plugin for Host {
    fn engine(&self) -> &EngineLink {
        &self.state.engine
    }

    fn cancel(&self) {
        let runs = self.state.runs.lock().unwrap_or_else(PoisonError::into_inner);
        for run in runs.iter() {
            run.send_replace(true);
        }
    }

    fn close(&self) -> Pin<Box<dyn Future<Output = ()> + Send + '_>> {
        // Nobody is there to call them.
        self.state.hooks.clear();
        Box::pin(std::future::ready(()))
    }

    fn answer(&self, request: Request<Body>) -> Answer {
        let host = self.clone();
        let path = request.uri().path().to_owned();
        match path.rsplit_once('/') {
            Some(("/pulumirpc.LanguageRuntime", method)) => language(host, method, request),
            Some(("/pulumirpc.Callbacks", "Invoke")) => {
                let hooks = host.state.hooks.clone();
                unary(request, |message| async move { hooks.invoke(message).await })
            }
            _ => unimplemented(),
        }
    }
}

/// Answers requests to run, examine and generate programs.
fn language(host: Host, method: &str, request: Request<Body>) -> Answer {
    match method {
        "Handshake" => unary(request, move |message: HandshakeRequest| {
            std::future::ready(host.handshake(&message))
        }),
        "GetPluginInfo" => unary(request, |_: Empty| async {
            let version = String::from(env!("CARGO_PKG_VERSION"));
            Ok(PluginInfo { version })
        }),
        "About" => unary(request, |_: Empty| async { Ok(about()) }),
        "GetRequiredPackages" => unary(request, |message: RequiredPackagesRequest| {
            blocking(move || {
                let packages = packages::required(&program_directory(message.info)?)?;
                let packages = packages.into_iter().map(packages::package).collect();
                Ok(RequiredPackagesResponse { packages })
            })
        }),
        "GetProgramDependencies" => unary(request, |message: ProgramDependenciesRequest| {
            blocking(move || {
                let packages = packages::required(&program_directory(message.info)?)?;
                let dependencies = packages.iter().map(packages::dependency).collect();
                Ok(ProgramDependenciesResponse { dependencies })
            })
        }),
        // The packages of a program are plugins, which the engine installs.
        "InstallDependencies" => Box::pin(async { ended_stream() }),
        "RuntimeOptionsPrompts" | "Template" => unary(request, |_: Empty| async { Ok(Empty {}) }),
        "Cancel" => unary(request, |_: Empty| async move {
            host.cancel();
            Ok(Empty {})
        }),
        "Run" => unary(request, |message| host.run(message)),
        "RunPlugin" => streaming(request, |message| host.run_plugin(message)),
        "GenerateProgram" => unary(request, |message: GenerateProgramRequest| {
            blocking(|| Ok(project::generate_program(message)))
        }),
        "GenerateProject" => unary(request, |message: GenerateProjectRequest| {
            blocking(move || {
                let diagnostics = project::generate_project(&message)?;
                Ok(DiagnosticsResponse { diagnostics })
            })
        }),
        "GeneratePackage" => unary(request, |message: GeneratePackageRequest| {
            blocking(move || {
                let directory = Path::new(&message.directory);
                packages::generate(directory, &message.schema, &message.extra_files)?;
                Ok(DiagnosticsResponse::default())
            })
        }),
        "Pack" => unary(request, |message: PackRequest| {
            blocking(move || {
                let package = Path::new(&message.package_directory);
                let copy = packages::pack(package, Path::new(&message.destination_directory))?;
                let artifact_path = copy.to_string_lossy().into_owned();
                Ok(PackResponse { artifact_path })
            })
        }),
        "Link" => unary(request, |message: LinkRequest| blocking(|| link(message))),
        _ => unimplemented(),
    }
}

fn link(message: LinkRequest) -> Result<LinkResponse, String> {
    let info = message.info.ok_or(NO_INFORMATION)?;
    let root = PathBuf::from(info.root_directory);
    // The request has the directory of the project as that of the program.
    let program = pcl::program_of(&root);
    // PCL has no core SDK, which the suite asks to link all the same.
    let packages = message.packages.iter().filter(|package| !package.path.is_empty());
    let packages: Vec<PathBuf> = packages.map(|package| root.join(&package.path)).collect();
    Ok(LinkResponse { import_instructions: packages::link(&program, &packages)? })
}

fn about() -> AboutResponse {
    let executable = std::env::current_exe().unwrap_or_default();
    AboutResponse {
        executable: executable.to_string_lossy().into_owned(),
        version: String::from(env!("CARGO_PKG_VERSION")),
    }
}

const NO_INFORMATION: &str = "the request has no information about the program";

fn program_directory(info: Option<ProgramInfo>) -> Result<PathBuf, String> {
    match info {
        Some(info) => Ok(PathBuf::from(info.program_directory)),
        None => Err(String::from(NO_INFORMATION)),
    }
}

/// The answer of a method with a stream of messages that is empty.
fn ended_stream() -> Response<Body> {
    Status::ok("").into_http()
}
