//! `pcl schema add`.

use std::path::{Path, PathBuf};

use clap::Args;

use super::from::{self, Origin};
use super::source::SourceArgs;
use super::store::{State, Store};
use crate::everywhere::summarize;
use crate::output::complain;
use crate::status::{Failure, Outcome, Status};
use pcl::remote::{Answer, is_plugin_name};
use pcl::schema::{PackageRequest, parse_version};

#[derive(Args)]
pub(crate) struct AddArgs {
    /// Packages, as NAME or NAME@VERSION; without a version, the one that Pulumi would use
    #[arg(value_name = "PKG[@VERSION]", required = true, value_parser = request)]
    packages: Vec<PackageRequest>,
    /// Keep the schemas in DIR; by default in the nearest `schemas`, or beside the project file
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
    /// Get schemas again that are there, and replace other contents
    #[arg(long, visible_alias = "upgrade")]
    force: bool,
    /// Take the schemas from a file, folder or archive, such as a provider's repository, or ask
    /// `pulumi` or the provider's `plugin`; by default `pulumi` if it is installed
    #[arg(long, value_name = "PATH|pulumi|plugin", value_parser = Origin::read)]
    from: Option<Origin>,
    #[command(flatten)]
    source: SourceArgs,
}

/// Reads NAME or NAME@VERSION.
fn request(text: &str) -> Result<PackageRequest, String> {
    let (name, version) = match text.split_once('@') {
        Some((name, version)) => (name, Some(version)),
        None => (text, None),
    };
    if !is_plugin_name(name) {
        return Err(
            "expected the name of a package: letters, digits, `-`, `_` and `.`, and a letter or \
             digit at the beginning"
                .to_owned(),
        );
    }
    if name == "pulumi" {
        return Err("the package `pulumi` is built in".to_owned());
    }
    let version = version.map(|version| {
        parse_version(version).map_err(|_| {
            format!("`{version}` is not a version such as 1.2.3; without `@`, Pulumi chooses one")
        })
    });
    Ok(PackageRequest { version: version.transpose()?, ..PackageRequest::new(name) })
}

impl AddArgs {
    pub(crate) fn run(&self) -> Outcome {
        let program = match &self.from {
            // A file that is named may have another content than the one that is kept.
            Some(Origin::Path(path)) => return self.add(true, |request| from::take(path, request)),
            Some(Origin::Program(program)) => Some(*program),
            None => None,
        };
        let source = self.source.source(program)?;
        self.add(self.force, |request| source.ask(request))
    }

    /// Gets the schemas and keeps them; those that are there only `again`.
    fn add(
        &self,
        again: bool,
        get: impl Fn(&PackageRequest) -> Result<Answer, Failure>,
    ) -> Outcome {
        let directory = self.dir.clone();
        let directory = directory.unwrap_or_else(|| Store::directory_for(Path::new(".")));
        let mut store = Store::open(directory)?;
        let mut status = Status::Clean;
        for request in &self.packages {
            if !again && is_there(&store, request)? {
                continue;
            }
            let added = get(request).and_then(|answer| store.add(request, answer, self.force));
            if let Err(failure) = added {
                complain(&failure.to_string());
                status = Status::Failed;
            }
        }
        Ok(status)
    }
}

/// Returns whether the schema is there and is the one of the lock file.
fn is_there(store: &Store, request: &PackageRequest) -> Result<bool, Failure> {
    let Some(locked) = store.lock.find(request) else { return Ok(false) };
    let is_there = store.state(locked)? == State::Same;
    if is_there {
        let place = store.place(locked);
        let version = locked.version.as_ref().map(|version| format!(" {version}"));
        summarize(&format!(
            "{}{} is there: {}",
            locked.name,
            version.unwrap_or_default(),
            place.display()
        ));
    }
    Ok(is_there)
}
