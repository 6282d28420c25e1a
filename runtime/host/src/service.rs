//! Serving gRPC methods that take one message and answer with one.

use std::convert::Infallible;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use http::{Request as HttpRequest, Response as HttpResponse};
use pcl_remote::LONGEST_MESSAGE;
use prost::Message;
use tonic::body::Body;
use tonic::server::{Grpc, UnaryService};
use tonic::{Request, Response, Status};
use tonic_prost::ProstCodec;
use tower_service::Service;

/// The answer to a request, which comes later.
pub(crate) type Answer = Pin<Box<dyn Future<Output = HttpResponse<Body>> + Send>>;

/// Answers the requests of all services by the paths of their methods.
pub(crate) trait Route: Clone + Send + 'static {
    /// The answer to a request.
    fn route(&self, request: HttpRequest<Body>) -> Answer;
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

/// Answers that a method does not exist.
pub(crate) fn unimplemented() -> Answer {
    Box::pin(async { Status::unimplemented("this host does not have the method").into_http() })
}

/// A function that answers one request.
struct Once<F>(Option<F>);

impl<Q, A, F, U> UnaryService<Q> for Once<F>
where
    A: Send + 'static,
    F: FnOnce(Q) -> U + Send + 'static,
    U: Future<Output = Result<A, Status>> + Send + 'static,
{
    type Response = A;
    type Future = Pin<Box<dyn Future<Output = Result<Response<A>, Status>> + Send>>;

    fn call(&mut self, request: Request<Q>) -> Self::Future {
        let answer = self.0.take().map(|answer| answer(request.into_inner()));
        Box::pin(async {
            match answer {
                Some(answer) => answer.await.map(Response::new),
                None => Err(Status::internal("the request has been answered")),
            }
        })
    }
}

/// Does blocking work on a thread of its own, with a stack for deep programs. A panic there is an
/// error of this request alone.
pub(crate) async fn on_thread<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Status> {
    let (sender, receiver) = tokio::sync::oneshot::channel();
    let thread = std::thread::Builder::new().stack_size(pcl_eval::STACK_SIZE);
    let work = move || _ = sender.send(work());
    if let Err(error) = thread.spawn(work) {
        return Err(Status::resource_exhausted(format!("no thread can be started: {error}")));
    }
    let ended = |_| Status::internal("the language host has a bug: a thread panicked");
    receiver.await.map_err(ended)
}
