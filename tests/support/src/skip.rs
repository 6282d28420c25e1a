//! Tests that need more than Rust, which are skipped if it is not available.

use std::fmt::Display;
use std::io::Write as _;

/// Reports on standard error, even from a test that passes, that a test or a part of one does not
/// run. Where the environment variable `required_by` is 1 the test fails instead.
pub fn skip(required_by: &str, reason: impl Display) {
    let is_required = std::env::var(required_by).is_ok_and(|value| value == "1");
    assert!(!is_required, "{required_by} is set, but {reason}");
    let thread = std::thread::current();
    let test = thread.name().unwrap_or("a test");
    // Written past the capture of the test harness, which shows nothing of tests that pass.
    let _ = writeln!(std::io::stderr(), "skipped: {test}: {reason}");
}
