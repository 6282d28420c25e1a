//! The hooks for pre-commit and the action for GitHub, run as their users run them.
//!
//! pre-commit and check-jsonschema are installed once, below the target directory. Where that is
//! impossible, or without git, the tests are skipped, or fail when `PCL_REQUIRE_AUTOMATION` is 1.
#![cfg(unix)]

mod action;
mod hooks;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use pcl_test_support::python::environment;
use pcl_test_support::{Run, run, skip};

/// The directory of programs from Python's registry; `None` where they cannot be installed.
fn tools() -> Option<&'static Path> {
    static TOOLS: OnceLock<Option<PathBuf>> = OnceLock::new();
    let tools = TOOLS.get_or_init(|| {
        let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join("automation-python");
        let installed = environment(&place, "tests/automation/requirements.txt");
        let git = Command::new("git").arg("--version").output();
        match (installed, git) {
            (Ok(programs), Ok(_)) => return Some(programs),
            (Err(complaint), _) => skip("PCL_REQUIRE_AUTOMATION", complaint),
            (_, Err(_)) => skip("PCL_REQUIRE_AUTOMATION", "git cannot be started"),
        }
        None
    });
    tools.as_deref()
}

/// The directory of the `pcl` that was built for the tests.
fn built() -> PathBuf {
    let program = pcl_test_support::command();
    let program = Path::new(program.get_program());
    program.parent().expect("it lies in a directory").to_owned()
}

/// Runs a program in a directory, with the tools and `pcl` on `PATH`.
fn run_in(directory: &Path, tools: &Path, program: &Path, arguments: &[&str]) -> Run {
    let mut command = Command::new(program);
    let path = std::env::var("PATH").unwrap_or_default();
    command
        .args(arguments)
        .current_dir(directory)
        .env("PATH", format!("{}:{}:{path}", built().display(), tools.display()))
        .env("PRE_COMMIT_HOME", directory.with_extension("cache"))
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1");
    for name in ["GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE"] {
        command.env_remove(name);
    }
    for name in ["GIT_AUTHOR_NAME", "GIT_COMMITTER_NAME"] {
        command.env(name, "Ada");
    }
    for name in ["GIT_AUTHOR_EMAIL", "GIT_COMMITTER_EMAIL"] {
        command.env(name, "ada@example.org");
    }
    run(command, b"")
}
