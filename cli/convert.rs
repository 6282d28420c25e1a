//! `pcl convert`: a program as a project in another language.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use super::batch::BatchArgs;
use super::check::OutputArgs;
use super::from_yaml::{Came, Flags, from_yaml, read};
use super::hints;
use super::inputs::{self, ProgramArgs, SettingsArgs};
use super::jobs;
use super::output::{Documents, Main, Sink, many};
use super::status::{Failure, Outcome, Status};
use crate::everywhere::summarize;
use pcl::Workspace;
use pcl::generated::Project;
use pcl::render::{Report, Roots, Summary};
use pcl_convert::{
    JavaBuildTool, Language, Options, PythonOptions, PythonToolchain, adjusted, convert,
};
use pcl_system::{Signals, WriteFilesError};

#[derive(Args)]
pub(crate) struct Convert {
    #[command(flatten)]
    program: ProgramArgs,
    /// More files of manifests, with `--from kubernetes`
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The language of the program; by default, PCL
    #[arg(long, value_name = "LANGUAGE", conflicts_with = "batch")]
    from: Option<Origin>,
    /// The language of the project; of a batch, the languages, separated by commas. With `--from`,
    /// the default is PCL
    #[arg(
        long,
        value_name = "LANGUAGE",
        value_parser = goals(),
        value_delimiter = ',',
        required_unless_present = "from"
    )]
    to: Vec<Goal>,
    /// Write the files of the project into this directory, all or none; without it, they are
    /// printed
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Replace files that exist in the directory
    #[arg(long, requires = "out")]
    force: bool,
    /// Exit with status 0 even if resources, outputs, inputs or options are missing in the project
    #[arg(long)]
    allow_incomplete: bool,
    /// The name of the project [default: that of the project of the program, or of its directory]
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// The tool that installs the packages of a project in Python: pip, with `requirements.txt`, or
    /// uv, with `pyproject.toml`
    #[arg(long, value_name = "TOOL", default_value = "pip", value_parser = toolchains())]
    python_toolchain: PythonToolchain,
    /// Write nested inputs in Python as instances of classes, instead of dicts
    #[arg(long)]
    python_classes: bool,
    /// The tool that builds a project in Java: maven, with `pom.xml`, or gradle, with
    /// `build.gradle`
    #[arg(long, value_name = "TOOL", default_value = "maven", value_parser = build_tools())]
    java_build: JavaBuildTool,
    #[command(flatten)]
    batch: BatchArgs,
    #[command(flatten)]
    settings: SettingsArgs,
    #[command(flatten)]
    output: OutputArgs,
}

/// A language that programs are converted from.
#[derive(Clone, Copy, clap::ValueEnum)]
enum Origin {
    /// Pulumi YAML
    Yaml,
    /// Manifests of Kubernetes, in one or more files
    Kubernetes,
}

/// The language that programs are converted to, or none for PCL.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Goal(Option<Language>);

/// The names of all goals, with a description of each.
fn goals() -> impl TypedValueParser<Value = Goal> {
    let value = |language: Language| PossibleValue::new(language.name()).help(language.title());
    let pcl = PossibleValue::new("pcl").help("PCL, with `--from`");
    PossibleValuesParser::new(Language::ALL.map(value).into_iter().chain([pcl])).try_map(
        |name: String| match name.as_str() {
            "pcl" => Ok(Goal(None)),
            name => Language::parse(name).map(|language| Goal(Some(language))),
        },
    )
}

/// The names of the languages, with a description of each.
pub(crate) fn languages() -> impl TypedValueParser<Value = Language> {
    let value = |language: Language| PossibleValue::new(language.name()).help(language.title());
    PossibleValuesParser::new(Language::ALL.map(value))
        .try_map(|name: String| Language::parse(&name))
}

/// The names of the tools that install packages of Python.
fn toolchains() -> impl TypedValueParser<Value = PythonToolchain> {
    PossibleValuesParser::new(PythonToolchain::ALL.map(PythonToolchain::name))
        .try_map(|name: String| PythonToolchain::parse(&name))
}

