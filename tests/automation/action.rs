//! `action.yml`, with a runner that the test makes.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;

use pcl::schema::yaml_to_json;
use pcl_test_support::{Run, Scratch, items, root, run, scratch, text, write};
use serde_json::Value;

use super::{built, run_in, tools};

fn action() -> Value {
    let text = fs::read_to_string(root().join("action.yml")).expect("it is there");
    let json = yaml_to_json(&text).expect("it is YAML");
    serde_json::from_slice(&json).expect("it is JSON")
}

/// A directory of a runner.
struct Runner(Scratch);

/// The outputs of steps, by the expressions that refer to them.
type Outputs = BTreeMap<String, String>;

impl Runner {
    /// A runner whose `cargo` notes how it is called, and installs the `pcl` of the tests.
    fn new(name: &str) -> Self {
        let runner = Self(scratch(&format!("action-{name}")));
        let script = format!(
            "#!/bin/sh\n\
             if [ \"$1\" = --version ]; then echo cargo 1; exit; fi\n\
             {{ pwd; printf '%s\\n' \"$@\"; }} > '{}'\n\
             while [ \"$1\" != --root ]; do shift; done\n\
             mkdir -p \"$2/bin\" && ln -sf '{}' \"$2/bin/pcl\"\n",
            runner.0.join("cargo-called").display(),
            built().join("pcl").display(),
        );
        let cargo = runner.0.join("bin/cargo");
        write(&cargo, script);
        fs::set_permissions(&cargo, fs::Permissions::from_mode(0o755)).expect("permissions");
        write(&runner.0.join("action/Cargo.toml"), "");
        write(&runner.0.join("workspace/.git/HEAD"), "");
        write(&runner.0.join("workspace/fine/main.pp"), "a = 1\n");
        runner
    }

    /// Runs the steps with these inputs, until one fails.
    fn act(&self, inputs: &[(&str, &str)]) -> Run {
        let action = action();
        let value = |expression: &str, outputs: &Outputs| -> String {
            match expression {
                "github.action_path" => self.0.join("action").display().to_string(),
                "github.action_repository" => "owner/pcl".to_owned(),
                "runner.os" | "runner.arch" => "any".to_owned(),
                "runner.temp" => self.0.join("temp dir").display().to_string(),
                output if output.starts_with("steps.") => outputs[output].clone(),
                input => {
                    let name = input.strip_prefix("inputs.").expect("an input");
                    let given = inputs.iter().find(|(given, _)| *given == name);
                    let default = text(&action["inputs"][name], "default");
                    given.map_or(default, |(_, value)| value).to_owned()
                }
            }
        };
        let mut last = None;
        let mut outputs = Outputs::new();
        for step in items(&action["runs"], "steps") {
            if let Some(condition) = step["if"].as_str() {
                let (output, other) = condition.split_once(" != ").expect("an inequality");
                if outputs[output] == other.trim_matches('\'') {
                    continue;
                }
            }
            if let Some(uses) = step["uses"].as_str() {
                let key = filled(text(&step["with"], "key"), |name| value(name, &outputs));
                let kept = self.0.join("keys").join(key);
                if uses.starts_with("actions/cache/save@") {
                    write(&kept, "");
                } else {
                    let is_hit = kept.exists().to_string();
                    outputs.insert("steps.cache.outputs.cache-hit".to_owned(), is_hit);
                }
                continue;
            }
            let written = self.0.join("outputs");
            write(&written, "");
            let mut bash = Command::new("bash");
            bash.args(["--noprofile", "--norc", "-eo", "pipefail", "-c", text(step, "run")])
                .current_dir(self.0.join("workspace"))
                .env("PATH", format!("{}:/usr/bin:/bin", self.0.join("bin").display()))
                .env("RUNNER_TEMP", self.0.join("temp dir"))
                .env("GITHUB_OUTPUT", &written)
                .env("GITHUB_SERVER_URL", "https://example.org")
                .env("PULUMI_HOME", "tests/no-such-home");
            for (name, expression) in step["env"].as_object().expect("an environment") {
                let expression = expression.as_str().expect("a text");
                bash.env(name, filled(expression, |name| value(name, &outputs)));
            }
            let run = run(bash, b"");
            for line in fs::read_to_string(&written).expect("it is there").lines() {
                let (name, output) = line.split_once('=').expect("an output");
                let step = text(step, "id");
                outputs.insert(format!("steps.{step}.outputs.{name}"), output.to_owned());
            }
            let failed = run.status != 0;
            last = Some(run);
            if failed {
                break;
            }
        }
        last.expect("the action has steps")
    }

    fn cargo_called(&self) -> String {
        let called = fs::read_to_string(self.0.join("cargo-called")).unwrap_or_default();
        called.replace(&self.0.display().to_string(), "RUNNER")
    }
}

/// A text with the values of the expressions in it.
fn filled(text: &str, value: impl Fn(&str) -> String) -> String {
    let mut parts = text.split("${{ ");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| {
        let (name, rest) = part.split_once(" }}").expect("an expression ends");
        text + &value(name) + rest
    })
}

