//! From the name of a package to its schema.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use semver::Version;

use crate::{DocumentError, LoadError, Package};

/// What package is wanted.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct PackageRequest {
    /// The name of the plugin, which is that of the package unless it is parameterized.
    pub name: String,
    /// The version of the plugin; `None` takes what is there.
    pub version: Option<Version>,
    /// Where the plugin can be got.
    pub download_url: Option<String>,
    /// The package that the plugin makes of a parameter.
    pub parameterization: Option<Parameterization>,
}

/// A package that a plugin makes of a parameter.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Parameterization {
    /// The name of the package.
    pub name: String,
    /// The version of the package.
    pub version: Version,
    /// The parameter, meaningful to the plugin alone.
    pub value: Vec<u8>,
}

impl PackageRequest {
    /// Any version of a package.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            version: None,
            download_url: None,
            parameterization: None,
        }
    }

    /// The same for one version.
    pub fn with_version(mut self, version: Version) -> Self {
        self.version = Some(version);
        self
    }

    /// The name of the package: that of the parameterization, if there is one.
    pub fn name(&self) -> &str {
        self.parameterization
            .as_ref()
            .map_or(&self.name, |p| &p.name)
    }

    /// The version of the package: that of the parameterization, if there is one.
    pub fn version(&self) -> Option<&Version> {
        match &self.parameterization {
            Some(parameterization) => Some(&parameterization.version),
            None => self.version.as_ref(),
        }
    }
}

impl fmt::Display for PackageRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())?;
        match self.version() {
            Some(version) => write!(f, " {version}"),
            None => Ok(()),
        }
    }
}

/// A source of package schemas. One loader serves all threads.
pub trait Loader: Send + Sync {
    /// The package that the request asks for: always the same one for the same request.
    fn load(&self, request: &PackageRequest) -> Result<Arc<Package>, LoadError>;

    /// The names of the packages that are there, sorted; for suggestions.
    fn names(&self) -> Vec<String> {
        Vec::new()
    }
}

/// A loader may be shared by several chains.
impl<L: Loader + ?Sized> Loader for Arc<L> {
    fn load(&self, request: &PackageRequest) -> Result<Arc<Package>, LoadError> {
        (**self).load(request)
    }

    fn names(&self) -> Vec<String> {
        (**self).names()
    }
}

/// Schemas in directories: the first directory with `NAME-VERSION.json` (or `.json.gz`) decides, then `NAME.json`.
#[derive(Debug)]
pub struct DirectoryLoader;
impl DirectoryLoader {
    /// Directories in the order in which they are asked.
    pub fn new(directories: impl IntoIterator<Item = PathBuf>) -> Self {
        let _ = directories.into_iter().count();
        Self
    }
    /// Asks the schemas that a Pulumi installation has cached under this home directory, after the directories.
    pub fn with_plugin_cache(self, _pulumi_home: PathBuf) -> Self {
        self
    }
}

/// Files that were named for a package.
#[derive(Debug, Default)]
pub struct FileLoader;
impl FileLoader {
    /// Names a file as the schema of a package.
    pub fn add(&mut self, _name: impl Into<String>, _version: Option<Version>, _path: PathBuf) {}
}

/// Schemas that the embedder has in memory.
#[derive(Debug, Default)]
pub struct MemoryLoader;
impl MemoryLoader {
    /// Adds a document. Its name and version are those that it says.
    pub fn add(&mut self, _document: impl Into<Vec<u8>>) -> Result<Arc<Package>, DocumentError> {
        Package::from_bytes(Vec::new()).map(Arc::new)
    }
}

/// Loaders that are asked in order. The built-in package `pulumi` comes before all of them.
#[derive(Default)]
pub struct ChainLoader;
impl ChainLoader {
    /// Adds a loader at the end.
    pub fn push(&mut self, _loader: impl Loader + 'static) {}
}

macro_rules! stub {
    ($($loader:ty),*) => { $(impl Loader for $loader {
        fn load(&self, request: &PackageRequest) -> Result<Arc<Package>, LoadError> {
            Err(LoadError::NotFound(Arc::new(crate::NotFound { request: request.clone(), places: Vec::new(), versions: Vec::new() })))
        }
    })* };
}
stub!(DirectoryLoader, FileLoader, MemoryLoader, ChainLoader);
