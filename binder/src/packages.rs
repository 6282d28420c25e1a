//! The packages of a program and where each of them comes from.
//!
//! A [`PackageCache`] serves a program and all of its components. Equal requests are loaded once
//! and share one [`PackageIndex`], so that their types are the same types everywhere. [`Packages`]
//! is the view of one directory, with the `package` blocks that apply there and the list of the
//! packages that it uses.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock};

use indexmap::IndexMap;
use pcl_schema::{LoadError, Loader, Package, PackageRequest};
use rustc_hash::FxHashMap;
use semver::Version;

/// A package that a program uses.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PackageReference {
    /// The package's name.
    pub name: String,
    /// Its version, when known.
    pub version: Option<Version>,
    /// The URL of its plugin, if the program gives one.
    pub download_url: Option<String>,
    /// The plugin that makes the package of a parameter; of other packages the plugin is that of
    /// their name.
    pub base: Option<BasePlugin>,
    /// The loaded package.
    pub index: PackageIndex,
}

/// The plugin behind a parameterized package.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct BasePlugin {
    /// The plugin's name.
    pub name: String,
    /// The plugin's version, when known.
    pub version: Option<Version>,
    /// The parameter, meaningful to the plugin alone.
    pub parameter: Vec<u8>,
    /// Set if the package extends that of the plugin rather than replacing it.
    pub extends: bool,
}

/// A loaded package of a [`PackageCache`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct PackageIndex(pub u32);

/// The packages that a program describes by `package` blocks, by the name that its tokens use.
pub(crate) type Descriptors = IndexMap<String, PackageRequest>;

/// The requests by the names that tokens use.
pub(crate) fn by_name(requests: &[PackageRequest]) -> Descriptors {
    let named = requests.iter().map(|request| (request.name().to_owned(), request.clone()));
    named.collect()
}

/// Packages by request; each is loaded once, and a failure is kept as well.
pub struct PackageCache {
    loader: Arc<dyn Loader>,
    by_request: RwLock<FxHashMap<PackageRequest, Result<PackageIndex, LoadError>>>,
    packages: AppendOnly<Arc<Package>>,
}

impl PackageCache {
    /// A cache without packages yet.
    pub fn new(loader: Arc<dyn Loader>) -> Self {
        Self { loader, by_request: RwLock::default(), packages: AppendOnly::default() }
    }

    /// Loads the package of a request.
    ///
    /// # Errors
    /// Returns the error of the loader, the first time.
    pub fn load(&self, request: &PackageRequest) -> Result<PackageIndex, LoadError> {
        let known = self.by_request.read();
        if let Some(known) = known.unwrap_or_else(PoisonError::into_inner).get(request) {
            return known.clone();
        }
        // Loading may take long, so nobody is kept waiting meanwhile; when two load at once the
        // first answer stays.
        let loaded = self.loader.load(request);
        let mut by_request = self.by_request.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = by_request.get(request) {
            return known.clone();
        }
        let answer = loaded.map(|package| self.index_of(package));
        by_request.insert(request.clone(), answer.clone());
        answer
    }

    /// The package behind an index.
    ///
    /// # Panics
    /// Panics if the index comes from another cache.
    #[expect(clippy::expect_used, reason = "documented; packages are never removed")]
    pub fn package(&self, index: PackageIndex) -> &Arc<Package> {
        self.packages.get(index.0 as usize).expect("the index comes from this cache")
    }

    /// The packages of this name that are loaded.
    pub fn loaded<'c>(&'c self, name: &str) -> impl Iterator<Item = &'c Arc<Package>> {
        self.packages.iter().filter(move |package| package.name() == name)
    }

    /// The names of the packages that can be loaded, for suggestions.
    pub fn names(&self) -> Vec<String> {
        self.loader.names()
    }

    /// Requests that lead to one package (with and without its version) share the index, and with
    /// it the types.
    fn index_of(&self, package: Arc<Package>) -> PackageIndex {
        let mut known = self.packages.iter();
        let known = known.position(|known| Arc::ptr_eq(known, &package));
        let at = known.or_else(|| self.packages.push(package).ok());
        PackageIndex(at.and_then(|at| u32::try_from(at).ok()).unwrap_or(u32::MAX))
    }
}

/// The packages as one directory sees them.
pub struct Packages {
    cache: Arc<PackageCache>,
    descriptors: BTreeMap<String, PackageRequest>,
    used: Mutex<BTreeMap<String, PackageIndex>>,
}

