//! Java as a language of the judges: the programs of `tests/java` compile and run the projects.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use pcl::Checked;
use pcl::document::Document;
use pcl::lower::{SdkOptions, sdk};
use pcl_test_support::mocks::Language;
use pcl_test_support::mocks::sdks::{LIST, Sdks};
use pcl_test_support::{root, sorted, write};
use pcl_to_java::{BuildTool, generate};
use serde_json::{Value as Json, json};

/// The tools that the tests need.
pub struct Tools {
    generator: PathBuf,
    /// The class path of Pulumi's SDK.
    jars: String,
}

impl Tools {
    /// The tools that the environment names, or the variable that is missing.
    pub fn find() -> Result<Self, String> {
        let find = |name: &str| match std::env::var_os(name) {
            Some(path) => Ok(PathBuf::from(path)),
            None => Err(format!("{name} is not set")),
        };
        let (generator, java) = (find("PCL_SDK_GENERATOR")?, find("PCL_JAVA")?);
        let jars = std::fs::read_to_string(java.join("classpath.txt"));
        let jars = jars.map_err(|error| format!("there are no jars: {error}"))?;
        Ok(Self { generator, jars: jars.trim().to_owned() })
    }
}

/// Java, with the SDKs of packages.
pub struct Java {
    jars: String,
    sdks: Sdks,
}

impl Java {
    /// The language with the SDKs of the schemas in a directory, which are written to another one.
    pub fn new(tools: &Tools, schemas: &Path, sdks: &Path) -> Self {
        let sdks = Sdks::new(&tools.generator, "--java", schemas, sdks);
        Self { jars: tools.jars.clone(), sdks }
    }

    /// Compiles the programs that run the projects, unless that was done, and returns the class
    /// path.
    fn runner(&self, work: &Path) -> String {
        let classes = work.join("runner");
        if !classes.exists() {
            let sources = sorted(&root().join("tests/java"));
            let is_java = |path: &PathBuf| path.extension().is_some_and(|it| it == "java");
            let mut command = Command::new("javac");
            command.args(["-nowarn", "-proc:none", "-cp", &self.jars, "-d"]).arg(&classes);
            let done = command.args(sources.iter().filter(|path| is_java(path))).output();
            let done = done.expect("Java can be run");
            assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        }
        format!("{}:{}", classes.display(), self.jars)
    }

    /// Runs projects in one process, in this directory, and returns the answers.
    fn run_in(&self, directory: &Path, work: &Path, requests: &[Json]) -> Vec<Json> {
        let jars = format!("-Djars={}", self.jars);
        let mut child = Command::new("java")
            .args([&jars, "-cp", &self.runner(work), "Programs", "run"])
            .current_dir(directory)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("Java can be run");
        let mut input = child.stdin.take().expect("it is piped");
        let lines: String = requests.iter().map(|request| format!("{request}\n")).collect();
        let sent = std::thread::spawn(move || input.write_all(lines.as_bytes()));
        let done = child.wait_with_output().expect("it ends");
        sent.join().expect("no panic").expect("it reads");
        let own = requests.first().and_then(|request| request["directory"].as_str());
        let answers = String::from_utf8_lossy(&done.stdout);
        let answers = answers.lines().map(|line| {
            // Programs that share a process are in a directory without files.
            let line = own.map_or_else(|| line.to_owned(), |own| line.replace(own, "<dir>"));
            let line = line.replace(&directory.display().to_string(), "<dir>");
            serde_json::from_str(&line).expect("an answer")
        });
        answers.collect()
    }
}

impl Language for Java {
    fn write(&self, mut checked: Checked, out: &Path) -> bool {
        checked.program = sdk(checked.program, &SdkOptions::java());
        let project = generate(&checked.document(), "proj", BuildTool::Maven);
        for file in project.files.iter().filter(|file| file.path.ends_with(".java")) {
            write(&out.join(&file.path), &file.text);
        }
        project.unsupported.is_empty()
    }

    fn give_sdks(&self, document: &Document, project: &Path) {
        self.sdks.list(document, project);
    }

    fn run(&self, work: &Path, programs: &[&Json]) -> Json {
        let work = std::path::absolute(work).expect("a path");
        let shared = work.join("shared");
        std::fs::create_dir_all(&shared).expect("a directory");
        let request = |program: &Json| {
            let id = program["id"].as_str().expect("an id");
            let directory = work.join("programs").join(id);
            let sdks = std::fs::read_to_string(directory.join(LIST)).unwrap_or_default();
            let mut request = program.clone();
            request["directory"] = json!(directory);
            request["sdks"] = sdks.lines().collect();
            request["classes"] = json!(work.join("classes").join(id));
            request
        };
        let has_files = |program: &Json| {
            let mut names = program["files"].as_object().expect("files").keys();
            names.any(|name| !name.ends_with(".pp"))
        };
        let (alone, together): (Vec<&Json>, Vec<&Json>) =
            programs.iter().copied().partition(|program| has_files(program));
        let together: Vec<Json> = together.into_iter().map(request).collect();
        let mut answers = self.run_in(&shared, &work, &together);
        for request in alone.into_iter().map(request) {
            let directory = PathBuf::from(request["directory"].as_str().expect("text"));
            answers.extend(self.run_in(&directory, &work, &[request]));
        }
        let by_id = |mut answer: Json| (answer["id"].take().as_str().map(str::to_owned), answer);
        let answers = answers.into_iter().map(by_id);
        Json::Object(answers.map(|(id, answer)| (id.expect("an id"), answer)).collect())
    }
}
