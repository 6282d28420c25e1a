//! Work without the interpreter.

use std::panic::resume_unwind;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread::{Builder, scope};
use std::time::Duration;

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
