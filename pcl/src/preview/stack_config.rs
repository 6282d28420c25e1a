//! The configuration of a stack, from its file and the file of its project.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use pcl_binder::NodeBody;
use pcl_diagnostics::suggest;
use pcl_eval::ConfigEntry;
use pcl_secrets::{Crypter, ProjectSettings, StackSettings};
use pcl_values::Text;

use crate::memory_files::MemoryFiles;
use crate::workspace::Checked;

/// The largest configuration file that is read.
const MAX_BYTES: u64 = 16 << 20;

/// The name of a project file without its extension.
const PROJECT: &str = "Pulumi";

/// The name of the file of a stack without its extension.
fn stem(stack: &str) -> String {
    format!("{PROJECT}.{stack}")
}

/// The extensions of configuration files, in the order in which they are looked up.
const EXTENSIONS: [&str; 2] = ["yaml", "yml"];

/// The name of a project, and the configuration of a stack of it.
///
/// ```
/// use pcl::MemoryFiles;
/// use pcl::preview::StackConfig;
///
/// let mut files = MemoryFiles::default();
/// files.insert("Pulumi.yaml", "name: shop\nconfig:\n  zone: north\n");
/// files.insert("Pulumi.prod.yaml", "config:\n  size: 3\n");
/// let config = StackConfig::in_memory(&files, ".", "prod", None)?;
/// assert_eq!(config.project, "shop");
/// assert_eq!(config.entries["shop:size"].text, Some("3".into()));
/// # Ok::<(), String>(())
/// ```
pub struct StackConfig {
    /// The name of the project; without a project file, that of its directory, or `project`.
    pub project: String,
    /// The values by whole key, `NAMESPACE:NAME`.
    pub entries: BTreeMap<String, ConfigEntry>,
}

impl StackConfig {
    /// Reads the configuration of the stack `stack` of the project in `root`: from `file`, if it is
    /// given, and from `Pulumi.STACK.yaml` otherwise.
    ///
    /// Encrypted values are decrypted with the passphrase of the environment, which needs the
    /// feature `secrets`. Without one they have no text, which is reported if the program needs
    /// them.
    ///
    /// # Errors
    /// Returns a message if a file cannot be read, or has not the form of a configuration, or if
    /// the passphrase is not that of the stack.
    pub fn read(root: &Path, stack: &str, file: Option<&Path>) -> Result<Self, String> {
        Self::on_disk(root, stack, file, open)
    }

    /// The files that [`read`](Self::read) reads unless it is given one.
    pub fn files(root: &Path, stack: &str) -> impl Iterator<Item = PathBuf> {
        let stems = [String::from(PROJECT), stem(stack)];
        stems.into_iter().filter_map(|stem| existing(root, &stem))
    }

    /// Reads the configuration of a stack, and asks for the key of what is encrypted.
    pub(super) fn on_disk(
        root: &Path,
        stack: &str,
        file: Option<&Path>,
        open: Open,
    ) -> Result<Self, String> {
        let project = project(root)?;
        let file = match file {
            Some(file) => Some(file.to_path_buf()),
            None => existing(root, &stem(stack)),
        };
        let stack = match file {
            Some(file) => Some((file.display().to_string(), read_text(&file)?)),
            None => None,
        };
        Self::of(project, stack, open)
    }

    /// Reads the configuration of a stack of the project in a directory in memory. A file that is
    /// given is one in memory too.
    ///
    /// # Errors
    /// Returns a message as [`read`](Self::read) does.
    pub fn in_memory(
        files: &MemoryFiles,
        root: &str,
        stack: &str,
        file: Option<&str>,
    ) -> Result<Self, String> {
        Self::of_files(files, root, stack, file, open)
    }

    /// Reads the same, and asks for the key of what is encrypted.
    pub(super) fn of_files(
        files: &MemoryFiles,
        root: &str,
        stack: &str,
        file: Option<&str>,
        open: Open,
    ) -> Result<Self, String> {
        let find = |stem: &str| {
            let paths = EXTENSIONS.map(|extension| format!("{root}/{stem}.{extension}"));
            let mut paths = paths.iter().map(|path| MemoryFiles::normal(path));
            paths.find(|path| files.bytes(path).is_some())
        };
        let read = |path: String| {
            let bytes = files.bytes(&path);
            let bytes = bytes.ok_or_else(|| format!("there is no file `{path}`"))?;
            let text = text_of(&path, bytes.to_vec())?;
            Ok::<_, String>((path, text))
        };
        let project = match find(PROJECT).map(read).transpose()? {
            Some((path, text)) => parse(&path, &text, ProjectSettings::read)?,
            None => ProjectSettings::without_file("project".to_owned()),
        };
        let file = file.map(MemoryFiles::normal);
        let file = file.or_else(|| find(&stem(stack)));
        Self::of(project, file.map(read).transpose()?, open)
    }

