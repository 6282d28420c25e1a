//! Failures of the system, real ones: full disks, limits, special files, closed outputs, signals.
//! None may cost a file, hang, end in a panic, or pass for a program without errors.
#![cfg(unix)]

mod limits;
mod output;
mod reading;
mod signals;
mod writing;

use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::Command;

use pcl_test_support::{Run, command, run};
use rustix::fs::{CWD, FileType, Mode, mknodat};
use tempfile::TempDir;

/// Runs `pcl` below limits that are set by `sh`, such as `ulimit -v 100000`.
fn pcl_below(limits: &str, arguments: &[&str]) -> Run {
    run(below(limits, arguments), &[])
}

fn below(limits: &str, arguments: &[&str]) -> Command {
    let inner = command();
    let mut outer = Command::new("sh");
    outer
        .args(["-c", &format!("{limits} && exec \"$0\" \"$@\"")])
        .arg(inner.get_program())
        .args(arguments)
        .current_dir(pcl_test_support::root());
    for (name, value) in inner.get_envs() {
        match value {
            Some(value) => outer.env(name, value),
            None => outer.env_remove(name),
        };
    }
    outer
}

/// `pcl` for a user whom the modes of files stop, which they never do the superuser.
struct Unprivileged(TempDir);

impl Unprivileged {
    fn new() -> Self {
        let place = public_scratch();
        // The target directory may be in a place that only this user can reach. A file that this
        // process has just written may not be executable at once.
        let mut copy = Command::new("cp");
        copy.arg(env!("CARGO_BIN_EXE_pcl")).arg(place.path());
        assert!(copy.status().is_ok_and(|status| status.success()));
        Self(place)
    }

    fn command(&self) -> Command {
        const NOBODY: u32 = 65534;
        let mut outer = Command::new(self.0.path().join("pcl"));
        outer.current_dir("/");
        if rustix::process::geteuid().is_root() {
            outer.uid(NOBODY).gid(NOBODY);
        }
        for (name, value) in command().get_envs() {
            if let Some(value) = value {
                outer.env(name, value);
            }
        }
        outer
    }
}

/// An empty directory that every user can reach and change.
fn public_scratch() -> TempDir {
    let directory = tempfile::tempdir().expect("a directory can be made");
    set_mode(directory.path(), 0o777);
    directory
}

fn set_mode(path: &Path, mode: u32) {
    let permissions = std::os::unix::fs::PermissionsExt::from_mode(mode);
    std::fs::set_permissions(path, permissions).expect("a mode can be set");
}

fn make_fifo(path: &Path) {
    mknodat(CWD, path, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).expect("a FIFO can be made");
}

/// A file of some four bytes a line that grows by half when it is formatted, and its formatted
/// content.
fn growing(lines: usize) -> (String, String) {
    let list = |start: &str, line: &str| format!("{start}{}]\n", line.repeat(lines));
    (list("a=[\n", "10,\n"), list("a = [\n", "  10,\n"))
}

/// A path as an argument.
fn shown(path: &Path) -> &str {
    path.to_str().expect("a path of the tests is UTF-8")
}

/// The names in a directory, in order.
fn names(directory: &Path) -> Vec<String> {
    pcl_test_support::sorted(directory).iter().map(pcl_test_support::file_name).collect()
}
