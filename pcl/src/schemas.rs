//! The sources of schemas: those named for the run, then the default places of each program.

use std::collections::{HashMap, HashSet};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use pcl_diagnostics::{Diagnostic, SourceMap, SourceText, Span, TextRange};
use pcl_schema::{
    ChainLoader, DirectoryLoader, EditedTexts, FileLoader, IndexCache, LoadError, Loader, NotFound,
    Package, PackageRequest, Syntax, breaking_changes, read_source, validate, validate_among,
};
use semver::Version;

use crate::component_package::{ComponentPackage, LocalPackage, PLUGIN_FILE};
use crate::parallel::for_each;
use crate::project;
use crate::render::Report;
use crate::schema_directories::SchemaDirectories;

#[cfg(feature = "remote")]
use pcl_remote::{PluginLoader, PluginPlaces, ProjectPlugin, ServiceLoader};

/// The number of plugins that run at the same time for one program.
#[cfg(feature = "remote")]
const MOST_WAITING: NonZeroUsize = NonZeroUsize::new(8).unwrap();

/// A file that is the schema of a package.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SchemaFile {
    /// The package.
    pub package: String,
    /// The version of the file; `None` for the one that it contains.
    pub version: Option<Version>,
    /// The file.
    pub path: PathBuf,
}

/// The places where schemas are looked up, in this order.
#[derive(Clone, Default, Debug)]
pub struct SchemaPlaces {
    /// Files that were named for a package.
    pub files: Vec<SchemaFile>,
    /// Directories of files `NAME-VERSION.json` and `NAME.json`.
    pub directories: Vec<PathBuf>,
    /// Set if the [directories of a program](SchemaDirectories) are searched too.
    pub beside_programs: bool,
    /// A loader service, which is asked after `directories`.
    #[cfg(feature = "remote")]
    pub service: Option<Arc<ServiceLoader>>,
    /// Plugins that may be started, which are asked after everything but `pulumi_home`.
    #[cfg(feature = "remote")]
    pub plugins: Option<Arc<PluginLoader>>,
    /// The home of a Pulumi installation, whose schema cache is searched last.
    pub pulumi_home: Option<PathBuf>,
    /// The directory that keeps the indexes of large schemas for later runs.
    pub index_cache: Option<PathBuf>,
    /// The texts of schema files that are open in an editor.
    pub edited: Arc<EditedTexts>,
}

impl SchemaPlaces {
    /// A loader of all schemas, for a program in `directory` or for none.
    pub fn loader(&self, directory: Option<&Path>) -> Arc<ChainLoader> {
        let project = directory.and_then(project::project_of);
        Schemas::new(self.clone()).loader(directory, project.as_deref())
    }
}

/// The loaders of a run. Programs with the same places share one, and with it every package.
pub(crate) struct Schemas {
    /// The loaders of the embedder, which are asked first.
    pub supplied: Vec<Arc<dyn Loader>>,
    places: SchemaPlaces,
    files: Arc<FileLoader>,
    loaders: Mutex<HashMap<Surroundings, Arc<ChainLoader>>>,
    /// The requests of programs so far.
    asked: Mutex<HashSet<PackageRequest>>,
    /// The directories of packages whose schemas are being inferred.
    within: Vec<PathBuf>,
}

/// The places that differ from program to program.
#[derive(PartialEq, Eq, Hash)]
struct Surroundings {
    /// Its directories of schemas, the nearest first.
    beside: Vec<PathBuf>,
    /// The root of its git repository.
    repository: Option<PathBuf>,
    /// The directories of packages that its project names.
    packages: Vec<PathBuf>,
    /// The plugins that its project names.
    #[cfg(feature = "remote")]
    plugins: Vec<ProjectPlugin>,
}

impl Schemas {
    pub(crate) fn new(places: SchemaPlaces) -> Self {
        let mut files = FileLoader::default().with_edited(Arc::clone(&places.edited));
        if let Some(cache) = &places.index_cache {
            files = files.with_index_cache(IndexCache::new(cache));
        }
        for file in &places.files {
            files.add(file.package.clone(), file.version.clone(), file.path.clone());
        }
        Self {
            supplied: Vec::new(),
            places,
            files: Arc::new(files),
            loaders: Mutex::default(),
            asked: Mutex::default(),
            within: Vec::new(),
        }
    }

    /// The loaders for the programs of packages, while the schemas of these are being inferred.
    pub(crate) fn within(places: SchemaPlaces, packages: Vec<PathBuf>) -> Self {
        Self { within: packages, ..Self::new(places) }
    }

