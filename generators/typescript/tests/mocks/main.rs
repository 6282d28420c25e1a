//! The recorded registrations (`tests/vectors/registration.json`) as TypeScript, compiled and run
//! under the mocks of `@pulumi/pulumi`: each program registers what is recorded or, where that is
//! wrong, what the evaluator registers. `differences.json` lists the programs that do not, with the
//! reasons; the reason of one that is to be fixed begins with `fault: `.
//!
//! Node.js and npm are needed. The packages are installed once, below the target directory; where
//! that is impossible, the test is skipped, or fails when `PCL_REQUIRE_MOCKS` is 1.

mod compare;
mod installed;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;

use pcl::lower::{SdkOptions, sdk};
use pcl::schema::{LoadError, Loader, Package, PackageRequest};
use pcl::{Settings, Target, Workspace};
use pcl_test_support::{root, skip};
use pcl_typescript::generate;
use serde_json::{Value as Json, json};

use compare::{Given, differences};

/// The number of programs that the checker accepts; it refuses some that fail when they run.
const ACCEPTED: usize = 206;

#[test]
fn programs_register_what_is_recorded() {
    let node_modules = match installed::node_modules() {
        Ok(place) => place,
        Err(complaint) => return skip("PCL_REQUIRE_MOCKS", complaint),
    };
    let document = read(&root().join("tests/vectors/registration.json"));
    let exceptions = read(&root().join("tests/vectors/registration_exceptions.json"));
    let programs = document["programs"].as_array().expect("programs");
    let work = tempfile::tempdir().expect("a directory");
    let work = work.path();
    let mut packages = BTreeSet::from(["lab".to_owned()]);
    let mut accepted = Vec::new();
    for program in programs {
        if write_program(work, program, &document["schema"], &mut packages) {
            accepted.push(program);
        }
    }
    let refused = compile(work, &node_modules, &packages);
    let results = run(work, &accepted);

    let known = read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mocks/differences.json"));
    let mut complaints = Vec::new();
    for program in &accepted {
        let id = program["id"].as_str().expect("an id");
        let mut found: Vec<String> = refused.get(id).cloned().unwrap_or_default();
        let given = Given::of(&results[id]);
        if let Some(expected) = Given::recorded(program, &exceptions) {
            found.extend(differences(&expected, &given));
        }
        match (found.is_empty(), known[id].as_str()) {
            (true, None) | (false, Some(_)) => {}
            (true, Some(reason)) => {
                complaints.push(format!("=== {id} is no difference any more: {reason}"));
            }
            (false, None) => complaints.push(format!("=== {id}\n{}", found.join("\n"))),
        }
    }
    let ids: BTreeSet<&str> = accepted.iter().filter_map(|it| it["id"].as_str()).collect();
    for (id, reason) in known.as_object().expect("an object") {
        assert!(reason.as_str().is_some_and(|reason| !reason.is_empty()), "{id}");
        if !ids.contains(id.as_str()) {
            complaints.push(format!("=== {id} is not among the programs"));
        }
    }
    let count = complaints.len();
    assert!(complaints.is_empty(), "{}\n{count} of {}", complaints.join("\n"), ids.len());
    assert_eq!(accepted.len(), ACCEPTED);
}

fn read(path: &Path) -> Json {
    let bytes = fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_slice(&bytes).expect("JSON")
}

fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().expect("a parent")).expect("a directory");
    fs::write(path, text).expect("a file");
}

/// Translates a program, if the checker accepts it, and writes its modules.
fn write_program(
    work: &Path,
    program: &Json,
    schema: &Json,
    packages: &mut BTreeSet<String>,
) -> bool {
    let id = program["id"].as_str().expect("an id");
    let (source, out) = (work.join("source").join(id), work.join("programs").join(id));
    for (name, content) in program["files"].as_object().expect("files") {
        let content = content.as_str().expect("text");
        write(&source.join(name), content);
        if !name.ends_with(".pp") {
            write(&out.join(name), content);
        }
    }
    let loader = Arc::new(Lab(schema.clone()));
    let mut settings = Settings::default();
    settings.options.prefer_output_versioned_invokes = true;
    let workspace = Workspace::new(settings).with_loader(loader);
    let mut checked = workspace.check(&Target::Path(source));
    if !checked.is_valid() {
        return false;
    }
    checked.program = sdk(checked.program, &SdkOptions::nodejs());
    let document = checked.document();
    packages.extend(document.packages.iter().map(|package| package.name.clone()));
    for file in generate(&document, "proj").files {
        if file.path.ends_with(".ts") {
            write(&out.join(&file.path), &file.text);
        }
    }
    true
}

