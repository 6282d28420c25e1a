//! Calls over gRPC that block, and end in time.

use std::future::Future;
use std::pin::pin;
use std::time::{Duration, Instant};

use prost::Message;
use tokio::runtime::{Builder, Runtime};
use tonic::{Code, Status};

use crate::client::{CONNECTING, Client};

/// The interval between two checks for a reason to stop waiting.
const TICK: Duration = Duration::from_millis(20);

/// The reason why a call gave no answer, as the end of a sentence about the process that was
/// called.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum CallError {
    /// The process cannot be reached.
    #[error("{0}")]
    Unreachable(String),
    /// The process answered with an error.
    #[error("answered with an error: {1}")]
    Refused(Code, String),
    /// The time limit is over, or waiting has another reason to end.
    #[error("{0}")]
    GivenUp(String),
}

/// The time that is left.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Deadline {
    end: Instant,
    limit: Duration,
}

impl Deadline {
    pub fn new(limit: Duration) -> Self {
        Self { end: Instant::now() + limit, limit }
    }

    pub fn is_over(&self) -> bool {
        Instant::now() >= self.end
    }

    /// The limit in words.
    pub fn limit(&self) -> String {
        format!("{} s", self.limit.as_secs_f32())
    }
}

/// A connection to a service.
pub(crate) struct Connection<'w> {
    runtime: Runtime,
    client: Client,
    deadline: Deadline,
    /// A reason to wait no longer, asked again and again.
    watch: &'w mut dyn FnMut() -> Option<String>,
}

impl<'w> Connection<'w> {
    /// Connects to `HOST:PORT`. With `patience` it is tried again while nobody listens there yet.
    pub fn open(
        address: &str,
        patience: bool,
        deadline: Deadline,
        watch: &'w mut dyn FnMut() -> Option<String>,
    ) -> Result<Self, CallError> {
        let unreachable = |error: &dyn std::fmt::Display| {
            CallError::Unreachable(format!("cannot be reached at {address}: {error}"))
        };
        let runtime = Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(|error| unreachable(&error))?;
        let patient_until = Instant::now() + CONNECTING;
        let client = loop {
            match wait(&runtime, Client::connect(address), deadline, watch)? {
                Ok(client) => break client,
                Err(_) if patience && Instant::now() < patient_until => {
                    let pause = async { tokio::time::sleep(TICK).await };
                    wait(&runtime, pause, deadline, watch)?;
                }
                Err(error) => return Err(unreachable(&plain(&error))),
            }
        };
        Ok(Self { runtime, client, deadline, watch })
    }

    /// Calls a method, `/package.Service/Method`.
    pub fn call<Q, A>(&mut self, method: &'static str, question: Q) -> Result<A, CallError>
    where
        Q: Message + 'static,
        A: Message + Default + 'static,
    {
        let call = self.client.call(method, question);
        match wait(&self.runtime, call, self.deadline, self.watch)? {
            Ok(answer) => Ok(answer),
            Err(status) => Err(refused(&status)),
        }
    }
}

fn refused(status: &Status) -> CallError {
    let message = match status.code() {
        Code::Ok | Code::Unknown | Code::Internal => plain(status.message()),
        code => format!("{} ({code})", plain(status.message())),
    };
    CallError::Refused(status.code(), message)
}

/// Waits for a future until the deadline, or until there is another reason to wait no longer.
fn wait<F: Future>(
    runtime: &Runtime,
    future: F,
    deadline: Deadline,
    watch: &mut dyn FnMut() -> Option<String>,
) -> Result<F::Output, CallError> {
    runtime.block_on(async {
        let mut future = pin!(future);
        loop {
            if let Some(reason) = watch() {
                return Err(CallError::GivenUp(reason));
            }
            if deadline.is_over() {
                let limit = deadline.limit();
                return Err(CallError::GivenUp(format!("did not answer within {limit}")));
            }
            if let Ok(output) = tokio::time::timeout(TICK, &mut future).await {
                return Ok(output);
            }
        }
    })
}

/// The most that is repeated of what others say.
const LONGEST_QUOTE: usize = 500;

/// A text of somebody else on one line, without what could control a terminal, cut where it gets
/// long.
pub(crate) fn plain(text: &str) -> String {
    let words: Vec<&str> = text
        .split(|c: char| c.is_whitespace() || c.is_control())
        .filter(|word| !word.is_empty())
        .collect();
    let text = words.join(" ");
    match text.char_indices().nth(LONGEST_QUOTE) {
        Some((end, _)) => format!("{}...", text.get(..end).unwrap_or(&text)),
        None if text.is_empty() => "nothing".to_owned(),
        None => text,
    }
}

/// Runs blocking work on a separate runtime and thread, where no other runtime can interfere.
pub(crate) fn on_own_thread<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| match scope.spawn(work).join() {
        Ok(value) => value,
        Err(panic) => std::panic::resume_unwind(panic),
    })
}
