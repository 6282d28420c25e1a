//! `GetRequiredPackages` and `GetProgramDependencies`: the packages that a program needs.
//!
//! The rules: `binder/src/preload.rs`.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use pcl::binder::{OpenFiles, Sources, required_packages};
use pcl_diagnostics::{Diagnostic, SourceMap};
use pcl_schema::PackageRequest;

use crate::protocol::language::DependencyInfo;
use crate::protocol::plugin::{PackageDependency, PackageParameterization};
use crate::report;
use crate::run::relative;

/// The packages that a program in a directory needs, by name. All directories below count, as
/// components may be anywhere in them.
///
/// # Errors
/// Returns the errors in the files.
pub(crate) fn required(directory: &Path) -> Result<Vec<PackageRequest>, String> {
    let root = relative(directory);
    let mut map = SourceMap::new();
    let (mut program, mut below) = (Sources::default(), Sources::default());
    for directory in program_directories(&root)? {
        let display = directory.to_string_lossy();
        let (sources, unread) =
            Sources::read_directory(&directory, &display, &OpenFiles::default(), &mut map);
        if unread.iter().any(Diagnostic::is_error) {
            return Err(report::errors(&map, &unread));
        }
        let part = if directory == root { &mut program } else { &mut below };
        part.files.extend(sources.files);
    }
    required_packages(&program, &below).map_err(|errors| report::errors(&map, &errors))
}

/// The directories with files of programs.
fn program_directories(directory: &Path) -> Result<BTreeSet<PathBuf>, String> {
    let walk = ignore::WalkBuilder::new(directory).standard_filters(false).build();
    let mut directories = BTreeSet::new();
    for entry in walk {
        let entry = entry.map_err(|error| error.to_string())?;
        let path = entry.path();
        if let Some(name) = path.file_name()
            && let Some(parent) = path.parent()
            && entry.file_type().is_some_and(|kind| !kind.is_dir())
            && pcl::binder::is_program_file(parent, name)
        {
            directories.insert(parent.to_path_buf());
        }
    }
    Ok(directories)
}

/// A package as the engine names it.
pub(crate) fn package(request: PackageRequest) -> PackageDependency {
    PackageDependency {
        name: request.name,
        kind: String::from("resource"),
        version: request.version.map(|it| it.to_string()).unwrap_or_default(),
        server: request.download_url.unwrap_or_default(),
        parameterization: request.parameterization.map(|it| PackageParameterization {
            name: it.name,
            version: it.version.to_string(),
            value: it.value,
        }),
        extension: None,
    }
}

/// A package as the dependency of a program.
pub(crate) fn dependency(request: &PackageRequest) -> DependencyInfo {
    let version = request.version().map(ToString::to_string);
    DependencyInfo { name: request.name().to_owned(), version: version.unwrap_or_default() }
}
