//! `extend`: the configuration file whose settings another one adds to.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use pcl_diagnostics::Diagnostic;
use serde_json::{Value as Json, json};

use super::key::EXTEND;
use super::node::{Data, Node};
use super::value::{Context, wrong_kind, wrong_value};
use crate::project;

/// The name of a configuration file.
pub(super) const FILE: &str = "pcl.toml";

/// The limit of files that extend one another.
const MAX_FILES: usize = 32;

/// Returns true if a file of this name may configure programs: `pcl.toml`, a name that ends in
/// `.pcl.toml`, which others extend, or a project file.
///
/// ```
/// use pcl::config::is_configuration;
///
/// let names = ["pcl.toml", "strict.pcl.toml", "Pulumi.yaml", "Cargo.toml"];
/// assert_eq!(names.map(|name| is_configuration(name.as_ref())), [true, true, true, false]);
/// ```
pub fn is_configuration(name: &OsStr) -> bool {
    is_own(name) || project::FILES.iter().any(|file| *file == name)
}

/// Returns true if a file of this name may be extended. A file of another kind would be shown in
/// diagnostics about its syntax.
fn is_own(name: &OsStr) -> bool {
    name == FILE || name.to_str().is_some_and(|name| name.ends_with(".pcl.toml"))
}

/// The file that a value of `extend` names. `extending` holds the files without links that extend
/// one another up to this one, the outermost first.
pub(super) fn target(
    context: &Context<'_>,
    node: &Node,
    extending: &[PathBuf],
    exists: impl Fn(&Path) -> bool,
) -> Result<PathBuf, Vec<Diagnostic>> {
    let place = (context.place)(node.range);
    let example = if context.is_yaml { "extend: ../pcl.toml" } else { "extend = \"../pcl.toml\"" };
    let Data::Text(text) = &node.data else {
        return Err(vec![wrong_kind(place, EXTEND, "a string", node.data.kind(), example)]);
    };
    let path = context.directory.join(text);
    let path = project::absolute(&path).unwrap_or(path);
    let refused = |reason: &str| Err(vec![wrong_value(place, EXTEND, text, reason, example)]);
    if pcl_system::is_remote(text) {
        return refused("a path of the network cannot be set in a file of a project");
    }
    if !path.file_name().is_some_and(is_own) {
        return refused("the name of the file has to be `pcl.toml` or to end in `.pcl.toml`");
    }
    let own = project::absolute(context.directory);
    let repository = own.as_deref().and_then(project::repository_of);
    let root = repository.as_deref().unwrap_or(context.directory);
    let real = pcl_system::resolved(&path);
    if !real.starts_with(pcl_system::resolved(root)) {
        return refused(match repository {
            Some(_) => "it is outside of the git repository",
            None => "outside of a git repository, it has to be below the directory of this file",
        });
    }
    if !exists(&path) {
        return refused("there is no such file");
    }
    if extending.last() == Some(&real) {
        return refused("a file cannot extend itself");
    }
    if extending.contains(&real) {
        return refused("it extends this file");
    }
    if extending.len() >= MAX_FILES {
        return refused(&format!("more than {MAX_FILES} files extend one another"));
    }
    Ok(path)
}

/// The JSON Schema of the setting.
pub(super) fn schema() -> Json {
    json!({
        "description": "The configuration file whose settings these add to, in the same git \
                        repository: `pcl.toml`, or a name that ends in `.pcl.toml`.",
        "type": "string",
        "pattern": "(^|[/.\\\\])pcl\\.toml$",
    })
}