#[test]
fn the_action_is_valid() {
    let Some(tools) = tools() else { return };
    let arguments = ["--builtin-schema", "vendor.github-actions", "action.yml"];
    let run = run_in(root(), tools, &tools.join("check-jsonschema"), &arguments);
    assert_eq!(run.status, 0, "{}{}", run.stdout, run.stderr);
}

#[test]
fn no_input_is_the_text_of_a_script() {
    let action = action();
    for step in items(&action["runs"], "steps") {
        match step["uses"].as_str() {
            // Another action is used by its commit, which nobody can move.
            Some(uses) => {
                let (_, commit) = uses.split_once('@').expect("a version");
                assert_eq!(commit.len(), 40, "{uses}");
            }
            None => {
                assert!(!text(step, "run").contains("${{"), "{step}");
                assert_eq!(text(step, "shell"), "bash");
            }
        }
    }
}

#[test]
fn programs_are_checked() {
    let runner = Runner::new("check");
    let fine = runner.act(&[]);
    assert_eq!((fine.status, fine.stdout.as_str()), (0, ""), "{}", fine.stderr);
    assert_eq!(fine.stderr, "checked 1 program: no errors\n");
    let called = "RUNNER/action\ninstall\n--locked\n--root\nRUNNER/temp dir/pcl\n--path\n.\n";
    assert_eq!(runner.cargo_called(), called);

    write(&runner.0.join("workspace/a b/main.pp"), "x = nobody\n");
    write(&runner.0.join("workspace/a b/other.pp"), "y = nothing\n");
    let found = runner.act(&[("sarif", "out put.sarif")]);
    assert_eq!(found.status, 1);
    let place = ",file=a b/main.pp,line=1,";
    assert!(
        found.stdout.starts_with("::error ") && found.stdout.contains(place),
        "{}",
        found.stdout
    );
    let sarif =
        fs::read_to_string(runner.0.join("workspace/out put.sarif")).expect("it is written");
    let sarif: Value = serde_json::from_str(&sarif).expect("JSON");
    assert_eq!(items(&sarif["runs"][0], "results").count(), 2);

    let one = runner.act(&[("paths", "fine\na b/other.pp\n"), ("args", "--quiet\n --jobs  1\t")]);
    assert_eq!((one.status, one.stdout.lines().count()), (1, 1), "{}", one.stdout);
    assert_eq!(one.stderr, "");
    let fine = runner.act(&[("paths", "fine"), ("args", "--verbose --statistics")]);
    assert_eq!(fine.status, 0, "{}", fine.stderr);
}

#[test]
fn a_version_is_installed_by_its_tag() {
    let runner = Runner::new("version");
    assert_eq!(runner.act(&[("version", "1.2.3-rc.1")]).status, 0);
    let source = "--git\nhttps://example.org/owner/pcl\n--tag\nv1.2.3-rc.1\npulumi-pcl\n";
    assert!(runner.cargo_called().ends_with(source), "{}", runner.cargo_called());
    for version in ["latest", "1.2", "--config=x", "1.2.3 --config x", "1.2.3\n", "$(touch pwned)"]
    {
        let run = runner.act(&[("version", version)]);
        assert_eq!(run.status, 2, "{version}");
        assert!(run.stdout.starts_with("::error::the input 'version' "), "{}", run.stdout);
    }
}

#[test]
fn inputs_are_never_executed() {
    let runner = Runner::new("hostile");
    for hostile in [
        "$(touch pwned)",
        "`touch pwned`",
        "; touch pwned",
        "x\ntouch pwned",
        "'; touch pwned; '",
        "\"; touch pwned; \"",
        "| touch pwned",
        "${IFS}touch${IFS}pwned",
        "--fix",
        "a[$(touch pwned)]",
    ] {
        for input in ["paths", "args", "sarif", "version"] {
            runner.act(&[(input, hostile)]);
        }
    }
    let names = fs::read_dir(runner.0.join("workspace")).expect("a directory");
    for name in names.map(|entry| entry.expect("an entry").file_name()) {
        assert_ne!(name, "pwned");
    }
    assert!(!Path::new("pwned").exists());
    // A path is a path, whatever it looks like.
    let run = runner.act(&[("paths", "--version")]);
    assert!(run.stdout.contains("--version"), "{}", run.stdout);
    assert_eq!(run.status, 2);
}

/// The build is kept until the action, the version or the compiler is another, also if the programs
/// have errors.
#[test]
fn a_build_is_kept() {
    let runner = Runner::new("cache");
    write(&runner.0.join("workspace/typo/main.pp"), "x = nobody\n");
    let forget = || fs::remove_file(runner.0.join("cargo-called")).unwrap_or_default();
    let builds = |inputs: &[(&str, &str)]| {
        forget();
        assert_eq!(runner.act(inputs).status, 1);
        runner.cargo_called().contains("install")
    };
    assert!(builds(&[]));
    assert!(!builds(&[]));
    assert!(builds(&[("version", "1.2.3")]));
    assert!(!builds(&[("version", "1.2.3")]));
    write(&runner.0.join("action/cli/main.rs"), "fn main() {}\n");
    assert!(builds(&[]));
}
