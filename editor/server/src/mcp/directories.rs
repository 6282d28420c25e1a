//! The directories whose programs a client may read, and the settings of these programs.

use std::io::{self, ErrorKind};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use pcl::Settings;
use pcl::config::{Configuration, Discovery};
use pcl::eval::FileContents;
use pcl::schema::ChainLoader;
use pcl::values::{Content, Contents, Entry};

use crate::server::Environment;

/// The directories that a server may read, links followed. There is at least one.
#[derive(Clone)]
pub struct Directories {
    first: Directory,
    others: Vec<Directory>,
}

/// A directory as it was named, and its real path.
#[derive(Clone)]
struct Directory {
    named: PathBuf,
    real: PathBuf,
}

/// The reason why a place is not read.
enum Refusal {
    /// It lies outside of the directories, where nobody learns which files exist.
    Outside,
    /// Nothing is there, or it cannot be looked at.
    Unreadable(io::Error),
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
        match self.look(&place) {
            Ok(()) => Ok(place),
            Err(Refusal::Unreadable(error)) => {
                Err(format!("cannot read `{}`: {error}", place.display()))
            }
            Err(Refusal::Outside) => Err(self.outside(&place)),
        }
    }

    /// Looks for a place in the directories.
    fn look(&self, place: &Path) -> Result<(), Refusal> {
        match pcl_system::real_path(place) {
            Ok(real) if self.contain(&real) => Ok(()),
            Err(error) if self.contain_missing(place) => Err(Refusal::Unreadable(error)),
            _ => Err(Refusal::Outside),
        }
    }

    /// Returns true if a real path lies in one of the directories.
    fn contain(&self, real: &Path) -> bool {
        self.all().any(|it| real.starts_with(&it.real))
    }

    /// Returns true if a path that leads nowhere begins in one of the directories, as far as it
    /// leads anywhere.
    fn contain_missing(&self, path: &Path) -> bool {
        for place in path.ancestors() {
            let place = if place.as_os_str().is_empty() { Path::new(".") } else { place };
            match pcl_system::real_path(place) {
                Ok(real) => return self.contain(&real),
                // A link whose target is missing: the target may be anywhere.
                Err(_) if place.is_symlink() => return false,
                Err(_) => {}
            }
        }
        false
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
        Ok((self.environment.settings)(&*self.configuration(directory)?))
    }

    /// The configuration of programs in a directory.
    ///
    /// # Errors
    /// Returns a message if a configuration file is not valid.
    pub fn configuration(&self, directory: &Path) -> Result<Arc<Configuration>, String> {
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
        Ok(configuration)
    }
}

/// The files that a program reads while it runs, of which those outside of the directories of a
/// server are refused.
pub struct Confined {
    files: FileContents,
    directory: PathBuf,
    directories: Directories,
}

impl Confined {
    /// The files of a program in a directory, whose project is in `root`.
    pub fn new(directories: &Directories, directory: &Path, root: &Path) -> Self {
        Self {
            files: FileContents::new(directory).with_project(root),
            directory: directory.to_path_buf(),
            directories: directories.clone(),
        }
    }

    /// Looks for a file that the program names.
    fn look(&self, path: &str) -> Result<(), Refusal> {
        // To look at a path of another machine would connect to it.
        if pcl_system::is_remote(path) {
            return Err(Refusal::Outside);
        }
        self.directories.look(&self.directory.join(path))
    }

    fn admit(&self, path: &str) -> io::Result<()> {
        self.look(path).map_err(|refusal| match refusal {
            Refusal::Unreadable(error) => error,
            // The message does not name the path, which may be secret.
            Refusal::Outside => {
                let message = "it lies outside of the directories that this server reads";
                io::Error::new(ErrorKind::PermissionDenied, message)
            }
        })
    }
}

impl Contents for Confined {
    fn file(&self, path: &str) -> io::Result<Content<'_>> {
        self.admit(path)?;
        self.files.file(path)
    }

    fn directory(&self, path: &str) -> io::Result<Vec<Entry>> {
        self.admit(path)?;
        self.files.directory(path)
    }

    fn fetch(&self, uri: &str) -> io::Result<Content<'_>> {
        self.files.fetch(uri)
    }

    /// Returns true for a file of another project. What is refused needs no warning.
    fn is_outside(&self, path: &str) -> bool {
        self.look(path).is_ok() && self.files.is_outside(path)
    }
}
