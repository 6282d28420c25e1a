//! Go as a language of the judges. All programs are one module of Go, with a package for each, so
//! that they are built at once.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use pcl::Checked;
use pcl::document::Document;
use pcl::lower::{SdkOptions, sdk};
use pcl_test_support::mocks::Language;
use pcl_test_support::mocks::sdks::{LIST, Sdks};
use pcl_test_support::{sorted, write};
use pcl_to_go::generate;
use serde_json::{Value as Json, json};

/// The commands that the tests need.
pub struct Tools {
    pub generator: PathBuf,
    /// The directory of Pulumi's SDK.
    pub sdk: PathBuf,
}

impl Tools {
    /// The commands that the environment names, or the variable that is missing.
    pub fn find() -> Result<Self, String> {
        let find = |name: &str| match std::env::var_os(name) {
            Some(path) => Ok(PathBuf::from(path)),
            None => Err(format!("{name} is not set")),
        };
        let (generator, module) = (find("PCL_SDK_GENERATOR")?, find("PCL_GO_MODULE")?);
        let mut command = Command::new("go");
        command.args(["list", "-m", "-f", "{{.Dir}}", "github.com/pulumi/pulumi/sdk/v3"]);
        let listed = command.current_dir(module).output();
        let listed = listed.map_err(|error| format!("Go cannot be run: {error}"))?;
        let sdk = String::from_utf8_lossy(&listed.stdout).trim().to_owned();
        Ok(Self { generator, sdk: PathBuf::from(sdk) })
    }

    /// The SDKs of the schemas in a directory, which are written to another one.
    pub fn sdks(&self, schemas: &Path, out: &Path) -> Sdks {
        Sdks::new(&self.generator, "--go", schemas, out)
    }
}

/// Go, with the SDKs of packages.
pub struct Golang {
    core: PathBuf,
    sdks: Sdks,
}

impl Golang {
    /// The language with SDKs of packages.
    pub fn new(tools: &Tools, sdks: Sdks) -> Self {
        Self { core: tools.sdk.clone(), sdks }
    }

    /// Writes the module of some programs, and returns the names of their packages, by the id of
    /// the program.
    fn write_module(&self, work: &Path, ids: &[&str]) -> BTreeMap<String, String> {
        let mut packages = BTreeMap::new();
        let mut modules: BTreeSet<(String, PathBuf)> = BTreeSet::new();
        let module = work.join("module");
        for (at, id) in ids.iter().enumerate() {
            let (package, project) = (format!("p{at}"), work.join("programs").join(id));
            for file in sorted(&project).into_iter().filter(|file| is_go(file)) {
                let text = std::fs::read_to_string(&file).expect("a file");
                let text = text.replacen("package main", &format!("package {package}"), 1);
                let text = text.replacen(
                    "func main() {\n\tpulumi.Run(",
                    "// Main runs the program.\nfunc Main(run func(pulumi.RunFunc, ...pulumi.RunOption)) {\n\trun(",
                    1,
                );
                write(&module.join(&package).join(file_name(&file)), text);
            }
            let sdks = std::fs::read_to_string(project.join(LIST)).unwrap_or_default();
            for sdk in sdks.lines() {
                let text = std::fs::read_to_string(Path::new(sdk).join("go.mod"));
                let text = text.expect("a module");
                let path = text.lines().next().and_then(|line| line.strip_prefix("module "));
                modules.insert((path.expect("its path").to_owned(), PathBuf::from(sdk)));
            }
            packages.insert((*id).to_owned(), package);
        }
        let core = "github.com/pulumi/pulumi/sdk/v3";
        modules.insert((core.to_owned(), self.core.clone()));
        let mut text = "module mocks\n\ngo 1.25\n\n".to_owned();
        let mut known = BTreeSet::new();
        for (path, place) in modules {
            if known.insert(path.clone()) {
                let major = path.rsplit_once("/v").and_then(|(_, major)| major.parse::<u32>().ok());
                let major = major.unwrap_or(0);
                let _ = writeln!(text, "require {path} v{major}.0.0");
                let _ = writeln!(text, "replace {path} => {}", place.display());
            }
        }
        write(&module.join("go.mod"), text);
        packages
    }