    /// The configuration of a project and of the path and text of the file of a stack.
    fn of(
        project: ProjectSettings,
        stack: Option<(String, String)>,
        open: Open,
    ) -> Result<Self, String> {
        let mut settings = StackSettings::default();
        let mut crypter = None;
        if let Some((path, text)) = stack {
            settings = parse(&path, &text, StackSettings::read)?;
            if let (true, Some(salt)) = (settings.has_secrets(), &settings.encryption_salt) {
                crypter = open(&path, salt)?;
            }
        }
        let entries = project.config(&settings, crypter.as_ref()).into_iter();
        let entries = entries.map(|entry| {
            let value = ConfigEntry {
                text: entry.value.text().map(Text::from),
                is_secret: entry.is_secret,
            };
            (entry.key, value)
        });
        Ok(Self { entries: entries.collect(), project: project.name })
    }

    /// Gives the project another name. The keys of the project go with it.
    pub fn rename(&mut self, project: String) {
        let old = std::mem::replace(&mut self.project, project);
        let entries = std::mem::take(&mut self.entries).into_iter();
        let renamed = entries.map(|(key, entry)| match key.split_once(':') {
            Some((namespace, name)) if namespace == old => (self.key(name), entry),
            _ => (key, entry),
        });
        self.entries = renamed.collect();
    }

    /// Sets the value of a key; one without a colon is a key of the project. A value that the file
    /// encrypts remains a secret.
    pub fn set(&mut self, key: &str, value: &str) {
        let key = self.key(key);
        let is_secret = self.entries.get(&key).is_some_and(|entry| entry.is_secret);
        let text = Some(Text::from(value));
        self.entries.insert(key, ConfigEntry { text, is_secret });
    }

    /// Sets the value of a key to a secret.
    pub fn set_secret(&mut self, key: &str, value: &str) {
        let (key, text) = (self.key(key), Some(Text::from(value)));
        let is_secret = true;
        self.entries.insert(key, ConfigEntry { text, is_secret });
    }

    fn key(&self, key: &str) -> String {
        if key.contains(':') { key.to_owned() } else { format!("{}:{key}", self.project) }
    }
}

/// The message about the first of some keys that is not one of a variable of the program; `None` if
/// there is no such key. A key with a colon may be that of a provider.
pub fn stray_key<'k>(checked: &Checked, mut keys: impl Iterator<Item = &'k str>) -> Option<String> {
    let nodes = checked.program.module.nodes.iter();
    let variables = nodes.filter(|node| matches!(node.body, NodeBody::Config(_)));
    let names: Vec<&str> = variables.map(|node| &*node.logical_name).collect();
    let stray = keys.find(|key| !key.contains(':') && !names.contains(key));
    // A program with errors may lack the declaration.
    let stray = stray.filter(|_| checked.is_valid())?;
    let help = match (suggest(stray, names.iter().copied()), &*names) {
        (Some(near), _) => format!("did you mean `{near}`?"),
        (None, []) => "the program has no configuration".to_owned(),
        (None, names) => format!("the program has `{}`", names.join("`, `")),
    };
    let stray = stray.escape_debug();
    Some(format!("there is no configuration variable `{stray}`\n  help: {help}"))
}

/// The name of the project in a directory; without a project file, that of the directory.
///
/// # Errors
/// Returns a message if the project file cannot be read.
pub fn project_name(root: &Path) -> Result<String, String> {
    Ok(project(root)?.name)
}

fn project(root: &Path) -> Result<ProjectSettings, String> {
    match existing(root, PROJECT) {
        Some(path) => parse(&path.display().to_string(), &read_text(&path)?, ProjectSettings::read),
        None => Ok(ProjectSettings::without_file(directory_name(root))),
    }
}

/// The first configuration file of that stem in a directory.
fn existing(directory: &Path, stem: &str) -> Option<PathBuf> {
    let paths = EXTENSIONS.map(|extension| directory.join(format!("{stem}.{extension}")));
    paths.into_iter().find(|path| path.is_file())
}

