//! Schemas in directories, and in the cache of a Pulumi installation.

use std::collections::BTreeMap;
use std::fs::DirEntry;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use pcl_system::resolved;
use semver::Version;

use super::pulumi_home::{PulumiHome, choose_plugin, preference};
use super::{EditedTexts, Loader, OpenFiles, is_version, not_found};
use crate::{IndexCache, InstalledPlugin, LoadError, NotFound, Package, PackageRequest};

/// Schemas in directories, as `NAME-VERSION.json` or `NAME.json`, with `.yaml` or `.yml` instead,
/// or with `.gz` behind it.
///
/// A requested version is exact. Without one, the first directory that has any `NAME-VERSION` file
/// decides, by its highest version. `NAME.json` is used if no directory has a file with a version.
/// A directory is listed once, on its first use; one that does not exist is empty.
///
/// Among the schemas that a Pulumi installation has cached, a request without a version means that
/// of the plugin that Pulumi would run, then that of the newest release, then that of the newest
/// pre-release.
#[derive(Debug, Default)]
pub struct DirectoryLoader {
    places: Vec<SchemaDirectory>,
    open: OpenFiles,
}

#[derive(Debug)]
struct SchemaDirectory {
    path: PathBuf,
    kind: DirectoryKind,
    /// The real path of the directory that its files have to be in.
    within: Option<PathBuf>,
    listing: OnceLock<Result<Listing, LoadError>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum DirectoryKind {
    Directory,
    /// The home directory of a Pulumi installation.
    PluginCache,
}

/// The schemas of a place by what their names are without extension: `NAME-VERSION` or `NAME`.
#[derive(Debug, Default)]
struct Listing {
    files: BTreeMap<String, PathBuf>,
    /// Cached schemas that depend on more than name and version of the plugin:
    /// `PLUGIN-VERSION-HASH`, once or twice a hash.
    variants: BTreeMap<String, PathBuf>,
    /// The plugins that are installed there.
    plugins: Vec<InstalledPlugin>,
}

impl DirectoryLoader {
    /// Searches these directories in order.
    pub fn new(directories: impl IntoIterator<Item = PathBuf>) -> Self {
        let mut loader = Self::default();
        loader.places.extend(
            directories
                .into_iter()
                .map(|path| SchemaDirectory::new(path, DirectoryKind::Directory)),
        );
        loader
    }

    /// Asks the schemas that the Pulumi installation with this home directory has cached, after the
    /// directories. Plugins are not started.
    pub fn with_plugin_cache(mut self, pulumi_home: PathBuf) -> Self {
        self.places.push(SchemaDirectory::new(pulumi_home, DirectoryKind::PluginCache));
        self
    }

    /// Ignores the files in the directories so far that are links out of `root`.
    pub fn within(mut self, root: &Path) -> Self {
        let root = resolved(root);
        for place in &mut self.places {
            place.within = Some(root.clone());
        }
        self
    }

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

