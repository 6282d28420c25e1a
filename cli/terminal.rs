//! The terminal: its width, the decisions to use colours and hyperlinks, and the progress of a long
//! run.

use std::ffi::OsString;
use std::io::IsTerminal;
use std::sync::Once;
use std::time::{Duration, Instant};

use clap::ValueEnum;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// The use of colour.
#[derive(Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum Color {
    /// On a terminal, unless NO_COLOR is set; everywhere if FORCE_COLOR is
    #[default]
    Auto,
    /// Everywhere
    Always,
    /// Nowhere
    Never,
}

impl Color {
    /// Returns true if standard output gets colour.
    pub(crate) fn on_stdout(self) -> bool {
        self.on(&std::io::stdout())
    }

    /// Returns true if standard error gets colour.
    pub(crate) fn on_stderr(self) -> bool {
        self.on(&std::io::stderr())
    }

    fn on(self, stream: &impl IsTerminal) -> bool {
        match self {
            Self::Always => true,
            Self::Never => false,
            Self::Auto => wants_color(|name| std::env::var_os(name), stream.is_terminal()),
        }
    }
}

/// `NO_COLOR` goes before `FORCE_COLOR`, and that before the kind of terminal. An empty variable
/// counts as none.
fn wants_color(variable: impl Fn(&str) -> Option<std::ffi::OsString>, terminal: bool) -> bool {
    let set = |name| variable(name).filter(|value| !value.is_empty());
    if set("NO_COLOR").is_some() {
        return false;
    }
    match set("FORCE_COLOR") {
        Some(value) => value != "0",
        None => terminal && set("TERM").is_none_or(|term| term != "dumb"),
    }
}

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
    use super::{wants_color, wants_hyperlinks};

    fn with(variables: &[(&str, &str)], terminal: bool) -> bool {
        let find =
            |name: &str| variables.iter().find(|(n, _)| *n == name).map(|(_, value)| value.into());
        wants_color(find, terminal)
    }

    #[test]
    fn variables_go_before_the_terminal() {
        assert!(with(&[], true) && !with(&[], false));
        assert!(!with(&[("NO_COLOR", "1"), ("FORCE_COLOR", "1")], true));
        assert!(with(&[("FORCE_COLOR", "1")], false) && !with(&[("FORCE_COLOR", "0")], true));
        assert!(with(&[("NO_COLOR", "")], true) && !with(&[("TERM", "dumb")], true));
    }

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
