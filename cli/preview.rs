//! `pcl preview` and `pcl eval`: the resources that a program would register, and the value of an
//! expression, with the configuration of a stack and the answers of an engine that is not there.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use pcl::config::Configuration;
use pcl::eval::notation::Secrets;
use pcl::eval::{Answers, Limits, References};
use pcl::preview::{LocalComponents, OfflineProgram, RunSettings, StackConfig, stray_key};
use pcl::render::{Report, preview_json, preview_text, shown, value_json};
use pcl::{Target, Workspace, project_of};

use super::dump::tell;
use super::inputs::{self, SettingsArgs};
use super::output::{AnswerFormat, print};
use super::status::{Failure, Outcome, Status};

/// The largest file of answers that is read.
const MAX_ANSWERS: u64 = 64 << 20;

#[derive(Args)]
pub(crate) struct RunArgs {
    /// The stack, whose configuration is in Pulumi.STACK.yaml
    #[arg(long, value_name = "NAME")]
    stack: Option<String>,
    /// Set a configuration value; repeatable
    #[arg(short = 'c', long = "config", value_name = "KEY=VALUE", value_parser = config_value)]
    config: Vec<(String, String)>,
    /// Read the configuration of the stack from this file
    #[arg(long, value_name = "FILE")]
    config_file: Option<PathBuf>,
    /// Take configuration that has no value as unknown, instead of as an error
    #[arg(long)]
    unknown_config: bool,
    /// Take the answers of providers from this JSON file
    #[arg(long, value_name = "FILE")]
    mock: Option<PathBuf>,
    /// Print secrets as plain text
    #[arg(long)]
    show_secrets: bool,
    /// The number of nodes that are evaluated at once
    #[arg(long, value_name = "N", default_value_t = 1)]
    parallel: usize,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    settings: SettingsArgs,
}

#[derive(Args)]
#[command(next_help_heading = "Limits")]
struct LimitArgs {
    /// The most steps that the run may take
    #[arg(long, value_name = "N")]
    max_steps: Option<u64>,
    /// The most files that the run may read
    #[arg(long, value_name = "N")]
    max_files: Option<u64>,
    /// The most bytes of files that the run may read
    #[arg(long, value_name = "N")]
    max_file_bytes: Option<u64>,
}

impl LimitArgs {
    /// The limits of these flags, or else of the configuration.
    fn over(&self, configured: Limits) -> Limits {
        Limits {
            steps: self.max_steps.unwrap_or(configured.steps),
            files: self.max_files.unwrap_or(configured.files),
            bytes: self.max_file_bytes.unwrap_or(configured.bytes),
        }
    }
}

fn config_value(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((key, value)) if !key.is_empty() => Ok((key.to_owned(), value.to_owned())),
        _ => Err(String::from("expected KEY=VALUE")),
    }
}

impl RunArgs {
    /// The treatment of secrets in what is printed.
    pub(crate) fn secrets(&self) -> Secrets {
        if self.show_secrets { Secrets::Show } else { Secrets::Hide }
    }

    /// The status of a run with these diagnostics.
    pub(crate) fn status(&self, report: &Report, configuration: &Configuration) -> Status {
        self.settings.status(report, configuration)
    }

    /// The program, checked, with all that its evaluation needs.
    pub(crate) fn program(
        &self,
        target: Target,
    ) -> Result<(OfflineProgram, Arc<Configuration>), Failure> {
        let (settings, configuration) = self.settings.inputs()?.of(&target)?;
        let settings = pcl::Settings { untried: true, ..settings };
        let workspace = Workspace::new(settings);
        let mut checked = workspace.check(&target);
        super::hints::name_flags(&mut checked.diagnostics);
        let keys = self.config.iter().map(|(key, _)| key.as_str());
        if let Some(message) = stray_key(&checked, keys) {
            return Err(Failure::usage(message));
        }
        let directory = inputs::directory(&target);
        let project = project_of(&directory);
        let components = LocalComponents::of(&checked, &workspace, &directory, project.as_deref());
        let root = project.unwrap_or_else(|| directory.clone());
        let answers = self.answers()?;
        let settings = RunSettings {
            limits: self.limits.over(configuration.limits()),
            ..self.settings(&directory, &root)?
        };
        let program = OfflineProgram::new(checked, settings, answers, root);
        Ok((program.with_components(components), configuration))
    }

