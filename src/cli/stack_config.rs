//! The configuration of a stack, from its file, the file of its project and the flags.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use pcl_secrets::{Crypter, ProjectSettings, StackSettings};

use super::status::Failure;
use pcl::eval::ConfigEntry;

/// The largest configuration file that is read.
const MAX_BYTES: u64 = 16 << 20;

const PASSPHRASE: &str = "PULUMI_CONFIG_PASSPHRASE";
const PASSPHRASE_FILE: &str = "PULUMI_CONFIG_PASSPHRASE_FILE";

/// The name of a project, and the configuration of a stack of it.
pub(super) struct StackConfig {
    /// The name of the project; without a project file, the name of its directory.
    pub project: String,
    /// The values by whole key, `NAMESPACE:NAME`.
    pub entries: BTreeMap<String, ConfigEntry>,
}

impl StackConfig {
    /// Reads the configuration of the stack `stack` of the project in `root`: from `file`, if it is
    /// given, and from `Pulumi.STACK.yaml` otherwise.
    ///
    /// Values that are encrypted are decrypted with the passphrase of the environment. Without one
    /// they have no text, which is reported if the program needs them.
    pub fn read(root: &Path, stack: &str, file: Option<&Path>) -> Result<Self, Failure> {
        let project = project(root)?;
        let file = match file {
            Some(file) => Some(file.to_path_buf()),
            None => existing(root, &format!("Pulumi.{stack}")),
        };
        let mut stack = StackSettings::default();
        let mut crypter = None;
        if let Some(path) = &file {
            stack = settings(path, StackSettings::read)?;
            if let (true, Some(salt)) = (stack.has_secrets(), &stack.encryption_salt) {
                crypter = open(path, salt)?;
            }
        }
        let entries = project.config(&stack, crypter.as_ref()).into_iter();
        let entries = entries.map(|entry| {
            let value = ConfigEntry {
                text: entry.value.text().map(str::to_owned),
                is_secret: entry.is_secret,
            };
            (entry.key, value)
        });
        Ok(Self {
            entries: entries.collect(),
            project: project.name,
        })
    }

    /// Sets the value of a key that a flag gives; one without a colon is a key of the project. A
    /// value that the file encrypts remains a secret.
    pub fn set(&mut self, key: &str, value: &str) {
        let key = match key.contains(':') {
            true => key.to_owned(),
            false => format!("{}:{key}", self.project),
        };
        let is_secret = self.entries.get(&key).is_some_and(|entry| entry.is_secret);
        let text = Some(value.to_owned());
        self.entries.insert(key, ConfigEntry { text, is_secret });
    }
}

/// The name of the project in `root`; without a project file, the name of the directory.
pub(crate) fn project_name(root: &Path) -> Result<String, Failure> {
    Ok(project(root)?.name)
}

fn project(root: &Path) -> Result<ProjectSettings, Failure> {
    match existing(root, "Pulumi") {
        Some(path) => settings(&path, ProjectSettings::read),
        None => Ok(ProjectSettings {
            name: directory_name(root),
            declarations: Vec::new(),
        }),
    }
}

/// The first of `NAME.yaml` and `NAME.yml` that exists in a directory.
fn existing(directory: &Path, name: &str) -> Option<PathBuf> {
    let paths = ["yaml", "yml"].map(|extension| directory.join(format!("{name}.{extension}")));
    paths.into_iter().find(|path| path.is_file())
}

fn settings<T, E: std::fmt::Display>(
    path: &Path,
    read: impl FnOnce(&str) -> Result<T, E>,
) -> Result<T, Failure> {
    let malformed = |error| Failure::usage(format!("{}:{error}", path.display()));
    read(&text(path)?).map_err(malformed)
}

fn text(path: &Path) -> Result<String, Failure> {
    let failure = |error| Failure::io("read", path, error);
    let bytes = pcl_system::read(path, MAX_BYTES).map_err(failure)?;
    let invalid = |error| failure(std::io::Error::new(std::io::ErrorKind::InvalidData, error));
    String::from_utf8(bytes).map_err(invalid)
}

/// The key of the secrets in a file, if the environment has its passphrase.
fn open(path: &Path, salt: &str) -> Result<Option<Crypter>, Failure> {
    let Some(passphrase) = passphrase()? else {
        return Ok(None);
    };
    let failure = |error| Failure::usage(format!("{}: {error}", path.display()));
    Crypter::open(&passphrase, salt).map(Some).map_err(failure)
}

/// The passphrase in the environment, or in the file that the environment names.
pub(super) fn passphrase() -> Result<Option<String>, Failure> {
    if let Ok(passphrase) = std::env::var(PASSPHRASE) {
        return Ok(Some(passphrase));
    }
    let Some(path) = std::env::var_os(PASSPHRASE_FILE) else {
        return Ok(None);
    };
    Ok(Some(text(Path::new(&path))?.trim().to_owned()))
}

fn directory_name(root: &Path) -> String {
    let real = root.canonicalize().unwrap_or_else(|_| root.to_path_buf());
    let name = real.file_name().map(|name| name.to_string_lossy());
    name.map_or_else(|| String::from("project"), |name| name.into_owned())
}