/// The names of the tools that build projects in Java.
fn build_tools() -> impl TypedValueParser<Value = JavaBuildTool> {
    PossibleValuesParser::new(JavaBuildTool::ALL.map(JavaBuildTool::name))
        .try_map(|name: String| JavaBuildTool::parse(&name))
}

impl Convert {
    pub(crate) fn run(&self) -> Outcome {
        if let ([file, ..], None | Some(Origin::Yaml)) = (&self.files[..], self.from) {
            let file = file.display();
            let message =
                format!("`{file}` is one path too many; only `--from kubernetes` takes several");
            return Err(Failure::usage(message));
        }
        if let Some(origin) = self.from {
            self.batch.refuse_alone()?;
            return self.enter(origin);
        }
        let Some(mut languages) = self.to.iter().map(|goal| goal.0).collect::<Option<Vec<_>>>()
        else {
            let message = "`--to pcl` needs `--from yaml`; the program is in PCL already";
            return Err(Failure::usage(message));
        };
        if let Some(input) = &self.batch.batch {
            languages.sort_by_key(|language| language.name());
            languages.dedup();
            return self.batch.run(input, &self.settings, &languages, &self.options());
        }
        self.batch.refuse_alone()?;
        let [language] = languages[..] else {
            let message = "`--to` takes one language; with `--batch` it takes several";
            return Err(Failure::usage(message));
        };
        self.one(language)
    }

    /// Converts one program.
    fn one(&self, language: Language) -> Outcome {
        let target = self.program.target()?;
        let inputs = self.settings.inputs()?;
        let directory = inputs::directory(&target);
        let configuration = inputs.discovery.of(&directory);
        let mut settings = inputs.settings(&configuration);
        self.output.adjust(&mut settings.reports, &Roots::find(target.place()));
        let main = match self.out {
            Some(_) => Main::Stdout,
            None => Main::Stderr,
        };
        let mut documents = self.output.open(main, &settings.reports, None)?;
        if jobs::report_configurations(&inputs.discovery, &mut documents, &settings.reports)?
            .is_some()
        {
            documents.close(&Summary::default())?;
            return Ok(Status::Failed);
        }
        let fails_on_warning = self.settings.warnings_fail(&configuration);

        let mut checked = Workspace::new(adjusted(settings, language)).check(&target);
        let mut project = None;
        if checked.is_valid() {
            let name = self.project_name(&directory)?;
            (checked, project) = convert(checked, language, &name, &self.options());
        }
        hints::name_flags(&mut checked.diagnostics);
        let Summary { errors, warnings, .. } = report(&checked.report, documents)?;
        let is_refused = errors > 0 || fails_on_warning && warnings > 0;
        match project {
            _ if !checked.readable => Ok(Status::Failed),
            Some(project) if !is_refused => {
                match &self.out {
                    Some(directory) => self.write(directory, &project)?,
                    None => print(&project)?,
                }
                Ok(self.completeness(&project))
            }
            _ => {
                summarize("nothing is written");
                Ok(Status::Found)
            }
        }
    }

    /// Converts a project in Pulumi YAML, or manifests.
    fn enter(&self, origin: Origin) -> Outcome {
        let language = match self.to[..] {
            [] => None,
            [goal] => goal.0,
            _ => return Err(Failure::usage("`--to` takes one language")),
        };
        let place = self.program.path();
        let has_manifests = matches!(origin, Origin::Kubernetes);
        if !has_manifests {
            self.refuse_source(place)?;
        }
        let source = read(place, &self.files, has_manifests)?;
        let main = match self.out {
            Some(_) => Main::Stdout,
            None => Main::Stderr,
        };
        let flags = Flags {
            settings: &self.settings,
            output: &self.output,
            main,
            name: self.name.as_deref(),
            options: self.options(),
        };
        match from_yaml(&source, language, &flags)? {
            Came::Refused { is_readable: false } => Ok(Status::Failed),
            Came::Refused { .. } => {
                summarize("nothing is written");
                Ok(Status::Found)
            }
            Came::Project(project) => {
                match &self.out {
                    Some(directory) => self.write(directory, &project)?,
                    None => print(&project)?,
                }
                Ok(self.completeness(&project))
            }
            Came::Program(files) => {
                match &self.out {
                    Some(directory) => self.write_texts(directory, &files)?,
                    None => print_texts(&files)?,
                }
                Ok(Status::Clean)
            }
        }
    }

