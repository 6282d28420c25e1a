//! An engine for tests, and the host that it talks to.

use std::collections::BTreeMap;
use std::future::Future;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::Bytes;
use http::Request;
use pcl_remote::Client;
use prost::Message;
use tokio::net::TcpListener;
use tokio::sync::Barrier;
use tonic::Status;
use tonic::body::Body;
use tonic::transport::server::TcpIncoming;

use crate::Server;
use crate::protocol::language::{HandshakeRequest, ProgramInfo, RunRequest, RunResponse};
use crate::protocol::resource::{
    DeploymentInfo, ExistsResourceRequest, ExistsResourceResponse, LogRequest,
    RegisterErrorHookRequest, RegisterResourceHookRequest, RegisterResourceOutputsRequest,
    RegisterResourceResponse, ResourceInvokeRequest, ResourceInvokeResponse, ResourceResult,
};
use crate::registration::RegisterResourceRequest;
use crate::server::{Answer, Route, Routed, unary, unimplemented};
use pcl_remote::Empty;

/// The schema of the one package that the engine knows.
const SCHEMA: &str = r#"{
    "name": "toy",
    "version": "1.0.0",
    "resources": {
        "toy:index:Box": {
            "inputProperties": { "name": { "type": "string" }, "pin": { "type": "string", "secret": true } },
            "properties": { "name": { "type": "string" }, "size": { "type": "integer" } },
            "required": ["size"]
        }
    },
    "functions": {
        "toy:index:find": {
            "inputs": { "properties": { "name": { "type": "string" } } },
            "outputs": { "properties": { "size": { "type": "integer" } }, "required": ["size"] }
        }
    }
}"#;

/// The answers of the engine to registrations of resources, but to that of the stack.
#[derive(Clone, Default)]
pub(super) enum Manner {
    /// With what it is asked to register.
    #[default]
    Well,
    /// Never.
    Never,
    /// With an error.
    Refusing(Status),
    /// With bytes that are no properties.
    Wrongly,
    /// Well, but only when so many are under way.
    Together(Arc<Barrier>),
    /// After it has done this.
    After(Arc<dyn Fn() + Send + Sync>),
    /// That the resource of this name failed, and well for the others.
    Failing(&'static str),
}

/// An engine, and what it was asked.
#[derive(Clone, Default)]
pub(super) struct Engine {
    pub manner: Manner,
    pub registered: Arc<Mutex<Vec<RegisterResourceRequest>>>,
    pub outputs: Arc<Mutex<Vec<RegisterResourceOutputsRequest>>>,
    pub hooks: Arc<Mutex<Vec<RegisterResourceHookRequest>>>,
    pub error_hooks: Arc<Mutex<Vec<RegisterErrorHookRequest>>>,
    pub log: Arc<Mutex<Vec<LogRequest>>>,
    /// The features that the engine has; `None` if it does not know that question.
    pub features: Option<Vec<i32>>,
    /// The number of questions for them.
    pub asked_features: Arc<AtomicUsize>,
    /// The questions for resources, and whether they exist; `None` if the engine does not know
    /// that question.
    pub exists: Option<bool>,
    pub asked_for: Arc<Mutex<Vec<ExistsResourceRequest>>>,
    /// Functions are answered after so many registrations.
    pub invokes_after: usize,
    /// Schemas are never answered.
    pub keeps_schemas: bool,
    /// The number of requests for schemas.
    pub asked: Arc<AtomicUsize>,
    /// The number of registrations without an answer, and the most that there were.
    pub under_way: Arc<AtomicUsize>,
    pub most: Arc<AtomicUsize>,
    /// The number of runs that are done.
    pub finished: Arc<AtomicUsize>,
}

#[derive(Clone, PartialEq, Message)]
struct SchemaRequest {
    #[prost(string, tag = "1")]
    package: String,
}

#[derive(Clone, PartialEq, Message)]
struct SchemaResponse {
    #[prost(bytes = "vec", tag = "1")]
    schema: Vec<u8>,
}

impl Engine {
    pub fn answering(manner: Manner) -> Self {
        Self { manner, ..Self::default() }
    }

    async fn register(
        self,
        request: RegisterResourceRequest,
    ) -> Result<RegisterResourceResponse, Status> {
        let (kind, name) = (request.kind.clone(), request.name.clone());
        let mut answer = RegisterResourceResponse {
            urn: format!("urn:pulumi:dev::shop::{kind}::{name}"),
            id: format!("{name}-id"),
            object: request.object.clone(),
            ..RegisterResourceResponse::default()
        };
        let is_stack = kind == "pulumi:pulumi:Stack";
        self.registered.lock().unwrap().push(request);
        if is_stack {
            return Ok(answer);
        }
        let under_way = 1 + self.under_way.fetch_add(1, Ordering::SeqCst);
        self.most.fetch_max(under_way, Ordering::SeqCst);
        match self.manner {
            Manner::Well => {}
            Manner::Never => std::future::pending().await,
            Manner::Refusing(status) => return Err(status),
            Manner::Wrongly => answer.object = Some(Bytes::from_static(b"\x0a\xff\xff\xff")),
            Manner::Together(together) => _ = together.wait().await,
            Manner::After(act) => tokio::task::block_in_place(|| act()),
            Manner::Failing(failing) if failing == name => {
                answer.result = ResourceResult::Fail.into();
                answer.id = String::new();
            }
            Manner::Failing(_) => {}
        }
        self.under_way.fetch_sub(1, Ordering::SeqCst);
        Ok(answer)
    }

