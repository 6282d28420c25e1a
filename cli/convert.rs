//! `pcl convert`: a program as a project in another language.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use super::batch::BatchArgs;
use super::check::OutputArgs;
use super::hints;
use super::inputs::{self, ProgramArgs, SettingsArgs};
use super::jobs;
use super::output::{Documents, Main, Sink, many};
use super::status::{Failure, Outcome, Status};
use crate::everywhere::summarize;
use pcl::Workspace;
use pcl::generated::Project;
use pcl::render::{Report, Roots, Summary};
use pcl_convert::{Language, Options, PythonOptions, PythonToolchain, adjusted, convert};
use pcl_system::{Signals, WriteFilesError};

#[derive(Args)]
pub(crate) struct Convert {
    #[command(flatten)]
    program: ProgramArgs,
    /// The language of the project; of a batch, the languages, separated by commas
    #[arg(
        long,
        value_name = "LANGUAGE",
        value_parser = languages(),
        value_delimiter = ',',
        required = true
    )]
    to: Vec<Language>,
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
    #[command(flatten)]
    batch: BatchArgs,
    #[command(flatten)]
    settings: SettingsArgs,
    #[command(flatten)]
    output: OutputArgs,
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

impl Convert {
    pub(crate) fn run(&self) -> Outcome {
        if let Some(input) = &self.batch.batch {
            let mut languages = self.to.clone();
            languages.sort_by_key(|language| language.name());
            languages.dedup();
            return self.batch.run(input, &self.settings, &languages, &self.options());
        }
        self.batch.refuse_alone()?;
        let [language] = self.to[..] else {
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

    /// The choices for the language.
    fn options(&self) -> Options {
        let toolchain = self.python_toolchain;
        Options { python: PythonOptions { toolchain, classes: self.python_classes } }
    }

    fn project_name(&self, directory: &Path) -> Result<String, Failure> {
        match &self.name {
            Some(name) => Ok(name.clone()),
            None => pcl_convert::project_name(directory).map_err(Failure::usage),
        }
    }

    fn write(&self, directory: &Path, project: &Project) -> Result<(), Failure> {
        let files = project.files.iter();
        let files: Vec<_> = files.map(|file| (file.path.as_str(), file.text.as_bytes())).collect();
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
    let mut sink = Sink::stdout();
    for file in &project.files {
        sink.write(format!("# {}\n---\n{}", file.path, file.text).as_bytes())?;
    }
    sink.finish()
}
