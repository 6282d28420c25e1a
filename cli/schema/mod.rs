//! `pcl schema`: look into package schemas, check them, and get them.

#[cfg(feature = "remote")]
mod add;
#[cfg(feature = "remote")]
mod archive;
#[cfg(feature = "convert")]
mod example;
#[cfg(feature = "remote")]
mod from;
mod infer;
#[cfg(feature = "remote")]
mod lock;
mod query;
#[cfg(feature = "remote")]
mod source;
#[cfg(feature = "remote")]
mod store;
#[cfg(feature = "remote")]
mod sync;

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use pcl::diagnostics::{Code, Matter, Policy, Reporter};
use pcl::render::Report;
use pcl::schema::{Loader, MAX_FILE_BYTES, Syntax};
use pcl::{check_schema, check_schema_text};

use crate::check::OutputArgs;
use crate::file_checks::FileChecks;
use crate::hints;
use crate::inputs::{PlaceArgs, SchemaArgs, standard_input};
use crate::status::{Failure, Outcome};

#[derive(Args)]
pub(crate) struct Schema {
    #[command(subcommand)]
    query: Query,
}

#[derive(Subcommand)]
enum Query {
    /// List the packages with a schema, or the members of one
    Ls(query::ListArgs),
    /// Show a package, or the inputs and outputs of a resource, function or type, with a program
    /// that uses it
    Show(query::ShowArgs),
    /// Print a program for a resource or function, in PCL or another language
    #[cfg(feature = "convert")]
    Example(example::ExampleArgs),
    /// Find members by their tokens and descriptions
    Search(query::SearchArgs),
    /// Report every error in schema files
    Check(CheckArgs),
    /// Print the schema of a package whose components are written in PCL
    Infer(infer::InferArgs),
    /// Get the schemas of packages from a file, an installed Pulumi or a plugin, and keep them
    #[cfg(feature = "remote")]
    Add(add::AddArgs),
    /// Get and keep the schemas of all packages that programs need
    #[cfg(feature = "remote")]
    Sync(sync::SyncArgs),
}

impl Schema {
    pub(crate) fn run(&self) -> Outcome {
        match &self.query {
            Query::Ls(list) => list.run(),
            Query::Show(show) => show.run(),
            #[cfg(feature = "convert")]
            Query::Example(example) => example.run(),
            Query::Search(search) => search.run(),
            Query::Check(check) => check.run(),
            Query::Infer(infer) => infer.run(),
            #[cfg(feature = "remote")]
            Query::Add(add) => add.run(),
            #[cfg(feature = "remote")]
            Query::Sync(sync) => sync.run(),
        }
    }
}

/// Prints a member as `pcl schema show` does.
pub(super) fn show(token: &str, places: &PlaceArgs, color: bool) -> Outcome {
    query::show(token, false, &*query::loader(places)?, query::Form::Text(color))
}

/// Prints what a name means in the schemas, as `pcl schema show` does; `None` if it means nothing.
pub(super) fn show_named(name: &str, places: &PlaceArgs, color: bool) -> Option<Outcome> {
    let loader = query::loader(places).ok()?;
    query::show_named(name, &loader, query::Form::Text(color))
}

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
        let mut checks = FileChecks::open(&self.output, &self.files)?;
        let places = self.schemas.places()?;
        let policy = Policy { missing_schema: self.schemas.missing(), ..Policy::default() };
        for file in &self.files {
            let is_input = file.as_path() == Path::new("-");
            let directory = pcl_system::directory_of(file);
            let others = places.loader(Some(directory));
            let mut checked =
                if is_input { check_input(&*others)? } else { check_schema(file, Some(&*others)) };
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
            hints::name_flags(&mut checked.diagnostics);
            checks.add(checked)?;
        }
        checks.close("schema")
    }
}

/// Checks standard input: JSON when it begins as JSON does, else YAML.
fn check_input(others: &dyn Loader) -> Result<Report, Failure> {
    let bytes = standard_input(MAX_FILE_BYTES)?;
    let syntax = match bytes.trim_ascii_start().first() {
        Some(b'{') | None => Syntax::Json,
        Some(_) => Syntax::Yaml,
    };
    Ok(check_schema_text("<stdin>", bytes, syntax, Some(others)))
}
