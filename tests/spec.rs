//! Runs the pages of `tests/spec`: every `pcl` block is a program, and its comments, the marks,
//! state what `pcl` must report, with all checks and with those of Pulumi's binder only. The rules
//! are in `tests/spec/README.md`.

use std::ffi::OsStr;
use std::fmt::Write as _;
use std::path::Path;

use libtest_mimic::{Arguments, Failed, Trial};
use pcl_test_support::lowering::Lowered;
use pcl_test_support::marks::{Mark, Verdict, marks};
use pcl_test_support::programs::{DOCUMENT, Program, pages, programs};
use pcl_test_support::{command, items, pcl, position, root, run, scratch, text, write};
use serde_json::Value;

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

/// The command that the blocks of a page are for, by its folder.
#[derive(Clone, Copy, PartialEq)]
enum Command {
    Check,
    Preview,
    StateCheck,
    Import,
}

/// One program or state of a page.
struct Case {
    command: Command,
    /// Page, heading and line: `blocks/config.md: Types, line 30`.
    name: String,
    /// The start of the name of the directory that it is written to.
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
            command: match name.split('/').next() {
                Some("run") => Command::Preview,
                Some("state") => Command::StateCheck,
                Some("import") => Command::Import,
                _ => Command::Check,
            },
            program,
        }
    })
}

impl Case {
    fn run(&self) -> Result<(), Failed> {
        let directory = scratch(&self.directory);
        let (program, schemas) = self.program.write(&directory);
        let mut complaints = String::new();
        if let Command::StateCheck | Command::Import = self.command {
            self.compare_state(&program, &schemas, &mut complaints);
            return if complaints.is_empty() { Ok(()) } else { Err(complaints.into()) };
        }
        match &self.program.output {
            Some(expected) => self.compare_output(expected, &program, &schemas, &mut complaints),
            None => {
                for verdict in [Verdict::Ours, Verdict::Pulumi] {
                    self.compare_diagnostics(verdict, &program, &schemas, &mut complaints);
                }
            }
        }
        self.compare_results(&program, &schemas, &mut complaints);
        let bound = bind(&program, &schemas);
        let lowered = self.program.lowered(&program, &schemas);
        for (file, source) in &self.program.files {
            compare_values(file, source, &bound, &lowered, &mut complaints);
        }
        if complaints.is_empty() { Ok(()) } else { Err(complaints.into()) }
    }

    /// Writes down where the diagnostics differ from those that the marks announce.
    fn compare_diagnostics(
        &self,
        verdict: Verdict,
        program: &Path,
        schemas: &Path,
        complaints: &mut String,
    ) {
        let options: &[&str] = match verdict {
            Verdict::Ours => &[],
            Verdict::Pulumi => &["--compat", "pulumi"],
        };
        let fixed = [self.command(), "--output-format", "json", "--schema-dir"];
        let words = fixed.iter().map(OsStr::new).chain([schemas.as_os_str()]);
        let words = words.chain(options.iter().map(OsStr::new));
        let words = words.chain(self.program.arguments.iter().map(OsStr::new));
        let checked = pcl(words.chain([program.as_os_str()])).json();
        for (file, source) in &self.program.files {
            let path = program.join(file);
            let of_file = |found: &&Value| Path::new(text(found, "file")) == path;
            let programs = items(&checked, "programs");
            let diagnostics = programs.flat_map(|program| items(program, "diagnostics"));
            let found = match self.command {
                Command::Preview => items(&checked, "diagnostics").filter(of_file).collect(),
                _ => diagnostics.filter(of_file).collect(),
            };
            compare_diagnostics(verdict, file, &marks(source), found, complaints);
        }
    }

    /// The command that reports the diagnostics.
    fn command(&self) -> &'static str {
        match self.command {
            Command::Preview => "preview",
            _ => "check",
        }
    }

    /// Writes down what a command says about a state, if the page shows something else: what it
    /// prints, then what it reports. A program that is printed must be formatted and valid.
    fn compare_state(&self, program: &Path, schemas: &Path, complaints: &mut String) {
        let mut command = command();
        command.current_dir(program);
        match self.command {
            Command::Import => command.args(["import", "--schema-dir", "../schemas"]),
            _ => command.args(["state", "check"]),
        };
        command.args(&self.program.arguments).arg(DOCUMENT);
        let found = run(command, &[]);
        let said = format!("{}\n{}", found.stdout.trim_end(), found.stderr.trim_end());
        let expected = self.program.output.as_deref().unwrap_or_default();
        if said.trim() != expected.trim() {
            let _ = writeln!(complaints, "the output is:\n{}", said.trim());
        }
        if self.command == Command::Import && !found.stdout.is_empty() {
            let written = scratch(&format!("{}-written", self.directory));
            let main = written.join("main.pp");
            write(&main, &found.stdout);
            let main = main.as_os_str();
            let mut words = vec![OsStr::new("check"), OsStr::new("--schema-dir")];
            words.extend([schemas.as_os_str(), main]);
            if self.program.arguments.iter().any(|it| it == "--missing-schema") {
                let lenient = ["--missing-schema", "ignore", "--allow", "resource-types"];
                words.extend(lenient.map(OsStr::new));
            }
            let check = pcl(words);
            let format = pcl(["fmt", "--check"].map(OsStr::new).into_iter().chain([main]));
            for run in [check, format].iter().filter(|run| run.status != 0) {
                let _ = writeln!(complaints, "the program: {}{}", run.stdout, run.stderr);
            }
        }
    }

    /// Writes down where locals have other values than those that the marks state.
    fn compare_results(&self, program: &Path, schemas: &Path, complaints: &mut String) {
        for (file, source) in &self.program.files {
            for (line, mark) in marks(source) {
                let Mark::Value(expected) = mark else { continue };
                let content = source.lines().nth(line - 1).unwrap_or_default();
                let name = content.split('=').next().unwrap_or_default().trim();
                let fixed = ["eval", name, "--schema-dir"].map(OsStr::new);
                let words = fixed.into_iter().chain([schemas.as_os_str()]);
                let words = words.chain(self.program.arguments.iter().map(OsStr::new));
                let found = pcl(words.chain([program.as_os_str()])).stdout;
                if found.trim_end() != expected {
                    let _ = writeln!(complaints, "{file}:{line}: `{found}` is not `{expected}`");
                }
            }
        }
    }

    /// Writes down what `pcl check` prints in the directory of the program, if the page shows
    /// something else.
    fn compare_output(
        &self,
        expected: &str,
        program: &Path,
        schemas: &Path,
        complaints: &mut String,
    ) {
        let mut command = command();
        command
            .current_dir(program)
            .args([self.command(), "--schema-dir"])
            .arg(schemas)
            .args(&self.program.arguments);
        let found = run(command, &[]).stdout;
        if found.trim_end() != expected.trim_end() {
            let command = self.command();
            let _ = writeln!(complaints, "the output of `pcl {command}` is:\n{found}");
        }
    }
}

