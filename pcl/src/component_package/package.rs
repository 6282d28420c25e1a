//! A package of components: its name and version, and the directories of its components.
//!
//! The rules, with examples: `tests/component_packages.rs`.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use pcl_binder::{
    OpenFiles, Options, Sources, component_name, described_packages, is_program_file,
};
use pcl_diagnostics::SourceMap;
use pcl_schema::PackageRequest;
use semver::Version;

use super::manifest::{self, Manifest};
use crate::project;

/// A package of components in PCL.
#[derive(Clone, Debug)]
pub struct ComponentPackage {
    directory: PathBuf,
    pub(super) manifest: Manifest,
    name: String,
    version: Version,
    components: Vec<Component>,
    packages: Vec<PackageRequest>,
}

/// A component of a package.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Component {
    /// Its token, `PACKAGE:index:NAME`.
    pub token: String,
    /// Its name: that of its directory, in the form that the types of components have.
    pub name: String,
    /// The directory of its program files.
    pub directory: PathBuf,
    /// The same, as seen from the package.
    pub(super) relative: PathBuf,
}

/// The part that a directory has in a package.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Role<'p> {
    /// The directory of the package, whose files are those of no component.
    Root,
    /// The directory of a component.
    Component(&'p Component),
    /// A directory below that of a component, or one that is left out.
    Other,
}

impl ComponentPackage {
    /// The package in a directory; `None` if there is none, or if it is written in another
    /// language.
    ///
    /// Components are the directories below it that have program files, but not those below a
    /// component, which are parts of it. The directory itself is one if there are no others.
    /// Hidden directories, `node_modules`, `sdks`, links, projects and other packages are left out.
    pub fn find(directory: &Path) -> Option<Self> {
        let manifest = Manifest::read(directory)?;
        let own_name = || {
            let real = project::absolute(directory)?;
            Some(real.file_name()?.to_string_lossy().into_owned())
        };
        let named = manifest.name.as_ref().map(|(name, _)| name.clone());
        let name = named.or_else(own_name).unwrap_or_default();
        let version = manifest.version.as_ref().map(|(version, _)| version.clone());
        let mut found = Vec::new();
        search(directory, Path::new(""), &mut found);
        found.sort();
        if found.is_empty() {
            found.push(PathBuf::new());
        }
        let component = |relative: PathBuf| {
            let directory = at(directory, &relative);
            let own = project::absolute(&directory).unwrap_or_else(|| directory.clone());
            let name = own.file_name().unwrap_or_default().to_string_lossy();
            (component_name(&name), directory, relative)
        };
        let components = found.into_iter().map(component);
        let components = components.map(|(component, directory, relative)| Component {
            token: format!("{name}:index:{component}"),
            name: component,
            directory,
            relative,
        });
        let components: Vec<Component> = components.collect();
        let is_component = components.iter().any(|it| it.relative.as_os_str().is_empty());
        let packages = if is_component { Vec::new() } else { packages_in(directory) };
        Some(Self {
            directory: directory.to_path_buf(),
            version: version.unwrap_or(Version::new(0, 0, 0)),
            manifest,
            components,
            packages,
            name,
        })
    }

    /// The package that a directory belongs to: the one in it, or in the nearest directory above
    /// it. Projects and repositories belong to no package that is further up.
    pub fn around(directory: &Path) -> Option<Self> {
        Self::find(&Self::root_of(directory)?)
    }

    /// The nearest directory at or above one that has the file of a package, in any language.
    pub(crate) fn root_of(directory: &Path) -> Option<PathBuf> {
        let absolute = project::absolute(directory)?;
        for place in absolute.ancestors() {
            if place.join(manifest::PLUGIN_FILE).is_file() {
                return Some(place.to_path_buf());
            }
            if project::is_project(place) || project::is_repository(place) {
                return None;
            }
        }
        None
    }

    /// The directory, as it was named.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// The name: the option `name` of the runtime, or else that of the directory.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The version: the option `version` of the runtime, or else 0.0.0.
    pub fn version(&self) -> &Version {
        &self.version
    }

    /// The components, in byte order of their paths.
    pub fn components(&self) -> &[Component] {
        &self.components
    }

    /// The component of a token.
    pub fn component(&self, token: &str) -> Option<&Component> {
        self.components.iter().find(|component| component.token == token)
    }

    /// The packages that the `package` blocks in the directory of the package describe. They count
    /// in all of its components.
    pub fn packages(&self) -> &[PackageRequest] {
        &self.packages
    }

    /// Prepares the options for the program in a directory of this package.
    pub(crate) fn prepare(&self, role: Role<'_>, options: &mut Options) {
        options.outer_packages.clone_from(&self.packages);
        // The package is copied as a whole.
        options.project_directory.get_or_insert_with(|| self.directory.clone());
        if !matches!(role, Role::Other) {
            options.diagnostics_only = false;
        }
    }

    /// The part that a directory has in this package.
    pub(crate) fn role(&self, directory: &Path) -> Role<'_> {
        let place = project::absolute(directory).unwrap_or_default();
        let own = project::absolute(&self.directory).unwrap_or_default();
        let Ok(relative) = place.strip_prefix(&own) else { return Role::Other };
        match self.components.iter().find(|component| component.relative == relative) {
            Some(component) => Role::Component(component),
            None if relative.as_os_str().is_empty() => Role::Root,
            None => Role::Other,
        }
    }
}

/// Adds the directories of components below `relative` to `found`.
fn search(root: &Path, relative: &Path, found: &mut Vec<PathBuf>) {
    let here = at(root, relative);
    let mut directories = Vec::new();
    for entry in std::fs::read_dir(&here).into_iter().flatten().filter_map(Result::ok) {
        let name = entry.file_name();
        let is_directory = entry.file_type().is_ok_and(|kind| kind.is_dir());
        if is_directory && !is_left_out(&name) {
            directories.push(relative.join(name));
        } else if !relative.as_os_str().is_empty() && is_program_file(&here, &name) {
            found.push(relative.to_path_buf());
            return;
        }
    }
    for directory in directories {
        let place = root.join(&directory);
        let has_own = place.join(manifest::PLUGIN_FILE).is_file() || project::is_project(&place);
        if !has_own {
            search(root, &directory, found);
        }
    }
}

/// Returns whether directories of a name hold no components: those that no walk searches, and the
/// SDKs of other packages.
fn is_left_out(name: &OsStr) -> bool {
    project::is_never_searched(name) || name == "sdks"
}

/// A directory as seen from where the package is.
fn at(root: &Path, relative: &Path) -> PathBuf {
    if relative.as_os_str().is_empty() {
        root.to_path_buf()
    } else {
        project::below(root, relative)
    }
}

/// The packages that the files directly in a directory describe.
fn packages_in(directory: &Path) -> Vec<PackageRequest> {
    let mut map = SourceMap::new();
    let open = OpenFiles::default();
    let (sources, _) = Sources::read_directory(directory, "", &open, &mut map);
    described_packages(&sources)
}