/// The loader of the package `lab`, which has the same schema under every name.
struct Lab(Json);

impl Loader for Lab {
    fn find(&self, request: &PackageRequest) -> Result<Arc<Package>, LoadError> {
        let name = request.name();
        let text = self.0.to_string().replace("lab:", &format!("{name}:"));
        let mut schema: Json = serde_json::from_str(&text).expect("JSON");
        schema["name"] = json!(name);
        Ok(Arc::new(Package::from_bytes(schema.to_string()).expect("a schema")))
    }
}

/// Compiles the SDK under the names of all packages, and then all programs at once. Returns the
/// errors of each program; it runs all the same.
fn compile(
    work: &Path,
    node_modules: &Path,
    packages: &BTreeSet<String>,
) -> BTreeMap<String, Vec<String>> {
    let settings = |files: Json| {
        let mut settings = json!({ "compilerOptions": {
            "strict": true, "noImplicitReturns": true, "skipLibCheck": true,
            "target": "es2022", "module": "commonjs", "moduleResolution": "node10",
            "types": ["node"], "typeRoots": [node_modules.join("@types")], "declaration": true,
        } });
        settings
            .as_object_mut()
            .expect("an object")
            .extend(files.as_object().cloned().expect("files"));
        settings.to_string()
    };
    let scope = work.join("node_modules/@pulumi");
    fs::create_dir_all(&scope).expect("a directory");
    link(&node_modules.join("@pulumi/pulumi"), &scope.join("pulumi"));
    let sdk = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mocks/lab.ts"));
    let sdk = sdk.expect("the SDK");
    let packages = packages.iter().filter(|name| *name != "pulumi");
    for package in packages.clone() {
        let named = sdk.replace("\"lab", &format!("\"{package}"));
        write(&scope.join(package).join("index.ts"), &named);
    }
    let sources: Vec<_> = packages.clone().map(|name| scope.join(name).join("index.ts")).collect();
    write(&work.join("tsconfig.sdk.json"), &settings(json!({ "files": sources })));
    let errors = tsc(work, node_modules, "tsconfig.sdk.json");
    assert_eq!(errors, "", "the SDK");
    // From now on, its declarations count.
    sources.iter().for_each(|source| fs::remove_file(source).expect("it is there"));
    write(&work.join("tsconfig.json"), &settings(json!({ "include": ["programs/**/*.ts"] })));

    let mut refused: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let errors = tsc(work, node_modules, "tsconfig.json");
    for line in errors.lines().filter(|line| line.starts_with("programs/")) {
        let id = line.split('/').nth(1).expect("the name of a program");
        refused.entry(id.to_owned()).or_default().push(line.to_owned());
    }
    refused
}

/// Runs the compiler and returns its errors.
fn tsc(work: &Path, node_modules: &Path, settings: &str) -> String {
    let mut command = Command::new("node");
    command.arg(node_modules.join("typescript/bin/tsc")).args([
        "--pretty",
        "false",
        "--project",
        settings,
    ]);
    let output = command.current_dir(work).output().expect("the compiler starts");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[cfg(unix)]
fn link(target: &Path, place: &Path) {
    std::os::unix::fs::symlink(target, place).expect("a link");
}

#[cfg(windows)]
fn link(target: &Path, place: &Path) {
    std::os::windows::fs::symlink_dir(target, place).expect("a link");
}

/// Runs all programs in one process.
fn run(work: &Path, programs: &[&Json]) -> Json {
    let requests: Vec<Json> = programs
        .iter()
        .map(|program| {
            let mut request = (*program).clone();
            let id = program["id"].as_str().expect("an id");
            request["directory"] = json!(work.join("programs").join(id));
            request
        })
        .collect();
    let (input, output) = (work.join("requests.json"), work.join("results.json"));
    write(&input, &json!(requests).to_string());
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mocks/run.cjs");
    let mut command = Command::new("node");
    command.arg(script).arg(work).arg(&output);
    command.stdin(Stdio::from(fs::File::open(input).expect("the requests")));
    let run = command.output().expect("Node.js starts");
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    read(&output)
}
