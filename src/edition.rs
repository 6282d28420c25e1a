//! The oldest Pulumi that a project has to work with.

use std::path::{Path, PathBuf};

use pcl_binder::edition::{Bound, OldestPulumi, VersionRange};
use pcl_diagnostics::{Reporter, SourceMap, Span};

use crate::messages;
use crate::project::required_pulumi;

/// The lower bound of `requiredPulumiVersion` in the file of a project, for a program in the
/// directory `own`. Reports a range that Pulumi does not understand.
pub(crate) fn oldest_of_project(
    project: &Path,
    own: &Path,
    map: &mut SourceMap,
    reporter: &mut Reporter,
) -> Option<OldestPulumi> {
    let required = required_pulumi(project)?;
    let (range, line) = (&required.range, required.line);
    if range.is_empty() {
        return None;
    }
    let error = match VersionRange::parse(range).map(|range| range.bound()) {
        Ok(Bound::Lowest(version)) => {
            let file = required.file;
            let setting = format!("`requiredPulumiVersion` in line {line} of `{file}`");
            return Some(OldestPulumi::setting(version, setting));
        }
        Ok(Bound::Open) => return None,
        Ok(Bound::Empty) => None,
        Err(error) => Some(error),
    };
    let path = shown(project, own).join(required.file);
    let file = map.add(path.to_string_lossy(), required.text.clone());
    let span = Span::new(file, required.place);
    reporter.report(match error {
        Some(error) => messages::malformed_pulumi_range(span, range, &error),
        None => messages::empty_pulumi_range(span, range),
    });
    None
}

/// The directory of a project as people would write it who are in the directory of a program or
/// named it by the relative path `own`.
fn shown(project: &Path, own: &Path) -> PathBuf {
    let absolute = std::path::absolute(own).unwrap_or_default();
    let above = absolute
        .strip_prefix(project)
        .map(|rest| rest.components().count());
    let relative = above.ok().and_then(|above| own.ancestors().nth(above));
    match relative {
        Some(relative) if relative.is_relative() => relative.to_path_buf(),
        _ => project.to_path_buf(),
    }
}
