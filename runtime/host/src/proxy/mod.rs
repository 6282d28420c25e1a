//! A proxy for the host of another language: it generates programs with the generators of `pcl`,
//! and passes everything else on to that host.

mod form;
mod generate;
mod real_host;

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;
use std::sync::Arc;

use http::Request;
use pcl_convert::Language;
use tokio::sync::OnceCell;
use tonic::Status;
use tonic::body::Body;

use crate::engine_link::EngineLink;
use crate::protocol::language::{GenerateProgramRequest, GenerateProjectRequest};
use crate::server::{Answer, Plugin, unary};

use real_host::RealHost;
pub use real_host::find_host;

const GENERATE_PROJECT: &str = "/pulumirpc.LanguageRuntime/GenerateProject";
const GENERATE_PROGRAM: &str = "/pulumirpc.LanguageRuntime/GenerateProgram";

/// The host that a proxy is for, and how Pulumi started the proxy.
pub(crate) struct Proxied {
    /// The language of the programs that are generated.
    pub language: Language,
    /// The path of this process, by which it was started.
    pub program: PathBuf,
    /// Its arguments, which are those of the host, too.
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
        let Proxied { language, program, arguments } = &self.state.proxied;
        let start = || async {
            let path = std::env::var_os("PATH").unwrap_or_default();
            let host = find_host(language.runtime(), program, OsStr::new(&path))?;
            RealHost::start(&host, arguments).await
        };
        self.state.host.get_or_try_init(start).await.map_err(Status::failed_precondition)
    }
}

impl Plugin for Proxy {
    fn engine(&self) -> &EngineLink {
        &self.state.engine
    }

    fn cancel(&self) {}

    fn close(&self) {}

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
            _ => Box::pin(async move {
                let answer = match proxy.host().await {
                    Ok(host) => host.forward(request).await,
                    Err(status) => Err(status),
                };
                answer.unwrap_or_else(Status::into_http)
            }),
        }
    }
}
