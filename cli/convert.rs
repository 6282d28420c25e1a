//! `pcl convert`: a program as a project in another language.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::check::{LevelArgs, OutputArgs};
use super::hints;
use super::inputs::{self, ProgramArgs, SettingsArgs};
use super::jobs;
use super::output::{Documents, Main, Sink, complain, many};
use super::status::{Failure, Outcome, Status};
use pcl::binder::Program;
use pcl::document::Document;
use pcl::generated::Project;
use pcl::lower::{SdkOptions, constants, sdk};
use pcl::render::{Report, Roots, Summary};
use pcl::{Workspace, known_values, project_of};
use pcl_system::{Signals, WriteFilesError};

#[derive(Args)]
pub(crate) struct Convert {
    #[command(flatten)]
    program: ProgramArgs,
    /// The language of the project
    #[arg(long, value_name = "LANGUAGE")]
    to: Language,
    /// Write the files of the project into this directory, all or none; without it, they are
    /// printed
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Replace files that exist in the directory
    #[arg(long, requires = "out")]
    force: bool,
    /// The name of the project [default: that of the project of the program, or of its directory]
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    #[command(flatten)]
    settings: SettingsArgs,
    #[command(flatten)]
    levels: LevelArgs,
    #[command(flatten)]
    output: OutputArgs,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Language {
    /// TypeScript, for Node.js
    Typescript,
    /// Pulumi YAML
    Yaml,
    /// Pulumi YAML, written as JSON
    Json,
}

impl Language {
    /// Returns true if every function gives an output, as in the programs that Pulumi's own
    /// generator for the language writes.
    fn prefers_output_versioned_invokes(self) -> bool {
        matches!(self, Self::Typescript)
    }

    /// The program in the form that the generator reads.
    fn lower(self, program: Program) -> Program {
        match self {
            Self::Typescript => sdk(program, &SdkOptions::nodejs()),
            Self::Yaml | Self::Json => constants(known_values(program, pcl_yaml::has_function)),
        }
    }

    fn generate(self, document: &Document, name: &str) -> Project {
        match self {
            Self::Typescript => pcl_typescript::generate(document, name),
            Self::Yaml => pcl_yaml::generate(document, name),
            Self::Json => pcl_yaml::generate_json(document, name),
        }
    }
}

impl Convert {
    pub(crate) fn run(&self) -> Outcome {
        self.levels.check()?;
        let target = self.program.target()?;
        let inputs = self.settings.inputs()?;
        let directory = inputs::directory(&target);
        let configuration = inputs.discovery.of(&directory);
        let mut settings = inputs.settings(&configuration);
        self.levels.apply(&mut settings.options);
        // A program can be converted before it can run, such as one that has `notImplemented`.
        settings.untried = true;
        settings.takes_empty = true;
        settings.options.prefer_output_versioned_invokes |=
            self.to.prefers_output_versioned_invokes();
        self.output.adjust(&mut settings.reports, &Roots::find(target.place()));
        let main = match self.out {
            Some(_) => Main::Stdout,
            None => Main::Stderr,
        };
        let mut documents = self.output.open(main, &settings.reports, None)?;
        if let Some(status) = jobs::refuse(&inputs, &mut documents, &settings.reports)? {
            documents.close(&Summary::default())?;
            return Ok(status);
        }
        let fails_on_warning = self.levels.error_on_warning || configuration.error_on_warning();

        let mut checked = Workspace::new(settings).check(&target);
        let mut project = None;
        if checked.is_valid() {
            let name = self.project_name(&directory)?;
            checked.program = self.to.lower(checked.program);
            let document = checked.document();
            let made = self.to.generate(&document, &name);
            let missing = made.diagnostics(&document, &checked);
            checked.diagnostics.extend(missing);
            pcl::diagnostics::sort(&mut checked.diagnostics);
            project = Some(made);
            // The process ends soon: to free each of its parts is 3 % of the time of a conversion.
            std::mem::forget(document);
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
                Ok(Status::Clean)
            }
            _ => {
                if !self.output.quiet {
                    complain("nothing is written");
                }
                Ok(Status::Found)
            }
        }
    }

    fn project_name(&self, directory: &Path) -> Result<String, Failure> {
        match &self.name {
            Some(name) => Ok(name.clone()),
            None => {
                let root = project_of(directory).unwrap_or_else(|| directory.to_path_buf());
                pcl::preview::project_name(&root).map_err(Failure::usage)
            }
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
        if !self.output.quiet {
            let files = many(files.len(), "file");
            complain(&format!("wrote {files} to {}", directory.display()));
        }
        Ok(())
    }
}

/// Writes the diagnostics of the program.
fn report(report: &Report, mut documents: Documents) -> Result<Summary, Failure> {
    let plans = documents.plans().into_iter();
    let parts = plans.map(|plan| plan.format.part(report, plan.look));
    documents.program(parts.collect())?;
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
