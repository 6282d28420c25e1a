//! Independent parsers of the formats, from npm and PyPI. They are installed once, below the target
//! directory. Where that is impossible, their tests are skipped, or fail when `PCL_REQUIRE_REPORTS`
//! is 1.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use serde_json::{Value, json};

use pcl_test_support::{items, root, scratch, skip, text, write};

use super::schemas::workflow_command;
use super::{Hostile, documents};

/// Programs of others, installed on the first use.
struct Installed {
    place: OnceLock<Option<PathBuf>>,
    name: &'static str,
    list: &'static str,
    install: fn(&Path) -> Result<(), String>,
}

static PYTHON: Installed = Installed {
    place: OnceLock::new(),
    name: "reports-python",
    list: "requirements.txt",
    install: install_python,
};

static NODE: Installed = Installed {
    place: OnceLock::new(),
    name: "reports-node",
    list: "package-lock.json",
    install: install_node,
};

impl Installed {
    /// The directory. A file that is written last marks it as complete.
    fn place(&self) -> Option<&Path> {
        let place = self.place.get_or_init(|| match self.make() {
            Ok(place) => Some(place),
            Err(complaint) => {
                skip("PCL_REQUIRE_REPORTS", complaint);
                None
            }
        });
        place.as_deref()
    }

    fn make(&self) -> Result<PathBuf, String> {
        let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join(self.name);
        let complete = place.join("complete");
        let list = fs::read_to_string(root().join("tests/reports").join(self.list));
        let list = list.expect("the list is there");
        if fs::read_to_string(&complete).is_ok_and(|installed| installed == list) {
            return Ok(place);
        }
        (self.install)(&place)?;
        fs::write(complete, list).map_err(|error| error.to_string())?;
        Ok(place)
    }
}

fn step(command: &mut Command) -> Result<(), String> {
    match command.output() {
        Ok(output) if output.status.success() => Ok(()),
        Ok(output) => Err(format!("{command:?}: {}", String::from_utf8_lossy(&output.stderr))),
        Err(error) => Err(format!("{command:?}: {error}")),
    }
}

fn install_python(place: &Path) -> Result<(), String> {
    step(Command::new("python3").args(["-m", "venv", "--clear"]).arg(place))?;
    let quiet = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
    let pinned = ["--no-deps", "--require-hashes", "--only-binary", ":all:", "-r"];
    let mut pip = Command::new(place.join("bin/python"));
    pip.args(quiet).args(pinned);
    step(pip.arg(root().join("tests/reports/requirements.txt")))
}

fn install_node(place: &Path) -> Result<(), String> {
    fs::create_dir_all(place).map_err(|error| error.to_string())?;
    for file in ["package.json", "package-lock.json", "annotations.js"] {
        let from = root().join("tests/reports").join(file);
        fs::copy(from, place.join(file)).map_err(|error| error.to_string())?;
    }
    let quiet = ["ci", "--ignore-scripts", "--no-audit", "--no-fund"];
    step(Command::new("npm").args(quiet).current_dir(place))
}

/// The standard output of a reader that succeeds.
#[track_caller]
fn read(command: &mut Command) -> String {
    let output = command.output().expect("the reader starts");
    let [out, err] =
        [output.stdout, output.stderr].map(|b| String::from_utf8_lossy(&b).into_owned());
    assert!(output.status.success(), "{command:?}\n{out}{err}");
    out
}

/// The validator of the Reviewdog Diagnostic Format.
#[test]
fn rdjson_is_valid() {
    let Some(node) = NODE.place() else { return };
    let place = scratch("reports-rdjson");
    let validate = |file: &Path| {
        let mut command = Command::new("node");
        command.arg(
            node.join("node_modules/@umbrelladocs/rdformat-validator/bin/rdformat-validator.js"),
        );
        command.args(["--strict", "--no-extra-fields"]).arg(file);
        command
    };
    for (nth, document) in documents("rdjson").into_iter().enumerate() {
        let file = place.join(format!("{nth}.json"));
        write(&file, &document);
        read(&mut validate(&file));
        let bad = document.replace("\"severity\":\"ERROR\"", "\"severity\":\"WORSE\"");
        if bad != document {
            write(&file, bad);
            let status = validate(&file).output().expect("it starts").status;
            assert!(!status.success(), "the validator refuses");
        }
    }
}

