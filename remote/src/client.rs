//! Calls over gRPC, as futures.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use bytes::{BufMut as _, Bytes, BytesMut};
use h2::client::SendRequest;
use h2::{Reason, RecvStream};
use http::uri::{Authority, PathAndQuery, Scheme};
use http::{HeaderMap, HeaderValue, Method, Request, Response, StatusCode, Uri, header};
use prost::Message;
use tokio::net::TcpStream;
use tokio::runtime::Handle;
use tokio::sync::Mutex;
use tonic::{Code, Status};

/// The longest message, in bytes: what Pulumi sets for its own connections.
pub const LONGEST_MESSAGE: usize = 400 * 1024 * 1024;

/// The flow control window in bytes; the usual 64 kB make long messages slow.
pub const WINDOW: u32 = 4 * 1024 * 1024;

/// The time limit for a connection.
pub(crate) const CONNECTING: Duration = Duration::from_secs(10);

/// The length of what comes before a message: a byte that is 1 if it is compressed, and its length.
pub const MESSAGE_PREFIX: usize = 5;

/// A connection to a service, which is made by the first call and made anew after it is lost.
/// Clones share it.
///
/// It uses HTTP/2 itself: the layers of a channel of `tonic` cost more than half of what a call
/// took, and wrote each request in two parts.
///
/// ```
/// use pcl_remote::Client;
///
/// #[derive(Clone, PartialEq, prost::Message)]
/// struct Empty {}
///
/// let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
/// let answer = runtime.block_on(async {
///     // Nobody listens at port 0.
///     let client = Client::new("127.0.0.1:0").unwrap();
///     client.call::<Empty, Empty>("/pulumirpc.ResourceMonitor/Invoke", Empty {}).await
/// });
/// assert_eq!(answer.unwrap_err().code(), tonic::Code::Unavailable);
/// ```
#[derive(Clone, Debug)]
pub struct Client {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    address: Authority,
    /// The runtime that drives the connection.
    runtime: Handle,
    connection: Mutex<Option<SendRequest<Bytes>>>,
}

impl Client {
    /// A client of the service at `HOST:PORT`. It belongs to the runtime that calls this.
    ///
    /// # Errors
    /// Returns an error if that is not an address.
    pub fn new(address: &str) -> Result<Self, String> {
        let address: Authority =
            address.parse().map_err(|error: http::uri::InvalidUri| error.to_string())?;
        if address.port_u16().is_none() {
            return Err(String::from("the port is missing"));
        }
        Ok(Self {
            shared: Arc::new(Shared {
                address,
                runtime: Handle::current(),
                connection: Mutex::default(),
            }),
        })
    }

    /// Connects to the service at `HOST:PORT`.
    ///
    /// # Errors
    /// Returns the reason why it cannot be reached.
    pub(crate) async fn connect(address: &str) -> Result<Self, String> {
        let client = Self::new(address)?;
        match client.connection().await {
            Ok(_) => Ok(client),
            Err(status) => Err(status.message().to_owned()),
        }
    }

    /// Calls a method, `/package.Service/Method`.
    ///
    /// # Errors
    /// Returns the status if the service cannot be reached or answers with an error.
    pub fn call<Q, A>(
        &self,
        method: &'static str,
        question: Q,
    ) -> impl Future<Output = Result<A, Status>> + Send + use<Q, A>
    where
        Q: Message,
        A: Message + Default,
    {
        let client = self.clone();
        // Futures are moved about, and messages are large.
        let message = framed(&question);
        async move {
            let answer = client.exchange(method, message?).await?;
            A::decode(answer)
                .map_err(|error| Status::internal(format!("the answer is malformed: {error}")))
        }
    }

    /// Sends a message with its prefix. The result is that of the answer.
    async fn exchange(&self, method: &'static str, message: Bytes) -> Result<Bytes, Status> {
        let mut connection = self.connection().await?;
        let sent = connection.send_request(self.request(method), false);
        let (answer, mut body) = sent.map_err(|error| broken(&error))?;
        // Headers and message are written at once.
        body.send_data(message, true).map_err(|error| broken(&error))?;
        let answer = answer.await.map_err(|error| broken(&error))?;
        received(answer).await
    }

    /// The headers of a call.
    fn request(&self, method: &'static str) -> Request<()> {
        let mut parts = http::uri::Parts::default();
        parts.scheme = Some(Scheme::HTTP);
        parts.authority = Some(self.shared.address.clone());
        parts.path_and_query = Some(PathAndQuery::from_static(method));
        let mut request = Request::new(());
        *request.method_mut() = Method::POST;
        *request.uri_mut() = Uri::from_parts(parts).unwrap_or_default();
        let headers = request.headers_mut();
        headers.insert(header::TE, HeaderValue::from_static("trailers"));
        let kind = HeaderValue::from_static("application/grpc");
        headers.insert(header::CONTENT_TYPE, kind);
        request
    }

    /// The connection, which is made if there is none or if it is over.
    async fn connection(&self) -> Result<SendRequest<Bytes>, Status> {
        let mut current = self.shared.connection.lock().await;
        if let Some(connection) = &*current
            && let Ok(connection) = connection.clone().ready().await
        {
            return Ok(connection);
        }
        let address = self.shared.address.clone();
        let connecting = self.shared.runtime.spawn(connected(address));
        let connection = match connecting.await {
            Ok(connection) => connection.map_err(Status::unavailable)?,
            Err(error) => return Err(Status::cancelled(error.to_string())),
        };
        Ok(current.insert(connection).clone())
    }
}

