//! Projects that are made of programs, compiled and run together.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;

use pcl::document::Document;
use pcl::lower::{SdkOptions, sdk};
use pcl::schema::Loader;
use pcl::{Settings, Target, Workspace};
use pcl_test_support::engine::Lab;
use pcl_typescript::generate;
use serde_json::{Value as Json, json};

pub fn read(path: &Path) -> Json {
    let bytes = fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_slice(&bytes).expect("JSON")
}

fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().expect("a parent")).expect("a directory");
    fs::write(path, text).expect("a file");
}

/// Translates a program of the package `lab`, if the checker accepts it, and writes its modules.
pub fn write_program(
    work: &Path,
    program: &Json,
    schema: &Json,
    packages: &mut BTreeSet<String>,
) -> bool {
    let translated = write_program_with(work, program, Arc::new(Lab::new(schema)));
    let used = translated.iter().flat_map(|translated| &translated.document.packages);
    packages.extend(used.map(|package| package.name.clone()));
    translated.is_some()
}

/// A program that was translated.
pub struct Translated {
    /// The program before its translation.
    pub document: Document,
    /// True if a part of it has no counterpart.
    pub is_partial: bool,
}

/// Translates a program of any packages, if the checker accepts it, and writes its modules.
pub fn write_program_with(
    work: &Path,
    program: &Json,
    loader: Arc<dyn Loader>,
) -> Option<Translated> {
    let id = program["id"].as_str().expect("an id");
    let (source, out) = (work.join("source").join(id), work.join("programs").join(id));
    for (name, content) in program["files"].as_object().expect("files") {
        let content = content.as_str().expect("text");
        write(&source.join(name), content);
        if !name.ends_with(".pp") {
            write(&out.join(name), content);
        }
    }
    let mut settings = Settings::default();
    settings.options.prefer_output_versioned_invokes = true;
    let workspace = Workspace::new(settings).with_loader(loader);
    let mut checked = workspace.check(&Target::Path(source));
    if !checked.is_valid() {
        return None;
    }
    let document = checked.document();
    checked.program = sdk(checked.program, &SdkOptions::nodejs());
    let project = generate(&checked.document(), "proj");
    let is_partial = !project.unsupported.is_empty();
    for file in project.files {
        if file.path.ends_with(".ts") {
            write(&out.join(&file.path), &file.text);
        }
    }
    Some(Translated { document, is_partial })
}

/// Compiles the SDK under the names of all packages, and then all programs at once. Returns the
/// errors of each program; it runs all the same.
pub fn compile(
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
pub fn link(target: &Path, place: &Path) {
    std::os::unix::fs::symlink(target, place).expect("a link");
}

#[cfg(windows)]
pub fn link(target: &Path, place: &Path) {
    std::os::windows::fs::symlink_dir(target, place).expect("a link");
}

/// Runs all programs. Returns `events` and `error` of each by its id.
pub fn run(work: &Path, programs: &[&Json]) -> Json {
    let mut requests: Vec<Json> = programs
        .iter()
        .map(|program| {
            let mut request = (*program).clone();
            let id = program["id"].as_str().expect("an id");
            request["directory"] = json!(work.join("programs").join(id));
            request
        })
        .collect();
    let mut results = serde_json::Map::new();
    // One process runs many programs, until one of them ends it.
    while !requests.is_empty() {
        let before = results.len();
        let errors = run_some(work, &requests, &mut results);
        requests.retain(|request| !results.contains_key(request["id"].as_str().expect("an id")));
        assert!(results.len() > before, "{errors}");
    }
    Json::Object(results)
}

/// Runs programs in one process, and returns what it complains about.
fn run_some(work: &Path, requests: &[Json], results: &mut serde_json::Map<String, Json>) -> String {
    let (input, output) = (work.join("requests.json"), work.join("results.jsonl"));
    write(&input, &json!(requests).to_string());
    write(&output, "");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mocks/run.cjs");
    let mut command = Command::new("node");
    command.arg(script).arg(work).arg(&output);
    command.stdin(Stdio::from(fs::File::open(input).expect("the requests")));
    let run = command.output().expect("Node.js starts");
    for line in fs::read_to_string(&output).expect("the results").lines() {
        let mut result: Json = serde_json::from_str(line).expect("JSON");
        if result.get("events").is_none() {
            result["error"] = json!("the program ended the process");
        }
        results.insert(result["id"].as_str().expect("an id").to_owned(), result);
    }
    String::from_utf8_lossy(&run.stderr).into_owned()
}
