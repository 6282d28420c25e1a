//! `pcl check --watch`: what is checked again, and when. Changes are made in the ways of editors.
#![cfg(unix)]

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use pcl_test_support::{Scratch, command, scratch, write};

/// The longest that a report may take to come.
const PATIENCE: Duration = Duration::from_secs(60);
const FINE: &str = "size = 1\n";
const BROKEN: &str = "size = a\n";

/// A running `pcl check --watch`, which ends with the test.
struct Watched {
    root: Scratch,
    child: Child,
    lines: Receiver<String>,
}

impl Watched {
    fn start(name: &str, arguments: &str, files: &[(&str, &str)]) -> Self {
        let root = scratch(&format!("watch-{name}"));
        for (name, text) in files {
            write(&root.join(name), text);
        }
        let mut command = command();
        command
            .args(["check", "--watch", "--output-format", "concise"])
            .args(arguments.split_whitespace())
            .current_dir(&*root)
            .stdout(Stdio::null())
            .stderr(Stdio::piped());
        let mut child = command.spawn().expect("it starts");
        let stderr = child.stderr.take().expect("it is piped");
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(stderr).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        Self { root, child, lines }
    }

    /// Waits for a report with this summary. Reports of earlier states may come before it. Returns
    /// the lines of `--verbose` about the programs that were checked meanwhile.
    #[track_caller]
    fn expect(&self, summary: &str) -> Vec<String> {
        let start = Instant::now();
        let mut seen = Vec::new();
        let mut is_there = false;
        while let Some(rest) = PATIENCE.checked_sub(start.elapsed()) {
            let Ok(line) = self.lines.recv_timeout(rest) else { break };
            is_there |= line == summary;
            if is_there && line.starts_with("watching") {
                seen.retain(|line: &String| line.ends_with(" ms"));
                return seen;
            }
            seen.push(line);
        }
        panic!("`{summary}` did not come: {seen:#?}");
    }

    fn write(&self, name: &str, text: &str) {
        write(&self.root.join(name), text);
    }

    /// Replaces a file as editors do: by another one that takes its name.
    fn replace(&self, name: &str, text: &str) {
        let draft = self.root.join(format!("{name}.draft"));
        write(&draft, text);
        std::fs::rename(draft, self.root.join(name)).expect("it can be renamed");
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

const CLEAN: &str = "checked 1 program: no errors";
const ERROR: &str = "checked 1 program: 1 error, 0 warnings";

#[test]
fn files_are_written_replaced_and_made_again() {
    let watched = Watched::start("files", "shop", &[("shop/main.pp", FINE)]);
    watched.expect(CLEAN);
    watched.write("shop/main.pp", BROKEN);
    watched.expect(ERROR);
    watched.replace("shop/main.pp", FINE);
    watched.expect(CLEAN);
    watched.replace("shop/main.pp", BROKEN);
    watched.expect(ERROR);
    std::fs::remove_file(watched.root.join("shop/main.pp")).expect("it is there");
    watched.write("shop/other.pp", FINE);
    watched.expect(CLEAN);
}

#[test]
fn a_directory_is_removed_and_made_again() {
    let watched = Watched::start("directory", "shop", &[("shop/main.pp", FINE)]);
    watched.expect(CLEAN);
    std::fs::remove_dir_all(watched.root.join("shop")).expect("it is there");
    watched.expect(ERROR);
    watched.write("shop/main.pp", FINE);
    watched.expect(CLEAN);
    watched.write("shop/main.pp", BROKEN);
    watched.expect(ERROR);
}

#[test]
fn components_schemas_and_configurations_count() {
    let program = "component \"part\" \"./part\" {\n}\nresource a \"zoo:index:Cage\" {\n}\n";
    let schema =
        "{ \"name\": \"zoo\", \"version\": \"1.0.0\", \"resources\": { \"zoo:index:Cage\": {} } }";
    let files = [
        ("shop/main.pp", program),
        ("shop/part/main.pp", FINE),
        ("shop/schemas/zoo-1.0.0.json", schema),
    ];
    let watched = Watched::start("depends", "shop", &files);
    watched.expect(CLEAN);
    watched.replace("shop/part/main.pp", BROKEN);
    watched.expect("checked 1 program: 2 errors, 0 warnings");
    watched.replace("shop/part/main.pp", FINE);
    watched.expect(CLEAN);
    watched.replace("shop/schemas/zoo-1.0.0.json", &schema.replace("Cage", "Bird"));
    watched.expect(ERROR);
    watched.write("pcl.toml", "allow = [\"all\"]\n");
    watched.expect("checked 1 program: no errors, 1 warning");
}

#[test]
fn new_programs_are_found() {
    let watched = Watched::start("recursive", "-r .", &[("a/main.pp", FINE)]);
    watched.expect(CLEAN);
    watched.write("b/c/main.pp", BROKEN);
    watched.expect("checked 2 programs: 1 error in 1 of them, 0 warnings");
}

#[test]
fn only_programs_with_changes_are_checked_again() {
    let files = [
        ("a/main.pp", FINE),
        ("b/main.pp", "component \"part\" \"./part\" {\n}\n"),
        ("c/main.pp", BROKEN),
        ("b/part/main.pp", FINE),
    ];
    let watched = Watched::start("again", "a b c --verbose", &files);
    let summary = "checked 3 programs: 1 error in 1 of them, 0 warnings";
    assert_eq!(watched.expect(summary).len(), 3);
    watched.replace("b/part/main.pp", "size = 2\n");
    let checked = watched.expect(summary);
    assert_eq!(checked.len(), 1, "{checked:?}");
    assert!(checked[0].starts_with("b: 2 files"), "{checked:?}");
    watched.write("pcl.toml", "allow = []\n");
    assert_eq!(watched.expect(summary).len(), 3);
}

#[test]
fn programs_are_fixed_again() {
    let fixed = "1 diagnostic fixed in 1 file: 1 × lex-semicolon";
    let watched = Watched::start("fix", "shop --fix", &[("shop/main.pp", "size = 1;\n")]);
    watched.expect(fixed);
    watched.write("shop/main.pp", "size = 2;\n");
    watched.expect(fixed);
    let fixed = std::fs::read_to_string(watched.root.join("shop/main.pp")).expect("it is there");
    assert_eq!(fixed, "size = 2\n");
}

#[test]
fn what_cannot_be_watched_is_refused() {
    let root = scratch("watch-refused");
    for arguments in ["-", ". --add-ignore", ". --changed-since HEAD"] {
        let mut command = command();
        command.args(["check", "--watch"]);
        command.args(arguments.split_whitespace()).current_dir(&*root);
        assert_eq!(pcl_test_support::run(command, b"").status, 2, "{arguments}");
    }
}
