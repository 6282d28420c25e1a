//! `pcl schema`: look into package schemas, and check them.

mod check;
mod query;

use clap::{Args, Subcommand};

use super::status::Outcome;

#[derive(Args)]
pub(crate) struct Schema {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// List the packages that are there, or the members of one
    Ls(query::List),
    /// Show a package, or a resource, function or type: what it takes and gives, and a program that uses it
    Show(query::Show),
    /// Find members by their tokens and descriptions
    Search(query::Search),
    /// Say everything that is wrong with schema files
    Check(check::Check),
}

impl Schema {
    pub(crate) fn run(&self) -> Outcome {
        match &self.what {
            What::Ls(list) => list.run(),
            What::Show(show) => show.run(),
            What::Search(search) => search.run(),
            What::Check(check) => check.run(),
        }
    }
}
