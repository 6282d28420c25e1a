//! The settings of a workspace, and the workspaces of programs by their configuration.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use pcl::config::{Configuration, Discovery};
use pcl::render::Report;
use pcl::schema::{ChainLoader, Loader, MemoryLoader};
use pcl::{SchemaPlaces, Settings, Workspace};
use pcl_convert::Language;
use pyo3::prelude::*;
use serde_json::Value;

use crate::run::{Class, error, error_with, messages};
use crate::schemas::CallbackLoader;
use crate::workspace::Program;

/// The settings that the caller gives, of which the configuration files of programs set the rest.
pub struct Shared {
    discovery: Discovery,
    directories: Vec<PathBuf>,
    pulumi_home: Option<PathBuf>,
    /// The documents that the caller gives, if any.
    memory: Option<Arc<MemoryLoader>>,
    /// The function that supplies schemas.
    pub callback: Option<Arc<CallbackLoader>>,
    known: Mutex<Vec<Known>>,
}

/// A configuration with the workspace of its programs.
type Known = (Arc<Configuration>, Arc<Workspace>);

impl Shared {
    pub fn new(
        py: Python<'_>,
        settings: &str,
        isolated: bool,
        directories: Vec<PathBuf>,
        pulumi_home: Option<PathBuf>,
        schemas: Vec<Vec<u8>>,
        loader: Option<Py<PyAny>>,
    ) -> PyResult<Self> {
        let mut base = Configuration::default();
        let settings: BTreeMap<String, Value> = serde_json::from_str(settings)
            .map_err(|found| error(py, Class::Settings, found.to_string()))?;
        for (name, value) in &settings {
            base.set_json(name, value)
                .map_err(|found| error(py, Class::Settings, messages(&found)))?;
        }
        let mut memory: Option<MemoryLoader> = None;
        for schema in schemas {
            memory
                .get_or_insert_default()
                .add(schema)
                .map_err(|found| error(py, Class::Schema, found.to_string()))?;
        }
        Ok(Self {
            discovery: Discovery::new(base, isolated),
            directories,
            pulumi_home,
            memory: memory.map(Arc::new),
            callback: loader.map(|function| Arc::new(CallbackLoader::new(function))),
            known: Mutex::default(),
        })
    }

    /// The workspace that checks a program. Programs with the same configuration share one.
    pub fn workspace(&self, program: &Program) -> Arc<Workspace> {
        self.of(self.configuration(program))
    }

    fn configuration(&self, program: &Program) -> Arc<Configuration> {
        match program.directory() {
            Some(directory) => self.discovery.of(&directory),
            None => Arc::new(self.discovery.base().clone()),
        }
    }

    /// The workspace that checks a program which is converted to a language.
    pub fn converting(&self, program: &Program, language: Language) -> Workspace {
        let configuration = self.configuration(program);
        self.build(pcl_convert::adjusted(self.settings(&configuration), language))
    }

    /// The loader of programs without configuration files.
    pub fn loader(&self) -> Arc<ChainLoader> {
        let mut loader = ChainLoader::default();
        if let Some(memory) = &self.memory {
            loader.push(Arc::clone(memory));
        }
        if let Some(callback) = &self.callback {
            loader.push(Arc::clone(callback));
        }
        let settings = self.settings(self.discovery.base());
        loader.push(settings.schemas.loader(None));
        Arc::new(loader)
    }

    fn of(&self, configuration: Arc<Configuration>) -> Arc<Workspace> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, workspace)) = known.iter().find(|(other, _)| *other == configuration) {
            return Arc::clone(workspace);
        }
        let workspace = Arc::new(self.build(self.settings(&configuration)));
        known.push((configuration, Arc::clone(&workspace)));
        workspace
    }

    fn build(&self, settings: Settings) -> Workspace {
        let mut workspace = Workspace::new(settings);
        if let Some(memory) = &self.memory {
            workspace = workspace.with_loader(Arc::clone(memory) as Arc<dyn Loader>);
        }
        if let Some(callback) = &self.callback {
            workspace = workspace.with_loader(Arc::clone(callback) as Arc<dyn Loader>);
        }
        workspace
    }

    fn settings(&self, configuration: &Configuration) -> Settings {
        let mut settings = configuration.settings();
        let configured = std::mem::take(&mut settings.schemas);
        settings.schemas = SchemaPlaces {
            directories: [&self.directories[..], &configured.directories].concat(),
            pulumi_home: self.pulumi_home.clone(),
            ..configured
        };
        settings
    }

    /// Raises an exception with what is wrong with the configuration files that were read.
    pub fn raise(&self, py: Python<'_>) -> PyResult<()> {
        self.discovery.diagnostics(|sources, diagnostics| {
            let Some(first) = diagnostics.first() else { return Ok(()) };
            let path = sources.path(first.primary.file);
            let report =
                Report { on_disk: true, ..Report::new(path, sources.clone(), diagnostics) };
            let message = format!("nothing is checked until `{path}` is valid");
            Err(error_with(py, Class::Settings, &message, &report))
        })
    }
}
