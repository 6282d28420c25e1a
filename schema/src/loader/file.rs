//! Files that were named for a package.

use std::path::PathBuf;
use std::sync::Arc;

use semver::Version;

use super::{EditedSchemas, Loader, OpenFiles, not_found};
use crate::{IndexCache, LoadError, Package, PackageRequest};

/// Files that were named for a package, such as by `--schema PKG[@VER]=FILE`. Without a requested
/// version the highest wins.
#[derive(Debug, Default)]
pub struct FileLoader {
    files: Vec<NamedFile>,
    open: OpenFiles,
}

#[derive(Debug)]
struct NamedFile {
    name: String,
    version: Option<Version>,
    path: PathBuf,
}

impl FileLoader {
    /// Keeps the indexes of large files for other runs.
    pub fn with_index_cache(mut self, cache: IndexCache) -> Self {
        self.open.cache = Some(cache);
        self
    }

    /// Reads these texts instead of the files of their paths.
    pub fn with_edited(mut self, edited: Arc<EditedSchemas>) -> Self {
        self.open.edited = edited;
        self
    }

    /// Names a file as the schema of a package, or of one version of it.
    pub fn add(&mut self, name: impl Into<String>, version: Option<Version>, path: PathBuf) {
        self.files.push(NamedFile { name: name.into(), version, path });
    }
}

impl Loader for FileLoader {
    fn find(&self, request: &PackageRequest) -> Result<Arc<Package>, LoadError> {
        let (mut places, mut versions) = (Vec::new(), Vec::new());
        let mut best: Option<(Option<Version>, Arc<Package>)> = None;
        for file in self.files.iter().filter(|file| file.name == request.name()) {
            let package = self.open.open(&file.path, file.version.as_ref())?;
            let version = file.version.as_ref().or(package.version());
            if let (Some(version), Some(wanted)) = (version, request.version())
                && version.cmp_precedence(wanted).is_ne()
            {
                places.push(file.path.display().to_string());
                versions.push(version.clone());
                continue;
            }
            if best.as_ref().is_none_or(|(known, _)| known.as_ref() < version) {
                best = Some((version.cloned(), package.clone()));
            }
        }
        best.map(|(_, package)| package).ok_or_else(|| not_found(request, places, versions).into())
    }

    fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = self.files.iter().map(|file| file.name.clone()).collect();
        names.sort();
        names.dedup();
        names
    }
}
