//! The facts of a run as callers in other languages give them.

use std::collections::BTreeMap;
use std::path::Path;

use pcl_eval::{Answers, Limits};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use super::stack_config::{self, Open};
use super::{OfflineProgram, RunSettings, StackConfig};
use crate::memory_files::MemoryFiles;
use crate::workspace::Checked;

/// The facts of a run, for callers in other languages: each has a default, and most are read from
/// JSON.
#[derive(Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct RunOptions {
    /// The name of the project; by default that in its file.
    pub project: Option<String>,
    /// The name of the stack, whose configuration is in `Pulumi.STACK.yaml`.
    pub stack: String,
    /// The organization.
    pub organization: String,
    /// Values of the configuration by key; one without a colon is a key of the project.
    pub config: BTreeMap<String, String>,
    /// The same for values that are secret.
    #[serde(deserialize_with = "secrets")]
    pub secrets: BTreeMap<String, String>,
    /// The file that the configuration of the stack is read from instead.
    #[serde(alias = "configFile")]
    pub config_file: Option<String>,
    /// The environment variables from which schemas take defaults.
    pub environment: BTreeMap<String, String>,
    /// The answers of providers, in the form that [`Answers::read`] reads.
    pub mock: Option<Value>,
    /// Configuration that is not given, and has no default, is unknown.
    #[serde(skip)]
    pub unknown_config: bool,
    /// The passphrase of the environment is not used: encrypted values have no text, as without
    /// one.
    #[serde(skip)]
    pub without_passphrase: bool,
    /// The most that the run may spend.
    #[serde(skip)]
    pub limits: Limits,
}

/// Reads secrets. The messages of serde would show values of another type.
fn secrets<'de, D>(deserializer: D) -> Result<BTreeMap<String, String>, D::Error>
where
    D: Deserializer<'de>,
{
    let wrong = || D::Error::custom("the secrets must be an object of strings");
    let Value::Object(entries) = Value::deserialize(deserializer)? else { return Err(wrong()) };
    let text = |(name, value)| match value {
        Value::String(text) => Ok((name, text)),
        _ => Err(wrong()),
    };
    entries.into_iter().map(text).collect()
}

impl Default for RunOptions {
    fn default() -> Self {
        Self {
            project: None,
            stack: "dev".to_owned(),
            organization: "organization".to_owned(),
            config: BTreeMap::new(),
            secrets: BTreeMap::new(),
            config_file: None,
            environment: BTreeMap::new(),
            mock: None,
            unknown_config: false,
            without_passphrase: false,
            limits: Limits::default(),
        }
    }
}

impl RunOptions {
    /// A program on disk, whose project is in `root`.
    ///
    /// # Errors
    /// Returns a message if the configuration of the stack cannot be read, or if the answers of
    /// providers have another form.
    pub fn on_disk(
        self,
        checked: Checked,
        directory: &Path,
        root: &Path,
    ) -> Result<OfflineProgram, String> {
        let file = self.config_file.as_deref().map(Path::new);
        let config = StackConfig::on_disk(root, &self.stack, file, self.open())?;
        let absolute = |path: &Path| {
            let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
            absolute.to_string_lossy().into_owned()
        };
        let (settings, answers) = self.settings(config)?;
        let settings = RunSettings {
            root_directory: absolute(root),
            working_directory: absolute(directory),
            ..settings
        };
        Ok(OfflineProgram::new(checked, settings, answers, root))
    }

    /// The program of a directory of files in memory.
    ///
    /// # Errors
    /// Returns a message as [`on_disk`](Self::on_disk) does.
    pub fn in_memory(
        self,
        checked: Checked,
        files: MemoryFiles,
        directory: &str,
    ) -> Result<OfflineProgram, String> {
        let root = files.project_of(directory);
        let root = root.as_deref().unwrap_or(directory);
        let file = self.config_file.as_deref();
        let config = StackConfig::of_files(&files, root, &self.stack, file, self.open())?;
        let (settings, answers) = self.settings(config)?;
        let program = OfflineProgram::in_memory(checked, settings, answers, files, directory);
        Ok(program)
    }

    /// The way to the key of encrypted values.
    fn open(&self) -> Open {
        if self.without_passphrase { stack_config::without_passphrase } else { stack_config::open }
    }

    fn settings(self, mut config: StackConfig) -> Result<(RunSettings, Answers), String> {
        if let Some(project) = self.project {
            config.rename(project);
        }
        for (key, value) in &self.config {
            config.set(key, value);
        }
        for (key, value) in &self.secrets {
            config.set_secret(key, value);
        }
        let answers = match self.mock {
            Some(mock) => Answers::read(&mock.to_string())?,
            None => Answers::default(),
        };
        let settings = RunSettings {
            config: config.entries,
            project: config.project,
            stack: self.stack,
            organization: self.organization,
            environment: self.environment,
            parallel: 1,
            unknown_config: self.unknown_config,
            limits: self.limits,
            ..RunSettings::default()
        };
        Ok((settings, answers))
    }
}
