//! `pcl schema`: look into package schemas, and check them.

mod check;
mod query;

use clap::{Args, Subcommand};

use super::inputs::PlaceArgs;
use super::status::Outcome;

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
    /// Find members by their tokens and descriptions
    Search(query::SearchArgs),
    /// Report every error in schema files
    Check(check::CheckArgs),
}

impl Schema {
    pub(crate) fn run(&self) -> Outcome {
        match &self.query {
            Query::Ls(list) => list.run(),
            Query::Show(show) => show.run(),
            Query::Search(search) => search.run(),
            Query::Check(check) => check.run(),
        }
    }
}

/// Prints a member as `pcl schema show` does.
pub(super) fn show(token: &str, places: &PlaceArgs, color: bool) -> Outcome {
    query::show(token, false, &*query::loader(places)?, query::text(color))
}
