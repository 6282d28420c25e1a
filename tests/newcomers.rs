//! Runs the pages of `tests/newcomers`: every `pcl` block is a mistake, with the place that must be
//! reported, what `pcl check` prints, and the program that all its fixes lead to. The rules are in
//! `tests/newcomers/README.md`.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use libtest_mimic::{Arguments, Failed, Trial};
use pcl_test_support::programs::{Program, pages, programs};
use pcl_test_support::{command, file_name, items, position, root, run, scratch, sorted, text};
use serde_json::Value;

const FOLDER: &str = "tests/newcomers";

fn main() {
    let arguments = Arguments::from_args();
    let pages = pages(&root().join(FOLDER)).into_iter().filter(|page| !page.ends_with("README.md"));
    let pages: Vec<PathBuf> = pages.collect();
    if std::env::var("INSTA_UPDATE").is_ok_and(|update| update == "always") {
        pages.iter().for_each(|page| update(page));
    }
    let mut trials = Vec::new();
    let mut grades: BTreeMap<String, usize> = BTreeMap::new();
    for page in &pages {
        let text = std::fs::read_to_string(page).expect("a page is text");
        for program in programs(&file_name(page), &text) {
            let case = Case { program };
            *grades.entry(case.grade()).or_default() += 1;
            let name = format!("{}: {}", file_name(page), case.program.heading);
            trials.push(Trial::test(name, move || case.compare()));
        }
    }
    let grades: Vec<String> =
        grades.iter().map(|(grade, count)| format!("{grade} {count}")).collect();
    println!("grades: {}", grades.join(", "));
    libtest_mimic::run(&arguments, trials).exit();
}

/// A program with a mistake.
struct Case {
    program: Program,
}

/// The results of the command for a program.
struct Checked {
    report: Value,
    output: String,
    fixed: String,
    /// The report of the fixed program.
    left: Value,
}

impl Case {
    /// The letter before the colon of the heading: `17 A: a level is missing`.
    fn grade(&self) -> String {
        let (before, _) = self.program.heading.split_once(':').expect("a heading has a grade");
        let (_, grade) = before.split_once(' ').expect("a heading has a row and a grade");
        assert!(matches!(grade, "A" | "B" | "C" | "D" | "F" | "S"), "{}", self.program.heading);
        grade.to_owned()
    }

    /// The text of the program.
    fn source(&self) -> &str {
        self.program.files.get("main.pp").expect("a case has a file `main.pp`")
    }

    fn check(&self) -> Checked {
        let directory = scratch("newcomers");
        let (program, schemas) = self.program.write(&directory);
        for schema in sorted(&root().join(FOLDER).join("schemas")) {
            std::fs::copy(&schema, schemas.join(file_name(&schema))).expect("a schema is a file");
        }
        let check = |arguments: &[&str]| {
            let mut command = command();
            command.current_dir(&program).args(["check", "--schema-dir", "../schemas"]);
            command.args(arguments).args(&self.program.arguments);
            run(command, &[])
        };
        let report = check(&["--output-format", "json"]).json();
        let output = check(&[]).stdout;
        check(&["--fix", "--unsafe-fixes"]);
        let left = check(&["--output-format", "json"]).json();
        let fixed = std::fs::read_to_string(program.join("main.pp")).expect("a program is text");
        Checked { report, output, fixed, left }
    }

    fn compare(&self) -> Result<(), Failed> {
        let found = self.check();
        let mut complaints = String::new();
        let reported = diagnostics(&found.report);
        let expected = self.program.diagnostics.unwrap_or(1);
        if reported.len() != expected {
            let _ = writeln!(complaints, "{} diagnostics, not {expected}", reported.len());
        }
        let place = Place::parse(self.program.place.as_deref().expect("a case has a place"));
        if !reported.iter().any(|diagnostic| place.is_shown(diagnostic)) {
            let _ = writeln!(complaints, "no diagnostic is at {:?}", self.program.place);
        }
        let output = self.program.output.as_deref().unwrap_or_default();
        if output.trim_end() != found.output.trim_end() {
            let _ = writeln!(complaints, "the output is:\n{}", found.output);
        }
        let fixed = self.program.fixed.as_deref().unwrap_or(self.source());
        if fixed.trim_end() != found.fixed.trim_end() {
            let _ = writeln!(complaints, "the fixed program is:\n{}", found.fixed);
        }
        let left = diagnostics(&found.left);
        if self.program.fixed.is_some() && left.len() != self.program.left {
            let messages: Vec<&str> = left.iter().map(|found| text(found, "message")).collect();
            let _ = writeln!(complaints, "the fixed program has {messages:?}");
        }
        if complaints.is_empty() { Ok(()) } else { Err(complaints.into()) }
    }
}

/// The diagnostics of a report in JSON.
fn diagnostics(report: &Value) -> Vec<&Value> {
    items(report, "programs").flat_map(|program| items(program, "diagnostics")).collect()
}

/// A part of a line.
struct Place {
    line: usize,
    start: usize,
    end: usize,
}

impl Place {
    /// The place `3:5..9`: line 3, from column 5 to column 9, which is not part of it.
    fn parse(text: &str) -> Self {
        let parts = text.split_once(':').and_then(|(line, columns)| {
            let (start, end) = columns.split_once("..")?;
            Some((line.parse().ok()?, start.parse().ok()?, end.parse().ok()?))
        });
        let (line, start, end) = parts.expect("a place is a line with columns");
        Self { line, start, end }
    }

    /// Returns whether the range of a diagnostic, or of one of its labels, overlaps the place.
    fn is_shown(&self, diagnostic: &Value) -> bool {
        let labels = items(diagnostic, "labels").map(|label| &label["range"]);
        labels.chain([&diagnostic["range"]]).any(|range| {
            let at = |end| (position(range, end, "line"), position(range, end, "column"));
            let (from, to) = (at("start"), at("end"));
            from < (self.line, self.end) && (to > (self.line, self.start) || from == to)
        })
    }
}

/// Writes the outputs and the fixed programs of a page as they are now. Places and numbers stay.
fn update(page: &Path) {
    let text = std::fs::read_to_string(page).expect("a page is text");
    let mut lines: Vec<&str> = text.lines().collect();
    let mut cases = programs(&file_name(page), &text);
    let mut blocks = Vec::new();
    // From the last one on, so that the lines of those before stay where they are.
    while let Some(program) = cases.pop() {
        let case = Case { program };
        let found = case.check();
        let start = case.program.line;
        let is_fence = |line: &&str| **line == *"```";
        let end = start + lines.iter().skip(start).position(is_fence).expect("a block ends") + 1;
        let rest = lines.split_off(end);
        let next = rest.iter().position(|line| line.starts_with("## "));
        let mut written = format!("\n```output\n{}\n```\n", found.output.trim_end());
        if found.fixed != case.source() {
            let _ = write!(written, "\n```fixed\n{}\n```\n", found.fixed.trim_end());
        }
        if let Some(next) = next {
            let _ = writeln!(written, "\n{}", rest.get(next..).unwrap_or_default().join("\n"));
        }
        blocks.push(written);
    }
    let mut written = lines.join("\n") + "\n";
    written.extend(blocks.into_iter().rev());
    std::fs::write(page, written.trim_end().to_owned() + "\n").expect("a page can be written");
}