fn parse<T, E: std::fmt::Display>(
    path: &str,
    text: &str,
    read: impl FnOnce(&str) -> Result<T, E>,
) -> Result<T, String> {
    read(text).map_err(|error| format!("{path}:{error}"))
}

fn read_text(path: &Path) -> Result<String, String> {
    let shown = path.display().to_string();
    let bytes = pcl_system::read(path, MAX_BYTES);
    let bytes = bytes.map_err(|error| format!("cannot read `{shown}`: {error}"))?;
    text_of(&shown, bytes)
}

fn text_of(path: &str, bytes: Vec<u8>) -> Result<String, String> {
    let invalid = |error| format!("cannot read `{path}`: {error}");
    String::from_utf8(bytes).map_err(invalid)
}

/// The way to the key of the secrets in a file, which has a path and a salt.
pub(super) type Open = fn(&str, &str) -> Result<Option<Crypter>, String>;

/// No key: encrypted values have no text.
pub(super) fn without_passphrase(_: &str, _: &str) -> Result<Option<Crypter>, String> {
    Ok(None)
}

/// The key of the secrets in a file, if the environment has its passphrase.
#[cfg(feature = "secrets")]
pub(super) fn open(path: &str, salt: &str) -> Result<Option<Crypter>, String> {
    let Some(passphrase) = passphrase()? else { return Ok(None) };
    let opened = Crypter::open(&passphrase, salt);
    opened.map(Some).map_err(|error| format!("{path}: {error}"))
}

#[cfg(not(feature = "secrets"))]
pub(super) use without_passphrase as open;

/// The passphrase in the environment, or in the file that the environment names.
///
/// # Errors
/// Returns a message if the file cannot be read.
#[cfg(feature = "secrets")]
pub fn passphrase() -> Result<Option<String>, String> {
    if let Ok(passphrase) = std::env::var("PULUMI_CONFIG_PASSPHRASE") {
        return Ok(Some(passphrase));
    }
    let Some(path) = std::env::var_os("PULUMI_CONFIG_PASSPHRASE_FILE") else { return Ok(None) };
    Ok(Some(read_text(Path::new(&path))?.trim().to_owned()))
}

fn directory_name(root: &Path) -> String {
    let real = pcl_system::real_path(root).unwrap_or_else(|_| root.to_path_buf());
    let name = real.file_name().map(|name| name.to_string_lossy());
    name.map_or_else(|| String::from("project"), |name| name.into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(texts: &[(&str, &str)]) -> MemoryFiles {
        let mut files = MemoryFiles::default();
        for &(path, text) in texts {
            files.insert(path, text);
        }
        files
    }

    fn shown(config: &StackConfig) -> Vec<String> {
        let entries = config.entries.iter();
        entries.map(|(key, entry)| format!("{key} = {entry:?}")).collect()
    }

    #[test]
    fn files_in_memory_are_those_of_the_project() {
        let files = files(&[
            ("shop/Pulumi.yml", "name: shop\nconfig:\n  zone: north\n"),
            ("shop/Pulumi.dev.yaml", "config:\n  size: 3\n  code:\n    secure: v1:a:b\n"),
            ("other.yaml", "config:\n  size: 4\n"),
        ]);
        let mut config = StackConfig::in_memory(&files, "shop", "dev", None).unwrap();
        let expected = ["shop:code = [secret]", "shop:size = \"3\"", "shop:zone = \"north\""];
        assert_eq!(shown(&config), expected);
        assert!(config.entries["shop:code"].text.is_none());

        config.set("code", "hunter2");
        config.set("size", "5");
        config.set_secret("a:b", "c");
        config.rename("store".to_owned());
        let expected = [
            "a:b = [secret]",
            "store:code = [secret]",
            "store:size = \"5\"",
            "store:zone = \"north\"",
        ];
        assert_eq!(shown(&config), expected);

        let config = StackConfig::in_memory(&files, ".", "dev", Some("other.yaml")).unwrap();
        assert_eq!(shown(&config), ["project:size = \"4\""]);
    }

    #[test]
    fn what_is_wrong_in_memory_is_an_error() {
        let files = files(&[("Pulumi.dev.yaml", "config:\n  a: 1\n  a: 2\n")]);
        let error = |file| StackConfig::in_memory(&files, ".", "dev", file).err();
        let message = error(None).unwrap();
        assert!(message.starts_with("Pulumi.dev.yaml:3:3: "), "{message}");
        let message = error(Some("none.yaml")).unwrap();
        assert_eq!(message, "there is no file `none.yaml`");
    }
}
