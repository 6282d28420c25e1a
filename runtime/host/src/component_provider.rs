//! The provider of a package of components: a directory of PCL that programs in any language use.
//!
//! The rules: `docs/components.md`.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use http::Request;
use pcl::{Checked, ComponentPackage, Workspace};
use pcl_remote::{Empty, PluginInfo};
use tokio::sync::watch;
use tonic::Status;
use tonic::body::Body;

use crate::calls::{Engine, blocking};
use crate::construct::{self, Definition, Site};
use crate::hooks::AllHooks;
use crate::protocol::provider::{
    CheckRequest, CheckResponse, ConfigureResponse, ConstructRequest, ConstructResponse,
    DiffResponse, GetSchemaResponse, PluginAttach, ProviderHandshakeRequest,
    ProviderHandshakeResponse,
};
use crate::report;
use crate::run::{service, workspace};
use crate::server::{Answer, Route, unary, unimplemented};

/// The number of a difference that is none.
const NO_DIFFERENCE: i32 = 1;

/// The provider of a package of components. Clones share all state.
#[derive(Clone)]
pub(crate) struct ComponentProvider {
    state: Arc<State>,
}

struct State {
    package: ComponentPackage,
    /// The address of this provider.
    address: String,
    environment: BTreeMap<String, String>,
    /// Cancels all constructions.
    cancelled: watch::Sender<bool>,
    hooks: AllHooks,
    engine: Mutex<Option<Engine>>,
    /// The address of a loader service; empty without one.
    loader: Mutex<String>,
    /// The schema once a request needs it, or why there is none.
    schema: OnceLock<Result<Arc<str>, String>>,
    /// The components that were constructed, by their type tokens.
    definitions: Mutex<HashMap<String, Arc<Definition>>>,
}

/// The surroundings of a provider.
pub(crate) struct Surroundings {
    /// The address of the provider.
    pub address: String,
    pub environment: BTreeMap<String, String>,
    /// Cancels all constructions.
    pub cancelled: watch::Sender<bool>,
    /// The engine, unless a handshake names another one.
    pub engine: Option<Engine>,
    /// The address of a loader service; empty without one.
    pub loader: String,
}

impl ComponentProvider {
    /// The provider of a package.
    pub fn new(package: ComponentPackage, surroundings: Surroundings) -> Self {
        let Surroundings { address, environment, cancelled, engine, loader } = surroundings;
        Self {
            state: Arc::new(State {
                package,
                address,
                environment,
                cancelled,
                hooks: AllHooks::default(),
                engine: Mutex::new(engine),
                loader: Mutex::new(loader),
                schema: OnceLock::new(),
                definitions: Mutex::default(),
            }),
        }
    }

    /// Begins to infer the schema, which the engine asks for in a millisecond or two, when it has
    /// connected. Without a loader service it may still get one, and has to wait.
    pub fn prepare_schema(&self) {
        let state = Arc::clone(&self.state);
        if !state.loader.lock().unwrap_or_else(PoisonError::into_inner).is_empty() {
            // Errors are those of the request.
            tokio::task::spawn_blocking(move || _ = state.schema());
        }
    }

    fn connect(&self, engine: &str) -> Result<(), Status> {
        let malformed = |reason| Status::invalid_argument(format!("no address: {reason}"));
        let engine = Engine::new(engine).map_err(malformed)?;
        *self.state.engine.lock().unwrap_or_else(PoisonError::into_inner) = Some(engine);
        Ok(())
    }

    fn handshake(
        &self,
        request: ProviderHandshakeRequest,
    ) -> Result<ProviderHandshakeResponse, Status> {
        // Older engines give none here. That of the language host is the same one.
        if !request.engine_address.is_empty() {
            self.connect(&request.engine_address)?;
        }
        let mut loader = self.state.loader.lock().unwrap_or_else(PoisonError::into_inner);
        if loader.is_empty() {
            *loader = request.loader_target;
        }
        Ok(ProviderHandshakeResponse {
            accept_secrets: true,
            accept_resources: true,
            accept_outputs: true,
            accepts_byte_string: true,
        })
    }

