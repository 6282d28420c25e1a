//! Runs the pages of `tests/spec`: every `pcl` block is a program, its comments say what `pcl` must find. The rules are in
//! `tests/spec/README.md`.

mod support;

use std::fmt::Write as _;
use std::path::Path;

use libtest_mimic::{Arguments, Failed, Trial};
use serde_json::Value;
use support::lowering::Lowered;
use support::programs::{Program, pages, programs};
use support::{items, pcl, position, root, scratch, text};

fn main() {
    let arguments = Arguments::from_args();
    let mut trials = Vec::new();
    for page in pages(&root().join("tests/spec")) {
        for case in cases(&page) {
            trials.push(Trial::test(case.name.clone(), move || case.run()));
        }
    }
    libtest_mimic::run(&arguments, trials).exit();
}

/// One program of a page.
struct Case {
    /// Page, heading and line: `blocks/config.md: Types, line 30`.
    name: String,
    /// How the name of the directory begins that it is written to.
    directory: String,
    program: Program,
}

/// The programs of a page.
fn cases(page: &Path) -> impl Iterator<Item = Case> {
    let source = std::fs::read_to_string(page).expect("a page is text");
    let name = page
        .strip_prefix(root().join("tests/spec"))
        .expect("a page lies below the folder")
        .display()
        .to_string();
    let programs = programs(&name, &source);
    // The page about the pages shows their form with a table.
    assert!(
        !programs.is_empty() || name == "README.md",
        "{name} has no program, so nothing of what it says is checked"
    );
    programs.into_iter().map(move |program| {
        let (heading, line) = (&program.heading, program.line);
        Case {
            name: format!("{name}: {heading}, line {line}"),
            directory: format!("spec-{}-{line}", name.replace(['/', '.'], "-")),
            program,
        }
    })
}

/// What a comment says that `pcl` finds.
#[derive(Debug)]
enum Expected {
    Finding {
        severity: &'static str,
        code: String,
        text: Option<String>,
        columns: Option<(usize, usize)>,
    },
    Type(String),
    Lowered(String),
}

/// What begins an assertion, and the severity of the finding that it announces.
const KINDS: [(&str, Option<&str>); 4] = [
    ("# error:", Some("error")),
    ("# warning:", Some("warning")),
    ("# type:", None),
    ("# lowered:", None),
];

