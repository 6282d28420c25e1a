//! The process that Pulumi starts: its port, its end, and limits of the system.

#![cfg(unix)]

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use pcl_remote::Client;
use rustix::process::{Pid, Signal, kill_process};

const HOST: &str = env!("CARGO_BIN_EXE_pulumi-language-pcl");

#[derive(Clone, PartialEq, prost::Message)]
struct GenerateProject {
    #[prost(string, tag = "1")]
    source_directory: String,
    #[prost(string, tag = "2")]
    target_directory: String,
    #[prost(string, tag = "3")]
    project: String,
}

#[derive(Clone, PartialEq, prost::Message)]
struct Empty {}

/// A host that was started, and the port that it printed.
struct Started {
    child: Child,
    port: String,
    _output: BufReader<ChildStdout>,
}

fn start(command: &mut Command) -> Started {
    let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let mut port = String::new();
    output.read_line(&mut port).unwrap();
    Started { child, port: port.trim().to_owned(), _output: output }
}

impl Started {
    /// The status with which it ends by itself.
    fn ended(&mut self) -> ExitStatus {
        let start = Instant::now();
        while start.elapsed() < Duration::from_secs(60) {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        self.child.kill().unwrap();
        panic!("the host does not end");
    }

    fn interrupt(&self) {
        kill_process(Pid::from_child(&self.child), Signal::INT).expect("a signal can be sent");
    }
}

#[test]
fn it_prints_its_port_and_ends_when_it_is_interrupted() {
    let mut host = start(Command::new(HOST).args(["--tracing", "file:/no/where"]));
    assert!(host.port.parse::<u16>().is_ok(), "{}", host.port);
    host.interrupt();
    assert!(host.ended().success());
}

/// Shells have processes in the background ignore interrupts, so that an early one would be lost.
#[test]
fn an_interrupt_counts_once_the_port_is_printed() {
    for _ in 0..10 {
        let ignoring = format!("trap '' INT; exec {HOST}");
        let mut host = start(Command::new("sh").args(["-c", &ignoring]));
        host.interrupt();
        assert!(host.ended().success());
    }
}

#[test]
fn it_ends_when_the_engine_is_gone() {
    // Nobody listens at port 1.
    let mut host = start(Command::new(HOST).arg("127.0.0.1:1"));
    assert!(host.ended().success());
}

#[test]
fn it_says_what_it_is() {
    let output = |flag| Command::new(HOST).arg(flag).output().unwrap().stdout;
    let version = String::from_utf8(output("-version")).unwrap();
    assert_eq!(version.trim(), env!("CARGO_PKG_VERSION"));
    assert!(String::from_utf8(output("--help")).unwrap().contains("Usage:"));
    let refused = Command::new(HOST).arg("not an address").output().unwrap();
    assert!(!refused.status.success());
    assert!(String::from_utf8(refused.stderr).unwrap().contains("is not an address"));
}

#[test]
fn a_full_disk_is_an_error_and_leaves_no_part_of_a_file() {
    let source = tempfile::tempdir().unwrap();
    let target = tempfile::tempdir().unwrap();
    std::fs::write(source.path().join("main.pp"), "a = 1\n").unwrap();
    std::fs::write(source.path().join("large.txt"), vec![b'x'; 1 << 20]).unwrap();
    // No file may be larger than 8 blocks.
    let limited = format!("ulimit -f 8; exec {HOST}");
    let mut host = start(Command::new("sh").arg("-c").arg(limited));
    let text = |path: &Path| path.to_str().unwrap().to_owned();
    let request = GenerateProject {
        source_directory: text(source.path()),
        target_directory: text(target.path()),
        project: r#"{"name":"shop"}"#.into(),
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let answer = runtime.block_on(async {
        let client = Client::new(&format!("127.0.0.1:{}", host.port)).unwrap();
        let method = "/pulumirpc.LanguageRuntime/GenerateProject";
        client.call::<_, Empty>(method, request).await
    });
    let error = answer.unwrap_err();
    assert!(error.message().contains("large.txt"), "{error}");
    let names = std::fs::read_dir(target.path()).unwrap();
    let names: Vec<_> = names.map(|entry| entry.unwrap().file_name()).collect();
    assert!(names.iter().all(|name| name == "main.pp"), "{names:?}");
    host.interrupt();
    assert!(host.ended().success());
}
