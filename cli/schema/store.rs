//! The directory that `pcl schema add` and `sync` keep schemas in.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::lock::{Lock, Locked, digest};
use crate::everywhere::summarize;
use crate::output::{complain, many};
use crate::status::Failure;
use pcl::remote::Answer;
use pcl::schema::{MAX_FILE_BYTES, PackageRequest, Syntax};
use pcl::{SchemaDirectories, check_schema_text, project_of};

/// A directory of schemas with its lock file.
pub(super) struct Store {
    directory: PathBuf,
    pub lock: Lock,
}

/// The state of the file of a lock file's entry.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    Same,
    Missing,
    Different,
}

impl Store {
    pub fn open(directory: PathBuf) -> Result<Self, Failure> {
        let lock = Lock::read(&directory)?;
        Ok(Self { directory, lock })
    }

    /// The directory for the programs of a directory: the nearest that there is, or the one beside
    /// the project file or, without a project, beside the program.
    pub fn directory_for(place: &Path) -> PathBuf {
        let directories = SchemaDirectories::of(place);
        let nearest = directories.existing().next().cloned();
        let new = || project_of(place).as_deref().unwrap_or(place).join("schemas");
        let directory = nearest.unwrap_or_else(new);
        let current = std::env::current_dir().unwrap_or_default();
        match directory.strip_prefix(current) {
            Ok(relative) => relative.to_path_buf(),
            Err(_) => directory.strip_prefix(".").unwrap_or(&directory).to_path_buf(),
        }
    }

    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// The path of a schema.
    pub fn place(&self, locked: &Locked) -> PathBuf {
        self.directory.join(locked.file_name())
    }

    /// Compares the file of an entry with its digest.
    pub fn state(&self, locked: &Locked) -> Result<State, Failure> {
        let place = self.place(locked);
        Ok(match content(&place)? {
            None => State::Missing,
            Some(content) if digest(&content) == locked.digest => State::Same,
            Some(_) => State::Different,
        })
    }

    /// Keeps the schema of a package. A file or an entry with another content is replaced only if
    /// `force` is set.
    pub fn add(
        &mut self,
        request: &PackageRequest,
        answer: Answer,
        force: bool,
    ) -> Result<(), Failure> {
        let Answer { package, document } = answer;
        let locked = Locked::new(request, package.version(), &document);
        let place = self.place(&locked);
        let shown = place.display().to_string();
        let mut old = self.lock.packages().iter();
        let old = old.find(|old| (&old.name, &old.version) == (&locked.name, &locked.version));
        if old.is_some_and(|old| old.digest != locked.digest) && !force {
            return Err(Failure::usage(format!(
                "the schema of {request} is not the one that `pcl-schemas.lock` names\n  \
                 help: `--force` accepts the new one"
            )));
        }
        let present = content(&place)?;
        let is_same = present.as_ref() == Some(&document);
        if present.is_some() && !is_same && !force {
            return Err(Failure::usage(format!(
                "`{shown}` has another content than the schema of {request}\n  \
                 help: `--force` replaces it"
            )));
        }
        if !is_same {
            let failed = |error| Failure::io("write", &place, error);
            std::fs::create_dir_all(&self.directory).map_err(failed)?;
            pcl_system::replace(&place, &document).map_err(failed)?;
        }
        let version = locked.version.as_ref().map(|version| format!(" {version}"));
        let version = version.unwrap_or_default();
        self.lock.put(locked);
        self.lock.write(&self.directory)?;
        summarize(&format!("added {}{version}: {shown}", request.name()));
        warn_about(&shown, document);
        Ok(())
    }
}

/// Warns about a schema with errors: members that have none can be used.
fn warn_about(path: &str, document: Vec<u8>) {
    let checked = check_schema_text(path, document, Syntax::Json, None);
    let errors = checked.diagnostics.iter().filter(|it| it.is_error()).count();
    if errors > 0 {
        let errors = many(errors, "error");
        complain(&format!(
            "warning: the schema has {errors}; `pcl schema check {path}` shows them"
        ));
    }
}

/// The content of a file, if there is one.
fn content(path: &Path) -> Result<Option<Vec<u8>>, Failure> {
    match pcl_system::read(path, MAX_FILE_BYTES) {
        Ok(content) => Ok(Some(content)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Failure::io("read", path, error)),
    }
}
