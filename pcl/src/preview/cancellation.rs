//! The end of an evaluation from another thread.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use pcl_eval::Evaluation;

/// Ends the evaluation of programs from another thread. What is evaluated with it then has no
/// value, and nothing is evaluated any more.
///
/// ```
/// use pcl::preview::{Cancellation, OfflineProgram, RunSettings};
/// use pcl::{Settings, Target, Workspace, eval::Answers};
///
/// let checked = Workspace::new(Settings::default()).check(&Target::text("main.pp", "a = 1\n"));
/// let program = OfflineProgram::new(checked, RunSettings::default(), Answers::default(), "");
/// let cancellation = Cancellation::default();
/// cancellation.cancel();
/// let program = program.with_cancellation(&cancellation);
/// assert!(program.evaluate("[for i in range(9) : i]").value.is_none());
/// ```
#[derive(Clone, Default)]
pub struct Cancellation {
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    is_cancelled: bool,
    /// It frees its values when it is done, which may be before the result is shown.
    running: Weak<Evaluation>,
}

impl Cancellation {
    /// Ends the evaluation.
    pub fn cancel(&self) {
        let mut state = self.lock();
        state.is_cancelled = true;
        if let Some(evaluation) = state.running.upgrade() {
            evaluation.cancel();
        }
    }

    /// Makes an evaluation the one that is ended.
    pub(super) fn begin(&self, evaluation: &Arc<Evaluation>) {
        let mut state = self.lock();
        if state.is_cancelled {
            evaluation.cancel();
        }
        state.running = Arc::downgrade(evaluation);
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
