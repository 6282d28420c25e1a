//! `pcl schema`: look into package schemas, check them, and get them.

#[cfg(feature = "remote")]
mod add;
mod check;
#[cfg(feature = "remote")]
mod lock;
mod query;
#[cfg(feature = "remote")]
mod source;
#[cfg(feature = "remote")]
mod store;
#[cfg(feature = "remote")]
mod sync;

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
    /// Get the schemas of packages from an installed Pulumi or a plugin, and keep them
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
            Query::Search(search) => search.run(),
            Query::Check(check) => check.run(),
            #[cfg(feature = "remote")]
            Query::Add(add) => add.run(),
            #[cfg(feature = "remote")]
            Query::Sync(sync) => sync.run(),
        }
    }
}

/// Prints a member as `pcl schema show` does.
pub(super) fn show(token: &str, places: &PlaceArgs, color: bool) -> Outcome {
    query::show(token, false, &*query::loader(places)?, query::text(color))
}
