//! Processes of the tests.

use std::time::{Duration, Instant};

use rustix::process::{Pid, test_kill_process};

/// Waits a moment until none of these processes runs.
pub fn assert_all_gone(numbers: &[String]) {
    let start = Instant::now();
    for number in numbers {
        while is_running(number) {
            assert!(start.elapsed() < Duration::from_secs(3), "{number} still runs");
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

/// Tells whether a process runs. One that has ended and whose parent has not noticed yet does not.
fn is_running(number: &str) -> bool {
    let pid = number.parse().ok().and_then(Pid::from_raw);
    let pid = pid.expect("the number of a process");
    // `NUMBER (NAME) STATE ...`, where there is such a file.
    let state = std::fs::read_to_string(format!("/proc/{number}/stat")).unwrap_or_default();
    let is_over = state.rsplit_once(") ").is_some_and(|(_, rest)| rest.starts_with(['Z', 'X']));
    test_kill_process(pid).is_ok() && !is_over
}
