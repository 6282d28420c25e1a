//! Projects that are made of programs, compiled and run together.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;

use pcl::Checked;
use pcl::document::Document;
use pcl::lower::{SdkOptions, sdk};
use pcl_test_support::engine::Lab;
use pcl_test_support::mocks::{self, Language};
use pcl_test_support::{sorted, write};
use pcl_typescript::generate;
use serde_json::{Value as Json, json};

pub fn read(path: &Path) -> Json {
    let bytes = fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_slice(&bytes).expect("JSON")
}

/// Translates a program of the package `lab`, if the checker accepts it, and writes its modules.
pub fn write_program(
    work: &Path,
    program: &Json,
    schema: &Json,
    packages: &mut BTreeSet<String>,
) -> bool {
    let language = TypeScript::default();
    let translated = mocks::write_program(&language, work, program, Arc::new(Lab::new(schema)));
    let used = translated.iter().flat_map(|translated| &translated.document.packages);
    packages.extend(used.map(|package| package.name.clone()));
    translated.is_some()
}

/// TypeScript, with the SDKs of packages by name and version.
#[derive(Default)]
pub struct TypeScript {
    pub sdks: BTreeMap<(String, String), PathBuf>,
}

impl TypeScript {
    /// The language with the SDKs in a directory, where `node_modules` has Pulumi's own.
    pub fn prepare(work: &Path, sdks: &Path, node_modules: &Path) -> Self {
        fs::create_dir_all(work).expect("a directory");
        link(node_modules, &work.join("node_modules"));
        let sdks = std::path::absolute(sdks).expect("the SDKs");
        // An SDK looks for Pulumi's above its own place.
        let above = sdks.join("node_modules");
        if above.is_symlink() {
            fs::remove_file(&above).expect("a link");
        }
        link(node_modules, &above);
        let mut found = BTreeMap::new();
        for version in sorted(&sdks).iter().filter(|path| !path.ends_with("node_modules")) {
            for scope in sorted(version) {
                for sdk in sorted(&scope) {
                    found.insert((file_name(&sdk), file_name(version)), sdk);
                }
            }
        }
        Self { sdks: found }
    }
}

impl Language for TypeScript {
    fn write(&self, mut checked: Checked, out: &Path) -> bool {
        checked.program = sdk(checked.program, &SdkOptions::nodejs());
        let project = generate(&checked.document(), "proj");
        for file in &project.files {
            if file.path.ends_with(".ts") {
                write(&out.join(&file.path), &file.text);
            }
        }
        project.unsupported.is_empty()
    }

    fn give_sdks(&self, document: &Document, project: &Path) {
        for package in &document.packages {
            let version = package.version.as_ref().map(ToString::to_string).unwrap_or_default();
            let exact = self.sdks.get(&(package.name.clone(), version));
            let any =
                || self.sdks.iter().find(|((name, _), _)| *name == package.name).map(|it| it.1);
            let Some(sdk) = exact.or_else(any) else { continue };
            let scope = sdk.parent().expect("a scope").file_name().expect("a name");
            let scope = project.join("node_modules").join(scope);
            fs::create_dir_all(&scope).expect("a directory");
            link(sdk, &scope.join(&package.name));
        }
    }

    fn run(&self, work: &Path, programs: &[&Json]) -> Json {
        run(work, programs)
    }
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
    write(&work.join("tsconfig.sdk.json"), settings(json!({ "files": sources })));
    let errors = tsc(work, node_modules, "tsconfig.sdk.json");
    assert_eq!(errors, "", "the SDK");
    // From now on, its declarations count.
    sources.iter().for_each(|source| fs::remove_file(source).expect("it is there"));
    write(&work.join("tsconfig.json"), settings(json!({ "include": ["programs/**/*.ts"] })));

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
    write(&input, json!(requests).to_string());
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

fn file_name(path: &Path) -> String {
    path.file_name().expect("a name").to_str().expect("text").to_owned()
}
