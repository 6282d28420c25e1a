//! Runs of the command that count instructions.

use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command as Process;

use super::{Command, Shape};
use pcl_test_support::{SCHEMAS, command, root, run, scratch, write};

/// Runs its arguments with limits: seconds of processor time, which come first, and KiB of address
/// space, valgrind's included.
const LIMITED: &str = "ulimit -t $1 && shift && ulimit -v 6000000 && exec \"$@\"";

/// The seconds of processor time that one run may take, below valgrind.
const SECONDS: &str = "30";

/// The number of instructions at 1, 4 and 16 times the base size.
pub struct Growth([u64; 3]);

impl Growth {
    /// The `e` of `a + b * n^e`.
    pub fn exponent(&self) -> f64 {
        let [one, four, sixteen] = self.0.map(|count| count as f64);
        // A difference of less than one percent is none.
        let least = one / 100.0;
        ((sixteen - four).max(least) / (four - one).max(least)).log(4.0)
    }
}

impl fmt::Display for Growth {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for count in self.0 {
            write!(out, "{:>10.2}", count as f64 / 1e6)?;
        }
        write!(out, "{:>7.2}", self.exponent())
    }
}

/// Returns true if instructions can be counted.
pub fn is_available() -> bool {
    Process::new("valgrind").arg("--version").output().is_ok_and(|output| output.status.success())
}

/// Counts the instructions of a command over three sizes of a shape.
pub fn measure(shape: &Shape, command: Command) -> Growth {
    Growth([1, 4, 16].map(|size| {
        let directory = scratch("growth");
        for (file, text) in (shape.files)(shape.base * size) {
            write(&directory.join("program").join(file), text);
        }
        instructions(command, &directory)
    }))
}

/// The number of instructions that a command takes for the program in a directory.
fn instructions(what: Command, directory: &Path) -> u64 {
    let program = directory.join("program");
    let mut process = Process::new("sh");
    process
        .args(["-c", LIMITED, "sh", SECONDS])
        .args(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(binary())
        .args(arguments(what, &program))
        .current_dir(root())
        .env("PCL_CACHE_DIR", directory.join("cache"))
        .env("PULUMI_HOME", directory.join("pulumi"));
    let session = match what {
        Command::Server => std::fs::read(program.join("session")).expect("the messages"),
        _ => Vec::new(),
    };
    let run = run(process, &session);
    // Settings that are not valid have the status of wrong arguments.
    let has_run = run.status <= 2 && !run.stderr.contains("Usage:");
    assert!(has_run, "status {}: {}", run.status, run.stderr);
    let mut lines = run.stderr.lines();
    let count = lines.find_map(|line| line.split_once("Collected : "));
    let count = count.and_then(|(_, count)| count.trim().parse().ok());
    count.unwrap_or_else(|| panic!("no number of instructions: {}", run.stderr))
}

/// The binary to measure, with an absolute path.
fn binary() -> PathBuf {
    match std::env::var_os("PCL_GROWTH_BINARY") {
        Some(path) => root().join(path),
        None => command().get_program().into(),
    }
}

fn arguments(what: Command, program: &Path) -> Vec<String> {
    let words: &[&str] = match what {
        Command::Check => &["check", "-r", "--output-format", "json", "--schema-dir", SCHEMAS],
        Command::Show => &["check", "-r", "--schema-dir", SCHEMAS],
        Command::Fmt => &["fmt", "-r", "--check"],
        Command::Diff => &["fmt", "-r", "--diff"],
        Command::Bound => &["dump", "bound", "--schema-dir", SCHEMAS],
        Command::Document => {
            &["dump", "bound", "--full", "--output-format", "json", "--schema-dir", SCHEMAS]
        }
        Command::Graph => &["graph", "--only", "config,output", "--schema-dir", SCHEMAS],
        Command::Preview => &["preview", "--schema-dir", SCHEMAS],
        Command::TypeScript => &["convert", "--to", "typescript", "--schema-dir", SCHEMAS],
        Command::Go => &["convert", "--to", "go", "--schema-dir", SCHEMAS],
        Command::Batch => {
            &["convert", "--to", "typescript,python,yaml", "--schema-dir", SCHEMAS, "--batch"]
        }
        Command::Schema => &["schema", "check"],
        Command::Sync => &["schema", "sync", "--locked"],
        Command::Server => return vec!["server".to_owned()],
        // Its answers, or its state, are a further argument.
        Command::Mock | Command::Plan => &[],
        Command::StateCheck => &["state", "check", "--output-format", "json"],
        Command::StateList => &["state", "ls"],
        Command::StateGraph => &["state", "graph"],
        Command::Import => &["import", "--fold", "--schema-dir", SCHEMAS],
    };
    let path = match what {
        Command::Schema => {
            let [yaml, json] =
                ["yaml", "json"].map(|it| program.join(format!("schemas/wide.{it}")));
            if yaml.exists() { yaml } else { json }
        }
        Command::Mock => {
            let mock = program.join("mock.json").display().to_string();
            return ["preview", "--mock", &mock, &program.display().to_string()]
                .map(str::to_owned)
                .to_vec();
        }
        Command::Plan => {
            let [state, program] = [program.join("state.json"), program.to_owned()]
                .map(|path| path.display().to_string());
            return ["plan", "--schema-dir", SCHEMAS, "--state", &state, &program]
                .map(str::to_owned)
                .to_vec();
        }
        Command::Batch => program.join("batch.jsonl"),
        Command::StateCheck | Command::StateList | Command::StateGraph | Command::Import => {
            program.join("state.json")
        }
        _ => program.to_owned(),
    };
    let words = words.iter().map(|&word| word.to_owned());
    let mut words: Vec<String> = words.chain([path.display().to_string()]).collect();
    if matches!(what, Command::TypeScript | Command::Go) {
        let out = program.with_file_name("out").display().to_string();
        words.extend(["--out".to_owned(), out]);
    }
    words
}
