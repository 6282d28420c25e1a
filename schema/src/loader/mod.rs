//! From the name of a package to its schema: schemas in a file and in memory, several loaders as
//! one, and the package `pulumi`, which every program has and no plugin provides.

mod directory;
mod pulumi_home;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use rustc_hash::FxHashMap;
use semver::Version;

pub use directory::DirectoryLoader;
pub use pulumi_home::{PulumiHome, choose_plugin};

use crate::{DocumentError, IndexCache, LoadError, NotFound, Package, PackageRequest, Syntax};

/// A source of package schemas. One loader serves all threads.
pub trait Loader: Send + Sync {
    /// Finds the package for a request: always the same package for the same request. The result is
    /// checked by [`load`](Self::load).
    fn find(&self, request: &PackageRequest) -> Result<Arc<Package>, LoadError>;

    /// The names of the packages that are there, sorted; for suggestions.
    fn names(&self) -> Vec<String> {
        Vec::new()
    }

    /// Loads the package for a request. The name `pulumi` means the built-in package; any other one
    /// is found, and must have the requested name and, where both are known, the requested version.
    fn load(&self, request: &PackageRequest) -> Result<Arc<Package>, LoadError> {
        if request.name() == "pulumi" {
            return Ok(builtin_package());
        }
        let package = self.find(request)?;
        if request.is_met_by(&package) {
            return Ok(package);
        }
        Err(LoadError::Mismatch {
            path: package.path().map(PathBuf::from),
            request: Arc::new(request.clone()),
            name: package.name().to_owned(),
            version: package.version().cloned(),
        })
    }
}

/// A loader may be shared by several chains.
impl<L: Loader + ?Sized> Loader for Arc<L> {
    fn find(&self, request: &PackageRequest) -> Result<Arc<Package>, LoadError> {
        (**self).find(request)
    }

    fn names(&self) -> Vec<String> {
        (**self).names()
    }
}

impl PackageRequest {
    /// Returns whether a package has the name and, where both are known, the version of the
    /// request.
    pub fn is_met_by(&self, package: &Package) -> bool {
        package.name() == self.name() && is_version(package, self.version())
    }
}

/// Returns whether the package may serve a request for that version: an unknown version is any
/// version, and build metadata does not count.
fn is_version(package: &Package, wanted: Option<&Version>) -> bool {
    match (package.version(), wanted) {
        (Some(version), Some(wanted)) => version.cmp_precedence(wanted).is_eq(),
        _ => true,
    }
}

/// The texts of the schema and configuration files that are open in an editor, by absolute path.
/// They count instead of those on disk.
pub type EditedTexts = BTreeMap<PathBuf, Arc<str>>;

/// The packages of files, each opened once however many threads ask.
#[derive(Debug, Default)]
struct OpenFiles {
    files: Mutex<FxHashMap<PathBuf, Arc<OpenedPackage>>>,
    cache: Option<IndexCache>,
    edited: Arc<EditedTexts>,
}

type OpenedPackage = OnceLock<Result<Arc<Package>, LoadError>>;

impl OpenFiles {
    /// The package of a file. `version` is that of a document that does not say its own.
    fn open(&self, path: &Path, version: Option<&Version>) -> Result<Arc<Package>, LoadError> {
        let opened = {
            let mut files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
            files.entry(path.to_owned()).or_default().clone()
        };
        let opened = opened.get_or_init(|| {
            let mut package = match self.edited(path) {
                Some(text) => Package::edited(path, text)?,
                None => Package::open(path, self.cache.as_ref())?,
            };
            if let Some(version) = version {
                package.set_default_version(version);
            }
            Ok(Arc::new(package))
        });
        opened.clone()
    }

    /// The text of a file that is open in an editor.
    fn edited(&self, path: &Path) -> Option<&str> {
        if self.edited.is_empty() {
            return None;
        }
        let path = std::path::absolute(path).ok()?;
        self.edited.get(&path).map(|text| &**text)
    }
}