/// Connects to an address. A task of the current runtime drives the connection.
async fn connected(address: Authority) -> Result<SendRequest<Bytes>, String> {
    let connect = async {
        let stream = TcpStream::connect(address.as_str()).await;
        let stream = stream.map_err(|error| error.to_string())?;
        stream.set_nodelay(true).map_err(|error| error.to_string())?;
        h2::client::Builder::new()
            .initial_window_size(WINDOW)
            .initial_connection_window_size(WINDOW)
            .enable_push(false)
            .handshake(stream)
            .await
            .map_err(|error| error.to_string())
    };
    let limited = tokio::time::timeout(CONNECTING, connect);
    let limit = || format!("no connection within {} s", CONNECTING.as_secs());
    let (sender, connection) = limited.await.map_err(|_| limit())??;
    // The calls that are under way learn why it ended.
    tokio::spawn(async { _ = connection.await });
    Ok(sender)
}

/// A message with its prefix.
fn framed(message: &impl Message) -> Result<Bytes, Status> {
    let length = message.encoded_len();
    if length > LONGEST_MESSAGE {
        return Err(too_long("request"));
    }
    let mut bytes = BytesMut::with_capacity(MESSAGE_PREFIX + length);
    bytes.put_u8(0);
    bytes.put_u32(length as u32);
    message.encode(&mut bytes).map_err(|error| Status::internal(error.to_string()))?;
    Ok(bytes.freeze())
}

/// The message of an answer, which has exactly one.
async fn received(answer: Response<RecvStream>) -> Result<Bytes, Status> {
    let http_status = answer.status();
    // An answer without a message has its status here.
    succeeded(answer.headers())?;
    let mut body = answer.into_body();
    let mut bytes = BytesMut::new();
    while let Some(part) = body.data().await {
        let part = part.map_err(|error| broken(&error))?;
        _ = body.flow_control().release_capacity(part.len());
        // A part that is kept would keep the memory that the connection reads into.
        bytes.extend_from_slice(&part);
        let Some(missing) = length(&bytes)?.checked_sub(bytes.len()) else {
            return Err(not_one_message());
        };
        bytes.reserve(missing);
    }
    let trailers = body.trailers().await.map_err(|error| broken(&error))?;
    let has_status = trailers.as_ref().map(succeeded).transpose()?;
    if has_status != Some(true) {
        return Err(without_status(http_status));
    }
    if length(&bytes)? == bytes.len() {
        Ok(bytes.split_off(MESSAGE_PREFIX).freeze())
    } else {
        Err(not_one_message())
    }
}

fn not_one_message() -> Status {
    Status::internal("the answer is not one message")
}

/// The length of a message with its prefix, given its start; that of the prefix if the start is too
/// short.
fn length(start: &[u8]) -> Result<usize, Status> {
    let [is_compressed, a, b, c, d, ..] = *start else { return Ok(MESSAGE_PREFIX) };
    if is_compressed != 0 {
        return Err(Status::internal("the answer is compressed"));
    }
    let length = u32::from_be_bytes([a, b, c, d]) as usize;
    if length > LONGEST_MESSAGE { Err(too_long("answer")) } else { Ok(MESSAGE_PREFIX + length) }
}

fn too_long(what: &str) -> Status {
    let limit = LONGEST_MESSAGE >> 20;
    Status::internal(format!("the {what} is longer than {limit} MiB"))
}

/// Checks that the status in headers, if there is one, is that of success. Returns true if there is
/// one.
fn succeeded(headers: &HeaderMap) -> Result<bool, Status> {
    match headers.get(Status::GRPC_STATUS) {
        Some(code) if code == "0" => Ok(true),
        _ => Status::from_header_map(headers).map_or(Ok(false), Err),
    }
}

/// The error of an answer that has no status of its own, by the rules of gRPC.
fn without_status(http_status: StatusCode) -> Status {
    let code = match http_status {
        StatusCode::OK | StatusCode::BAD_REQUEST => Code::Internal,
        StatusCode::UNAUTHORIZED => Code::Unauthenticated,
        StatusCode::FORBIDDEN => Code::PermissionDenied,
        StatusCode::NOT_FOUND => Code::Unimplemented,
        StatusCode::TOO_MANY_REQUESTS
        | StatusCode::BAD_GATEWAY
        | StatusCode::SERVICE_UNAVAILABLE
        | StatusCode::GATEWAY_TIMEOUT => Code::Unavailable,
        _ => Code::Unknown,
    };
    let message = format!("the answer has no status (HTTP status {http_status})");
    Status::new(code, message)
}

/// The status of a call that the other side or the connection has ended.
fn broken(error: &h2::Error) -> Status {
    let code = match error.reason() {
        // The connection is over.
        None => Code::Unavailable,
        Some(_) if error.is_go_away() => Code::Unavailable,
        Some(Reason::REFUSED_STREAM) => Code::Unavailable,
        Some(Reason::CANCEL) => Code::Cancelled,
        Some(Reason::ENHANCE_YOUR_CALM) => Code::ResourceExhausted,
        Some(_) => Code::Internal,
    };
    Status::new(code, error.to_string())
}
