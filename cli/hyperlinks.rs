//! The decision whether codes are links to their pages.

use std::ffi::OsString;
use std::io::IsTerminal as _;

/// Returns true if standard output is a terminal that shows hyperlinks. Files and pipes get none.
pub(super) fn on_stdout(color: bool) -> bool {
    let forced = std::env::var_os("FORCE_HYPERLINK");
    std::io::stdout().is_terminal()
        && wanted(forced, color, supports_hyperlinks::supports_hyperlinks)
}

/// `FORCE_HYPERLINK` decides if it is set: 0 turns links off, anything else turns them on. Where
/// colours are off, so are links.
fn wanted(forced: Option<OsString>, color: bool, supported: impl Fn() -> bool) -> bool {
    match forced.filter(|value| !value.is_empty()) {
        Some(value) => value != "0",
        None => color && supported(),
    }
}

#[cfg(test)]
mod tests {
    use super::wanted;

    #[test]
    fn the_variable_goes_before_the_terminal() {
        assert!(wanted(None, true, || true));
        assert!(!wanted(None, true, || false));
        assert!(!wanted(None, false, || true));
        assert!(!wanted(Some("0".into()), true, || true));
        assert!(wanted(Some("1".into()), false, || false));
        assert!(wanted(Some("".into()), true, || true));
    }
}
