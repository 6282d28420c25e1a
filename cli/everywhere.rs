//! The flags of every command.

use std::io::IsTerminal;
use std::sync::OnceLock;

use clap::{Args, ValueEnum};

use super::output::complain;

/// The flags of every command, the same in all of them.
#[derive(Args, Clone, Copy, Default, Debug)]
#[command(next_help_heading = "Options of all commands")]
pub(crate) struct Everywhere {
    /// Use of colour; by default on a terminal unless NO_COLOR is set, and everywhere if
    /// FORCE_COLOR is
    #[arg(long, value_name = "WHEN", default_value = "auto", global = true)]
    color: Color,
    /// Print no summary and no progress
    #[arg(short, long, global = true)]
    quiet: bool,
}

/// The use of colour.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, ValueEnum)]
enum Color {
    #[default]
    Auto,
    Always,
    Never,
}

/// The flags of this run. They are the same for everything that it prints.
static CHOSEN: OnceLock<Everywhere> = OnceLock::new();

impl Everywhere {
    /// Makes these the flags of this run.
    pub(crate) fn choose(self) {
        // The command line is read once.
        let _ = CHOSEN.set(self);
    }
}

fn chosen() -> Everywhere {
    CHOSEN.get().copied().unwrap_or_default()
}

/// Returns true if standard output gets colour.
pub(crate) fn color_on_stdout() -> bool {
    chosen().color.on(&std::io::stdout())
}

/// Returns true if standard error gets colour.
pub(crate) fn color_on_stderr() -> bool {
    chosen().color.on(&std::io::stderr())
}

/// Returns true if summaries and progress are left out.
pub(crate) fn is_quiet() -> bool {
    chosen().quiet
}

/// Prints a line about what was done on standard error, unless `--quiet` is given.
pub(crate) fn summarize(text: &str) {
    if !is_quiet() {
        complain(text);
    }
}

impl Color {
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

#[cfg(test)]
mod tests {
    use super::wants_color;

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
}
