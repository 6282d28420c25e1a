//! Programs and engines for tests.

use std::collections::BTreeMap;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pcl_binder::{Options, Sources, bind};
use pcl_diagnostics::SourceMap;
use pcl_eval::monitor::{
    Called, EngineError, Invoke, MethodCall, Monitor, ReadAnswer, ReadResource, RegisterHook,
    RegisterPackage, RegisterResource, Registered,
};
use pcl_schema::MemoryLoader;
use pcl_values::{Content, Contents, Entry, PropertyMap, Urn};
use serde_json::Value as Json;

/// A loader of the given schemas.
pub fn loader(schemas: &[&Json]) -> Arc<MemoryLoader> {
    let mut loader = MemoryLoader::default();
    for schema in schemas {
        loader.add(schema.to_string()).expect("a schema");
    }
    Arc::new(loader)
}

/// Binds a program of one file.
pub fn bound(text: &str, loader: Arc<MemoryLoader>, options: &Options) -> pcl_binder::Bound {
    let mut map = SourceMap::new();
    let sources = Sources::from_texts([("main.pp", text)], &mut map);
    bind(&sources, &mut map, loader, options)
}

/// Files in memory.
#[derive(Default)]
pub struct Files(pub BTreeMap<PathBuf, Vec<u8>>);

impl Files {
    fn clean(path: &str) -> PathBuf {
        let mut clean = PathBuf::new();
        for part in Path::new(path).components() {
            match part {
                std::path::Component::ParentDir => _ = clean.pop(),
                std::path::Component::CurDir => {}
                other => clean.push(other),
            }
        }
        clean
    }
}

impl Contents for Files {
    fn file(&self, path: &str) -> io::Result<Content<'_>> {
        match self.0.get(&Self::clean(path)) {
            Some(bytes) => Ok(Content::of(bytes)),
            None => Err(ErrorKind::NotFound.into()),
        }
    }

    fn directory(&self, path: &str) -> io::Result<Vec<Entry>> {
        let directory = Self::clean(path);
        if self.0.contains_key(&directory) {
            return Err(ErrorKind::NotADirectory.into());
        }
        let mut entries = BTreeMap::new();
        for file in self.0.keys() {
            if let Ok(rest) = file.strip_prefix(&directory) {
                let mut parts = rest.components();
                let name = parts.next().expect("a name").as_os_str();
                let name = name.to_str().expect("text").to_owned();
                entries.insert(name, parts.next().is_some());
            }
        }
        if entries.is_empty() {
            return Err(ErrorKind::NotFound.into());
        }
        let entry = |(name, is_directory)| Entry { name, is_directory };
        Ok(entries.into_iter().map(entry).collect())
    }

    fn fetch(&self, _: &str) -> io::Result<Content<'_>> {
        Err(ErrorKind::Unsupported.into())
    }
}

/// An engine that answers nothing but what a resource reference means.
pub struct Hydrating;

fn no_engine<T>() -> Result<T, EngineError> {
    Err(EngineError::Failed(String::from("there is no engine")))
}

impl Monitor for Hydrating {
    fn register_resource(&self, _: &RegisterResource) -> Result<Registered, EngineError> {
        no_engine()
    }

    fn read_resource(&self, _: &ReadResource) -> Result<ReadAnswer, EngineError> {
        no_engine()
    }

    fn invoke(&self, request: &Invoke) -> Result<Called, EngineError> {
        if request.token != "pulumi:pulumi:getResource" {
            return no_engine();
        }
        let state = PropertyMap::from_iter([("hydrated".into(), true.into())]);
        Ok(Called::Result(
            PropertyMap::from_iter([("state".into(), state.into())]),
            PropertyMap::new(),
        ))
    }

    fn call(&self, _: &MethodCall) -> Result<Called, EngineError> {
        no_engine()
    }

    fn register_outputs(&self, _: &Urn, _: &PropertyMap) -> Result<(), EngineError> {
        no_engine()
    }

    fn register_package(&self, _: &RegisterPackage) -> Result<String, EngineError> {
        no_engine()
    }

    fn register_hook(&self, _: RegisterHook) -> Result<(), EngineError> {
        no_engine()
    }

    fn require_version(&self, _: &str) -> Result<(), EngineError> {
        no_engine()
    }

    fn finish(&self) -> Result<(), EngineError> {
        no_engine()
    }
}
