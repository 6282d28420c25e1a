//! `cargo xtask generate` writes every text of the repository that is made from the code: tables,
//! lists, settings, schemas and pictures. With `--check` it writes nothing, and fails if one of
//! them is stale.
//!
//! Tests make most of these texts: a test with `generated` in its name compares its text with the
//! file, or writes the file if `PCL_GENERATE` is set (`pcl_test_support::generated`). Scripts make
//! the others from what the command prints.

use std::env;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// The targets that have such tests.
const TESTS: [&str; 6] = ["config", "docs", "functions", "programs", "reference", "tour"];

/// The targets whose tests take minutes. `cargo test` compares their texts, so `--check` does not.
const SLOW_TESTS: [&str; 3] = ["fixes", "mistakes", "public_api"];

/// The scripts, each with the program that runs it; where this is not installed, the text stays as
/// it is. Their arguments are the command and the mode.
const SCRIPTS: [(&str, &str); 2] =
    [("node", "editor/vscode/scripts/settings.mjs"), ("python3", "docs/pictures/check.py")];

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let checks = match *arguments {
        ["generate"] => false,
        ["generate", "--check"] => true,
        _ => {
            eprintln!("usage: cargo xtask generate [--check]");
            return ExitCode::from(2);
        }
    };
    // The scripts read what the tests have written, and the command that these have built.
    let are_done = [run_tests(checks), run_scripts(checks)];
    if are_done == [true, true] { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn run_tests(checks: bool) -> bool {
    let slow = SLOW_TESTS.iter().filter(|_| !checks);
    let targets = TESTS.iter().chain(slow);
    let targets = targets.flat_map(|target| ["--test", target]);
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo
        .args(["test", "--workspace", "--locked", "--no-fail-fast"])
        .args(targets)
        .args(["--", "generated"]);
    if !checks {
        cargo.env("PCL_GENERATE", "1").env("INSTA_UPDATE", "always");
    }
    succeeds(&mut cargo)
}

fn run_scripts(checks: bool) -> bool {
    let mode = checks.then_some("--check");
    let run = |(program, script)| {
        let mut command = Command::new(program);
        command.arg(script).arg(pcl()).args(mode);
        succeeds(&mut command)
    };
    // Each says what is stale.
    let failed = SCRIPTS.into_iter().filter(|&script| !run(script));
    failed.count() == 0
}

/// The command, which the tests need too; it lies beside this program.
fn pcl() -> PathBuf {
    let own = env::current_exe().unwrap_or_default();
    own.with_file_name(format!("pcl{}", env::consts::EXE_SUFFIX))
}

fn succeeds(command: &mut Command) -> bool {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    match command.current_dir(root).status() {
        Ok(status) => status.success(),
        Err(error) => {
            let program = command.get_program().display();
            eprintln!("{program}: {error}");
            error.kind() == ErrorKind::NotFound
        }
    }
}
