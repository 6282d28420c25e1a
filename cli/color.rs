//! The decision whether to use colour.

use std::io::IsTerminal;

use clap::ValueEnum;

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
            Self::Auto => wanted(|name| std::env::var_os(name), stream.is_terminal()),
        }
    }
}

/// `NO_COLOR` goes before `FORCE_COLOR`, and that before the kind of terminal. An empty variable
/// counts as none.
fn wanted(variable: impl Fn(&str) -> Option<std::ffi::OsString>, terminal: bool) -> bool {
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
    use super::wanted;

    fn with(variables: &[(&str, &str)], terminal: bool) -> bool {
        let find = |name: &str| {
            variables
                .iter()
                .find(|(n, _)| *n == name)
                .map(|(_, value)| value.into())
        };
        wanted(find, terminal)
    }

    #[test]
    fn variables_go_before_the_terminal() {
        assert!(with(&[], true) && !with(&[], false));
        assert!(!with(&[("NO_COLOR", "1"), ("FORCE_COLOR", "1")], true));
        assert!(with(&[("FORCE_COLOR", "1")], false) && !with(&[("FORCE_COLOR", "0")], true));
        assert!(with(&[("NO_COLOR", "")], true) && !with(&[("TERM", "dumb")], true));
    }
}
