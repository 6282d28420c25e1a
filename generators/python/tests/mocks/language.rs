//! Python as a language of the judges.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use pcl::Checked;
use pcl::document::Document;
use pcl::lower::{SdkOptions, sdk};
use pcl_test_support::mocks::Language;
use pcl_test_support::mocks::sdks::{LIST, Sdks};
use pcl_test_support::write;
use pcl_to_python::{Options, generate};
use serde_json::{Value as Json, json};

/// The commands that the tests need.
pub struct Tools {
    pub python: PathBuf,
    pub generator: PathBuf,
}

impl Tools {
    /// The commands that the environment names, or the variable that is missing.
    pub fn find() -> Result<Self, String> {
        let find = |name: &str| match std::env::var_os(name) {
            Some(path) => Ok(PathBuf::from(path)),
            None => Err(format!("{name} is not set")),
        };
        Ok(Self { python: find("PCL_PYTHON")?, generator: find("PCL_SDK_GENERATOR")? })
    }

    /// The SDKs of the schemas in a directory, which are written to another one.
    pub fn sdks(&self, schemas: &Path, out: &Path) -> Sdks {
        Sdks::new(&self.generator, "--python", schemas, out)
    }
}

/// Python, with the SDKs of packages.
pub struct Python {
    python: PathBuf,
    sdks: Sdks,
}

impl Python {
    /// The language with SDKs of packages.
    pub fn new(tools: &Tools, sdks: Sdks) -> Self {
        Self { python: tools.python.clone(), sdks }
    }
}

impl Language for Python {
    fn write(&self, mut checked: Checked, out: &Path) -> bool {
        checked.program = sdk(checked.program, &SdkOptions::python());
        let project = generate(&checked.document(), "proj", &Options::default());
        for file in &project.files {
            if file.path.ends_with(".py") {
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
        let requests = programs.iter().map(|program| {
            let mut request = (*program).clone();
            let directory = work.join("programs").join(program["id"].as_str().expect("an id"));
            let sdks = std::fs::read_to_string(directory.join(LIST)).unwrap_or_default();
            request["sdks"] = sdks.lines().collect();
            request["directory"] = json!(directory);
            request
        });
        let requests: Vec<Json> = requests.collect();
        let (input, output) = (work.join("requests.json"), work.join("results.jsonl"));
        write(&input, json!(requests).to_string());
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mocks/run.py");
        let mut command = Command::new(&self.python);
        command.arg(script).arg(&output).env("PYTHONDONTWRITEBYTECODE", "1");
        command.stdin(Stdio::from(File::open(input).expect("the requests")));
        let run = command.output().expect("Python starts");
        assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
        let lines = std::fs::read_to_string(output).expect("the results");
        let results = lines.lines().map(|line| {
            let result: Json = serde_json::from_str(line).expect("JSON");
            (result["id"].as_str().expect("an id").to_owned(), result)
        });
        Json::Object(results.collect())
    }
}
