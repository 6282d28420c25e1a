//! The width of the terminal.

use std::io::IsTerminal as _;

/// The narrowest width that text is wrapped to.
const LEAST: usize = 20;

/// The width that text is wrapped to: `COLUMNS`, else that of the terminal on standard output.
/// `None` where nothing says how wide the output is.
pub(super) fn on_stdout() -> Option<usize> {
    let said = std::env::var("COLUMNS").ok();
    let said = said.and_then(|columns| columns.trim().parse().ok());
    let width: usize = said.or_else(of_terminal)?;
    Some(width.max(LEAST))
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
