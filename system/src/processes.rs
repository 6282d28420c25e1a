//! Other processes.

/// Returns true if a process is running, or if the system does not tell. One that has ended and
/// whose parent has not asked for its status is not running.
#[cfg(unix)]
#[must_use]
pub fn is_running(id: u64) -> bool {
    use rustix::io::Errno;
    use rustix::process::{Pid, test_kill_process};

    let id = i32::try_from(id).ok().filter(|id| *id > 0);
    let Some(id) = id.and_then(Pid::from_raw) else {
        return false;
    };
    if test_kill_process(id) == Err(Errno::SRCH) {
        return false;
    }
    // `PID (NAME) STATE ..` on Linux, and the name may have any character.
    let status = std::fs::read(format!("/proc/{}/stat", id.as_raw_nonzero()));
    let status = status.unwrap_or_default();
    let name_end = status.iter().rposition(|byte| *byte == b')');
    let state = name_end.and_then(|at| status.get(at + 2));
    !matches!(state, Some(b'Z' | b'X'))
}

/// Returns true if a process is running, or if the system does not tell.
#[cfg(not(unix))]
#[must_use]
pub fn is_running(_id: u64) -> bool {
    true
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_process_runs_until_it_ends() {
        let mut child = std::process::Command::new("cat")
            .stdin(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        let id = u64::from(child.id());
        assert!(is_running(id));
        drop(child.stdin.take());
        // On Linux, it has ended before anybody asks for its status.
        while cfg!(target_os = "linux") && is_running(id) {
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
        child.wait().unwrap();
        assert!(!is_running(id));
        assert!(is_running(u64::from(std::process::id())));
        for id in [0, u64::from(u32::MAX), u64::MAX] {
            assert!(!is_running(id));
        }
    }
}
