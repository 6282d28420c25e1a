//! Work without the interpreter.

use std::panic::resume_unwind;
use std::thread::{Builder, scope};

use pyo3::prelude::*;

/// Lets Python run on, and does the work on a thread whose stack is large enough for every program:
/// those that Python starts may have small ones.
pub fn detached<T: Send>(py: Python<'_>, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    py.detach(|| {
        scope(|scope| {
            let thread = Builder::new().stack_size(pcl::STACK_SIZE);
            let running = thread.spawn_scoped(scope, work)?;
            Ok(running.join().unwrap_or_else(|panic| resume_unwind(panic)))
        })
    })
}
