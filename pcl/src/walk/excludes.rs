//! Globs that name files and directories to leave out.

use std::fmt;
use std::path::{Path, PathBuf};

use ignore::gitignore::{Gitignore, GitignoreBuilder};

/// Globs in the syntax of `.gitignore`, each relative to a directory.
#[derive(Clone, Debug, Default)]
pub struct Excludes {
    sets: Vec<(PathBuf, Gitignore)>,
}

/// A glob that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvalidGlob {
    /// The glob.
    pub glob: String,
    /// The reason.
    pub reason: String,
}

impl fmt::Display for InvalidGlob {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is not a glob: {}", self.glob, self.reason)
    }
}

impl std::error::Error for InvalidGlob {}

impl Excludes {
    /// Adds globs that are relative to `directory`. Of several that match, the last one decides,
    /// and one that begins with `!` includes what those before it exclude.
    ///
    /// ```
    /// use pcl::Excludes;
    ///
    /// let mut excludes = Excludes::default();
    /// excludes.add("infra".as_ref(), &["/vendor", "*.generated.pp", "!keep.generated.pp"])?;
    /// assert!(excludes.add("infra".as_ref(), &["{a"]).is_err());
    /// # Ok::<(), pcl::InvalidGlob>(())
    /// ```
    ///
    /// # Errors
    /// Returns the first glob that cannot be used. None is added then.
    pub fn add(&mut self, directory: &Path, globs: &[impl AsRef<str>]) -> Result<(), InvalidGlob> {
        // Paths are made relative before they are compared.
        let mut builder = builder();
        for glob in globs {
            let glob = glob.as_ref();
            let invalid = |reason: String| InvalidGlob { glob: glob.to_owned(), reason };
            if glob.trim().is_empty() {
                return Err(invalid("it is empty".to_owned()));
            }
            // A file may contain comments; a list of globs has none.
            let line = if glob.starts_with('#') { &format!("\\{glob}") } else { glob };
            let added = builder.add_line(None, line);
            added.map_err(|error| invalid(reason(&error)))?;
        }
        let set = builder.build().map_err(|error| InvalidGlob {
            glob: globs.last().map_or("", AsRef::as_ref).to_owned(),
            reason: reason(&error),
        })?;
        let directory =
            pcl_system::real_path(directory).unwrap_or_else(|_| directory.to_path_buf());
        self.sets.push((directory, set));
        Ok(())
    }

    /// Returns whether a path that somebody names is excluded, by itself or because a directory
    /// above it is.
    #[must_use]
    pub fn exclude_named(&self, path: &Path) -> bool {
        let real = pcl_system::resolved(path);
        let mut parts = real.ancestors();
        parts.any(|part| self.exclude(part, part.is_dir()))
    }

    /// Returns whether a path without links is excluded. Globs without a slash exclude outside of
    /// their directory too.
    pub(super) fn exclude(&self, path: &Path, is_directory: bool) -> bool {
        self.sets.iter().any(|(directory, set)| {
            let relative = path.strip_prefix(directory).or(path.strip_prefix("/"));
            set.matched(relative.unwrap_or(path), is_directory).is_ignore()
        })
    }
}

/// A builder of globs that are relative to any directory. A bracket without an end, which would
/// match nothing, is an error.
pub(super) fn builder() -> GitignoreBuilder {
    let mut builder = GitignoreBuilder::new(".");
    builder.allow_unclosed_class(false);
    builder
}

/// The reason in an error of a glob, without the glob.
pub(super) fn reason(error: &ignore::Error) -> String {
    match error {
        ignore::Error::Glob { err, .. } => err.clone(),
        other => other.to_string(),
    }
}
