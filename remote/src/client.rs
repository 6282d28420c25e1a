//! Calls over gRPC, as futures.

use http::uri::PathAndQuery;
use prost::Message;
use tonic::client::Grpc;
use tonic::transport::{Channel, Endpoint};
use tonic::{Request, Status};
use tonic_prost::ProstCodec;

use std::time::Duration;

/// The longest message, in bytes: what Pulumi sets for its own connections.
pub const LONGEST_MESSAGE: usize = 400 * 1024 * 1024;

/// The flow control window in bytes; the usual 64 kB make long messages slow.
pub const WINDOW: u32 = 4 * 1024 * 1024;

/// The time limit for a connection.
pub(crate) const CONNECTING: Duration = Duration::from_secs(10);

/// A connection to a service, which is made by the first call and made anew after it is lost.
/// Clones share it.
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
    grpc: Grpc<Channel>,
}

impl Client {
    /// A client of the service at `HOST:PORT`. It belongs to the runtime that calls this.
    ///
    /// # Errors
    /// Returns an error if that is not an address.
    pub fn new(address: &str) -> Result<Self, String> {
        Ok(Self::of(endpoint(address)?.connect_lazy()))
    }

    /// Connects to the service at `HOST:PORT`.
    ///
    /// # Errors
    /// Returns the reason why it cannot be reached.
    pub(crate) async fn connect(address: &str) -> Result<Self, String> {
        let channel = endpoint(address)?.connect().await;
        channel
            .map(Self::of)
            .map_err(|error| innermost(&error).to_string())
    }

    fn of(channel: Channel) -> Self {
        let grpc = Grpc::new(channel)
            .max_decoding_message_size(LONGEST_MESSAGE)
            .max_encoding_message_size(LONGEST_MESSAGE);
        Self { grpc }
    }

    /// Calls a method, `/package.Service/Method`.
    ///
    /// # Errors
    /// Returns the status if the service cannot be reached or answers with an error.
    pub async fn call<Q, A>(&self, method: &'static str, question: Q) -> Result<A, Status>
    where
        Q: Message + 'static,
        A: Message + Default + 'static,
    {
        let mut grpc = self.grpc.clone();
        if let Err(error) = grpc.ready().await {
            return Err(Status::unavailable(innermost(&error).to_string()));
        }
        let codec = ProstCodec::<Q, A>::default();
        let path = PathAndQuery::from_static(method);
        let answer = grpc.unary(Request::new(question), path, codec).await?;
        Ok(answer.into_inner())
    }
}

fn endpoint(address: &str) -> Result<Endpoint, String> {
    let endpoint = Endpoint::from_shared(format!("http://{address}"));
    let endpoint = endpoint.map_err(|error| innermost(&error).to_string())?;
    Ok(endpoint
        .connect_timeout(CONNECTING)
        .initial_stream_window_size(WINDOW)
        .initial_connection_window_size(WINDOW)
        .tcp_nodelay(true))
}

/// The innermost source of an error, which says the most.
fn innermost<'e>(
    error: &'e (dyn std::error::Error + 'static),
) -> &'e (dyn std::error::Error + 'static) {
    let mut error = error;
    while let Some(source) = error.source() {
        error = source;
    }
    error
}