impl Packages {
    /// A view without `package` blocks that uses nothing yet.
    pub fn new(cache: Arc<PackageCache>) -> Self {
        Self { cache, descriptors: BTreeMap::new(), used: Mutex::default() }
    }

    /// Applies a `package` block: tokens of the package that it names are resolved in the package
    /// that it requests.
    pub fn describe(&mut self, request: PackageRequest) {
        self.descriptors.insert(request.name().to_owned(), request);
    }

    /// The cache behind the view.
    pub fn cache(&self) -> &Arc<PackageCache> {
        &self.cache
    }

    /// The request for a package name: its `package` block, else that name in the given version or
    /// in any.
    pub fn request(&self, name: &str, version: Option<&Version>) -> PackageRequest {
        match self.descriptors.get(name) {
            Some(request) => request.clone(),
            None => PackageRequest { version: version.cloned(), ..PackageRequest::new(name) },
        }
    }

    /// Loads a package for a reference, and counts it as used. Of several versions, the last one
    /// that is requested by name counts; a request without a version gets the loader's choice all
    /// the same.
    ///
    /// # Errors
    /// Returns the reason why there is no package, which then does not count as used.
    pub fn refer(
        &self,
        name: &str,
        version: Option<&Version>,
        download_url: Option<&str>,
    ) -> Result<PackageIndex, LoadError> {
        let mut request = self.request(name, version);
        if !self.descriptors.contains_key(name) {
            request.download_url = download_url.map(str::to_owned);
        }
        let index = self.cache.load(&request)?;
        let mut used = self.lock_used();
        if version.is_some() {
            used.insert(name.to_owned(), index);
        } else {
            used.entry(name.to_owned()).or_insert(index);
        }
        Ok(index)
    }

    /// Counts a package as used that the types of another one lead to.
    pub fn refer_transitively(&self, index: PackageIndex) {
        let name = self.cache.package(index).name().to_owned();
        self.lock_used().entry(name).or_insert(index);
    }

    /// The packages that are used, by name.
    pub fn references(&self) -> Vec<PackageReference> {
        let used = self.lock_used();
        let reference = |(name, &index): (&String, &PackageIndex)| {
            let package = self.cache.package(index);
            let described = self.descriptors.get(name);
            PackageReference {
                name: name.clone(),
                version: package.version().cloned(),
                download_url: described.and_then(|request| request.download_url.clone()),
                base: base_of(package, described),
                index,
            }
        };
        used.iter().map(reference).collect()
    }

    fn lock_used(&self) -> std::sync::MutexGuard<'_, BTreeMap<String, PackageIndex>> {
        self.used.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The plugin that makes a package: the schema knows it, and its `package` block.
fn base_of(package: &Package, described: Option<&PackageRequest>) -> Option<BasePlugin> {
    let extends = package.extension().is_some();
    if let Some(base) = package.parameterization().or(package.extension()) {
        return Some(BasePlugin {
            name: base.name.clone(),
            version: Some(base.version.clone()),
            parameter: base.parameter.clone(),
            extends,
        });
    }
    let request = described?;
    let parameter = request.parameterization.as_ref()?.value.clone();
    Some(BasePlugin {
        name: request.name.clone(),
        version: request.version.clone(),
        parameter,
        extends,
    })
}

/// A list whose elements are read without a lock. They never move, so that references to them last
/// as long as the list.
pub(crate) struct AppendOnly<T> {
    /// Parts of 8, 16, 32 and so on elements, each allocated when it is needed.
    parts: [OnceLock<Part<T>>; PARTS],
    length: Mutex<usize>,
}

type Part<T> = Box<[OnceLock<T>]>;

const FIRST: usize = 8;

/// Enough for as many elements as 32 bits can number.
const PARTS: usize = 29;

impl<T> Default for AppendOnly<T> {
    fn default() -> Self {
        Self { parts: [const { OnceLock::new() }; PARTS], length: Mutex::default() }
    }
}

impl<T> AppendOnly<T> {
    /// The element at a position.
    pub fn get(&self, at: usize) -> Option<&T> {
        let (part, place) = Self::place(at);
        self.parts.get(part)?.get()?.get(place)?.get()
    }

    /// All elements in order.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        (0..).map_while(|at| self.get(at))
    }

    /// Adds an element; returns its position, or the element if the list is full.
    pub fn push(&self, element: T) -> Result<usize, T> {
        let mut length = self.length.lock().unwrap_or_else(PoisonError::into_inner);
        let at = *length;
        let (part, place) = Self::place(at);
        let Some(part) = self.parts.get(part).map(|known| {
            known.get_or_init(|| (0..FIRST << part).map(|_| OnceLock::new()).collect())
        }) else {
            return Err(element);
        };
        match part.get(place) {
            Some(slot) => slot.set(element)?,
            None => return Err(element),
        }
        *length += 1;
        Ok(at)
    }