    fn answers(&self) -> Result<Answers, Failure> {
        let Some(path) = &self.mock else { return Ok(Answers::default()) };
        let bytes = pcl_system::read(path, MAX_ANSWERS)
            .map_err(|error| Failure::io("read the answers", path, error))?;
        let text = String::from_utf8_lossy(&bytes);
        let malformed = |reason| Failure::usage(format!("{}: {reason}", path.display()));
        Answers::read(&text).map_err(malformed)
    }

    fn settings(&self, directory: &Path, root: &Path) -> Result<RunSettings, Failure> {
        let absolute = |path: &Path| {
            let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
            absolute.to_string_lossy().into_owned()
        };
        let stack = self.stack.clone().unwrap_or_else(|| String::from("dev"));
        let mut config =
            StackConfig::read(root, &stack, self.config_file.as_deref()).map_err(Failure::usage)?;
        for (key, value) in &self.config {
            config.set(key, value);
        }
        Ok(RunSettings {
            project: config.project,
            stack,
            organization: String::from("organization"),
            root_directory: absolute(root),
            working_directory: absolute(directory),
            parallel: self.parallel,
            config: config.entries,
            unknown_config: self.unknown_config,
            ..RunSettings::default()
        })
    }
}

#[derive(Args)]
pub(crate) struct Eval {
    /// An expression, such as `length(names)`
    #[arg(value_name = "EXPR")]
    expression: String,
    /// A program directory or a single .pp file; without it, the program in this directory, if
    /// there is one
    #[arg(value_name = "PATH")]
    path: Option<PathBuf>,
    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    output_format: AnswerFormat,
    #[command(flatten)]
    run: RunArgs,
}

impl Eval {
    pub(crate) fn run(&self) -> Outcome {
        let (program, configuration) = self.run.program(self.target())?;
        let evaluated = program.evaluate(&self.expression);
        let secrets = self.run.secrets();
        let value = evaluated.value.as_ref();
        let value = value.and_then(|value| value.to_property(References::Expand).ok());
        if let Some(value) = &value {
            let text = match self.output_format {
                AnswerFormat::Text => shown(value, secrets),
                AnswerFormat::Json => value_json(value, secrets),
            };
            print(format!("{text}\n"))?;
        }
        tell(&evaluated.report);
        let status = self.run.status(&evaluated.report, &configuration);
        Ok(status.max(Status::of(true, value.is_none())))
    }
}

impl Eval {
    /// The program; an empty one in a directory that has none.
    fn target(&self) -> Target {
        let here = Path::new(".");
        match &self.path {
            Some(path) => Target::Path(path.clone()),
            None if has_program(here) => Target::Path(here.to_path_buf()),
            None => Target::Memory {
                path: String::from("."),
                directory: Some(here.to_path_buf()),
                files: vec![(String::from("main.pp"), Vec::new())],
            },
        }
    }
}

/// Returns true if there are `.pp` files in a directory, or if it cannot be read.
fn has_program(directory: &Path) -> bool {
    let Ok(entries) = std::fs::read_dir(directory) else { return true };
    entries.flatten().any(|entry| entry.path().extension().is_some_and(|it| it == "pp"))
}

#[derive(Args)]
pub(crate) struct Preview {
    /// A program directory or a single .pp file
    #[arg(value_name = "PATH", default_value = ".")]
    path: PathBuf,
    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    output_format: AnswerFormat,
    #[command(flatten)]
    run: RunArgs,
}

impl Preview {
    pub(crate) fn run(&self) -> Outcome {
        let (program, configuration) = self.run.program(Target::Path(self.path.clone()))?;
        let preview = program.preview();
        let secrets = self.run.secrets();
        match self.output_format {
            AnswerFormat::Text => {
                print(preview_text(&preview, secrets))?;
                tell(&preview.report);
            }
            AnswerFormat::Json => {
                print(preview_json(&preview, secrets))?;
            }
        }
        Ok(self.run.status(&preview.report, &configuration))
    }
}
