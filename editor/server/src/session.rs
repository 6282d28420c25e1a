//! The life of a server: what it reads and writes, and the order of its work.

use std::io::{self, BufRead, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Weak, mpsc};
use std::time::Duration;

use lsp_types::{
    InitializeResult, RegistrationParams, RegistrationRequest, Request as _, ServerInfo,
};
use serde_json::Value;

use crate::capabilities;
use crate::client::{Client, Features};
use crate::convert;
use crate::dispatch;
use crate::handlers::configuration;
use crate::inbox::Inbox;
use crate::message::{Answer, Failure, Id, Json, Message};
use crate::registrations::registrations;
use crate::server::{Environment, Life, Server};
use crate::transport::{self, Received};

/// Serves one editor until it says `exit` or closes the stream. Returns whether it ended as the
/// protocol wants it: `exit` after `shutdown`.
///
/// # Errors
/// Returns the error of a stream that cannot be read on.
pub fn serve(
    mut reader: impl BufRead + Send + 'static,
    mut writer: impl Write + Send,
    environment: Environment<'_>,
) -> io::Result<bool> {
    let inbox = Arc::new(Inbox::default());
    let (sender, receiver) = mpsc::channel::<Option<Message>>();
    let (cancelled, end) = (sender.clone(), sender.clone());
    let read = inbox.listen(
        move || Ok(transport::read(&mut reader)?.map(|received| vec![received])),
        move |response| drop(cancelled.send(Some(response))),
    );
    std::thread::scope(|scope| {
        scope.spawn(move || {
            while let Ok(Some(message)) = receiver.recv() {
                if transport::write(&mut writer, &message).is_err() {
                    return;
                }
            }
        });
        let server = Server::new(Arc::clone(&inbox), Client::new(sender), environment);
        let thread = std::thread::Builder::new().stack_size(pcl::STACK_SIZE);
        let work = thread.spawn_scoped(scope, move || server.run())?;
        let has_exited = work.join().unwrap_or(Some(false));
        // The thread that reads may hold its sender for as long as the stream is open.
        let _ = end.send(None);
        match has_exited {
            Some(is_clean) => Ok(is_clean),
            None => read.join().unwrap_or(Ok(())).map(|()| false),
        }
    })
}

/// The time between two looks at the process of the editor.
const PULSE: Duration = Duration::from_secs(1);

/// Ends the server when the process that has started it has ended.
fn watch(process: u64, inbox: Weak<Inbox>) {
    std::thread::spawn(move || {
        while pcl_system::is_running(process) {
            std::thread::sleep(PULSE);
            if inbox.strong_count() == 0 {
                return;
            }
        }
        if let Some(inbox) = inbox.upgrade() {
            inbox.abandon();
        }
    });
}