    /// The cached schema of a parameterized package, or of a plugin from elsewhere: its file name
    /// contains a hash, so the packages are identified by their documents.
    fn find_variant(&self, request: &PackageRequest) -> Option<Arc<Package>> {
        let prefix = match &request.version {
            Some(version) => format!("{}-{version}-", request.name),
            None => format!("{}-", request.name),
        };
        let files = self
            .places
            .iter()
            .filter_map(|place| place.listing().ok())
            .flat_map(|listing| with_prefix(&listing.variants, &prefix));
        let packages = files.filter_map(|(_, path)| self.open.open(path, None).ok());
        let mut fitting = packages.filter(|package| {
            package.name() == request.name() && is_version(package, request.version())
        });
        fitting.next()
    }
}

impl Loader for DirectoryLoader {
    fn find(&self, request: &PackageRequest) -> Result<Arc<Package>, LoadError> {
        let name = request.name();
        let mut versions = Vec::new();
        for place in &self.places {
            let known: Vec<(Version, &Path)> = place.listing()?.versions(name).collect();
            if let Some((version, path)) = place.best(&known, request)? {
                return self.open.open(path, Some(version));
            }
            versions.extend(known.into_iter().map(|(version, _)| version));
        }
        let is_variant = request.parameterization.is_some() || request.download_url.is_some();
        if let Some(package) = is_variant.then(|| self.find_variant(request)).flatten() {
            return Ok(package);
        }
        if versions.is_empty() {
            for path in self.places.iter().filter_map(|place| place.listing().ok()?.files.get(name))
            {
                let package = self.open.open(path, None)?;
                if is_version(&package, request.version()) {
                    return Ok(package);
                }
                versions.extend(package.version().cloned());
            }
        }
        // The home of a Pulumi installation is a default place: nobody asked for it.
        let is_named = |place: &&SchemaDirectory| {
            place.kind == DirectoryKind::Directory || place.path.is_dir()
        };
        let places = self.places.iter().filter(is_named);
        let places = places.map(|place| place.path.display());
        let plugins = self.places.iter().filter_map(|place| {
            let installed = &place.listing().ok()?.plugins;
            choose_plugin(installed, &request.name, request.version.as_ref())
        });
        Err(LoadError::NotFound(Arc::new(NotFound {
            plugins: plugins.cloned().collect(),
            ..not_found(request, places.map(|place| place.to_string()).collect(), versions)
        })))
    }

    fn names(&self) -> Vec<String> {
        let stems = self
            .places
            .iter()
            .filter_map(|place| place.listing().ok())
            .flat_map(|listing| listing.files.keys());
        let mut names: Vec<String> = stems.map(|stem| without_version(stem).to_owned()).collect();
        names.sort();
        names.dedup();
        names
    }
}

impl SchemaDirectory {
    fn new(path: PathBuf, kind: DirectoryKind) -> Self {
        Self { path, kind, within: None, listing: OnceLock::new() }
    }

    /// # Errors
    /// Returns an error if a directory exists and cannot be listed, since its schemas are then
    /// unknown.
    fn listing(&self) -> Result<&Listing, LoadError> {
        let listing = self.listing.get_or_init(|| match self.kind {
            DirectoryKind::Directory => {
                let mut files = schema_files(&self.path)?;
                if let Some(root) = &self.within {
                    files.retain(|_, path| !path.is_symlink() || resolved(path).starts_with(root));
                }
                Ok(Listing { files, ..Listing::default() })
            }
            DirectoryKind::PluginCache => Listing::of_plugin_cache(&PulumiHome::new(&self.path)),
        });
        listing.as_ref().map_err(LoadError::clone)
    }

    /// The schema that a request means, among those of its package in this place.
    fn best<'k>(
        &self,
        known: &'k [(Version, &'k Path)],
        request: &PackageRequest,
    ) -> Result<Option<(&'k Version, &'k Path)>, LoadError> {
        let known = known.iter().map(|(version, path)| (version, *path));
        if let Some(wanted) = request.version() {
            // What follows `+` does not count.
            let fits = known.filter(|(version, _)| version.cmp_precedence(wanted).is_eq());
            return Ok(fits.max_by_key(|(version, _)| *version));
        }
        if self.kind == DirectoryKind::Directory {
            return Ok(known.max_by_key(|(version, _)| *version));
        }
        let plugin = choose_plugin(&self.listing()?.plugins, request.name(), None);
        Ok(known.max_by_key(|(version, _)| {
            let is_run = plugin.is_some_and(|p| p.version.cmp_precedence(version).is_eq());
            (is_run, preference(version))
        }))
    }
}