    /// Refuses the directory of the program as that of the project, which Pulumi would no longer
    /// run as before.
    fn refuse_source(&self, place: &Path) -> Result<(), Failure> {
        let Some(out) = self.out.as_deref().filter(|_| !self.force) else { return Ok(()) };
        let source = if place.is_dir() { place } else { pcl_system::directory_of(place) };
        if pcl_system::resolved(source) != pcl_system::resolved(out) {
            return Ok(());
        }
        let path = out.display();
        Err(Failure::usage(format!(
            "`{path}` is the directory of the program; name another one, or replace it with `--force`"
        )))
    }

    /// The status of a project that is written.
    fn completeness(&self, project: &Project) -> Status {
        if self.allow_incomplete || project.is_complete() {
            return Status::Clean;
        }
        let lost = project.unsupported.iter().filter(|it| it.is_loss).count();
        summarize(&format!(
            "the project is incomplete, for {}; `--allow-incomplete` accepts that",
            many(lost, "reason")
        ));
        Status::Found
    }

    /// The choices for the languages.
    fn options(&self) -> Options {
        let toolchain = self.python_toolchain;
        Options {
            python: PythonOptions { toolchain, classes: self.python_classes },
            java: self.java_build,
        }
    }

    fn project_name(&self, directory: &Path) -> Result<String, Failure> {
        match &self.name {
            Some(name) => Ok(name.clone()),
            None => pcl_convert::project_name(directory).map_err(Failure::usage),
        }
    }

    fn write(&self, directory: &Path, project: &Project) -> Result<(), Failure> {
        let files = project.files.iter().map(|file| (file.path.clone(), file.text.clone()));
        self.write_texts(directory, &files.collect::<Vec<_>>())
    }

    fn write_texts(&self, directory: &Path, files: &[(String, String)]) -> Result<(), Failure> {
        let files: Vec<_> =
            files.iter().map(|(path, text)| (path.as_str(), text.as_bytes())).collect();
        let signals = Signals::install().map_err(Failure::signals)?;
        signals.hold();
        let result = pcl_system::write_files(directory, &files, self.force);
        signals.release();
        match result {
            Ok(()) => {}
            Err(WriteFilesError { path, error }) if error.kind() == ErrorKind::AlreadyExists => {
                let path = path.display();
                return Err(Failure::usage(format!(
                    "`{path}` exists; nothing is written, `--force` replaces it"
                )));
            }
            Err(WriteFilesError { path, error }) => {
                return Err(Failure::io("write", path, error));
            }
        }
        let files = many(files.len(), "file");
        summarize(&format!("wrote {files} to {}", directory.display()));
        Ok(())
    }
}

/// Writes the diagnostics of the program.
fn report(report: &Report, mut documents: Documents) -> Result<Summary, Failure> {
    documents.add(report)?;
    let summary = Summary::of(report);
    documents.close(&summary)?;
    Ok(summary)
}

/// Prints the files of a project, each below a line with its path.
fn print(project: &Project) -> Result<(), Failure> {
    let files = project.files.iter().map(|file| (file.path.clone(), file.text.clone()));
    print_texts(&files.collect::<Vec<_>>())
}

fn print_texts(files: &[(String, String)]) -> Result<(), Failure> {
    let mut sink = Sink::stdout();
    for (path, text) in files {
        sink.write(format!("# {path}\n---\n{text}").as_bytes())?;
    }
    sink.finish()
}
