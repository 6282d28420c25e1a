//! Running the `pcl` command and reading its output.

use std::env::consts::EXE_SUFFIX;
use std::ffi::OsStr;
use std::io::{ErrorKind, Read, Write as _};
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

use crate::{root, sorted};

/// The longest that any one run may take, in a debug build on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// The names of the programs of the corpus that are `valid` or `broken`, in order.
pub fn corpus(kind: &str) -> Vec<String> {
    let paths = sorted(&root().join("corpus").join(kind)).into_iter();
    let names: Vec<String> = paths.filter(|path| path.is_dir()).map(file_name).collect();
    assert!(!names.is_empty(), "corpus/{kind} has no programs");
    names
}

/// Every program of the corpus, as a path from the root.
pub fn whole_corpus() -> Vec<String> {
    let of = |kind| corpus(kind).into_iter().map(move |name| format!("corpus/{kind}/{name}"));
    ["valid", "broken"].into_iter().flat_map(of).collect()
}

/// The last part of a path.
pub fn file_name(path: impl AsRef<Path>) -> String {
    let name = path.as_ref().file_name().expect("an entry has a name");
    name.to_string_lossy().into_owned()
}

/// The results of a run of the command.
pub struct Run {
    pub status: i32,
    pub stdout: String,
    pub stderr: String,
}

impl From<Output> for Run {
    fn from(output: Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).expect("the command writes UTF-8");
        let status = output.status;
        Self {
            status: status.code().unwrap_or_else(|| panic!("ended by a signal: {status}")),
            stdout: text(output.stdout),
            stderr: text(output.stderr),
        }
    }
}

impl Run {
    /// The standard output as JSON.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| {
            panic!("no JSON ({error}), status {}\n{}\n{}", self.status, self.stdout, self.stderr)
        })
    }
}

/// Runs `pcl` with the root of the repository as its directory.
pub fn pcl<S: AsRef<OsStr>>(arguments: impl IntoIterator<Item = S>) -> Run {
    pcl_with_input(arguments, &[])
}

/// Runs `pcl` with something on its standard input.
pub fn pcl_with_input<S: AsRef<OsStr>>(
    arguments: impl IntoIterator<Item = S>,
    input: &[u8],
) -> Run {
    let mut command = command();
    command.args(arguments);
    run(command, input)
}

/// `pcl` without arguments, in the root of the repository, independent of the machine that runs the
/// tests.
pub fn command() -> Command {
    let mut command = Command::new(built().join(format!("pcl{EXE_SUFFIX}")));
    command.current_dir(root()).env("PULUMI_HOME", "tests/no-such-home").env_remove("COLUMNS");
    let changes_output = [
        "NO_COLOR",
        "FORCE_COLOR",
        "RUST_BACKTRACE",
        "PULUMI_CONFIG_PASSPHRASE",
        "PULUMI_CONFIG_PASSPHRASE_FILE",
    ];
    for name in changes_output {
        command.env_remove(name);
    }
    command
}

/// The folder that Cargo builds the command into: the tests are in the folder `deps` of it.
fn built() -> PathBuf {
    let test = std::env::current_exe().expect("a test knows where it is");
    let mut folders = test.ancestors();
    folders.nth(2).expect("it lies in `deps`").to_owned()
}

/// Starts a command. A test that copies a program cannot run the copy while a process that another
/// test is starting still has it open for writing, which lasts until that process runs its own
/// program.
fn spawn(command: &mut Command) -> std::io::Result<Child> {
    loop {
        match command.spawn() {
            Err(error) if error.kind() == ErrorKind::ExecutableFileBusy => {
                std::thread::sleep(Duration::from_millis(5));
            }
            result => return result,
        }
    }
}

