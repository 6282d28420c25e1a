//! Outputs that take nothing.

use std::fs::File;
use std::process::{Output, Stdio};

use pcl_test_support::skip;
use pcl_test_support::{SCHEMAS, command};

/// Every command that prints something on standard output, on success or not.
const COMMANDS: &[&str] = &[
    "--help",
    "--version",
    "check --help",
    "version",
    "completions bash",
    "explain PCL0301",
    "explain element",
    "explain --all",
    "check --output-format concise corpus/broken/webserver",
    "check --output-format json corpus/valid/webserver",
    "check --output-format json-lines corpus/broken/webserver",
    "check --output-format sarif corpus/broken/webserver",
    "check --output-format github corpus/broken/webserver",
    "check --output-format junit corpus/valid/webserver",
    "check corpus/broken/webserver",
    "dump tokens corpus/valid/webserver",
    "dump tree corpus/valid/webserver",
    "dump ast corpus/valid/webserver",
    "dump bound corpus/valid/webserver",
    "dump bound --full --output-format json corpus/valid/webserver",
    "graph corpus/valid/webserver",
    "graph --output-format json corpus/valid/webserver",
    "fmt --diff corpus/broken",
    "schema ls",
    "schema search cage",
];

fn arguments(command: &str) -> Vec<&str> {
    let mut arguments: Vec<&str> = command.split(' ').collect();
    let takes_schemas = command.starts_with("schema ")
        || command.starts_with("dump bound")
        || command.starts_with("graph ")
        || command.starts_with("check -") && !command.contains("help")
        || command.starts_with("check c");
    if takes_schemas {
        arguments.extend(["--schema-dir", SCHEMAS]);
    }
    arguments
}

fn output(command_line: &str, stdout: impl Into<Stdio>) -> Output {
    let mut command = command();
    command.args(arguments(command_line)).stdout(stdout);
    command.output().expect("the command runs")
}

/// The commands that print something here, with what they exit with.
fn printing() -> impl Iterator<Item = (&'static str, Option<i32>)> {
    COMMANDS.iter().filter_map(|command| {
        let run = output(command, Stdio::piped());
        (!run.stdout.is_empty()).then_some((*command, run.status.code()))
    })
}

#[test]
fn a_full_device() {
    let mut count = 0;
    for (command, _) in printing() {
        let full = File::options().write(true).open("/dev/full");
        let Ok(full) = full else {
            skip("PCL_REQUIRE_SYSTEM", "there is no /dev/full");
            return;
        };
        let run = output(command, full);
        let told = String::from_utf8_lossy(&run.stderr);
        assert_eq!(run.status.code(), Some(2), "{command}: {told}");
        assert!(told.contains("standard output"), "{command}: {told}");
        count += 1;
    }
    assert!(count + 3 >= COMMANDS.len(), "only {count} commands print");
}

/// A reader that closes the pipe early is not an error.
#[test]
fn a_closed_pipe() {
    for (command, status) in printing() {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let run = output(command, writer);
        let told = String::from_utf8_lossy(&run.stderr);
        assert_eq!(run.status.code(), status, "{command}: {told}");
        assert!(!told.contains("error:"), "{command}: {told}");
        assert!(!told.contains("panic"), "{command}: {told}");
    }
}

/// Standard error may be gone as well.
#[test]
fn a_closed_pipe_for_errors() {
    for (command, status) in [
        ("check no/such/place", 2),
        ("fmt no/such/place", 2),
        ("no-such-command", 2),
        ("check corpus/broken/webserver", 1),
    ] {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let mut run = pcl_test_support::command();
        run.args(arguments(command)).stderr(writer);
        let run = run.stdout(Stdio::null()).status().expect("it runs");
        assert_eq!(run.code(), Some(status), "{command}");
    }
}

#[test]
fn a_report_file_that_cannot_be_written() {
    for file in ["/dev/full", "no/such/directory/report.json"] {
        let line = format!("check --output-format json={file} corpus/valid/webserver");
        let run = output(&line, Stdio::null());
        let told = String::from_utf8_lossy(&run.stderr);
        assert_eq!(run.status.code(), Some(2), "{told}");
        assert!(told.contains(file), "{told}");
    }
}