/// The bound program.
fn bind(program: &Path, schemas: &Path) -> Value {
    let fixed = ["dump", "bound", "--output-format", "json", "--schema-dir"];
    let words = fixed.iter().map(OsStr::new);
    pcl(words.chain([schemas.as_os_str(), program.as_os_str()])).json()
}

/// Writes down where the diagnostics of a file differ from those that its marks announce.
fn compare_diagnostics(
    verdict: Verdict,
    file: &str,
    marks: &[(usize, Mark)],
    mut found: Vec<&Value>,
    complaints: &mut String,
) {
    let verdict_name = match verdict {
        Verdict::Ours => "",
        Verdict::Pulumi => " with `--compat pulumi`",
    };
    for (line, mark) in marks {
        let Mark::Diagnostic(announced) = mark else { continue };
        if !announced.is_of(verdict) {
            continue;
        }
        match found.iter().position(|found| announced.is(found, *line)) {
            Some(index) => {
                found.remove(index);
            }
            None => {
                let _ = writeln!(complaints, "{file}:{line}: not found{verdict_name}: {mark:?}");
            }
        }
    }
    for found in found {
        let range = &found["range"];
        let _ = writeln!(
            complaints,
            "{file}:{}: not expected{verdict_name}: {}: [{} {}] {}..{} \"{}\"",
            position(range, "start", "line"),
            text(found, "severity"),
            text(found, "code"),
            text(found, "name"),
            position(range, "start", "column"),
            position(range, "end", "column"),
            text(found, "message")
        );
    }
}

/// Writes down where the types and lowered values of a file differ from those that its marks state.
fn compare_values(
    file: &str,
    source: &str,
    bound: &Value,
    lowered: &Lowered,
    complaints: &mut String,
) {
    for (line, mark) in &marks(source) {
        let (found, expected) = match mark {
            Mark::Diagnostic(_) | Mark::Value(_) => continue,
            Mark::Type(expected) => {
                let ty = type_at(bound, file, source, *line);
                (ty.map(str::to_owned), expected)
            }
            Mark::Lowered(expected) => {
                let value = lowered.get(&(file.to_owned(), *line));
                (value.cloned(), expected)
            }
            Mark::Needs(expected) => (needs_at(bound, file, *line), expected),
        };
        if found.as_ref() != Some(expected) {
            let found = found.unwrap_or("nothing".to_owned());
            let _ = writeln!(complaints, "{file}:{line}: `{found}` is not `{expected}`");
        }
    }
}

/// The nodes that the node on a line refers to.
fn needs_at(bound: &Value, file: &str, line: usize) -> Option<String> {
    let node = node_at(bound, file, line)?;
    let names = items(node, "dependencies").filter_map(Value::as_str);
    Some(names.collect::<Vec<_>>().join(", "))
}

/// The node that begins on a line.
fn node_at<'a>(bound: &'a Value, file: &str, line: usize) -> Option<&'a Value> {
    items(bound, "nodes").find(|node| {
        text(node, "file") == file && position(&node["range"], "start", "line") == line
    })
}

/// The type of the block that begins on a line, or of the value of the attribute on it.
fn type_at<'a>(bound: &'a Value, file: &str, source: &str, line: usize) -> Option<&'a str> {
    let start: usize = source.split_inclusive('\n').take(line - 1).map(str::len).sum();
    let content = source[start..].lines().next()?;
    let code = content.split(" #").next()?;
    let here = |value: &Value| text(value, "file") == file;
    if code.trim_end().ends_with('{') && !code.contains('=') {
        return node_at(bound, file, line)?["type"].as_str();
    }
    // Parentheses and the quotes of `"${x}"` belong to no expression, so the value is the widest
    // one that begins on the line.
    let value = start + code.find('=')? + 1;
    let offset = |expression: &Value, key: &str| {
        usize::try_from(expression[key].as_u64().unwrap_or_default()).unwrap_or_default()
    };
    items(bound, "nodes")
        .flat_map(|node| items(node, "expressions"))
        .filter(|expression| here(expression))
        .map(|expression| (offset(expression, "start"), offset(expression, "end"), expression))
        .filter(|(from, ..)| *from >= value && *from < start + content.len())
        .min_by_key(|(from, to, _)| (*from, std::cmp::Reverse(*to)))
        .and_then(|(.., expression)| expression["type"].as_str())
}