    /// The part of a position, and the place in that.
    const fn place(at: usize) -> (usize, usize) {
        let part = (at / FIRST + 1).ilog2() as usize;
        (part, at - FIRST * ((1 << part) - 1))
    }
}

#[cfg(test)]
mod tests {
    use pcl_schema::MemoryLoader;

    use super::*;

    fn packages() -> Packages {
        let mut loader = MemoryLoader::default();
        for version in ["1.0.0", "2.0.0"] {
            let document = format!(r#"{{"name": "toy", "version": "{version}"}}"#);
            loader.add(document).expect("a package");
        }
        Packages::new(Arc::new(PackageCache::new(Arc::new(loader))))
    }

    fn used(packages: &Packages) -> Vec<String> {
        let shown = |package: PackageReference| match package.version {
            Some(version) => format!("{} {version}", package.name),
            None => format!("{} ", package.name),
        };
        packages.references().into_iter().map(shown).collect()
    }

    #[test]
    fn the_last_version_asked_for_counts_and_types_only_what_asked() {
        let packages = packages();
        let newest = packages.refer("toy", None, None).unwrap();
        assert_eq!(used(&packages), ["toy 2.0.0"]);
        let older = packages.refer("toy", Some(&Version::new(1, 0, 0)), None).unwrap();
        assert_ne!(older, newest);
        assert_eq!(used(&packages), ["toy 1.0.0"]);
        assert_eq!(packages.refer("toy", None, None).unwrap(), newest);
        assert_eq!(used(&packages), ["toy 1.0.0"]);
    }

    #[test]
    fn a_package_block_decides_the_version_of_its_package() {
        let mut packages = packages();
        packages.describe(PackageRequest::new("toy").with_version(Version::new(1, 0, 0)));
        let older = packages.refer("toy", None, None).unwrap();
        let asked = packages.refer("toy", Some(&Version::new(2, 0, 0)), None);
        assert_eq!(asked.unwrap(), older);
        assert_eq!(used(&packages), ["toy 1.0.0"]);
    }

    #[test]
    fn what_does_not_load_is_not_used() {
        let packages = packages();
        assert!(packages.refer("nowhere", None, None).is_err());
        assert!(used(&packages).is_empty());
    }

    /// The schema knows the plugin behind a package, and so does the block that requests the
    /// package.
    #[test]
    fn a_parameterized_package_has_a_base() {
        let mut loader = MemoryLoader::default();
        for document in [
            r#"{"name": "mail", "parameterization": {"baseProvider": {"name": "bridge", "version": "1.2.3"}, "parameter": "bWFpbA=="}}"#,
            r#"{"name": "post", "version": "3.0.0"}"#,
        ] {
            loader.add(document).expect("a package");
        }
        let mut packages = Packages::new(Arc::new(PackageCache::new(Arc::new(loader))));
        packages.describe(PackageRequest {
            name: "bridge".to_owned(),
            version: None,
            download_url: Some("https://example.com".to_owned()),
            parameterization: Some(pcl_schema::Parameterization {
                name: "post".to_owned(),
                version: Version::new(3, 0, 0),
                value: b"post".to_vec(),
            }),
        });
        for name in ["mail", "post"] {
            packages.refer(name, None, None).unwrap();
        }
        let [mail, post] = packages.references().try_into().unwrap();
        let base = |version: Option<&str>, parameter: &[u8]| BasePlugin {
            name: "bridge".to_owned(),
            version: version.map(|version| Version::parse(version).unwrap()),
            parameter: parameter.to_vec(),
            extends: false,
        };
        assert_eq!(mail.base, Some(base(Some("1.2.3"), b"mail")));
        assert_eq!(post.base, Some(base(None, b"post")));
        assert_eq!(post.download_url.as_deref(), Some("https://example.com"));
    }

    #[test]
    fn elements_stay_where_they_are() {
        let list = AppendOnly::default();
        assert_eq!(list.get(0), None);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..250 {
                        let at = list.push("text".to_owned()).unwrap();
                        let text: *const str = &**list.get(at).unwrap();
                        assert_eq!(list.iter().nth(at).map(|it| &raw const **it), Some(text));
                    }
                });
            }
        });
        assert_eq!(list.iter().count(), 1_000);
        assert_eq!((list.get(1_000), list.get(usize::MAX / 2)), (None, None));
    }
}
