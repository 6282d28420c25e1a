//! A proxy for the host of another language: it generates programs with the generators of `pcl`,
//! and passes everything else on to that host.

mod form;
mod generate;
mod real_host;

use std::ffi::OsString;
use std::pin::Pin;
use std::sync::Arc;

use http::{Request, Response};
use http_body_util::{BodyExt as _, Full};
use pcl_convert::Language;
use pcl_remote::MESSAGE_PREFIX;
use prost::Message as _;
use tokio::sync::OnceCell;
use tonic::Status;
use tonic::body::Body;

use crate::engine_link::EngineLink;
use crate::protocol::language::{GenerateProgramRequest, GenerateProjectRequest, HandshakeRequest};
use crate::server::{Answer, Plugin, unary};

use real_host::RealHost;
pub use real_host::{find_host, known_proxies};

const GENERATE_PROJECT: &str = "/pulumirpc.LanguageRuntime/GenerateProject";
const GENERATE_PROGRAM: &str = "/pulumirpc.LanguageRuntime/GenerateProgram";

const HANDSHAKE: &str = "/pulumirpc.LanguageRuntime/Handshake";

/// The host that a proxy is for, and how Pulumi started the proxy.
pub(crate) struct Proxied {
    /// The language of the programs that are generated.
    pub language: Language,
    /// The arguments of this process, which are those of the host, too.
    pub arguments: Vec<OsString>,
}

/// The proxy. Clones share all state.
#[derive(Clone)]
pub(crate) struct Proxy {
    state: Arc<State>,
}

struct State {
    proxied: Proxied,
    engine: EngineLink,
    /// The host, started by the first request that it has to answer: a conversion needs none.
    host: OnceCell<RealHost>,
}

impl Proxy {
    /// A proxy that has not started the host.
    pub fn new(proxied: Proxied) -> Self {
        let state = State { proxied, engine: EngineLink::default(), host: OnceCell::new() };
        Self { state: Arc::new(state) }
    }

    async fn host(&self) -> Result<&RealHost, Status> {
        let Proxied { language, arguments } = &self.state.proxied;
        let start = || async {
            let path = std::env::var_os("PATH").unwrap_or_default();
            let proxies = known_proxies();
            let host = find_host(language.runtime(), &path, &proxies)?;
            RealHost::start(host, arguments, proxies).await
        };
        self.state.host.get_or_try_init(start).await.map_err(Status::failed_precondition)
    }

    /// Passes a request on to the host.
    async fn forward(&self, request: Request<Body>) -> Result<Response<Body>, Status> {
        self.host().await?.forward(request).await
    }

    /// Passes on a handshake, after the proxy has taken the address of the engine from it. It does
    /// not know all of the message, so it passes on what it received.
    async fn handshake(&self, request: Request<Body>) -> Result<Response<Body>, Status> {
        let (head, body) = request.into_parts();
        let received = body.collect().await?.to_bytes();
        let message = received.get(MESSAGE_PREFIX..).unwrap_or_default();
        if let Ok(message) = HandshakeRequest::decode(message)
            && !message.engine_address.is_empty()
        {
            let malformed = |reason| Status::invalid_argument(format!("no address: {reason}"));
            self.state.engine.connect(&message.engine_address).map_err(malformed)?;
        }
        self.forward(Request::from_parts(head, Body::new(Full::new(received)))).await
    }
}

impl Plugin for Proxy {
    fn engine(&self) -> &EngineLink {
        &self.state.engine
    }

    fn cancel(&self) {
        if let Some(host) = self.state.host.get() {
            host.interrupt();
        }
    }

    fn close(&self) -> Pin<Box<dyn Future<Output = ()> + Send + '_>> {
        Box::pin(async {
            if let Some(host) = self.state.host.get() {
                host.ended().await;
            }
        })
    }

    fn answer(&self, request: Request<Body>) -> Answer {
        let proxy = self.clone();
        let language = self.state.proxied.language;
        match request.uri().path() {
            GENERATE_PROJECT => unary(request, move |message: GenerateProjectRequest| async move {
                generate::project(message, language, proxy.state.engine.current()).await
            }),
            GENERATE_PROGRAM => unary(request, move |message: GenerateProgramRequest| async move {
                generate::program(message, language, proxy.state.engine.current()).await
            }),
            HANDSHAKE => Box::pin(async move {
                let answer = proxy.handshake(request).await;
                answer.unwrap_or_else(Status::into_http)
            }),
            _ => Box::pin(async move {
                let answer = proxy.forward(request).await;
                answer.unwrap_or_else(Status::into_http)
            }),
        }
    }
}