impl Server<'_> {
    /// Handles messages until the editor says `exit`, or its process has ended; returns whether it
    /// said `shutdown` before. `None` if the stream ended.
    fn run(mut self) -> Option<bool> {
        let inbox = Arc::clone(&self.inbox);
        while let Some(received) = inbox.pop(|| self.work_when_idle()) {
            let is_exit = |message: &Message| message.method.as_deref() == Some("exit");
            if received.as_ref().is_ok_and(is_exit) {
                return Some(self.life == Life::ShutDown);
            }
            self.handle(received);
        }
        inbox.is_abandoned().then_some(false)
    }

    /// Handles a message. `tests/performance` counts its instructions.
    #[inline(never)]
    fn handle(&mut self, received: Received) {
        let message = match received {
            Ok(message) => message,
            Err(malformed) => return self.client.send(malformed.response()),
        };
        match (message.method, message.id) {
            (Some(method), Some(id)) => self.request(&method, id, message.params),
            (Some(method), None) => self.notification(&method, message.params),
            (None, Some(id)) => self.answered(&id, message.result),
            (None, None) => {}
        }
    }

    /// Pushes diagnostics. Returns whether it did.
    fn work_when_idle(&mut self) -> bool {
        if !std::mem::take(&mut self.is_due) {
            return false;
        }
        let failed = "pcl failed while it checked the open documents";
        self.guard(failed, |server| {
            server.report_configurations();
            if !server.features.pulls_diagnostics {
                server.publish();
            }
        });
        true
    }

    /// Does some work. If it panics, there is no result, and the editor logs it; the programs may
    /// be incomplete then, and are forgotten.
    fn guard<T>(&mut self, failed: &str, work: impl FnOnce(&mut Self) -> T) -> Option<T> {
        let done = catch_unwind(AssertUnwindSafe(|| work(self))).ok();
        if done.is_none() {
            self.programs.forget_programs();
            self.client.log(1, failed);
        }
        done
    }

    fn request(&mut self, method: &str, id: Id, params: Option<Value>) {
        if self.inbox.is_finished(&id) {
            return;
        }
        self.current = Some(id.clone());
        let answer: Answer<Json> = match (self.life, method) {
            (Life::Started, "initialize") => self.initialize(params.unwrap_or_default()),
            (Life::Started, _) => Err(Failure::new(
                Failure::NOT_INITIALIZED,
                "the first request has to be `initialize`",
            )),
            (_, "initialize") => {
                Err(Failure::new(Failure::INVALID_REQUEST, "the server is initialized already"))
            }
            (Life::ShutDown, _) => {
                Err(Failure::new(Failure::INVALID_REQUEST, "after `shutdown` there is only `exit`"))
            }
            (Life::Initialized, "shutdown") => {
                self.life = Life::ShutDown;
                Json::of(&Value::Null)
            }
            (Life::Initialized, _) => {
                let failed = format!("pcl failed to answer `{method}`, which is a bug in pcl");
                self.guard(&failed, |server| dispatch::request(server, method, params))
                    .unwrap_or_else(|| Err(Failure::new(Failure::INTERNAL, failed)))
            }
        };
        if self.inbox.finish(&id) {
            self.client.send(Message::response(id, answer));
        }
    }

    fn notification(&mut self, method: &str, params: Option<Value>) {
        match (self.life, method) {
            (Life::Initialized, "initialized") => self.initialized(),
            (Life::Initialized, _) => {
                let failed = format!("pcl failed to handle `{method}`");
                let done =
                    self.guard(&failed, |server| dispatch::notification(server, method, params));
                if let Some(Err(failure)) = done {
                    let message = format!("`{method}` is ignored: {}", failure.message);
                    self.client.log(2, &message);
                }
            }
            _ => {}
        }
    }

    fn answered(&mut self, id: &Id, result: Option<Json>) {
        let is_wanted = self.client.asked.remove(id);
        let result = result.filter(|_| is_wanted).map(|result| result.value());
        if let Some(settings) = result.as_ref().and_then(|result| result.get(0)) {
            configuration::apply(self, settings);
        }
    }

    fn initialize(&mut self, params: Value) -> Answer<Json> {
        if let Some(id) = params.get("processId").and_then(Value::as_u64) {
            watch(id, Arc::downgrade(&self.inbox));
        }
        let [capabilities, options] = ["capabilities", "initializationOptions"]
            .map(|name| params.get(name).unwrap_or(&Value::Null));
        self.features = Features::new(capabilities, options);
        let folders = params.get("workspaceFolders").and_then(Value::as_array);
        let uris = folders.into_iter().flatten();
        let uris = uris.filter_map(|folder| folder.get("uri")?.as_str());
        self.folders = uris.filter_map(convert::to_path).collect();
        if self.folders.is_empty() {
            let root = params.get("rootUri").and_then(Value::as_str);
            self.folders.extend(root.and_then(convert::to_path));
        }
        self.life = Life::Initialized;
        configuration::apply(self, options);
        Json::of(&InitializeResult {
            capabilities: capabilities::of(self.features.encoding, self.add_schema.is_some()),
            server_info: Some(ServerInfo {
                name: "pcl".to_owned(),
                version: Some(env!("CARGO_PKG_VERSION").to_owned()),
            }),
        })
    }

    fn initialized(&mut self) {
        configuration::ask(self);
        let registrations = registrations(&self.features, &self.folders);
        if !registrations.is_empty() {
            let params = RegistrationParams { registrations };
            self.client.request(RegistrationRequest::METHOD.as_str(), params);
        }
    }
}
