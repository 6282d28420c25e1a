//! Hostile input: no input, however bad, makes `pcl` panic, hang, overflow its stack or report a
//! diagnostic without a place. Each gets a clear error, and everything else in the program is still
//! checked.

#[cfg(all(unix, feature = "remote"))]
mod execution;
mod files;
#[cfg(unix)]
mod limits;
#[cfg(unix)]
mod names;
mod programs;
#[cfg(feature = "remote")]
mod promises;
mod runs;
mod schemas;
mod size;

use std::collections::BTreeSet;
use std::path::Path;

use pcl_test_support::{Run, SCHEMAS, Scratch, items, pcl, position, scratch, text, write};
use serde_json::Value;

/// A reference to nothing. Where its diagnostic is missing, checking stopped too early.
const CANARY: &str = "\ncanary = nothingOfThisName\n";

/// A program of these files.
fn program(name: &str, files: &[(&str, &[u8])]) -> Scratch {
    let directory = scratch(&format!("hostile-{name}"));
    for (file, contents) in files {
        write(&directory.join(file), contents);
    }
    directory
}

/// Checks a path; the answer must be complete JSON whose every diagnostic has a file and a range.
fn check(path: &Path) -> (Run, Vec<Value>) {
    let path = path.to_str().expect("a path of the tests is UTF-8");
    let run = pcl(["check", "--output-format", "json", "--schema-dir", SCHEMAS, path]);
    let diagnostics = diagnostics(&run);
    (run, diagnostics)
}

/// The diagnostics of a run over one program, each checked for its place.
fn diagnostics(run: &Run) -> Vec<Value> {
    let document = run.json();
    let programs: Vec<_> = items(&document, "programs").collect();
    assert_eq!(programs.len(), 1, "{}", run.stdout);
    let diagnostics: Vec<Value> = items(programs[0], "diagnostics").cloned().collect();
    for diagnostic in &diagnostics {
        assert!(!text(diagnostic, "file").is_empty(), "no file: {diagnostic}");
        let start = position(&diagnostic["range"], "start", "byte");
        assert!(start <= position(&diagnostic["range"], "end", "byte"));
        assert!(position(&diagnostic["range"], "start", "line") >= 1);
        assert!(!text(diagnostic, "message").is_empty(), "no text: {diagnostic}");
    }
    diagnostics
}

fn codes(diagnostics: &[Value]) -> BTreeSet<&str> {
    diagnostics.iter().map(|diagnostic| text(diagnostic, "code")).collect()
}

/// Returns true if the canary was reported: the rest of the program was checked.
fn heard_the_canary(diagnostics: &[Value]) -> bool {
    diagnostics.iter().any(|diagnostic| text(diagnostic, "message").contains("nothingOfThisName"))
}

/// Checks a program of one file that is broken before a canary; the error and the canary must both
/// be reported.
fn refused(name: &str, source: &str) -> Vec<Value> {
    let directory = program(name, &[("main.pp", format!("{source}{CANARY}").as_bytes())]);
    let (run, diagnostics) = check(&directory);
    assert_eq!(run.status, 1, "{}", run.stdout);
    assert!(heard_the_canary(&diagnostics), "{name}: the rest was not checked\n{}", run.stdout);
    assert!(diagnostics.len() >= 2, "{name}: the error itself was not reported\n{}", run.stdout);
    diagnostics
}

/// Checks something of any size: these are the codes of all that is found.
#[track_caller]
fn answered(name: &str, source: &str, expected: &[&str]) -> Vec<Value> {
    let directory = program(name, &[("main.pp", source.as_bytes())]);
    let (run, diagnostics) = check(&directory);
    assert_eq!(run.status, i32::from(!expected.is_empty()), "{name}: {}", run.stderr);
    let expected: BTreeSet<&str> = expected.iter().copied().collect();
    assert_eq!(codes(&diagnostics), expected, "{name}");
    diagnostics
}
