//! The directories `schemas` that belong to a program.

use std::path::{Path, PathBuf};

use crate::component_package::ComponentPackage;
use crate::project::{self, repository_of};

/// The name of a directory of schemas.
const NAME: &str = "schemas";

/// The directories of schemas of a program, whether or not they exist.
#[derive(Debug)]
pub struct SchemaDirectories {
    /// The directories, the nearest first.
    pub places: Vec<PathBuf>,
    /// The root of the git repository of the program. What is outside of it does not count.
    pub repository: Option<PathBuf>,
}

impl SchemaDirectories {
    /// The directories of a program in `directory`: those beside it and above it, up to the root of
    /// its git repository. Without a repository, those beside it, beside the file of its package of
    /// components, and beside its project file.
    ///
    /// ```
    /// let root = tempfile::tempdir()?;
    /// let program = root.path().join("infra/web");
    /// std::fs::create_dir_all(&program)?;
    /// std::fs::create_dir(root.path().join(".git"))?;
    /// let found = pcl::SchemaDirectories::of(&program);
    /// assert_eq!(found.places.len(), 3);
    /// assert_eq!(found.places[2], root.path().join("schemas"));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn of(directory: &Path) -> Self {
        Self::among(directory, || project::project_of(directory))
    }

    /// The same where the project may be known already.
    pub(crate) fn among(directory: &Path, project: impl FnOnce() -> Option<PathBuf>) -> Self {
        let absolute = project::absolute(directory);
        let repository = absolute.as_deref().and_then(repository_of);
        let mut places = vec![directory.join(NAME)];
        if let (Some(absolute), Some(root)) = (&absolute, &repository) {
            let above = absolute.ancestors().skip(1).take_while(|place| place.starts_with(root));
            places.extend(above.map(|place| from_here(place.join(NAME))));
        } else {
            let above = [ComponentPackage::root_of(directory), project()];
            let above =
                above.into_iter().flatten().filter(|place| Some(place) != absolute.as_ref());
            places.extend(above.map(|place| from_here(place.join(NAME))));
        }
        Self { places, repository }
    }

    /// The directories that exist. A link that leads out of the repository is not followed.
    pub fn existing(&self) -> impl Iterator<Item = &PathBuf> {
        self.places.iter().filter(|place| place.is_dir() && self.is_inside(place))
    }

    fn is_inside(&self, place: &Path) -> bool {
        let Some(root) = &self.repository else { return true };
        pcl_system::resolved(place).starts_with(pcl_system::resolved(root))
    }
}

/// The path as seen from the current directory, if it is below that.
fn from_here(path: PathBuf) -> PathBuf {
    let here = std::env::current_dir().unwrap_or_default();
    path.strip_prefix(here).map(Path::to_path_buf).unwrap_or(path)
}
