//! The rules of ignore files (`.gitignore`, `.git/info/exclude`, `.pclignore`), and globs that name
//! files and directories to leave out.
//!
//! Files are read by `pcl_system`, since a repository may make any of them a link or a device.

use std::fmt;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use crate::project::is_repository;

/// The size of the largest ignore file that is read.
const MAX_BYTES: u64 = 1 << 20;

/// The rules of a directory, and of those above it.
#[derive(Debug, Default)]
pub(super) struct Rules {
    above: Option<Rc<Rules>>,
    /// The directory, without links.
    directory: PathBuf,
    /// The rules of its `.pclignore`.
    own: Option<Gitignore>,
    /// The rules of its `.gitignore`.
    git: Option<Gitignore>,
    /// The rules of `.git/info/exclude`.
    exclude: Option<Gitignore>,
    /// Set in a repository, where `.gitignore` counts.
    is_in_repository: bool,
    /// Set if it is the root of a repository: `.gitignore` above it does not count.
    is_root: bool,
}

impl Rules {
    /// The rules of the directories above one: those of its repository, or all if it is in none.
    pub fn above(directory: &Path, complaints: &mut Vec<String>) -> Rc<Self> {
        let mut above: Vec<&Path> = directory.ancestors().skip(1).collect();
        if is_repository(directory) {
            above.clear();
        } else if let Some(root) = above.iter().position(|place| is_repository(place)) {
            above.truncate(root + 1);
        }
        let none = Rc::new(Self::default());
        above
            .into_iter()
            .rev()
            .fold(none, |rules, directory| Self::within(&rules, directory, complaints))
    }

    /// The rules in a directory whose parent has the rules `above`.
    pub fn within(above: &Rc<Self>, directory: &Path, complaints: &mut Vec<String>) -> Rc<Self> {
        let is_root = is_repository(directory);
        let is_in_repository = is_root || above.is_in_repository;
        let mut read = |path: &Path| read(path, complaints);
        let own = read(&directory.join(".pclignore"));
        let git = if is_in_repository { read(&directory.join(".gitignore")) } else { None };
        let exclude = if is_root {
            git_directory(directory).and_then(|git| read(&git.join("info/exclude")))
        } else {
            None
        };
        if own.is_none() && git.is_none() && !is_root {
            return Rc::clone(above);
        }
        Rc::new(Self {
            above: Some(Rc::clone(above)),
            directory: directory.to_path_buf(),
            own,
            git,
            exclude,
            is_in_repository,
            is_root,
        })
    }

    /// Returns whether a path without links is ignored. The file that is nearest to it decides, and
    /// any `.pclignore` before those of git.
    pub fn ignore(&self, path: &Path, is_directory: bool) -> bool {
        let decide = |rules: &Self, set: &Option<Gitignore>| {
            let relative = path.strip_prefix(&rules.directory).unwrap_or(path);
            match set.as_ref()?.matched(relative, is_directory) {
                Match::None => None,
                Match::Ignore(_) => Some(true),
                Match::Whitelist(_) => Some(false),
            }
        };
        let own = self.outwards().find_map(|rules| decide(rules, &rules.own));
        own.or_else(|| {
            for rules in self.outwards() {
                let decided = decide(rules, &rules.git);
                if decided.is_some() || rules.is_root {
                    return decided.or_else(|| decide(rules, &rules.exclude));
                }
            }
            None
        })
        .unwrap_or(false)
    }

    fn outwards(&self) -> impl Iterator<Item = &Self> {
        std::iter::successors(Some(self), |rules| rules.above.as_deref())
    }
}

/// The directory of git's own files, which worktrees of a repository share.
fn git_directory(root: &Path) -> Option<PathBuf> {
    let git = root.join(".git");
    if git.is_dir() {
        return Some(git);
    }
    let own = root.join(line_of(&git)?.strip_prefix("gitdir:")?.trim_start());
    Some(match line_of(&own.join("commondir")) {
        Some(common) => own.join(common),
        None => own,
    })
}

/// The first line of a file of git.
fn line_of(path: &Path) -> Option<String> {
    let bytes = pcl_system::read(path, MAX_BYTES).ok()?;
    let text = String::from_utf8(bytes).ok()?;
    text.lines().next().map(str::to_owned)
}

/// The rules in a file; `None` if there are none.
fn read(path: &Path, complaints: &mut Vec<String>) -> Option<Gitignore> {
    let bytes = match pcl_system::read(path, MAX_BYTES) {
        Ok(bytes) => bytes,
        Err(error) if is_absent(&error) => return None,
        Err(error) => {
            complaints.push(format!("cannot read `{}`: {error}", path.display()));
            return None;
        }
    };
    let text = String::from_utf8_lossy(&bytes);
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    // Paths are made relative before they are compared.
    let mut builder = builder();
    for (number, line) in (1..).zip(text.lines()) {
        if let Err(error) = builder.add_line(None, line) {
            let place = format!("{}:{number}", path.display());
            complaints.push(format!("{place}: `{line}` is not a glob: {}", reason(&error)));
        }
    }
    let rules = match builder.build() {
        Ok(rules) => rules,
        Err(error) => {
            complaints.push(format!("cannot use `{}`: {error}", path.display()));
            return None;
        }
    };
    (!rules.is_empty()).then_some(rules)
}

fn is_absent(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
}

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
