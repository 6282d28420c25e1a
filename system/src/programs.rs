//! The programs that `pcl` starts: the one rule for where they may be, and whether one is running.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// The first program of a name in the directories that `path` lists, as the variable `PATH` does.
///
/// Entries that are empty or relative are skipped. They mean the current directory or one below it,
/// which may belong to a repository that nobody has read.
///
/// ```
/// use std::ffi::OsStr;
///
/// assert_eq!(pcl_system::program_on_path(OsStr::new(":.:bin"), "git"), None);
/// ```
pub fn program_on_path(path: &OsStr, name: &str) -> Option<PathBuf> {
    let mut directories = std::env::split_paths(path).filter(|entry| entry.is_absolute());
    directories.find_map(|directory| program_in(&directory, name))
}

/// The program of a name in a directory.
pub fn program_in(directory: &Path, name: &str) -> Option<PathBuf> {
    let endings: &[&str] = if cfg!(windows) { &[".exe", ".cmd"] } else { &[""] };
    let mut candidates = endings.iter().map(|ending| directory.join(format!("{name}{ending}")));
    candidates.find(|path| is_executable(path))
}

/// Returns true if a path leads to a file that may be executed.
pub fn is_executable(path: &Path) -> bool {
    let Ok(metadata) = path.metadata() else { return false };
    #[cfg(unix)]
    let may_run = std::os::unix::fs::PermissionsExt::mode(&metadata.permissions()) & 0o111 != 0;
    #[cfg(not(unix))]
    let may_run = true;
    metadata.is_file() && may_run
}

/// Returns true if a process is running, or if the system does not tell. One that has ended and
/// whose parent has not asked for its status is not running.
#[cfg(unix)]
pub fn is_running(id: u64) -> bool {
    use rustix::io::Errno;
    use rustix::process::{Pid, test_kill_process};

    let id = i32::try_from(id).ok().filter(|id| *id > 0);
    let Some(id) = id.and_then(Pid::from_raw) else { return false };
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
pub fn is_running(_id: u64) -> bool {
    true
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn entries_that_are_not_absolute_are_skipped() {
        let directory = tempfile::tempdir_in(".").unwrap();
        let name = directory.path().file_name().unwrap().to_str().unwrap();
        let program = directory.path().join("tool");
        std::fs::write(&program, "").unwrap();
        std::fs::set_permissions(&program, PermissionsExt::from_mode(0o755)).unwrap();
        let absolute = std::path::absolute(directory.path()).unwrap();
        // Each of these leads to the directory.
        let up = format!(
            "../{}",
            absolute.ancestors().nth(1).unwrap().file_name().unwrap().to_str().unwrap()
        );
        for entry in [name.to_owned(), format!("./{name}"), format!("{up}/{name}")] {
            assert!(program_in(Path::new(&entry), "tool").is_some(), "{entry}");
            assert_eq!(program_on_path(OsStr::new(&entry), "tool"), None, "{entry}");
        }
        let both = format!("{name}::{}", absolute.display());
        let found = program_on_path(OsStr::new(&both), "tool");
        assert_eq!(found, Some(absolute.join("tool")));
    }

    #[test]
    fn a_process_runs_until_it_ends() {
        let mut child =
            std::process::Command::new("cat").stdin(std::process::Stdio::piped()).spawn().unwrap();
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