    /// Loads packages at the same time, so that binding finds them loaded. Errors are reported when
    /// they are used.
    pub(crate) fn load_together(
        &self,
        loader: &ChainLoader,
        mut requests: Vec<PackageRequest>,
        threads: NonZeroUsize,
    ) {
        let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        requests.retain(|request| asked.insert(request.clone()));
        drop(asked);
        // Loaders block on plugins and services, so more of them than processors may run.
        #[cfg(feature = "remote")]
        let threads = match (&self.places.plugins, &self.places.service) {
            (None, None) => threads,
            _ => threads.max(MOST_WAITING),
        };
        if requests.len() > 1 && threads.get() > 1 {
            for_each(&requests, threads, |request| drop(loader.load(request)));
        }
    }

    /// The loader of a program in `directory`, which belongs to the project in `project`.
    pub(crate) fn loader(
        &self,
        directory: Option<&Path>,
        project: Option<&Path>,
    ) -> Arc<ChainLoader> {
        let own = directory.filter(|_| self.places.beside_programs);
        let own = own.map(|own| SchemaDirectories::among(own, || project.map(Path::to_path_buf)));
        let surroundings = Surroundings {
            beside: own.iter().flat_map(|own| self.not_named(own.existing())).collect(),
            repository: own.and_then(|own| own.repository),
            packages: local_packages(directory, project),
            #[cfg(feature = "remote")]
            plugins: project.map(project::plugins_of).unwrap_or_default(),
        };
        let mut loaders = self.loaders.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(
            loaders
                .entry(surroundings)
                .or_insert_with_key(|surroundings| Arc::new(self.chain(surroundings))),
        )
    }

    /// The directories of a program that were not named as well.
    fn not_named<'p>(&self, beside: impl Iterator<Item = &'p PathBuf>) -> Vec<PathBuf> {
        let named: Vec<PathBuf> =
            self.places.directories.iter().map(|place| pcl_system::resolved(place)).collect();
        beside.filter(|place| !named.contains(&pcl_system::resolved(place))).cloned().collect()
    }

    /// Directories that were named form one loader, which compares their versions. Of those of the
    /// program, the first that has the package decides.
    fn chain(&self, surroundings: &Surroundings) -> ChainLoader {
        let mut chain = ChainLoader::default();
        for loader in &self.supplied {
            chain.push(Arc::clone(loader));
        }
        if cfg!(target_family = "wasm") {
            // There are no files, and a module should not contain what reads them.
            return chain;
        }
        chain.push(Arc::clone(&self.files));
        chain.push(self.directories(self.places.directories.iter().cloned()));
        #[cfg(feature = "remote")]
        if let Some(service) = &self.places.service {
            chain.push(Arc::clone(service));
        }
        for directory in &surroundings.packages {
            let package = LocalPackage::new(directory, &self.places, &self.within);
            if let Some(package) = package {
                chain.push(package);
            }
        }
        for place in &surroundings.beside {
            let place = self.directories([place.clone()]);
            chain.push(match &surroundings.repository {
                Some(root) => place.within(root),
                None => place,
            });
        }
        let is_named = !self.places.directories.is_empty();
        if self.places.beside_programs && surroundings.beside.is_empty() && !is_named {
            chain.push(NoDirectory { repository: surroundings.repository.clone() });
        }
        #[cfg(feature = "remote")]
        if let Some(plugins) = self.plugins(&surroundings.plugins) {
            chain.push(plugins);
        }
        if let Some(home) = &self.places.pulumi_home {
            chain.push(self.directories([]).with_plugin_cache(home.clone()));
        }
        chain
    }

    /// The plugins that may be started, and those that the project names. Without a permission
    /// these are known for the diagnostic alone.
    #[cfg(feature = "remote")]
    fn plugins(&self, project: &[ProjectPlugin]) -> Option<Arc<PluginLoader>> {
        if project.is_empty() {
            return self.places.plugins.clone();
        }
        let none = || Arc::new(PluginLoader::new(PluginPlaces::default()));
        let plugins = self.places.plugins.clone().unwrap_or_else(none);
        Some(Arc::new(plugins.for_project(project.to_vec())))
    }

    fn directories(&self, directories: impl IntoIterator<Item = PathBuf>) -> DirectoryLoader {
        let loader = DirectoryLoader::new(directories).with_edited(Arc::clone(&self.places.edited));
        match &self.places.index_cache {
            Some(cache) => loader.with_index_cache(IndexCache::new(cache)),
            None => loader,
        }
    }
}

