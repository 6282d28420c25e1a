//! `pcl schema check`.

use std::path::{Path, PathBuf};

use clap::Args;

use crate::cli::check::OutputArgs;
use crate::cli::hints;
use crate::cli::inputs::{SchemaArgs, standard_input};
use crate::cli::output::{Main, complain, many};
use crate::cli::status::Outcome;
use crate::cli::status::{Failure, Status};
use pcl::diagnostics::{Code, Matter, Policy, Reporter};
use pcl::render::{ReportSettings, Roots, Summary};
use pcl::schema::{Loader, MAX_FILE_BYTES, Syntax};
use pcl::{CheckedSchema, check_schema, check_schema_text};

#[derive(Args)]
pub(crate) struct CheckArgs {
    /// Schema files: .json, .yaml or .yml, also with .gz behind it; `-` reads standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    #[command(flatten)]
    schemas: SchemaArgs,
    #[command(flatten)]
    output: OutputArgs,
}

impl CheckArgs {
    pub(crate) fn run(&self) -> Outcome {
        let mut settings = ReportSettings::default();
        let first = self.files.first().map(PathBuf::as_path);
        self.output.adjust(&mut settings, &Roots::find(first));
        let mut documents = self.output.open(Main::Stdout, &settings, None)?;
        let plans = documents.plans();
        let (mut errors, mut warnings, mut status) = (0, 0, Status::Clean);
        let places = self.schemas.places()?;
        let policy = Policy {
            missing_schema: self.schemas.missing(),
            ..Policy::default()
        };
        for file in &self.files {
            let is_input = file.as_path() == Path::new("-");
            let directory = pcl_system::directory_of(file);
            let others = places.loader(Some(directory));
            let mut checked = match is_input {
                true => check_input(&*others)?,
                false => check_schema(file, Some(&*others)),
            };
            let mut reporter = Reporter::new(policy.clone());
            for diagnostic in std::mem::take(&mut checked.diagnostics) {
                match diagnostic.code {
                    Code::UnknownPackage => {
                        reporter.report_about(Matter::SchemaPackage, diagnostic)
                    }
                    _ => reporter.report(diagnostic),
                }
            }
            checked.diagnostics = reporter.into_diagnostics();
            checked.settings = settings.clone();
            hints::name_flags(&mut checked.diagnostics);
            let report = checked.report();
            let parts: Vec<_> = plans
                .iter()
                .map(|plan| plan.format.part(&report, plan.look))
                .collect();
            documents.program(parts)?;
            let found = &checked.diagnostics;
            let wrong = found
                .iter()
                .filter(|diagnostic| diagnostic.is_error())
                .count();
            errors += wrong;
            warnings += found.len() - wrong;
            status = status.max(match (checked.readable, wrong) {
                (false, _) => Status::Failed,
                (true, 0) => Status::Clean,
                (true, _) => Status::Found,
            });
        }
        documents.close(&Summary {
            programs: self.files.len(),
            errors,
            warnings,
            complete: status != Status::Failed,
            statistics: None,
        })?;
        if !self.output.quiet {
            let files = many(self.files.len(), "schema");
            let errors = many(errors, "error");
            complain(&format!(
                "checked {files}: {errors}, {}",
                many(warnings, "warning")
            ));
        }
        Ok(status)
    }
}

/// Checks standard input: JSON when it begins as JSON does, else YAML.
fn check_input(others: &dyn Loader) -> Result<CheckedSchema, Failure> {
    let bytes = standard_input(MAX_FILE_BYTES)?;
    let syntax = match bytes.trim_ascii_start().first() {
        Some(b'{') | None => Syntax::Json,
        Some(_) => Syntax::Yaml,
    };
    Ok(check_schema_text("<stdin>", bytes, syntax, Some(others)))
}