    /// Builds the programs that can be built; returns what Go says about the others.
    fn build(&self, work: &Path, packages: &BTreeMap<String, String>) -> BTreeMap<String, String> {
        let module = work.join("module");
        let go = |arguments: &[&str]| {
            let mut command = Command::new("go");
            command.args(arguments).current_dir(&module).env("GOFLAGS", "-mod=mod");
            command.output().expect("Go can be run")
        };
        let checked = go(&["build", "./..."]);
        let said = String::from_utf8_lossy(&checked.stderr).into_owned();
        let mut wrong: BTreeMap<String, String> = BTreeMap::new();
        let mut current = Vec::new();
        for line in said.lines() {
            if let Some(path) = line.strip_prefix("# ") {
                // An SDK may not compile either.
                let is_wrong = |own: &&String| {
                    format!("mocks/{own}") == path || imports(&module.join(own), path)
                };
                current = packages.values().filter(is_wrong).cloned().collect();
            } else {
                for package in &current {
                    let complaints = wrong.entry(package.clone()).or_default();
                    complaints.push_str(line);
                    complaints.push('\n');
                }
            }
        }
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mocks/run.go");
        let script = std::fs::read_to_string(script).expect("the script");
        write(&module.join("run.go"), script);
        let mut list =
            "package main\n\nimport (\n\t\"github.com/pulumi/pulumi/sdk/v3/go/pulumi\"\n"
                .to_owned();
        let fine: Vec<&String> =
            packages.values().filter(|package| !wrong.contains_key(*package)).collect();
        for package in &fine {
            let _ = writeln!(list, "\t\"mocks/{package}\"");
        }
        list += ")\n\nvar programs = map[string]func(func(pulumi.RunFunc, ...pulumi.RunOption)){\n";
        for package in &fine {
            let _ = writeln!(list, "\t\"{package}\": {package}.Main,");
        }
        list += "}\n";
        write(&module.join("programs.go"), list);
        let built = go(&["build", "-o", "run", "."]);
        let complaints = String::from_utf8_lossy(&built.stderr);
        assert!(built.status.success(), "{said}\n{complaints}");
        let fine: Vec<String> = fine.iter().map(|package| format!("./{package}")).collect();
        let fine: Vec<&str> = fine.iter().map(String::as_str).collect();
        let vetted = go(&[&["vet"], &fine[..]].concat());
        assert!(vetted.status.success(), "{}", String::from_utf8_lossy(&vetted.stderr));
        if let Some(staticcheck) = std::env::var_os("PCL_STATICCHECK") {
            let mut command = Command::new(staticcheck);
            // A program may use what its packages deprecate (SA1019).
            command
                .args(["-checks", "inherit,-SA1019"])
                .args(&fine)
                .current_dir(&module)
                .env("GOFLAGS", "-mod=mod");
            let checked = command.output().expect("staticcheck can be run");
            assert!(checked.status.success(), "{}", String::from_utf8_lossy(&checked.stdout));
        }
        wrong
    }
}

impl Language for Golang {
    fn write(&self, mut checked: Checked, out: &Path) -> bool {
        checked.program = sdk(checked.program, &SdkOptions::go());
        let project = generate(&checked.document(), "proj");
        for file in &project.files {
            if file.path.ends_with(".go") {
                write(&out.join(&file.path), &file.text);
            }
        }
        project.unsupported.is_empty()
    }

    fn give_sdks(&self, document: &Document, project: &Path) {
        self.sdks.list(document, project);
    }

    fn run(&self, work: &Path, programs: &[&Json]) -> Json {
        let work = std::path::absolute(work).expect("a path");
        let ids: Vec<&str> =
            programs.iter().map(|program| program["id"].as_str().expect("an id")).collect();
        let packages = self.write_module(&work, &ids);
        let wrong = self.build(&work, &packages);
        let run = |(program, id): (&&Json, &&str)| {
            let package = &packages[*id];
            if let Some(complaints) = wrong.get(package) {
                let error = format!("it does not compile: {complaints}");
                return ((*id).to_owned(), json!({ "events": [], "error": error }));
            }
            let mut request = (*program).clone();
            request["directory"] = json!(work.join("programs").join(id));
            let mut child = Command::new(work.join("module/run"))
                .arg(package)
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .expect("the program starts");
            let mut input = child.stdin.take().expect("it is piped");
            input.write_all(request.to_string().as_bytes()).expect("it reads");
            drop(input);
            let done = child.wait_with_output().expect("it ends");
            let result = serde_json::from_slice(&done.stdout).unwrap_or_else(|_| {
                let said = String::from_utf8_lossy(&done.stderr);
                let said: String = said.chars().take(1500).collect();
                json!({ "events": [], "error": said })
            });
            ((*id).to_owned(), result)
        };
        Json::Object(programs.iter().zip(&ids).map(run).collect())
    }
}

/// Returns true if a file in a directory imports a package.
fn imports(directory: &Path, path: &str) -> bool {
    let quoted = format!("\"{path}\"");
    let has = |file: PathBuf| std::fs::read_to_string(file).is_ok_and(|it| it.contains(&quoted));
    sorted(directory).into_iter().any(has)
}

fn is_go(path: &Path) -> bool {
    path.extension().is_some_and(|it| it == "go")
}

fn file_name(path: &Path) -> String {
    path.file_name().expect("a name").to_str().expect("text").to_owned()
}
