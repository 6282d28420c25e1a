//! What nobody should have to read: no input, however bad, makes `pcl` panic, hang, overflow its stack or speak without a place.
//! Each gets a clear error, and everything else in the program is still checked.

mod files;
mod programs;
mod schemas;
mod size;
#[path = "../support/mod.rs"]
mod support;

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::Value;
use support::{Run, SCHEMAS, Scratch, items, pcl, position, scratch, text, write};

/// A reference to nothing. Where its finding is missing, checking stopped too early.
const CANARY: &str = "\ncanary = nothingOfThisName\n";

/// A program of these files.
fn program(name: &str, files: &[(&str, &[u8])]) -> Scratch {
    let directory = scratch(&format!("hostile-{name}"));
    for (file, contents) in files {
        write(&directory.join(file), contents);
    }
    directory
}

/// Checks a path; the answer must be complete JSON whose every finding has a file and a range.
fn check(path: &Path) -> (Run, Vec<Value>) {
    let path = path.to_str().expect("a path of the tests is UTF-8");
    let run = pcl([
        "check",
        "--output-format",
        "json",
        "--schema-dir",
        SCHEMAS,
        path,
    ]);
    let findings = findings(&run);
    (run, findings)
}

/// The findings of a run over one program, each looked at for its place.
fn findings(run: &Run) -> Vec<Value> {
    let document = run.json();
    let programs: Vec<_> = items(&document, "programs").collect();
    assert_eq!(programs.len(), 1, "{}", run.stdout);
    let findings: Vec<Value> = items(programs[0], "diagnostics").cloned().collect();
    for finding in &findings {
        assert!(!text(finding, "file").is_empty(), "no file: {finding}");
        let start = position(&finding["range"], "start", "byte");
        assert!(start <= position(&finding["range"], "end", "byte"));
        assert!(position(&finding["range"], "start", "line") >= 1);
        assert!(!text(finding, "message").is_empty(), "no text: {finding}");
    }
    findings
}

fn codes(findings: &[Value]) -> BTreeSet<&str> {
    findings
        .iter()
        .map(|finding| text(finding, "code"))
        .collect()
}

/// Whether the canary was found: the rest of the program was checked.
fn heard_the_canary(findings: &[Value]) -> bool {
    findings
        .iter()
        .any(|finding| text(finding, "message").contains("nothingOfThisName"))
}

/// Checks a program of one file that is broken before a canary; the error and the canary must both be reported.
fn refused(name: &str, source: &str) -> Vec<Value> {
    let directory = program(name, &[("main.pp", format!("{source}{CANARY}").as_bytes())]);
    let (run, findings) = check(&directory);
    assert_eq!(run.status, 1, "{}", run.stdout);
    assert!(
        heard_the_canary(&findings),
        "{name}: the rest was not checked\n{}",
        run.stdout
    );
    assert!(
        findings.len() >= 2,
        "{name}: the fault itself was not reported\n{}",
        run.stdout
    );
    findings
}

/// Checks something of any size: these are the codes of all that is found.
#[track_caller]
fn answered(name: &str, source: &str, expected: &[&str]) -> Vec<Value> {
    let directory = program(name, &[("main.pp", source.as_bytes())]);
    let (run, findings) = check(&directory);
    assert_eq!(
        run.status,
        i32::from(!expected.is_empty()),
        "{name}: {}",
        run.stderr
    );
    let expected: BTreeSet<&str> = expected.iter().copied().collect();
    assert_eq!(codes(&findings), expected, "{name}");
    findings
}
