//! The progress of a long run, on a terminal.

use std::io::IsTerminal as _;
use std::sync::Once;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// The time after which the progress is shown.
const PATIENCE: Duration = Duration::from_millis(500);

/// A line on standard error with the number of programs that are checked. It is shown only on a
/// terminal and after half a second, and removed in the end.
pub(super) struct Progress {
    bar: Option<ProgressBar>,
    start: Instant,
    shown: Once,
}

impl Progress {
    /// The progress over this many programs. There is none to show for a single one.
    pub(super) fn new(programs: usize, is_wanted: bool) -> Self {
        let is_shown = is_wanted
            && programs > 1
            && std::io::stderr().is_terminal()
            && std::env::var_os("TERM").is_none_or(|term| term != "dumb");
        let bar = || {
            let target = ProgressDrawTarget::hidden();
            let bar = ProgressBar::with_draw_target(Some(programs as u64), target);
            let style = ProgressStyle::with_template("checking [{bar:25}] {pos}/{len} programs");
            match style {
                Ok(style) => bar.with_style(style.progress_chars("=> ")),
                Err(_) => bar,
            }
        };
        Self { bar: is_shown.then(bar), start: Instant::now(), shown: Once::new() }
    }

    /// Counts a program. Any thread may call it.
    pub(super) fn add_one(&self) {
        let Some(bar) = &self.bar else {
            return;
        };
        bar.inc(1);
        if self.start.elapsed() >= PATIENCE {
            self.shown.call_once(|| bar.set_draw_target(ProgressDrawTarget::stderr()));
        }
    }

    /// Does something that writes to the terminal. The progress is out of the way meanwhile.
    pub(super) fn suspend<T>(&self, work: impl FnOnce() -> T) -> T {
        match &self.bar {
            Some(bar) if self.shown.is_completed() => bar.suspend(work),
            _ => work(),
        }
    }

    /// Returns true if the progress is on the terminal.
    pub(super) fn is_shown(&self) -> bool {
        self.bar.is_some() && self.shown.is_completed()
    }

    /// Removes the progress.
    pub(super) fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
