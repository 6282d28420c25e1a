//! The messages that wait for their turn.

use std::collections::{HashSet, VecDeque};
use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

use serde_json::Value;

use crate::message::{Failure, Id, Message};
use crate::transport::Received;

/// The messages that were received and not yet handled, in order. The thread that reads adds to
/// them and cancels requests; the thread that answers takes them.
#[derive(Default)]
pub struct Inbox {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    waiting: VecDeque<Received>,
    /// The number of messages among them that change a document. A request that looks at all
    /// programs asks for it before each of them.
    edits: usize,
    /// The requests that have no response yet, the one that is being handled included.
    open: HashSet<Id>,
    is_closed: bool,
    /// Set if nobody waits for answers.
    is_abandoned: bool,
}

impl Inbox {
    /// Reads messages in a thread until there are none. It ends with the stream, which may outlive
    /// the server. `respond` gets what has to be sent at once.
    pub fn listen(
        self: &Arc<Self>,
        mut read: impl FnMut() -> io::Result<Option<Vec<Received>>> + Send + 'static,
        respond: impl Fn(Message) + Send + 'static,
    ) -> JoinHandle<io::Result<()>> {
        let inbox = Arc::clone(self);
        std::thread::spawn(move || {
            let result = loop {
                match read() {
                    Ok(Some(all)) => {
                        all.into_iter().filter_map(|it| inbox.push(it)).for_each(&respond)
                    }
                    Ok(None) => break Ok(()),
                    Err(error) => break Err(error),
                }
            };
            inbox.close();
            result
        })
    }

    /// Adds a message. Returns the response to send at once: the error of a cancelled request.
    pub fn push(&self, received: Received) -> Option<Message> {
        let mut state = self.state();
        if let Ok(message) = &received {
            match (message.method.as_deref(), &message.id) {
                (Some("$/cancelRequest"), _) => {
                    let id = message.params.as_ref().and_then(|params| params.get("id"));
                    return state.cancel(id?);
                }
                // A client of the Model Context Protocol wants no response then.
                (Some("notifications/cancelled"), _) => {
                    let id = message.params.as_ref();
                    let id = id.and_then(|params| params.get("requestId"));
                    state.cancel(id?);
                    return None;
                }
                (Some(_), Some(id)) => {
                    state.open.insert(id.clone());
                }
                _ => {}
            }
        }
        state.edits += usize::from(is_edit(&received));
        state.waiting.push_back(received);
        drop(state);
        self.changed.notify_one();
        None
    }

    /// No more messages will come.
    pub fn close(&self) {
        self.state().is_closed = true;
        self.changed.notify_one();
    }

    /// The client is gone: what waits is not answered.
    pub fn abandon(&self) {
        let mut state = self.state();
        state.is_abandoned = true;
        state.is_closed = true;
        state.waiting.clear();
        state.edits = 0;
        drop(state);
        self.changed.notify_one();
    }

    /// Returns true if the client is gone.
    pub fn is_abandoned(&self) -> bool {
        self.state().is_abandoned
    }

    /// The next message, which is waited for; `None` if there will be none. `idle` is called before
    /// it waits, as long as it returns true.
    pub fn pop(&self, mut idle: impl FnMut() -> bool) -> Option<Received> {
        loop {
            let mut state = self.state();
            if let Some(next) = state.waiting.pop_front() {
                state.edits -= usize::from(is_edit(&next));
                return Some(next);
            }
            if state.is_closed {
                return None;
            }
            drop(state);
            if idle() {
                continue;
            }
            state = self.state();
            while state.waiting.is_empty() && !state.is_closed {
                state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
            }
        }
    }

    /// Returns true if no message waits.
    pub fn is_empty(&self) -> bool {
        self.state().waiting.is_empty()
    }

    /// Returns true if the request still wants a response, which is then due.
    pub fn finish(&self, id: &Id) -> bool {
        self.state().open.remove(id)
    }

    /// Returns true if a request was cancelled or has its response.
    pub fn is_finished(&self, id: &Id) -> bool {
        !self.state().open.contains(id)
    }

    /// Returns true if a message that waits changes a document.
    pub fn has_newer_text(&self) -> bool {
        self.state().edits > 0
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns true for a message that changes a document.
fn is_edit(received: &Received) -> bool {
    let message = received.as_ref().ok();
    message.is_some_and(|it| it.method.as_deref() == Some("textDocument/didChange"))
}

impl State {
    fn cancel(&mut self, id: &Value) -> Option<Message> {
        let id: Id = serde_json::from_value(id.clone()).ok()?;
        let failure = Failure::new(Failure::CANCELLED, "the request was cancelled");
        self.open.remove(&id).then(|| Message::response(id, Err(failure)))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn number(id: i64) -> Id {
        Id::Number(id.into())
    }

    fn request(id: i64) -> Received {
        Ok(Message::request(number(id), "x", json!({})))
    }

    fn cancel(id: i64) -> Received {
        Ok(Message::notification("$/cancelRequest", json!({ "id": id })))
    }

    #[test]
    fn a_cancelled_request_has_one_response() {
        let inbox = Inbox::default();
        assert_eq!(inbox.push(request(1)), None);
        let response = inbox.push(cancel(1)).expect("a response");
        assert_eq!(response.error.map(|error| error.code), Some(Failure::CANCELLED));
        assert!(inbox.is_finished(&number(1)));
        assert!(!inbox.finish(&number(1)));
        assert_eq!(inbox.push(cancel(1)), None);
        assert_eq!(inbox.push(cancel(7)), None);
    }

    #[test]
    fn a_newer_text_waits_until_it_is_taken() {
        let inbox = Inbox::default();
        let edit = || Ok(Message::notification("textDocument/didChange", json!({})));
        for message in [request(1), edit(), request(2), edit()] {
            inbox.push(message);
        }
        let mut newer = Vec::new();
        while !inbox.is_empty() {
            newer.push(inbox.has_newer_text());
            inbox.pop(|| panic!("a message waits"));
        }
        newer.push(inbox.has_newer_text());
        assert_eq!(newer, [true, true, true, true, false]);
        inbox.push(edit());
        inbox.abandon();
        assert!(!inbox.has_newer_text());
    }

    #[test]
    fn what_is_idle_work_comes_after_the_messages() {
        let inbox = Inbox::default();
        let mut done = 0;
        inbox.push(request(1));
        assert!(inbox.pop(|| panic!("a message waits")).is_some());
        inbox.push(request(2));
        inbox.close();
        assert!(inbox.pop(|| panic!("a message waits")).is_some());
        let end = inbox.pop(|| {
            done += 1;
            false
        });
        assert_eq!((end, done), (None, 0));
    }
}
