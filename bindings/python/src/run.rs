//! Work without the interpreter.

use std::panic::resume_unwind;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread::{Builder, scope};
use std::time::Duration;

use pcl::diagnostics::Diagnostic;
use pcl::render::{Format, Look, Report};
use pyo3::prelude::*;

/// The time between two looks for signals.
const INTERVAL: Duration = Duration::from_millis(50);

/// Lets Python run on, and does the work on a thread whose stack is large enough for every program:
/// those that Python starts may have small ones.
pub fn detached<T: Send>(py: Python<'_>, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    cancellable(py, || {}, work)
}

/// The same for work that `cancel` ends. An exception of a signal handler, such as
/// `KeyboardInterrupt`, is the result; it is passed on when the work has ended.
pub fn cancellable<T: Send>(
    py: Python<'_>,
    cancel: impl Fn(),
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    scope(|scope| {
        let (running, mut ended) = channel::<()>();
        let thread = Builder::new().stack_size(pcl::STACK_SIZE);
        let thread = thread.spawn_scoped(scope, move || {
            let _running = running;
            work()
        })?;
        let mut signals = Ok(());
        loop {
            let waited = py.detach(|| {
                let ended = &mut ended;
                ended.recv_timeout(INTERVAL)
            });
            if waited == Err(RecvTimeoutError::Disconnected) {
                break;
            }
            if signals.is_ok() {
                signals = py.check_signals();
                if signals.is_err() {
                    cancel();
                }
            }
        }
        let result = py.detach(|| thread.join());
        signals?;
        Ok(result.unwrap_or_else(|panic| resume_unwind(panic)))
    })
}

/// The class of an exception, by its name in `pcl.errors`.
#[derive(Clone, Copy)]
pub enum Class {
    Pcl,
    Program,
    Schema,
    Settings,
    UnknownTopic,
}

impl Class {
    const fn name(self) -> &'static str {
        match self {
            Self::Pcl => "PclError",
            Self::Program => "ProgramError",
            Self::Schema => "SchemaError",
            Self::Settings => "SettingsError",
            Self::UnknownTopic => "UnknownTopicError",
        }
    }
}

/// An exception without diagnostics.
pub fn error(py: Python<'_>, class: Class, message: impl Into<String>) -> PyErr {
    raise(py, class, message.into(), None)
}

/// An exception with the diagnostics of a report.
pub fn error_with(py: Python<'_>, class: Class, message: &str, report: &Report) -> PyErr {
    let document = Format::Json.render(report, Look::default());
    raise(py, class, message.to_owned(), Some(document))
}

fn raise(py: Python<'_>, class: Class, message: String, document: Option<Vec<u8>>) -> PyErr {
    let made = py
        .import("pcl.errors")
        .and_then(|module| module.call_method1("_make", (class.name(), message, document)));
    match made {
        Ok(exception) => PyErr::from_value(exception),
        Err(error) => error,
    }
}

/// The messages of diagnostics without a place.
pub fn messages(diagnostics: &[Diagnostic]) -> String {
    let text = |diagnostic: &Diagnostic| match &diagnostic.help {
        Some(help) => format!("{}; {help}", diagnostic.message),
        None => diagnostic.message.clone(),
    };
    let texts: Vec<String> = diagnostics.iter().map(text).collect();
    texts.join("; ")
}