/// The assertions of a line.
fn assertions(line: &str) -> Vec<Expected> {
    // A comment that begins like an assertion is one, lest a typing error asserts nothing.
    for (at, _) in line.match_indices('#') {
        let first = line[at + 1..].split_whitespace().next().unwrap_or_default();
        let known = KINDS.iter().any(|(kind, _)| line[at..].starts_with(kind));
        assert!(known || !first.ends_with(':'), "no assertion: {line}");
    }
    let mut starts: Vec<(usize, &str, Option<&'static str>)> = Vec::new();
    for (kind, severity) in KINDS {
        let here = line.match_indices(kind);
        starts.extend(here.map(|(at, kind)| (at, kind, severity)));
    }
    starts.sort_unstable();
    let ends = starts
        .iter()
        .skip(1)
        .map(|(at, ..)| *at)
        .chain([line.len()]);
    let parts = starts.iter().zip(ends);
    parts
        .map(|((start, kind, severity), end)| {
            let rest = line[start + kind.len()..end].trim();
            match severity {
                None if *kind == "# type:" => Expected::Type(rest.to_owned()),
                None => Expected::Lowered(rest.to_owned()),
                Some(severity) => finding(severity, rest)
                    .unwrap_or_else(|| panic!("no assertion: {severity}: {rest}")),
            }
        })
        .collect()
}

/// Reads `[PCL0301] 5..9 "text"`: the code, then the others, if they are there, in any order.
fn finding(severity: &'static str, assertion: &str) -> Option<Expected> {
    let (code, mut rest) = assertion.strip_prefix('[')?.split_once(']')?;
    let (mut text, mut columns) = (None, None);
    loop {
        rest = rest.trim_start();
        if rest.is_empty() {
            break;
        }
        if let Some(quoted) = rest.strip_prefix('"') {
            let (inside, after) = quoted.split_once('"')?;
            text = Some(inside.to_owned());
            rest = after;
        } else {
            let (word, after) = rest.split_once(' ').unwrap_or((rest, ""));
            let (start, end) = word.split_once("..")?;
            columns = Some((start.parse().ok()?, end.parse().ok()?));
            rest = after;
        }
    }
    Some(Expected::Finding {
        severity,
        code: code.to_owned(),
        text,
        columns,
    })
}

/// The assertions of a file by line, from 1.
fn expectations(source: &str) -> Vec<(usize, Expected)> {
    let (mut found, mut waiting) = (Vec::new(), Vec::new());
    for (index, line) in source.lines().enumerate() {
        let here = assertions(line);
        if !here.is_empty() && line.trim_start().starts_with('#') {
            waiting.extend(here);
            continue;
        }
        found.extend(
            waiting
                .drain(..)
                .chain(here)
                .map(|expected| (index + 1, expected)),
        );
    }
    assert!(waiting.is_empty(), "a comment that speaks about no line");
    found
}

impl Case {
    fn run(&self) -> Result<(), Failed> {
        let directory = scratch(&self.directory);
        let (program, schemas) = self.program.write(&directory);
        let run = pcl([
            "dump".as_ref(),
            "bound".as_ref(),
            "--output-format".as_ref(),
            "json".as_ref(),
            "--schema-dir".as_ref(),
            schemas.as_os_str(),
            program.as_os_str(),
        ]);
        let bound = run.json();
        let mut complaints = String::new();
        let lowered = self.program.lowered(&program, &schemas);
        for (file, source) in &self.program.files {
            self.compare(file, source, &program, &bound, &lowered, &mut complaints);
        }
        if complaints.is_empty() {
            Ok(())
        } else {
            Err(complaints.into())
        }
    }

    /// Writes down where the findings and types of one file differ from what its comments say.
    fn compare(
        &self,
        file: &str,
        source: &str,
        program: &Path,
        bound: &Value,
        lowered: &Lowered,
        complaints: &mut String,
    ) {
        let path = program.join(file);
        let mut found: Vec<&Value> = items(bound, "diagnostics")
            .filter(|finding| Path::new(text(finding, "file")) == path)
            .collect();
        for (line, expected) in expectations(source) {
            match &expected {
                Expected::Finding { .. } => {
                    match found.iter().position(|f| matches(f, line, &expected)) {
                        Some(index) => {
                            found.remove(index);
                        }
                        None => {
                            let _ = writeln!(complaints, "{file}:{line}: not found: {expected:?}");
                        }
                    }
                }
                Expected::Type(expected) => match type_at(bound, file, source, line) {
                    Some(ty) if ty == expected => {}
                    ty => {
                        let ty = ty.unwrap_or("nothing");
                        let _ = writeln!(
                            complaints,
                            "{file}:{line}: the type is `{ty}`, not `{expected}`"
                        );
                    }
                },
                Expected::Lowered(expected) => {
                    let text = lowered.get(&(file.to_owned(), line));
                    if text != Some(expected) {
                        let text = text.map_or("nothing", String::as_str);
                        let _ = writeln!(
                            complaints,
                            "{file}:{line}: it becomes `{text}`, not `{expected}`"
                        );
                    }
                }
            }
        }
        for finding in found {
            let range = &finding["range"];
            let _ = writeln!(
                complaints,
                "{file}:{}: not expected: {}: [{}] {}..{} {:?}",
                position(range, "start", "line"),
                text(finding, "severity"),
                text(finding, "code"),
                position(range, "start", "column"),
                position(range, "end", "column"),
                text(finding, "message")
            );
        }
    }
}

/// Whether a finding is the one that a comment announces.
fn matches(found: &Value, line: usize, expected: &Expected) -> bool {
    let Expected::Finding {
        severity,
        code,
        text: part,
        columns,
    } = expected
    else {
        return false;
    };
    let range = &found["range"];
    let place = (
        position(range, "start", "column"),
        position(range, "end", "column"),
    );
    position(range, "start", "line") == line
        && text(found, "severity") == *severity
        && text(found, "code") == code
        && part
            .as_ref()
            .is_none_or(|part| text(found, "message").contains(part.as_str()))
        && columns.is_none_or(|columns| columns == place)
}

/// The type of the block that begins on a line, or of the value of the attribute on it.
fn type_at<'a>(bound: &'a Value, file: &str, source: &str, line: usize) -> Option<&'a str> {
    let start: usize = source
        .split_inclusive('\n')
        .take(line - 1)
        .map(str::len)
        .sum();
    let content = source[start..].lines().next()?;
    let code = content.split(" #").next()?;
    let here = |value: &Value| text(value, "file") == file;
    if code.trim_end().ends_with('{') && !code.contains('=') {
        let node = items(bound, "nodes")
            .find(|node| here(node) && position(&node["range"], "start", "line") == line)?;
        return node["type"].as_str();
    }
    // Parentheses and the quotes of `"${x}"` belong to no expression, so the value is the widest that begins on the line.
    let value = start + code.find('=')? + 1;
    let offset = |expression: &Value, key: &str| {
        usize::try_from(expression[key].as_u64().unwrap_or_default()).unwrap_or_default()
    };
    items(bound, "nodes")
        .flat_map(|node| items(node, "expressions"))
        .filter(|expression| here(expression))
        .map(|expression| {
            (
                offset(expression, "start"),
                offset(expression, "end"),
                expression,
            )
        })
        .filter(|(from, ..)| *from >= value && *from < start + content.len())
        .min_by_key(|(from, to, _)| (*from, std::cmp::Reverse(*to)))
        .and_then(|(.., expression)| expression["type"].as_str())
}