/// The library by which actions print annotations prints the same bytes.
#[test]
fn github_is_what_actions_print() {
    let Some(node) = NODE.place() else { return };
    let place = scratch("reports-github");
    for document in documents("github") {
        let calls: Vec<Value> = document.lines().map(call).collect();
        let file = place.join("annotations.json");
        write(&file, Value::Array(calls).to_string());
        let mut command = Command::new("node");
        command.arg(node.join("annotations.js")).arg(&file);
        assert_eq!(read(&mut command), document);
    }
}

/// The arguments that the library makes this command of.
fn call(line: &str) -> Value {
    let command = workflow_command(line);
    let properties = &command["properties"];
    let number = |key| text(properties, key).parse::<u32>().ok();
    let mut call = json!({
        "level": command["command"],
        "message": command["message"],
        "title": properties["title"],
        "file": properties["file"],
    });
    for (key, property) in [
        ("startLine", "line"),
        ("endLine", "endLine"),
        ("startColumn", "col"),
        ("endColumn", "endColumn"),
    ] {
        if let Some(number) = number(property) {
            call[key] = json!(number);
        }
    }
    call
}

/// A program that changes severities in reports of GitLab changes ours, and nothing else.
#[test]
fn gitlab_is_read() {
    let Some(python) = PYTHON.place() else { return };
    let place = scratch("reports-gitlab");
    let config = place.join("severities.toml");
    write(&config, "[tool.ruff_severity_changer]\nPCL06 = \"info\"\nPCL = \"minor\"\n");
    for document in documents("gitlab") {
        let mut expected: Value = serde_json::from_str(&document).expect("it is JSON");
        for issue in expected.as_array_mut().expect("a list") {
            let is_function = text(issue, "check_name").starts_with("PCL06");
            issue["severity"] = json!(if is_function { "info" } else { "minor" });
        }
        let file = place.join("report.json");
        write(&file, &document);
        let mut command = Command::new(python.join("bin/ruff-severity-changer"));
        command.arg("--config").arg(&config);
        command.stdin(fs::File::open(&file).expect("it is there"));
        let read: Value = serde_json::from_str(&read(&mut command)).expect("it is JSON");
        assert_eq!(read, expected);
    }
}

/// A validator of XML Schema accepts the reports, and a parser of JUnit reads what JSON says.
#[test]
fn junit_is_read() {
    let Some(python) = PYTHON.place() else { return };
    let place = scratch("reports-junit");
    for document in documents("junit") {
        let file = place.join("report.xml");
        write(&file, &document);
        read_junit(python, &file);
    }
    let hostile = Hostile::new();
    let file = place.join("hostile.xml");
    write(&file, hostile.check("junit").stdout);
    let suites = read_junit(python, &file);
    let suites = suites.as_array().expect("a list");
    let json = hostile.check("json").json();
    let programs: Vec<&Value> = items(&json, "programs").collect();
    assert_eq!(suites.len(), programs.len());
    for (suite, program) in suites.iter().zip(programs) {
        let printable = |text: &str| text.replace('\u{1b}', "␛").replace('\u{ffff}', "\u{fffd}");
        assert_eq!(text(suite, "name"), printable(text(program, "path")));
        let (errors, warnings) = (&program["errors"], &program["warnings"]);
        let count = errors.as_u64().unwrap_or_default() + warnings.as_u64().unwrap_or_default();
        assert_eq!(suite["counts"], json!([count.max(1), count, 0, 0]));
        let cases: Vec<&Value> = items(suite, "cases").collect();
        if count == 0 {
            assert_eq!(cases.len(), 1);
            assert_eq!(cases[0]["passed"], json!(true));
            continue;
        }
        for (case, diagnostic) in cases.iter().zip(items(program, "diagnostics")) {
            assert_eq!(text(case, "file"), printable(text(diagnostic, "file")));
            let line = diagnostic["range"]["start"]["line"].to_string();
            assert_eq!(text(case, "line"), line);
            let message = printable(text(diagnostic, "message"));
            assert_eq!(case["results"][0][1], diagnostic["severity"]);
            assert_eq!(case["results"][0][2], json!(message));
        }
    }
}

fn read_junit(python: &Path, file: &Path) -> Value {
    let mut command = Command::new(python.join("bin/python"));
    command.arg(root().join("tests/reports/junit.py")).arg(file);
    command.arg(root().join("docs/formats/junit.xsd"));
    serde_json::from_str(&read(&mut command)).expect("it prints JSON")
}