    async fn construct(self, request: ConstructRequest) -> Result<ConstructResponse, Status> {
        let (state, kind) = (Arc::clone(&self.state), request.kind.clone());
        let definition = blocking(move || state.definition(&kind)).await?;
        let state = &self.state;
        let site = Site {
            engine: state.engine.lock().unwrap_or_else(PoisonError::into_inner).clone(),
            hooks: state.hooks.clone(),
            address: state.address.clone(),
            environment: state.environment.clone(),
            cancelled: state.cancelled.clone(),
        };
        construct::construct(request, definition, site).await
    }
}

impl State {
    /// The workspace for the programs of the components.
    fn workspace(&self) -> Workspace {
        let loader = self.loader.lock().unwrap_or_else(PoisonError::into_inner).clone();
        workspace(Some(self.package.directory()), service(&loader), true)
    }

    /// The schema of the package.
    ///
    /// # Errors
    /// Returns the errors of its components, if there are any.
    fn schema(&self) -> Result<Arc<str>, String> {
        let infer = || {
            let inferred = self.package.infer(&self.workspace());
            if inferred.is_valid() {
                return Ok(inferred.schema);
            }
            let reports = inferred.reports.iter().filter(|report| !report.is_valid());
            let errors = reports.map(|report| report::errors(&report.sources, &report.diagnostics));
            Err(errors.collect::<Vec<_>>().join("\n"))
        };
        self.schema.get_or_init(infer).clone()
    }

    /// A component, whose program is checked when it is constructed for the first time.
    ///
    /// # Errors
    /// Returns the errors of the component, or that there is none.
    fn definition(&self, token: &str) -> Result<Arc<Definition>, String> {
        // Others wait, since most want the same one.
        let mut known = self.definitions.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(definition) = known.get(token) {
            return Ok(Arc::clone(definition));
        }
        let component = self.package.component(token);
        let component = component
            .ok_or_else(|| format!("the package has no component of the type `{token}`"))?;
        let Checked { report, program } = self.package.check(&self.workspace(), component);
        if !report.is_valid() {
            return Err(report::errors(&report.sources, &report.diagnostics));
        }
        let definition = Arc::new(Definition {
            program: Arc::new(program),
            sources: Arc::new(report.sources),
            directory: component.directory.to_string_lossy().into_owned(),
            package: self.package.directory().to_string_lossy().into_owned(),
        });
        known.insert(token.to_owned(), Arc::clone(&definition));
        Ok(definition)
    }
}

impl Route for ComponentProvider {
    fn route(&self, request: Request<Body>) -> Answer {
        let provider = self.clone();
        let path = request.uri().path().to_owned();
        match path.rsplit_once('/') {
            Some(("/pulumirpc.ResourceProvider", method)) => answer(provider, method, request),
            Some(("/pulumirpc.Callbacks", "Invoke")) => {
                let hooks = provider.state.hooks.clone();
                unary(request, |message| async move { hooks.invoke(message).await })
            }
            _ => unimplemented(),
        }
    }
}

/// Answers the requests that a provider of components knows.
fn answer(provider: ComponentProvider, method: &str, request: Request<Body>) -> Answer {
    match method {
        "Handshake" => {
            unary(request, move |message| std::future::ready(provider.handshake(message)))
        }
        "Attach" => unary(request, move |message: PluginAttach| {
            std::future::ready(provider.connect(&message.address).map(|()| Empty {}))
        }),
        "GetPluginInfo" => unary(request, move |_: Empty| async move {
            Ok(PluginInfo { version: provider.state.package.version().to_string() })
        }),
        "GetSchema" => unary(request, move |_: Empty| {
            blocking(move || {
                let schema = provider.state.schema()?.to_string();
                Ok(GetSchemaResponse { schema })
            })
        }),
        // The package has no configuration: whatever is given is as good as before.
        "CheckConfig" => unary(request, |message: CheckRequest| async {
            Ok(CheckResponse { inputs: message.news })
        }),
        "DiffConfig" => {
            unary(request, |_: Empty| async { Ok(DiffResponse { changes: NO_DIFFERENCE }) })
        }
        "Configure" => unary(request, |_: Empty| async {
            Ok(ConfigureResponse {
                accept_secrets: true,
                supports_preview: true,
                accept_resources: true,
                accept_outputs: true,
            })
        }),
        "Construct" => unary(request, |message| provider.construct(message)),
        "GetMapping" => unary(request, |_: Empty| async { Ok(Empty {}) }),
        "Cancel" => unary(request, move |_: Empty| async move {
            provider.state.cancelled.send_replace(true);
            Ok(Empty {})
        }),
        _ => unimplemented(),
    }
}