fn not_found(
    request: &PackageRequest,
    places: Vec<String>,
    mut versions: Vec<Version>,
) -> NotFound {
    versions.sort();
    versions.dedup();
    NotFound { request: request.clone(), places, versions, plugins: Vec::new(), refused: None }
}

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
    pub fn with_edited(mut self, edited: Arc<EditedTexts>) -> Self {
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

/// Loaders that are tried in order, until one has the package or fails for another reason than not
/// having it.
#[derive(Default)]
pub struct ChainLoader {
    loaders: Vec<Box<dyn Loader>>,
    /// The packages that were found. Each program of a run asks for them again.
    found: Mutex<FxHashMap<PackageRequest, Arc<Package>>>,
}

impl ChainLoader {
    /// Adds a loader at the end.
    pub fn push(&mut self, loader: impl Loader + 'static) {
        self.loaders.push(Box::new(loader));
        self.found = Mutex::default();
    }

    fn found(&self) -> MutexGuard<'_, FxHashMap<PackageRequest, Arc<Package>>> {
        self.found.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Loader for ChainLoader {
    fn find(&self, request: &PackageRequest) -> Result<Arc<Package>, LoadError> {
        if let Some(package) = self.found().get(request) {
            return Ok(Arc::clone(package));
        }
        let mut all = not_found(request, Vec::new(), Vec::new());
        for loader in &self.loaders {
            match loader.find(request) {
                Err(LoadError::NotFound(missing)) => {
                    all.places.extend(missing.places.iter().cloned());
                    all.versions.extend(missing.versions.iter().cloned());
                    all.plugins.extend(missing.plugins.iter().cloned());
                    all.refused = all.refused.or_else(|| missing.refused.clone());
                }
                Ok(package) => {
                    self.found().insert(request.clone(), Arc::clone(&package));
                    return Ok(package);
                }
                error => return error,
            }
        }
        all.versions.sort();
        all.versions.dedup();
        Err(all.into())
    }

    fn names(&self) -> Vec<String> {
        let mut names: Vec<String> =
            self.loaders.iter().flat_map(|loader| loader.names()).collect();
        names.sort();
        names.dedup();
        names
    }
}

/// Schemas that the embedder has in memory. Without a requested version the highest wins.
///
/// ```
/// use pcl_schema::{Loader, MemoryLoader, PackageRequest};
///
/// let mut loader = MemoryLoader::default();
/// loader.add(r#"{"name": "zoo", "version": "1.0.0"}"#)?;
/// assert_eq!(loader.load(&PackageRequest::new("zoo")).unwrap().name(), "zoo");
/// assert!(loader.load(&PackageRequest::new("ark")).is_err());
///
/// loader.add("name: ark\nversion: 2.0.0\n")?;
/// assert!(loader.load(&PackageRequest::new("ark")).is_ok());
/// # Ok::<(), pcl_schema::DocumentError>(())
/// ```
#[derive(Debug, Default)]
pub struct MemoryLoader {
    packages: Vec<Arc<Package>>,
}

impl MemoryLoader {
    /// Adds a document, in JSON or YAML. Its name and version are those that it says.
    pub fn add(&mut self, document: impl Into<Vec<u8>>) -> Result<Arc<Package>, DocumentError> {
        let document = document.into();
        let syntax = Syntax::of_document(&document);
        let package = Arc::new(Package::from_source(document, syntax)?);
        self.packages.push(package.clone());
        Ok(package)
    }
}

impl Loader for MemoryLoader {
    fn find(&self, request: &PackageRequest) -> Result<Arc<Package>, LoadError> {
        let named = || self.packages.iter().filter(|package| package.name() == request.name());
        let fitting = named().filter(|package| is_version(package, request.version()));
        match fitting.max_by_key(|package| package.version()) {
            Some(package) => Ok(package.clone()),
            None => Err(not_found(
                request,
                vec!["memory".to_owned()],
                named().filter_map(|package| package.version().cloned()).collect(),
            )
            .into()),
        }
    }

    fn names(&self) -> Vec<String> {
        let mut names: Vec<String> =
            self.packages.iter().map(|package| package.name().to_owned()).collect();
        names.sort();
        names.dedup();
        names
    }
}

const DOCUMENT: &str = r##"{
  "name": "pulumi",
  "version": "3.0.0",
  "provider": { "inputProperties": { "name": { "type": "string" } } },
  "resources": {
    "pulumi:index:Stash": {
      "inputProperties": { "input": { "$ref": "pulumi.json#/Any" } },
      "requiredInputs": ["input"],
      "properties": { "input": { "$ref": "pulumi.json#/Any" }, "output": { "$ref": "pulumi.json#/Any" } },
      "required": ["input", "output"]
    },
    "pulumi:pulumi:StackReference": {
      "inputProperties": { "name": { "type": "string" } },
      "properties": {
        "name": { "type": "string" },
        "outputs": { "type": "object", "additionalProperties": { "$ref": "pulumi.json#/Any" } },
        "secretOutputNames": { "type": "object", "additionalProperties": { "type": "string" } }
      },
      "required": ["outputs"]
    }
  }
}"##;

/// The package `pulumi`: the same one for the whole process.
pub fn builtin_package() -> Arc<Package> {
    static PACKAGE: OnceLock<Arc<Package>> = OnceLock::new();
    #[cfg_attr(
        not(test),
        expect(clippy::expect_used, reason = "the document is a constant, which tests load")
    )]
    let load = || Arc::new(Package::from_bytes(DOCUMENT).expect("our own document is a schema"));
    PACKAGE.get_or_init(load).clone()
}