impl Listing {
    /// The three layouts that installations have used, newest first.
    fn of_plugin_cache(home: &PulumiHome) -> Result<Self, LoadError> {
        let (variants, mut files): (BTreeMap<_, _>, BTreeMap<_, _>) =
            schema_files(&home.schemas())?.into_iter().partition(|(stem, _)| ends_in_hash(stem));
        for (stem, path) in schema_files(&home.plugins())? {
            if let Some(stem) = stem.strip_prefix("schema-").and_then(|stem| stem.strip_suffix('-'))
            {
                files.entry(stem.to_owned()).or_insert(path);
            }
        }
        let plugins = home.installed();
        for plugin in &plugins {
            let InstalledPlugin { name, version, .. } = plugin;
            let schema = plugin.directory.join(format!("schema-{name}.json"));
            if schema.is_file() {
                files.entry(format!("{name}-{version}")).or_insert(schema);
            }
        }
        Ok(Self { files, variants, plugins })
    }

    /// The files of a package that have a version in their names.
    fn versions<'l>(&'l self, name: &str) -> impl Iterator<Item = (Version, &'l Path)> {
        let prefix = format!("{name}-");
        let files = with_prefix(&self.files, &prefix);
        files.filter_map(move |(stem, path)| {
            Some((Version::parse(stem.strip_prefix(&prefix)?).ok()?, path.as_path()))
        })
    }
}

/// The entries whose keys begin with the prefix, in order.
fn with_prefix<'m>(
    map: &'m BTreeMap<String, PathBuf>,
    prefix: &str,
) -> impl Iterator<Item = (&'m String, &'m PathBuf)> + use<'m> {
    let prefix = prefix.to_owned();
    map.range(prefix.clone()..).take_while(move |(key, _)| key.starts_with(&prefix))
}

/// The endings of schema files. Of several files with one stem the first of these counts.
const ENDINGS: [&str; 6] = [".json", ".json.gz", ".yaml", ".yaml.gz", ".yml", ".yml.gz"];

/// The schema files of a directory by stem.
fn schema_files(directory: &Path) -> Result<BTreeMap<String, PathBuf>, LoadError> {
    let mut files: BTreeMap<String, (usize, PathBuf)> = BTreeMap::new();
    for entry in entries(directory) {
        let (name, path) = entry.map_err(|error| LoadError::Unreadable {
            path: directory.to_owned(),
            error: Arc::new(error),
        })?;
        let mut endings = ENDINGS.iter().enumerate();
        let stem = endings.find_map(|(rank, ending)| Some((rank, name.strip_suffix(ending)?)));
        if let Some((rank, stem)) = stem
            && files.get(stem).is_none_or(|(known, _)| rank < *known)
        {
            files.insert(stem.to_owned(), (rank, path));
        }
    }
    let files = files.into_iter();
    Ok(files.map(|(stem, (_, path))| (stem, path)).collect())
}

/// The entries of a directory by name; none for a directory that does not exist. A name that is not
/// UTF-8 does not belong to a package.
pub(super) fn entries(directory: &Path) -> impl Iterator<Item = io::Result<(String, PathBuf)>> {
    let (entries, error) = match std::fs::read_dir(directory) {
        Ok(entries) => (Some(entries), None),
        Err(error) => match error.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => (None, None),
            _ => (None, Some(error)),
        },
    };
    let entries = entries.into_iter().flatten().filter_map(|entry| {
        let named = |entry: DirEntry| Some((entry.file_name().into_string().ok()?, entry.path()));
        entry.map(named).transpose()
    });
    error.into_iter().map(Err).chain(entries)
}

/// Returns whether a stem ends in the 12 hexadecimal digits that Pulumi's cache puts behind the
/// version.
fn ends_in_hash(stem: &str) -> bool {
    stem.rsplit_once('-').is_some_and(|(_, tail)| {
        tail.len() == 12 && tail.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
    })
}

/// `NAME` of `NAME-VERSION`.
fn without_version(stem: &str) -> &str {
    let dashes = stem.match_indices('-');
    let mut parts = dashes.filter_map(|(at, _)| Some((stem.get(..at)?, stem.get(at + 1..)?)));
    let versioned = parts.find(|(_, version)| Version::parse(version).is_ok());
    versioned.map_or(stem, |(name, _)| name)
}
