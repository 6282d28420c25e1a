//! The process: where it listens, and when it ends.

use std::future::Future;
use std::io;
use std::time::Duration;

use pcl_remote::WINDOW;
use tokio::net::TcpListener;
use tonic::transport::server::TcpIncoming;

use crate::host::Host;
use crate::service::Routed;

/// The time that requests have to end when the process does.
const LAST_ANSWERS: Duration = Duration::from_secs(2);

/// A language host that listens.
pub struct Server {
    listener: TcpListener,
    address: String,
    host: Host,
}

impl Server {
    /// Listens at a free port of this machine, for the engine at an address. Without one, the
    /// engine gives its address in its first request.
    ///
    /// # Errors
    /// Returns an error if the system has no free port, or if the engine's address is none.
    pub async fn bind(engine: Option<&str>) -> io::Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
        let address = listener.local_addr()?.to_string();
        let host = Host::new(address.clone());
        if let Some(engine) = engine {
            let invalid = |reason| {
                let message = format!("`{engine}` is not an address: {reason}");
                io::Error::new(io::ErrorKind::InvalidInput, message)
            };
            host.connect(engine).map_err(invalid)?;
        }
        Ok(Self { listener, address, host })
    }

    /// The address, `HOST:PORT`.
    #[must_use]
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
        let host = self.host.clone();
        let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
        let server = tonic::transport::Server::builder()
            .initial_stream_window_size(WINDOW)
            .initial_connection_window_size(WINDOW)
            .serve_with_incoming_shutdown(
                Routed(self.host),
                TcpIncoming::from(self.listener).with_nodelay(Some(true)),
                async { _ = stopped.await },
            );
        tokio::pin!(server);
        tokio::select! {
            result = &mut server => return result.map_err(io::Error::other),
            () = end => {}
            () = host.engine_gone() => {}
        }
        host.cancel();
        _ = stop.send(());
        let ended = tokio::time::timeout(LAST_ANSWERS, server).await;
        host.remove_hooks();
        ended.unwrap_or(Ok(())).map_err(io::Error::other)
    }
}
