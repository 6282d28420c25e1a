//! Registrations of resources that are under way.

use std::time::Duration;

use pcl_eval::monitor::{EngineError, Event, RegisterResource, Registrations};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tonic::Status;

use crate::monitor::EngineMonitor;
use crate::protocol::resource::RegisterResourceResponse;

/// The number of registrations that keep the engine busy while answers to others wait.
const MANY: usize = 4;

/// The time that answers may wait for others while the engine is busy.
///
/// The engine answers one registration after the other and asks for a sign of life after each, and
/// each time that this thread wakes costs more than what it does then. For a preview of 1,000
/// resources, eight at once, it wakes 300 instead of 1,500 times: 40 ms of processor time instead
/// of 73 ms. The preview takes no longer, as there is always something to do for the engine.
const PAUSE: Duration = Duration::from_millis(2);

/// Registrations that one thread has begun. The thread drives the connection while it waits.
pub(crate) struct UnderWay<'m> {
    monitor: &'m EngineMonitor,
    /// The number of registrations without an answer.
    count: usize,
    /// Those that are not sent yet: all are written at once.
    unsent: Vec<Sending>,
    sender: UnboundedSender<Received>,
    received: UnboundedReceiver<Received>,
}

/// A registration that is being sent.
type Sending = std::pin::Pin<Box<dyn Future<Output = ()> + Send>>;

/// An event as it comes.
enum Received {
    Answer(u32, Result<RegisterResourceResponse, Status>),
    /// The request cannot be sent.
    Unsendable(u32, EngineError),
    Called,
}

impl<'m> UnderWay<'m> {
    /// No registrations yet.
    pub fn new(monitor: &'m EngineMonitor) -> Self {
        let (sender, received) = unbounded_channel();
        Self { monitor, count: 0, unsent: Vec::new(), sender, received }
    }
}

impl Registrations for UnderWay<'_> {
    fn begin(&mut self, number: u32, request: &RegisterResource) {
        self.count += 1;
        let sender = self.sender.clone();
        match self.monitor.registration(request) {
            Ok(answer) => self.unsent.push(Box::pin(async move {
                _ = sender.send(Received::Answer(number, answer.await));
            })),
            Err(error) => _ = sender.send(Received::Unsendable(number, error)),
        }
    }

    fn send(&mut self) {
        if self.unsent.is_empty() {
            return;
        }
        let unsent = std::mem::take(&mut self.unsent);
        self.monitor.calls.wait_for(async {
            for sending in unsent {
                tokio::spawn(sending);
            }
            // These tasks and that of the connection get their turn, and nothing is waited for.
            tokio::task::yield_now().await;
        });
    }

    fn next(&mut self) -> Result<Event, EngineError> {
        if self.received.is_empty() {
            self.send();
            if self.count >= MANY {
                std::thread::sleep(PAUSE);
            }
        }
        let calls = &self.monitor.calls;
        // There is a sender here, so the channel never closes.
        let received = calls.wait_for(self.received.recv()).flatten();
        Ok(match received.ok_or(EngineError::Cancelled)? {
            Received::Called => Event::Called,
            Received::Unsendable(number, error) => {
                self.count -= 1;
                Event::Answered(number, Err(error))
            }
            Received::Answer(number, answer) => {
                self.count -= 1;
                let answer = calls.answer(answer);
                let registered = answer.and_then(|answer| self.monitor.registered(answer));
                Event::Answered(number, registered)
            }
        })
    }

    fn caller(&self) -> Box<dyn Fn() + Send + Sync> {
        let sender = self.sender.clone();
        Box::new(move || _ = sender.send(Received::Called))
    }
}
