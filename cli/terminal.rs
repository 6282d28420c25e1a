//! The terminal: its width, the decision to use hyperlinks, and the progress of a long run.

use std::ffi::OsString;
use std::io::IsTerminal;
use std::sync::Once;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Returns true if standard output is a terminal that shows hyperlinks. Files and pipes get none.
pub(super) fn shows_hyperlinks(color: bool) -> bool {
    let forced = std::env::var_os("FORCE_HYPERLINK");
    std::io::stdout().is_terminal()
        && wants_hyperlinks(forced, color, supports_hyperlinks::supports_hyperlinks)
}

/// `FORCE_HYPERLINK` decides if it is set: 0 turns links off, anything else turns them on. Where
/// colours are off, so are links.
fn wants_hyperlinks(forced: Option<OsString>, color: bool, supported: impl Fn() -> bool) -> bool {
    match forced.filter(|value| !value.is_empty()) {
        Some(value) => value != "0",
        None => color && supported(),
    }
}

/// The narrowest width that text is wrapped to.
const MIN_WIDTH: usize = 20;

/// The width that text is wrapped to: `COLUMNS`, else that of the terminal on standard output.
/// `None` where nothing says how wide the output is.
pub(super) fn width() -> Option<usize> {
    let said = std::env::var("COLUMNS").ok();
    let said = said.and_then(|columns| columns.trim().parse().ok());
    let width: usize = said.or_else(of_terminal)?;
    Some(width.max(MIN_WIDTH))
}

#[cfg(unix)]
fn of_terminal() -> Option<usize> {
    let stdout = std::io::stdout();
    if !stdout.is_terminal() {
        return None;
    }
    let size = rustix::termios::tcgetwinsize(stdout).ok()?;
    Some(usize::from(size.ws_col)).filter(|columns| *columns > 0)
}

#[cfg(not(unix))]
fn of_terminal() -> Option<usize> {
    const USUAL: usize = 80;
    std::io::stdout().is_terminal().then_some(USUAL)
}

/// The time after which the progress is shown.
const PATIENCE: Duration = Duration::from_millis(500);

/// Returns true if standard error is a terminal on which a line can be removed.
fn is_terminal() -> bool {
    std::io::stderr().is_terminal() && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
}

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
        let is_shown = is_wanted && programs > 1 && is_terminal();
        let template = "checking [{bar:25}] {pos}/{len} programs";
        Self::with_template(is_shown, Some(programs as u64), template)
    }

    /// The progress over programs whose number is not known: `converted 12 programs`.
    #[cfg(feature = "convert")]
    pub(super) fn endless(verb: &str) -> Self {
        let is_shown = !crate::everywhere::is_quiet() && is_terminal();
        Self::with_template(is_shown, None, &format!("{verb} {{pos}} programs"))
    }

    fn with_template(is_shown: bool, programs: Option<u64>, template: &str) -> Self {
        let bar = || {
            let bar = ProgressBar::with_draw_target(programs, ProgressDrawTarget::hidden());
            match ProgressStyle::with_template(template) {
                Ok(style) => bar.with_style(style.progress_chars("=> ")),
                Err(_) => bar,
            }
        };
        Self { bar: is_shown.then(bar), start: Instant::now(), shown: Once::new() }
    }

    /// Counts a program. Any thread may call it.
    pub(super) fn add_one(&self) {
        let Some(bar) = &self.bar else { return };
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

#[cfg(test)]
mod tests {
    use super::wants_hyperlinks;

    #[test]
    fn the_variable_goes_before_the_terminal() {
        assert!(wants_hyperlinks(None, true, || true));
        assert!(!wants_hyperlinks(None, true, || false));
        assert!(!wants_hyperlinks(None, false, || true));
        assert!(!wants_hyperlinks(Some("0".into()), true, || true));
        assert!(wants_hyperlinks(Some("1".into()), false, || false));
        assert!(wants_hyperlinks(Some("".into()), true, || true));
    }
}