/// The directories of packages that the project of a program names, or the package of components
/// that it is in.
pub(crate) fn local_packages(directory: Option<&Path>, project: Option<&Path>) -> Vec<PathBuf> {
    let of_project = project.map(|it| project::local_packages_of(it, &project::FILES));
    let package = directory.and_then(ComponentPackage::root_of);
    let of_package = package.map(|it| project::local_packages_of(&it, &[PLUGIN_FILE]));
    [of_package, of_project].into_iter().flatten().flatten().collect()
}

/// The place where a program without any directory of schemas could have one, for the diagnostic.
#[derive(Debug)]
struct NoDirectory {
    /// The root of its git repository.
    repository: Option<PathBuf>,
}

impl Loader for NoDirectory {
    fn find(&self, request: &PackageRequest) -> Result<Arc<Package>, LoadError> {
        let place = match &self.repository {
            Some(root) => format!("`schemas` in each directory up to {}", pcl_system::shown(root)),
            None => "`schemas` beside the program and its project file".to_owned(),
        };
        let missing = NotFound {
            request: request.clone(),
            places: vec![place],
            versions: Vec::new(),
            plugins: Vec::new(),
            refused: None,
        };
        Err(missing.into())
    }
}

/// Checks a schema file against all that schemas have to be. `.json.gz`, `.yaml` and `.yml` are
/// read, too. What it refers to in other packages is checked when there is a loader of these.
pub fn check_schema(path: &Path, others: Option<&dyn Loader>) -> Report {
    let display = pcl_system::shown(path);
    match read_source(path) {
        Ok((bytes, syntax)) => {
            Report { on_disk: true, ..check_schema_text(&display, bytes, syntax, others) }
        }
        Err(error) => Report { on_disk: true, ..Report::unreadable(&display, &error, None) },
    }
}

/// Checks a schema in memory like [`check_schema`].
///
/// ```
/// use pcl::schema::Syntax;
/// let checked = pcl::check_schema_text("zoo.yaml", "name: zoo\nversion: one\n", Syntax::Yaml, None);
/// assert_eq!(checked.diagnostics[0].code, pcl::diagnostics::Code::SchemaHeader);
/// assert_eq!(checked.sources.slice(checked.diagnostics[0].primary), "one");
/// ```
pub fn check_schema_text(
    path: &str,
    bytes: impl Into<Vec<u8>>,
    syntax: Syntax,
    others: Option<&dyn Loader>,
) -> Report {
    let bytes = bytes.into();
    let diagnostics = match others {
        Some(others) => validate_among(&bytes, syntax, others),
        None => validate(&bytes, syntax),
    };
    report_about(path, bytes, diagnostics)
}

/// Checks that a package keeps what an earlier schema of it has, and that programs rely on. The
/// report is about the earlier schema, in a file that [`check_schema`] can read.
pub fn check_schema_changes(path: &Path, later: &Package) -> Report {
    let display = pcl_system::shown(path);
    match read_source(path) {
        Ok((bytes, syntax)) => {
            let changes = breaking_changes(&bytes, syntax, later);
            Report { on_disk: true, ..report_about(&display, bytes, changes) }
        }
        Err(error) => Report { on_disk: true, ..Report::unreadable(&display, &error, None) },
    }
}

/// The report about a schema, whose text may not be UTF-8.
fn report_about(path: &str, bytes: Vec<u8>, mut diagnostics: Vec<Diagnostic>) -> Report {
    let mut sources = SourceMap::new();
    let text = text(bytes);
    let file = sources.add(path, text.clone());
    for diagnostic in &mut diagnostics {
        diagnostic.primary = Span::new(file, whole_characters(diagnostic.primary.range, &text));
        for label in &mut diagnostic.labels {
            label.span = Span::new(file, whole_characters(label.span.range, &text));
        }
    }
    Report::new(path, sources, diagnostics)
}

/// The text of a file. Bytes that are not UTF-8 become question marks, so that every offset stays
/// what it is.
fn text(bytes: Vec<u8>) -> SourceText {
    match String::from_utf8(bytes) {
        Ok(text) => text.into(),
        Err(error) => {
            let mut text = String::with_capacity(error.as_bytes().len());
            for chunk in error.as_bytes().utf8_chunks() {
                text.push_str(chunk.valid());
                text.extend(chunk.invalid().iter().map(|_| '?'));
            }
            text.into()
        }
    }
}

/// The characters that a range of bytes is part of.
fn whole_characters(range: TextRange, text: &str) -> TextRange {
    let last = text.len() as u32;
    let (mut start, mut end) = (range.start().min(last), range.end().min(last));
    while !text.is_char_boundary(start as usize) {
        start -= 1;
    }
    while !text.is_char_boundary(end as usize) {
        end += 1;
    }
    TextRange::new(start, end)
}
