//! Serving: where the process listens, when it ends, and gRPC methods that take one message and
//! answer with one or with a stream of them.

use std::convert::Infallible;
use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use http::{Request as HttpRequest, Response as HttpResponse};
use pcl_remote::{LONGEST_MESSAGE, WINDOW};
use prost::Message;
use tokio::net::TcpListener;
use tokio_stream::Stream;
use tonic::body::Body;
use tonic::server::{Grpc, ServerStreamingService, UnaryService};
use tonic::transport::server::TcpIncoming;
use tonic::{Request, Response, Status};
use tonic_prost::ProstCodec;
use tower_service::Service;

use crate::converter::Converter;
use crate::engine_link::EngineLink;
use crate::host::Host;
use crate::proxy::{Proxied, Proxy};

/// The time that requests have to end when the process does.
const LAST_ANSWERS: Duration = Duration::from_secs(2);

/// The part that a process plays for Pulumi.
pub(crate) trait Plugin: Send + Sync + 'static {
    /// The engine that the process belongs to.
    fn engine(&self) -> &EngineLink;

    /// Ends what is under way: the process is about to end.
    fn cancel(&self);

    /// Gives up what is left after the last answer.
    fn close(&self) -> Pin<Box<dyn Future<Output = ()> + Send + '_>>;

    /// The answer to a request.
    fn answer(&self, request: HttpRequest<Body>) -> Answer;
}

/// A plugin that listens.
pub struct Server {
    listener: TcpListener,
    address: String,
    plugin: Arc<dyn Plugin>,
}

impl Server {
    /// Starts the language host of PCL, which listens at a free port of this machine, for the
    /// engine at an address. Without one, the engine gives its address in its first request.
    ///
    /// # Errors
    /// Returns an error if the system has no free port, or if the engine's address is none.
    pub async fn bind(engine: Option<&str>) -> io::Result<Self> {
        Self::of(engine, |address| Arc::new(Host::new(address.to_owned()))).await
    }

    /// Starts a proxy for a language host, as [`bind`](Self::bind) starts that of PCL.
    ///
    /// # Errors
    /// Returns an error if the system has no free port, or if the engine's address is none.
    pub(crate) async fn bind_proxy(proxied: Proxied, engine: Option<&str>) -> io::Result<Self> {
        Self::of(engine, |_| Arc::new(Proxy::new(proxied))).await
    }

    /// Starts the converter of Pulumi YAML, as [`bind`](Self::bind) starts the language host.
    ///
    /// # Errors
    /// Returns an error if the system has no free port, or if the engine's address is none.
    pub(crate) async fn bind_converter(engine: Option<&str>) -> io::Result<Self> {
        Self::of(engine, |_| Arc::new(Converter::default())).await
    }

    async fn of(
        engine: Option<&str>,
        plugin: impl FnOnce(&str) -> Arc<dyn Plugin>,
    ) -> io::Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
        let address = listener.local_addr()?.to_string();
        let plugin = plugin(&address);
        if let Some(engine) = engine {
            let invalid = |reason| {
                let message = format!("`{engine}` is not an address: {reason}");
                io::Error::new(io::ErrorKind::InvalidInput, message)
            };
            plugin.engine().connect(engine).map_err(invalid)?;
        }
        Ok(Self { listener, address, plugin })
    }

    /// The address, `HOST:PORT`.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// The port.
    ///
    /// # Errors
    /// Returns an error if the system does not say.
    pub fn port(&self) -> io::Result<u16> {
        Ok(self.listener.local_addr()?.port())
    }

    /// Answers requests until `end`, or until the engine is gone. Then runs are cancelled, and
    /// requests have two seconds to end.
    ///
    /// # Errors
    /// Returns an error if the system does not let it serve.
    pub async fn serve_until(self, end: impl Future<Output = ()>) -> io::Result<()> {
        let plugin = Arc::clone(&self.plugin);
        let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
        let server = serve(self.listener, self.plugin, async { _ = stopped.await });
        tokio::pin!(server);
        tokio::select! {
            result = &mut server => return result.map_err(io::Error::other),
            () = end => {}
            () = plugin.engine().gone() => {}
        }
        plugin.cancel();
        _ = stop.send(());
        let ended = tokio::time::timeout(LAST_ANSWERS, server).await;
        plugin.close().await;
        ended.unwrap_or(Ok(())).map_err(io::Error::other)
    }
}