    /// All that was logged, as one text.
    pub fn log_text(&self) -> String {
        let log = self.log.lock().unwrap();
        log.iter().map(|request| format!("{}\n", request.message)).collect()
    }
}

fn kept<Q>(list: &Arc<Mutex<Vec<Q>>>, request: Q) -> Result<Empty, Status> {
    list.lock().unwrap().push(request);
    Ok(Empty {})
}

impl Route for Engine {
    fn route(&self, request: Request<Body>) -> Answer {
        let engine = self.clone();
        let path = request.uri().path().to_owned();
        match path.rsplit('/').next().unwrap() {
            "RegisterResource" => unary(request, |message| engine.register(message)),
            "RegisterResourceOutputs" => {
                unary(request, move |it| std::future::ready(kept(&engine.outputs, it)))
            }
            "RegisterResourceHook" => {
                unary(request, move |it| std::future::ready(kept(&engine.hooks, it)))
            }
            "RegisterErrorHook" => {
                unary(request, move |it| std::future::ready(kept(&engine.error_hooks, it)))
            }
            "Log" => unary(request, move |it| std::future::ready(kept(&engine.log, it))),
            "Invoke" => unary(request, move |_: ResourceInvokeRequest| async move {
                while engine.registered.lock().unwrap().len() < engine.invokes_after {
                    tokio::time::sleep(Duration::from_millis(5)).await;
                }
                Ok(ResourceInvokeResponse { unknown: true, ..ResourceInvokeResponse::default() })
            }),
            "GetDeploymentInfo" => unary(request, move |_: Empty| {
                engine.asked_features.fetch_add(1, Ordering::Relaxed);
                let info = engine.features.clone();
                let info = info.map(|supported_features| DeploymentInfo { supported_features });
                std::future::ready(info.ok_or_else(|| Status::unimplemented("no such method")))
            }),
            "ExistsResource" => unary(request, move |message: ExistsResourceRequest| {
                engine.asked_for.lock().unwrap().push(message);
                let answer = engine
                    .exists
                    .map(|exists| ExistsResourceResponse { exists, unknown: false })
                    .ok_or_else(|| Status::unimplemented("no such method"));
                std::future::ready(answer)
            }),
            "SignalAndWaitForShutdown" => unary(request, move |_: Empty| {
                engine.finished.fetch_add(1, Ordering::Relaxed);
                std::future::ready(Ok(Empty {}))
            }),
            "GetSchema" => unary(request, move |message: SchemaRequest| async move {
                engine.asked.fetch_add(1, Ordering::SeqCst);
                if engine.keeps_schemas {
                    std::future::pending().await
                }
                match message.package.as_str() {
                    "toy" => Ok(SchemaResponse { schema: SCHEMA.into() }),
                    other => Err(Status::not_found(format!("no package {other}"))),
                }
            }),
            _ => unimplemented(),
        }
    }
}

/// A host with its engine.
pub(super) struct Pair {
    pub engine: Engine,
    pub engine_address: String,
    pub host: Client,
}

/// Runs a test with a host and its engine. A test that takes a minute fails.
pub(super) fn with_engine<U>(engine: Engine, test: impl FnOnce(Pair) -> U)
where
    U: Future<Output = ()>,
{
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(4).enable_all().build().unwrap();
    runtime.block_on(async {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let engine_address = listener.local_addr().unwrap().to_string();
        let server = tonic::transport::Server::builder();
        let routed = Routed(engine.clone());
        tokio::spawn(server.serve_with_incoming(routed, TcpIncoming::from(listener)));
        let server = Server::bind(None).await.unwrap();
        let host = Client::new(server.address()).unwrap();
        tokio::spawn(server.serve_until(std::future::pending()));
        let pair = Pair { engine, engine_address, host };
        let minute = Duration::from_secs(60);
        tokio::time::timeout(minute, test(pair)).await.expect("the test ends in a minute");
    });
    runtime.shutdown_background();
}

impl Pair {
    pub async fn call<Q, A>(&self, method: &'static str, request: Q) -> Result<A, Status>
    where
        Q: Message + 'static,
        A: Message + Default + 'static,
    {
        self.host.call(method, request).await
    }

    /// Tells the host where the engine is.
    pub async fn shake_hands(&self) {
        let request = HandshakeRequest { engine_address: self.engine_address.clone() };
        let method = "/pulumirpc.LanguageRuntime/Handshake";
        let Empty {} = self.call(method, request).await.unwrap();
    }

    /// A request to run the program in a directory.
    pub fn request(&self, directory: &Path) -> RunRequest {
        RunRequest {
            project: "shop".into(),
            stack: "dev".into(),
            monitor_address: self.engine_address.clone(),
            loader_target: self.engine_address.clone(),
            info: Some(info(directory)),
            config: BTreeMap::from([("shop:token".into(), "t0p-secret".into())]),
            config_secret_keys: vec!["shop:token".into()],
            parallel: 4,
            ..RunRequest::default()
        }
    }

    pub async fn run(&self, request: RunRequest) -> Result<RunResponse, Status> {
        self.call("/pulumirpc.LanguageRuntime/Run", request).await
    }
}

/// Information about the program in a directory.
pub(super) fn info(directory: &Path) -> ProgramInfo {
    let directory = directory.to_str().unwrap().to_owned();
    ProgramInfo { root_directory: directory.clone(), program_directory: directory }
}

/// A directory with files.
pub(super) fn directory(files: &[(&str, &str)]) -> tempfile::TempDir {
    let directory = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = directory.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    directory
}
