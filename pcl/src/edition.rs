//! The oldest Pulumi that a project has to work with.

use std::path::{Component, Path, PathBuf};

use pcl_binder::edition::{Bound, OldestPulumi, RangeError, VersionRange, empty_range};
use pcl_diagnostics::{Code, Diagnostic, Reporter, SourceMap, Span};

use crate::project::{self, required_pulumi};

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
    let path = shown(project, own, required.file);
    let file = map.add(pcl_system::shown(&path), required.text.clone());
    let span = Span::new(file, required.place);
    reporter.report(match error {
        Some(error) => malformed_pulumi_range(span, range, &error),
        None => empty_range(span, range),
    });
    None
}

/// The file of a project as people would write it who named a program in it by the directory `own`.
fn shown(project: &Path, own: &Path, file: &str) -> PathBuf {
    let absolute = project::absolute(own).unwrap_or_default();
    let below = absolute.strip_prefix(project).map(|rest| rest.components().count());
    // Only names can be taken from the end of a path: the directory above `..` is `../..`.
    let mut relative = own.components();
    let is_cut = below.is_ok_and(|below| {
        (0..below).all(|_| matches!(relative.next_back(), Some(Component::Normal(_))))
    });
    let relative = relative.as_path();
    match is_cut && relative.is_relative() {
        true if relative == Path::new(".") => PathBuf::from(file),
        true => relative.join(file),
        false => project.join(file),
    }
}

/// A `requiredPulumiVersion` of a project that Pulumi does not understand.
fn malformed_pulumi_range(span: Span, text: &str, error: &RangeError) -> Diagnostic {
    let message = error.message(text);
    let help = match &error.meant {
        Some(meant) => format!("write `{meant}`"),
        None => "write full versions, as in `>=3.220.0 <4.0.0`".to_owned(),
    };
    Diagnostic::error(Code::InvalidVersionRange, span, message).help(help).ours()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_project_is_shown_by_the_path_of_its_program() {
        let here = std::env::current_dir().unwrap();
        let above = here.parent().unwrap();
        let path = |project: &Path, own: &str| shown(project, own.as_ref(), "Pulumi.yaml");
        for own in [".", "./", "", "src", "src/cli"] {
            assert_eq!(path(&here, own), Path::new("Pulumi.yaml"), "{own}");
        }
        assert_eq!(path(&here.join("src"), "src"), Path::new("src/Pulumi.yaml"));
        assert_eq!(path(&here.join("src"), "./src/cli"), Path::new("./src/Pulumi.yaml"));
        assert_eq!(path(above, ".."), Path::new("../Pulumi.yaml"));
        assert_eq!(path(above, "."), above.join("Pulumi.yaml"));
        assert_eq!(path(&here, &here.to_string_lossy()), here.join("Pulumi.yaml"));
    }
}
