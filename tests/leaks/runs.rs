//! Runs of programs with the secret, and what they print.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pcl::eval::notation::Secrets;
use pcl::eval::{Answers, ConfigEntry, FileContents, References};
use pcl::plan::Options;
use pcl::preview::{OfflineProgram, RunSettings};
use pcl::render::{Format, Look, Report, preview_json, preview_text, shown, value_json};
use pcl::state::{CheckedState, Keys};
use pcl::values::{Content, Contents, Entry};
use pcl::{Checked, SchemaPlaces, Settings, Target, Workspace};
use pcl_test_support::{SCHEMAS, root};

use crate::plans;
use crate::planted::{Forms, VALUES};

/// A stack without resources.
const EMPTY: &[u8] = br#"{ "version": 3, "deployment": {} }"#;

/// The name and the text of each file of a program.
pub type Files = Vec<(String, String)>;

/// The ways in which the secret gets into a program, where it is called `planted`.
#[derive(Clone, Copy, Debug)]
pub enum Source {
    /// The value of a configuration variable.
    Config,
    /// The content of a file, which the program marks.
    File,
    /// An answer of a provider.
    Answer,
}

impl Source {
    pub const ALL: [Self; 3] = [Self::Config, Self::File, Self::Answer];

    /// The declarations of it in a program.
    pub fn declared(self) -> &'static str {
        match self {
            Self::Config => "\nconfig planted any {\n  secret = true\n}\n",
            Self::File => "\nplanted = secret(readFile(\"planted.txt\"))\n",
            Self::Answer => {
                "\nresource plantedNet \"harbor:network:Network\" {\n  cidr = \"10\"\n}\n\
                 planted = plantedNet.gateway\n"
            }
        }
    }
}

/// The files of a directory, and `planted.txt` with the secret.
struct Planted {
    files: FileContents,
    secret: String,
}

impl Contents for Planted {
    fn file(&self, path: &str) -> io::Result<Content<'_>> {
        if path.ends_with("planted.txt") {
            return Ok(Content::of(self.secret.as_bytes()));
        }
        self.files.file(path)
    }

    fn directory(&self, path: &str) -> io::Result<Vec<Entry>> {
        self.files.directory(path)
    }

    fn fetch(&self, uri: &str) -> io::Result<Content<'_>> {
        self.files.fetch(uri)
    }

    fn is_outside(&self, path: &str) -> bool {
        self.files.is_outside(path)
    }
}

/// The runs, and what they leaked.
pub struct Runs {
    workspace: Workspace,
    forms: Forms,
    evaluated: usize,
    leaks: Vec<String>,
}

impl Runs {
    /// Runs with our own schemas.
    pub fn new() -> Self {
        Self::with_schemas(vec![root().join(SCHEMAS)])
    }

    pub fn with_schemas(directories: Vec<PathBuf>) -> Self {
        Self {
            workspace: Workspace::new(Settings {
                schemas: SchemaPlaces {
                    directories,
                    beside_programs: true,
                    ..SchemaPlaces::default()
                },
                // The run tells more than trying the program does.
                untried: true,
                ..Settings::default()
            }),
            forms: Forms::new(),
            evaluated: 0,
            leaks: Vec::new(),
        }
    }

    pub fn check(&self, directory: &Path, files: &Files) -> Checked {
        let files = files.iter();
        self.workspace.check(&Target::Memory {
            path: "program".to_owned(),
            directory: Some(directory.to_path_buf()),
            files: files.map(|(name, text)| (name.clone(), text.clone().into_bytes())).collect(),
        })
    }

    /// The program with a value of the secret.
    pub fn program(checked: Checked, directory: &Path, value: &str) -> OfflineProgram {
        let entry = ConfigEntry { text: Some(value.into()), is_secret: true };
        let settings = RunSettings {
            project: "shop".into(),
            stack: "dev".into(),
            organization: "people".into(),
            root_directory: directory.display().to_string(),
            working_directory: directory.display().to_string(),
            parallel: 1,
            config: [("shop:planted".to_owned(), entry)].into(),
            ..RunSettings::default()
        };
        let outputs = serde_json::json!({ "gateway": { "$secret": value } });
        let answers = serde_json::json!({ "resources": { "plantedNet": { "outputs": outputs } } });
        let answers = Answers::read(&answers.to_string()).expect("answers");
        let contents = Planted {
            files: FileContents::new(directory).with_project(directory),
            secret: value.to_owned(),
        };
        OfflineProgram::new(checked, settings, answers, directory).with_contents(Arc::new(contents))
    }

    /// Previews a program with the secret, and plans it for an empty stack.
    pub fn preview(&mut self, directory: &Path, files: &Files, place: &str) {
        for value in [VALUES[0], VALUES[1]] {
            let checked = self.check(directory, files);
            if !checked.is_valid() {
                return;
            }
            let preview = Self::program(checked, directory, value).preview();
            self.evaluated += 1;
            let mut printed = preview_text(&preview, Secrets::Hide).into_bytes();
            printed.extend(preview_json(&preview, Secrets::Hide));
            self.search(printed, &preview.report, place);
            let empty = CheckedState::of_text("empty", EMPTY.to_vec());
            let program = Self::program(self.check(directory, files), directory, value);
            let planned = program.plan(&empty, &Keys::default(), Options::default());
            self.search(plans::printed(&planned), &planned.report, place);
        }
    }

    /// Evaluates an expression with the secret.
    pub fn evaluate(&mut self, expression: &str) {
        let directory = root().join("corpus/valid/nothing");
        let files = vec![("main.pp".to_owned(), Source::Config.declared().to_owned())];
        for value in VALUES {
            let checked = self.check(&directory, &files);
            let evaluated = Self::program(checked, &directory, value).evaluate(expression);
            let mut printed = Vec::new();
            if let Some(value) = &evaluated.value
                && let Ok(value) = value.to_property(References::Expand)
            {
                printed.extend(shown(&value, Secrets::Hide).into_bytes());
                printed.extend(value_json(&value, Secrets::Hide).into_bytes());
            }
            let codes = evaluated.diagnostics.iter();
            let has_run = codes.clone().all(|it| it.code.id() >= "PCL10");
            self.evaluated += usize::from(has_run);
            self.search(printed, &evaluated.report, expression);
        }
    }

    /// Looks for the secret in what a run printed, and in its report.
    pub fn search(&mut self, mut printed: Vec<u8>, report: &Report, place: &str) {
        for format in [Format::Full, Format::Json, Format::Sarif] {
            printed.extend(format.render(report, Look::default()));
        }
        let leak = self.forms.leak(&printed);
        self.leaks.extend(leak.map(|leak| format!("{place}\n  {leak}")));
    }

    pub fn finish(self, least: usize) {
        let count = self.leaks.len();
        assert!(count == 0, "{}\n{count} leaks", self.leaks.join("\n"));
        assert!(self.evaluated >= least, "{} runs", self.evaluated);
    }
}
