//! The settings and directories that tools work with.

use std::path::Path;
use std::sync::Arc;

use pcl::Settings;
use pcl::config::Discovery;
use pcl::schema::ChainLoader;

use super::directories::Directories;
use crate::server::Environment;

/// The things that tools work with.
pub struct Context<'e> {
    /// The settings of the command.
    pub environment: Environment<'e>,
    /// The directories that may be read.
    pub directories: Directories,
}

impl<'e> Context<'e> {
    /// A context of these parts.
    pub const fn new(environment: Environment<'e>, directories: Directories) -> Self {
        Self { environment, directories }
    }

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
