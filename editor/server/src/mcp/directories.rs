//! The directories whose programs a client may read, and the settings of these programs.

use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use pcl::Settings;
use pcl::config::Discovery;
use pcl::schema::ChainLoader;

use crate::server::Environment;

/// The directories that a server may read, links followed. There is at least one.
pub struct Directories {
    first: Directory,
    others: Vec<Directory>,
}

/// A directory as it was named, and its real path.
struct Directory {
    named: PathBuf,
    real: PathBuf,
}

impl Directories {
    /// These directories; the current one if none is named.
    ///
    /// # Errors
    /// Returns the first path that is not a directory that can be read, with the error.
    pub fn new(named: &[PathBuf]) -> Result<Self, (PathBuf, io::Error)> {
        let directory = |named: &PathBuf| {
            let real = named.read_dir().and_then(|_| pcl_system::real_path(named));
            let named = tidy(named);
            match real {
                Ok(real) => Ok(Directory { named, real }),
                Err(error) => Err((named, error)),
            }
        };
        let mut all = named.iter().map(directory);
        let first = all.next().unwrap_or_else(|| directory(&".".into()))?;
        let others = all.collect::<Result<_, _>>()?;
        Ok(Self { first, others })
    }

    fn all(&self) -> impl Iterator<Item = &Directory> {
        std::iter::once(&self.first).chain(&self.others)
    }

    /// The first directory, to which texts without a path belong.
    pub fn first(&self) -> &Path {
        &self.first.named
    }

    /// The path that a client names, which is relative to one of the directories or absolute.
    ///
    /// # Errors
    /// Returns a message if it lies outside of the directories, or if there is nothing.
    pub fn resolve(&self, written: &str) -> Result<PathBuf, String> {
        let mut places = self.all().map(|it| tidy(&it.named.join(written)));
        let place = places.find(|place| place.exists());
        let place = place.unwrap_or_else(|| tidy(&self.first.named.join(written)));
        match pcl_system::real_path(&place) {
            Ok(real) if self.contain(&real) => Ok(place),
            // Outside of the directories nobody learns which files exist.
            Err(error) if self.contain_text(&place) => {
                Err(format!("cannot read `{}`: {error}", place.display()))
            }
            _ => Err(self.outside(&place)),
        }
    }

    /// Returns true if a real path lies in one of the directories.
    fn contain(&self, real: &Path) -> bool {
        self.all().any(|it| real.starts_with(&it.real))
    }

    /// Returns true if a path that leads nowhere would lie in one of the directories.
    fn contain_text(&self, path: &Path) -> bool {
        let climbs = path.components().any(|it| it == Component::ParentDir);
        let is_below = |it: &Directory| {
            let is_current = it.named == Path::new(".") && path.is_relative();
            is_current || path.starts_with(&it.named) || path.starts_with(&it.real)
        };
        !climbs && self.all().any(is_below)
    }

    /// Refuses a file that was read and does not lie in one of the directories.
    ///
    /// # Errors
    /// Returns a message that names it.
    pub fn admit(&self, file: &Path) -> Result<(), String> {
        match pcl_system::real_path(file) {
            Ok(real) if self.contain(&real) => Ok(()),
            // The shown path of a directory whose name is not UTF-8 leads nowhere.
            _ => Err(self.outside(file)),
        }
    }

    fn outside(&self, path: &Path) -> String {
        let all: Vec<String> = self.all().map(|it| format!("`{}`", it.real.display())).collect();
        format!(
            "`{}` lies outside of the directories that this server reads: {}",
            path.display(),
            all.join(", ")
        )
    }
}

/// A path without needless parts.
fn tidy(path: &Path) -> PathBuf {
    let mut parts = path.components().filter(|it| *it != Component::CurDir);
    match parts.clone().next() {
        Some(_) => parts.by_ref().collect(),
        None => PathBuf::from("."),
    }
}

/// The things that tools work with.
pub struct Context<'e> {
    /// The settings of the command.
    pub environment: Environment<'e>,
    /// The directories that may be read.
    pub directories: Directories,
}

impl Context<'_> {
    /// The loader of schemas for programs in a directory, which a client names; for those in the
    /// first directory if it names none.
    ///
    /// # Errors
    /// Returns a message if the directory must not be read, or if its configuration is not valid.
    pub fn loader(&self, path: Option<&str>) -> Result<Arc<ChainLoader>, String> {
        let directory = match path {
            Some(path) => self.directories.resolve(path)?,
            None => self.directories.first().to_path_buf(),
        };
        let directory = if directory.is_dir() {
            &directory
        } else {
            directory.parent().unwrap_or(Path::new("."))
        };
        let settings = self.settings(directory)?;
        Ok(settings.schemas.loader(Some(directory)))
    }

    /// The settings of programs in a directory.
    ///
    /// # Errors
    /// Returns a message if a configuration file is not valid.
    pub fn settings(&self, directory: &Path) -> Result<Settings, String> {
        // It is read again for each call: files change without notice.
        let environment = &self.environment;
        let discovery = Discovery::new(environment.base.clone(), environment.is_isolated);
        let configuration = discovery.of(directory);
        discovery.diagnostics(|map, diagnostics| {
            let lines = diagnostics.iter().map(|diagnostic| {
                let path = map.path(diagnostic.primary.file);
                format!("{path}: {}", diagnostic.message)
            });
            let lines: Vec<String> = lines.collect();
            if lines.is_empty() { Ok(()) } else { Err(lines.join("\n")) }
        })?;
        Ok((environment.settings)(&configuration))
    }
}