/// Answers requests by a route until `end`, and those under way then.
///
/// # Errors
/// Returns an error if the system does not let it serve.
pub(crate) async fn serve<R: Route + Sync>(
    listener: TcpListener,
    route: R,
    end: impl Future<Output = ()>,
) -> Result<(), tonic::transport::Error> {
    tonic::transport::Server::builder()
        .initial_stream_window_size(WINDOW)
        .initial_connection_window_size(WINDOW)
        .serve_with_incoming_shutdown(
            Routed(route),
            TcpIncoming::from(listener).with_nodelay(Some(true)),
            end,
        )
        .await
}

/// The answer to a request, which comes later.
pub(crate) type Answer = Pin<Box<dyn Future<Output = HttpResponse<Body>> + Send>>;

/// Answers the requests of all services by the paths of their methods.
pub(crate) trait Route: Clone + Send + 'static {
    /// The answer to a request.
    fn route(&self, request: HttpRequest<Body>) -> Answer;
}

impl Route for Arc<dyn Plugin> {
    fn route(&self, request: HttpRequest<Body>) -> Answer {
        self.answer(request)
    }
}

/// A server of everything that a route answers.
#[derive(Clone)]
pub(crate) struct Routed<R>(pub R);

impl<R: Route> Service<HttpRequest<Body>> for Routed<R> {
    type Response = HttpResponse<Body>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<HttpResponse<Body>, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: HttpRequest<Body>) -> Self::Future {
        let answer = self.0.route(request);
        Box::pin(async { Ok(answer.await) })
    }
}

/// Answers a request by a function from its message to the answer's.
pub(crate) fn unary<Q, A, F, U>(request: HttpRequest<Body>, answer: F) -> Answer
where
    Q: Message + Default + 'static,
    A: Message + 'static,
    F: FnOnce(Q) -> U + Send + 'static,
    U: Future<Output = Result<A, Status>> + Send + 'static,
{
    Box::pin(async move {
        let codec = ProstCodec::<A, Q>::default();
        let mut grpc = Grpc::new(codec)
            .max_decoding_message_size(LONGEST_MESSAGE)
            .max_encoding_message_size(LONGEST_MESSAGE);
        grpc.unary(Once(Some(answer)), request).await
    })
}

/// Answers a request by a function from its message to a stream of messages.
pub(crate) fn streaming<Q, A, S, F, U>(request: HttpRequest<Body>, answer: F) -> Answer
where
    Q: Message + Default + 'static,
    A: Message + 'static,
    S: Stream<Item = Result<A, Status>> + Send + 'static,
    F: FnOnce(Q) -> U + Send + 'static,
    U: Future<Output = Result<S, Status>> + Send + 'static,
{
    Box::pin(async move {
        let mut grpc = Grpc::new(ProstCodec::<A, Q>::default());
        grpc.server_streaming(Once(Some(answer)), request).await
    })
}

/// Answers that a method does not exist.
pub(crate) fn unimplemented() -> Answer {
    Box::pin(async { Status::unimplemented("this host does not have the method").into_http() })
}

/// A function that answers one request.
struct Once<F>(Option<F>);

impl<F> Once<F> {
    fn answer<Q, A, U>(&mut self, request: Request<Q>) -> Answered<A>
    where
        F: FnOnce(Q) -> U,
        U: Future<Output = Result<A, Status>> + Send + 'static,
    {
        let answer = self.0.take().map(|answer| answer(request.into_inner()));
        Box::pin(async {
            match answer {
                Some(answer) => answer.await.map(Response::new),
                None => Err(Status::internal("the request has been answered")),
            }
        })
    }
}

/// The answer of a function, which comes later.
type Answered<A> = Pin<Box<dyn Future<Output = Result<Response<A>, Status>> + Send>>;

impl<Q, A, F, U> UnaryService<Q> for Once<F>
where
    F: FnOnce(Q) -> U,
    U: Future<Output = Result<A, Status>> + Send + 'static,
{
    type Response = A;
    type Future = Answered<A>;

    fn call(&mut self, request: Request<Q>) -> Self::Future {
        self.answer(request)
    }
}

impl<Q, A, S, F, U> ServerStreamingService<Q> for Once<F>
where
    S: Stream<Item = Result<A, Status>>,
    F: FnOnce(Q) -> U,
    U: Future<Output = Result<S, Status>> + Send + 'static,
{
    type Response = A;
    type ResponseStream = S;
    type Future = Answered<S>;

    fn call(&mut self, request: Request<Q>) -> Self::Future {
        self.answer(request)
    }
}
