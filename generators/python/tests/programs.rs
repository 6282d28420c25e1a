//! Projects of the corpus: the text of some, and laws for all. Generated programs keep the laws for
//! what is read by Python alone.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;

use pcl::generated::Project;
use pcl::lower::{SdkOptions, sdk};
use pcl::{Checked, Settings, Target, Workspace};
use pcl_test_support::engine::{Lab, vectors};
use pcl_test_support::mixed::{mixed_program, seeds};
use pcl_test_support::projects::{
    assert_tidy, checked_for_outputs, deep_program, shown_programs, text_of, valid_programs,
};
use pcl_test_support::{skip, write};
use pcl_to_python::{Options, Toolchain, generate};
use serde_json::json;

fn project(target: &Target) -> Project {
    project_with(checked_for_outputs(target), &Options::default())
}

fn project_with(mut checked: Checked, options: &Options) -> Project {
    checked.program = sdk(checked.program, &SdkOptions::python());
    generate(&checked.document(), "demo", options)
}

#[test]
fn projects_are_as_they_were_read() {
    for (name, target) in shown_programs() {
        let text = text_of(&project(&target), &["Pulumi.yaml"]);
        insta::assert_snapshot!(name.as_str(), text);
    }
}

#[test]
fn every_program_has_a_project() {
    for (name, target) in valid_programs() {
        let project = project(&target);
        assert_eq!(project.files[0].path, "__main__.py", "{name}");
        assert_tidy(&name, &project, "\"\"\"");
    }
}

#[test]
fn the_project_of_a_program_is_always_the_same() {
    for (name, target) in valid_programs() {
        assert_eq!(project(&target), project(&target), "{name}");
    }
}

#[test]
fn long_chains_and_deep_nesting_need_no_stack() {
    let project = project(&deep_program());
    // Python reads neither the sum nor the list.
    let kinds: Vec<&str> = project.unsupported.iter().map(|it| it.kind).collect();
    assert_eq!(kinds, ["expressions that are nested too deeply"; 2]);
}

/// Reads pairs of a name and the text of a module, and prints what is wrong with them.
const READER: &str = r#"
import ast
import json
import sys


def declared(body):
    for statement in body:
        if isinstance(statement, (ast.ClassDef, ast.FunctionDef)):
            yield statement.name
        elif isinstance(statement, (ast.Import, ast.ImportFrom)):
            yield from (name.asname or name.name for name in statement.names)
        elif isinstance(statement, ast.Assign):
            names = (node for target in statement.targets for node in ast.walk(target))
            yield from (name.id for name in names if isinstance(name, ast.Name))
        elif isinstance(statement, ast.AnnAssign) and statement.value is not None:
            yield statement.target.id


for path, text in json.load(sys.stdin):
    try:
        names = list(declared(ast.parse(text).body))
        compile(text, path, "exec")
    except SyntaxError as error:
        print(f"{path}:{error.lineno}: {error.msg}: {(error.text or '').strip()}")
        continue
    for name in sorted({name for name in names if names.count(name) > 1}):
        print(f"{path}: two values for {name}")
"#;

/// The modules of projects, with names for messages.
#[derive(Default)]
struct Modules(Vec<(String, String)>);

impl Modules {
    fn add(&mut self, name: &str, project: Project) {
        let modules = project.files.into_iter().filter(|file| file.path.ends_with(".py"));
        self.0.extend(modules.map(|file| (format!("{name}/{}", file.path), file.text)));
    }

    /// Fails unless Python takes all of them, and each declares its names once. Warnings of its
    /// compiler are passed over, or count as well.
    fn assert_read(&self, warnings: &str) {
        let python = Command::new("python3")
            .args(["-W", warnings, "-c", READER])
            .env("PYTHONIOENCODING", "utf-8")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn();
        let Ok(mut python) = python else {
            return skip("PCL_REQUIRE_PYTHON", "there is no Python");
        };
        let mut input = python.stdin.take().expect("it is piped");
        input.write_all(json!(self.0).to_string().as_bytes()).expect("the reader reads");
        drop(input);
        let output = python.wait_with_output().expect("the reader ends");
        assert!(output.status.success(), "the reader fails");
        let complaints = String::from_utf8_lossy(&output.stdout);
        assert!(complaints.is_empty(), "{complaints}");
    }
}

#[test]
fn python_reads_the_modules_of_every_program() {
    let mut modules = Modules::default();
    for (name, target) in valid_programs() {
        for toolchain in [Toolchain::Pip, Toolchain::Uv] {
            for classes in [false, true] {
                let options = Options { toolchain, classes };
                let project = project_with(checked_for_outputs(&target), &options);
                modules.add(&format!("{name} ({toolchain:?}, classes: {classes})"), project);
            }
        }
    }
    modules.add("deep nesting", project(&deep_program()));
    modules.assert_read("error");
}

/// `PCL_MIXED_COUNT` is the number of programs, and `PCL_MIXED_SEED` the seed of the first one.
#[test]
fn python_reads_the_modules_of_random_programs() {
    let schema = vectors("registration.json")["schema"].take();
    let loader = Arc::new(Lab::new(&schema));
    let place = tempfile::tempdir().expect("a directory");
    let seeds = seeds(150);
    let least = (seeds.end - seeds.start) * 4 / 5;
    let mut valid = 0;
    let mut modules = Modules::default();
    for seed in seeds {
        let directory = place.path().join(seed.to_string());
        write_mixed(&directory, seed);
        let workspace = Workspace::new(Settings::default()).with_loader(loader.clone());
        let checked = workspace.check(&Target::Path(directory));
        // The checker refuses a few.
        if checked.is_valid() {
            valid += 1;
            let options = Options { classes: seed % 2 == 0, ..Options::default() };
            modules.add(&format!("seed {seed}"), project_with(checked, &options));
        }
    }
    assert!(valid >= least, "only {valid} are valid");
    // Python warns about `"text" is None` and the like, which people do not write.
    modules.assert_read("ignore");
}

/// Writes the files of a generated program.
fn write_mixed(directory: &Path, seed: u64) {
    let program = mixed_program(seed);
    for (file, text) in program["files"].as_object().expect("files") {
        write(&directory.join(file), text.as_str().expect("text"));
    }
}