/// Runs a command with this standard input. A panic, a signal and a run without end fail the test.
pub fn run(mut command: Command, input: &[u8]) -> Run {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let shown = format!("{command:?}");
    let mut child = spawn(&mut command).expect("the command starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let stdout = drain(child.stdout.take().expect("a pipe"));
    let stderr = drain(child.stderr.take().expect("a pipe"));
    let input = input.to_vec();
    // A command that does not read its input closes it early, which is not an error.
    std::thread::spawn(move || drop(stdin.write_all(&input)));
    let status = wait(&mut child, &shown);
    let [stdout, stderr] = [stdout, stderr].map(|pipe| pipe.join().expect("a pipe can be read"));
    let run = Run::from(Output { status, stdout, stderr });
    assert!(
        !run.stderr.contains("panicked at") && run.status != 101,
        "a panic: {shown}\n{}",
        run.stderr
    );
    run
}

/// Reads a pipe in a thread, so that a command with much output never waits for its reader.
fn drain(mut pipe: impl Read + Send + 'static) -> JoinHandle<Vec<u8>> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        pipe.read_to_end(&mut bytes).expect("a pipe can be read");
        bytes
    })
}

/// Waits for the command to end; one that runs too long is killed and fails the test.
fn wait(child: &mut Child, shown: &str) -> ExitStatus {
    let start = Instant::now();
    let mut pause = Duration::from_millis(1);
    loop {
        if let Some(status) = child.try_wait().expect("the command can be asked") {
            return status;
        }
        if start.elapsed() > PATIENCE {
            child.kill().expect("the command can be killed");
            panic!("does not end within {PATIENCE:?}: {shown}");
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}

/// A directory for a test to write into. It belongs to this run alone, and is removed with it.
pub struct Scratch(TempDir);

impl Deref for Scratch {
    type Target = Path;

    fn deref(&self) -> &Path {
        self.0.path()
    }
}

impl Scratch {
    /// Writes a file and the directories that lead to it.
    pub fn write(&self, name: &str, contents: impl AsRef<[u8]>) {
        crate::write(&self.join(name), contents);
    }

    /// The text of a file.
    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// `pcl` in this directory, with arguments that spaces separate.
    pub fn command(&self, arguments: &str) -> Command {
        let mut command = command();
        command.args(arguments.split_whitespace()).current_dir(&**self);
        command
    }

    /// Runs `pcl` in this directory with these arguments, which may contain spaces, and with
    /// something on its standard input.
    pub fn run_list(&self, arguments: &[&str], input: impl AsRef<[u8]>) -> Run {
        let mut command = self.command("");
        command.args(arguments);
        run(command, input.as_ref())
    }

    /// Runs `pcl` in this directory, with arguments that spaces separate.
    pub fn run(&self, arguments: &str) -> Run {
        self.run_with_input(arguments, b"")
    }

    /// Runs `pcl` in this directory, with something on its standard input.
    pub fn run_with_input(&self, arguments: &str, input: impl AsRef<[u8]>) -> Run {
        run(self.command(arguments), input.as_ref())
    }
}

/// An empty directory as that of [`scratch`], outside of every repository.
pub fn scratch_outside(name: &str) -> Scratch {
    let directory = tempfile::Builder::new().prefix(&format!("pcl-{name}-")).tempdir();
    Scratch(directory.expect("a directory can be made"))
}

/// An empty directory for a test to write into. Its name begins with `name`.
pub fn scratch(name: &str) -> Scratch {
    let below = built().join("tmp");
    std::fs::create_dir_all(&below).expect("a directory can be made");
    let directory = tempfile::Builder::new().prefix(&format!("{name}-")).tempdir_in(below);
    Scratch(directory.expect("a directory can be made"))
}

/// The elements of a JSON array; an absent one has none.
pub fn items<'a>(value: &'a Value, key: &str) -> impl Iterator<Item = &'a Value> {
    value[key].as_array().into_iter().flatten()
}

/// The text of a JSON string; an absent one is empty.
pub fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap_or_default()
}

/// One number of a range: `end` is `start` or `end`, `unit` is `byte`, `line` or `column`.
pub fn position(range: &Value, end: &str, unit: &str) -> usize {
    let number = range[end][unit].as_u64().unwrap_or_else(|| {
        panic!("a range without {end}.{unit}: {range}");
    });
    usize::try_from(number).expect("a small number")
}
