//! `pcl schema`: look into package schemas, and check them.

mod check;
mod query;

use clap::{Args, Subcommand};

use super::status::Outcome;

#[derive(Args)]
pub(crate) struct Schema {
    #[command(subcommand)]
    query: Query,
}

#[derive(Subcommand)]
enum Query {
    /// List the packages that are there, or the members of one
    Ls(query::ListArgs),
    /// Show a package, or a resource, function or type: what it takes and gives, and a program that
    /// uses it
    Show(query::ShowArgs),
    /// Find members by their tokens and descriptions
    Search(query::SearchArgs),
    /// Say everything that is wrong with schema files
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
