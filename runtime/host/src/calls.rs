//! Calls of the engine: those of a run, which block the thread that makes them and end when the
//! run is cancelled, and those of the host, about its log and its version. Blocking work has a
//! thread of its own.

use std::future::Future;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use pcl_eval::monitor::EngineError;
use pcl_remote::{Client, Empty};
use prost::Message;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::watch;
use tonic::{Code, Status};

use crate::protocol::resource::{LogRequest, LogSeverity, RequirePulumiVersionRequest};

/// A connection whose calls block.
///
/// The threads that wait for answers drive the connection themselves: for a preview of 1,000
/// resources, a thread that does it for them took 140 ms of processor time instead of 100 ms, most
/// of it for waking others.
pub(crate) struct Calls {
    /// `None` only while it is dropped.
    runtime: Option<Runtime>,
    client: Client,
    /// True once the run is cancelled.
    cancelled: watch::Sender<bool>,
    /// True once there was an answer.
    is_connected: AtomicBool,
}

impl Calls {
    /// Calls of the service at `HOST:PORT`.
    ///
    /// # Errors
    /// Returns an error if that is not an address, or if the system gives no resources.
    pub fn new(address: &str, cancelled: watch::Sender<bool>) -> Result<Self, String> {
        let runtime = Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| error.to_string())?;
        let client = {
            let _context = runtime.enter();
            Client::new(address)?
        };
        Ok(Self { runtime: Some(runtime), client, cancelled, is_connected: AtomicBool::new(false) })
    }

    /// The connection itself.
    pub fn client(&self) -> &Client {
        &self.client
    }

    /// Ends all calls, also future ones.
    pub fn cancel(&self) {
        self.cancelled.send_replace(true);
    }

    /// Calls a method, and waits for its answer.
    ///
    /// # Errors
    /// Returns an error if there is no answer.
    pub fn call<Q, A>(&self, method: &'static str, request: Q) -> Result<A, EngineError>
    where
        Q: Message + 'static,
        A: Message + Default + 'static,
    {
        self.wait(self.client.call(method, request))
    }

    /// Waits for an answer, or until the run is cancelled.
    ///
    /// # Errors
    /// Returns an error if there is no answer.
    pub fn wait<T>(
        &self,
        answer: impl Future<Output = Result<T, Status>>,
    ) -> Result<T, EngineError> {
        match self.wait_for(answer) {
            Some(answer) => self.answer(answer),
            None => Err(EngineError::Cancelled),
        }
    }

    /// Waits for something; `None` once the run is cancelled.
    pub fn wait_for<T>(&self, event: impl Future<Output = T>) -> Option<T> {
        let mut cancelled = self.cancelled.subscribe();
        self.runtime.as_ref()?.block_on(async {
            tokio::select! {
                biased;
                event = event => Some(event),
                _ = cancelled.wait_for(|cancelled| *cancelled) => None,
            }
        })
    }

    /// The answer to a call, or why there is none.
    ///
    /// # Errors
    /// Returns an error if there is none.
    pub fn answer<T>(&self, answer: Result<T, Status>) -> Result<T, EngineError> {
        match answer {
            Ok(answer) => {
                self.is_connected.store(true, Ordering::Relaxed);
                Ok(answer)
            }
            Err(status) => Err(self.failed(&status)),
        }
    }

    /// An engine that was there and is unavailable has ended the deployment and reported why: there
    /// is nobody to tell more to.
    fn failed(&self, status: &Status) -> EngineError {
        match status.code() {
            Code::Unavailable | Code::Cancelled if self.is_connected.load(Ordering::Relaxed) => {
                self.cancel();
                EngineError::Cancelled
            }
            Code::Unavailable => {
                let reason = status.message();
                EngineError::Failed(format!("the engine cannot be reached: {reason}"))
            }
            _ => EngineError::Failed(status.message().to_owned()),
        }
    }
}

impl Drop for Calls {
    /// Waits for nothing: this may be a thread that must not block.
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

/// The engine. Clones share the connection.
#[derive(Clone, Debug)]
pub(crate) struct Engine {
    client: Client,
}

impl Engine {
    /// The engine at `HOST:PORT`.
    ///
    /// # Errors
    /// Returns an error if that is not an address.
    pub fn new(address: &str) -> Result<Self, String> {
        let client = Client::new(address)?;
        Ok(Self { client })
    }

    /// Reports a message about a resource, or about the run if the URN is empty.
    ///
    /// # Errors
    /// Returns the reason why the engine does not take it.
    pub async fn log(
        &self,
        severity: LogSeverity,
        message: String,
        urn: String,
    ) -> Result<(), Status> {
        let request = LogRequest { severity: severity.into(), message, urn };
        let Empty {} = self.client.call("/pulumirpc.Engine/Log", request).await?;
        Ok(())
    }

    /// Checks that the version of Pulumi is in a range.
    ///
    /// # Errors
    /// Returns an error if it is not, or if the engine does not answer.
    pub async fn require_version(&self, range: String) -> Result<(), Status> {
        let request = RequirePulumiVersionRequest { range };
        let method = "/pulumirpc.Engine/RequirePulumiVersion";
        let Empty {} = self.client.call(method, request).await?;
        Ok(())
    }

    /// Waits until the engine is gone: until nobody listens there. One that does not answer is
    /// there, as it may be suspended; so is one that does not know the question.
    pub async fn gone(&self) {
        loop {
            tokio::time::sleep(BETWEEN_CHECKS).await;
            let method = "/grpc.health.v1.Health/Check";
            let check = self.client.call::<_, Empty>(method, Empty {}).await;
            if check.is_err_and(|status| status.code() == Code::Unavailable) {
                return;
            }
        }
    }
}

/// The time between two checks that the engine is there.
const BETWEEN_CHECKS: Duration = Duration::from_secs(5);

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

/// Does work for a request that reads or writes files, or binds a program.
///
/// # Errors
/// Returns the reason of the work as the status.
pub(crate) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, String> + Send + 'static,
) -> Result<T, Status> {
    on_thread(work).await?.map_err(Status::unknown)
}
